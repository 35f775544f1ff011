import { migrations } from "@slipway/sql/forge"
import { Scenarios } from "@slipway/testkit/forge"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onOneEngine((engine) => Scenarios.scenarios("stores", layerEmptied(engine)), migrations)
