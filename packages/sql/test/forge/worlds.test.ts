import { migrations } from "@slipway/sql/forge"
import { worlds } from "@slipway/testkit/forge"
import { onEachEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onEachEngine((engine) => worlds("stores", layerEmptied(engine)), migrations)
