import { layerComposeReader } from "@slipway/compose"
import { register } from "@slipway/testkit"
import { Contracts } from "@slipway/testkit/deploy"
import { Layer } from "effect"
import { world } from "./support.ts"

register("compose", Layer.merge(layerComposeReader, world), [Contracts.compose])
