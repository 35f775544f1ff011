import { migrations } from "@slipway/sql/forge"
import { worlds } from "@slipway/testkit/forge"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onOneEngine((engine) => worlds("stores", layerEmptied(engine)), migrations)
