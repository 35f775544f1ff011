import { migrations } from "@slipway/sql/forge"
import { partOf, register } from "@slipway/testkit"
import { Contracts } from "@slipway/testkit/forge"
import { isThorough } from "../../../../scripts/vitest/runs.ts"
import { isEmbeddedWhole, onEachEngine, onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

// The embedded database runs the same statements; a regular run covers a sixth of each port's contract there.
onEachEngine((engine) => {
  const isWhole = isEmbeddedWhole || engine.name !== "embedded PostgreSQL"
  register("stores", layerEmptied(engine), isWhole ? Contracts.all : Contracts.all.map((each) => partOf(each, 6)))
}, migrations)

// An owned store runs the same statements for each type, and `owned.test.ts` covers them on each database. A regular
// run covers each contract for a quarter of the types, the next contract for others.
const owned = isThorough ? Contracts.owned : partOf(Contracts.owned, 4)
onOneEngine((engine) => register("owned stores", layerEmptied(engine), [owned]), migrations)
