import { layerManifestReader } from "@slipway/compose"
import { register } from "@slipway/testkit"
import { Contracts } from "@slipway/testkit/deploy"

register("YAML", layerManifestReader, [Contracts.manifests])
