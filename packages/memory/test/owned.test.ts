import { layerOwned } from "@slipway/memory"
import { register, sampleKinds, samples } from "@slipway/testkit"

register("memory", layerOwned(sampleKinds), [samples])
