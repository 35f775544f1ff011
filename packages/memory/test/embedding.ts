import { Applications, Projects } from "@slipway/deploy/apps"
import { Servers } from "@slipway/deploy/infrastructure"
import { Vault } from "@slipway/domain"
import { system } from "@slipway/domain/deploy/entry"
import { layer } from "@slipway/memory/deploy"
import { Effect, Layer, Redacted } from "effect"
import { Aead, SecureRandom } from "effect/crypto"

const key = Redacted.make(SecureRandom.randomBytesUnsafe(32))
const secrets = Layer.provideMerge(
  Vault.layer(key).pipe(Layer.provide(Aead.layerWebCrypto)),
  SecureRandom.layerWebCrypto
)

export const program = Effect.gen(function* () {
  const project = yield* Projects.create(system("project.create"), { name: "shop", description: "" })
  const where = { ...Servers.serverDefaults, name: "one", ip: "203.0.113.7" }
  const server = yield* Servers.create(system("server.create"), where)
  const place = { project_uuid: project.uuid, environment_name: "production", server_uuid: server.uuid }
  const image = { ...place, docker_registry_image_name: "nginx", domains: "https://shop.example" }
  yield* Applications.create(system("application.create"), "dockerimage", image)
  return yield* Effect.flip(Applications.create(system("application.create"), "dockerimage", image))
}).pipe(Effect.provide(Layer.merge(layer, secrets)))
