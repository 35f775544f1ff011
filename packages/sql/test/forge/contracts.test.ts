import { migrations } from "@slipway/sql/forge"
import { Contracts } from "@slipway/testkit/forge"
import { onEachEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onEachEngine((engine) => Contracts.contracts("stores", layerEmptied(engine)), migrations)
