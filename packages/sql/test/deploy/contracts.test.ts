import { migrations } from "@slipway/sql/deploy"
import { Contracts, cases } from "@slipway/testkit/deploy"
import { isEmbeddedWhole, onEachEngine, onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onEachEngine((engine) => {
  const isWhole = isEmbeddedWhole || engine.name !== "embedded PostgreSQL"
  const contracts = isWhole ? Contracts.contracts : Contracts.firstContracts
  contracts("contracts", layerEmptied(engine))
}, migrations)

onOneEngine((engine) => cases("cases", layerEmptied(engine)), migrations)
