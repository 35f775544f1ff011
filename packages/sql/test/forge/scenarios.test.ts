import { migrations } from "@slipway/sql/forge"
import { Scenarios } from "@slipway/testkit/forge"
import { onEachEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onEachEngine((engine) => Scenarios.scenarios("stores", layerEmptied(engine)), migrations)
