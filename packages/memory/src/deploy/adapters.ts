import { Layer } from "effect"
import { connectedForges } from "./apps/connectedForges.ts"
import { hostedRepositories } from "./apps/hostedRepositories.ts"
import { sources } from "./apps/sources.ts"
import { compose } from "./containers/compose.ts"
import { engineLayer } from "./containers/engine.ts"
import { forgeAppTokens } from "./containers/packers.ts"
import { proxy } from "./containers/proxy.ts"
import { certificateIssuer } from "./infrastructure/certificates.ts"
import { fileEncryption, objectStorage } from "./infrastructure/objectStorage.ts"
import { manifestReader } from "./runtime/manifests.ts"
import { bundleCipher } from "./runtime/transfers.ts"

/** Simulates the systems outside of the platform: container engines, proxies, git hosts, S3 storages and encryption. */
export const adapters = Layer.mergeAll(
  engineLayer,
  bundleCipher,
  certificateIssuer,
  fileEncryption,
  objectStorage,
  proxy,
  compose,
  connectedForges,
  hostedRepositories,
  sources,
  forgeAppTokens,
  manifestReader
)
