import { layer } from "@slipway/memory/deploy"
import { migrations } from "@slipway/sql/deploy"
import { model } from "@slipway/testkit/deploy"
import { onEachEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

onEachEngine((engine) => model("memory against SQL", layer, layerEmptied(engine)), migrations)
