import { migrations } from "@slipway/sql/deploy"
import { Contracts, cases } from "@slipway/testkit/deploy"
import { onEachEngine, onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onEachEngine((engine) => {
  Contracts.contracts("contracts", layerEmptied(engine))
}, migrations)

onOneEngine((engine) => cases("cases", layerEmptied(engine)), migrations)
