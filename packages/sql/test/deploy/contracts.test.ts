import { migrations } from "@slipway/sql/deploy"
import { contracts } from "@slipway/testkit/deploy"
import { onEachEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onEachEngine((engine) => contracts("stores", layerEmptied(engine)), migrations)
