import { migrations } from "@slipway/sql/forge"
import { partOf, register } from "@slipway/testkit"
import { Contracts } from "@slipway/testkit/forge"
import { isThorough } from "../../../../scripts/vitest/runs.ts"
import { isEmbeddedWhole, onEachEngine, onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

// The embedded database runs the same statements; an ordinary run shows a sixth of the promises there, of every port.
onEachEngine((engine) => {
  const isWhole = isEmbeddedWhole || engine.name !== "embedded PostgreSQL"
  register("stores", layerEmptied(engine), isWhole ? Contracts.all : Contracts.all.map((each) => partOf(each, 6)))
}, migrations)

// What an owned store does is the same statements for each kind, and `owned.test.ts` shows them on each database: an
// ordinary run shows each promise for a quarter of the kinds, the next one for others.
const owned = isThorough ? Contracts.owned : partOf(Contracts.owned, 4)
onOneEngine((engine) => register("owned stores", layerEmptied(engine), [owned]), migrations)
