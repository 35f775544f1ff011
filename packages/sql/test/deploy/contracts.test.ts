import { layerStores, migrations } from "@slipway/sql/deploy"
import { contracts } from "@slipway/testkit/deploy"
import { Layer } from "effect"
import { onEachEngine } from "../support/engines.ts"

onEachEngine(({ database }) => contracts("stores", Layer.provide(layerStores, database(migrations))))
