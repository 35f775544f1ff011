import { blobStore } from "@slipway/memory/forge"
import { register } from "@slipway/testkit"
import { Contracts } from "@slipway/testkit/forge"
import { Layer } from "effect"
import { Digest } from "effect/crypto"

register("memory", Layer.provide(blobStore, Digest.layerWebCrypto), [Contracts.blobs])
