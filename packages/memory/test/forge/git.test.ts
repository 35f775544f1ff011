import { gitRepositories as layer } from "@slipway/memory/forge"
import { register } from "@slipway/testkit"
import { gitRepositories } from "@slipway/testkit/forge"
import { Layer } from "effect"
import { Digest } from "effect/crypto"

register("memory", Layer.provide(layer, Digest.layerWebCrypto), [gitRepositories])
