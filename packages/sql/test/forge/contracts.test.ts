import { migrations } from "@slipway/sql/forge"
import { register } from "@slipway/testkit"
import { Contracts } from "@slipway/testkit/forge"
import { onEachEngine, onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onEachEngine((engine) => register("stores", layerEmptied(engine), Contracts.all), migrations)

// What an owned store does is the same statements for each kind, and `owned.test.ts` shows them on each database.
onOneEngine((engine) => register("owned stores", layerEmptied(engine), [Contracts.owned]), migrations)
