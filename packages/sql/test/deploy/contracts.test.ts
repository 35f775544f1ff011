import { migrations } from "@slipway/sql/deploy"
import { cases, contracts } from "@slipway/testkit/deploy"
import { onEachEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onEachEngine((engine) => {
  const layer = layerEmptied(engine)
  contracts("contracts", layer)
  cases("cases", layer)
}, migrations)
