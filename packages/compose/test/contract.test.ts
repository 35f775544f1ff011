import { layerComposeReader } from "@slipway/compose"
import { composeContract } from "@slipway/testkit/deploy"
import { Layer } from "effect"
import { world } from "./support.ts"

composeContract("compose", Layer.merge(layerComposeReader, world))
