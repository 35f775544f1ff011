import "effect/schema/SchemaJITCompiler/enable"
import { Vault } from "@slipway/domain"
import { FirstStart, SettingsStore } from "@slipway/domain/deploy"
import { runService, serve } from "@slipway/http/node"
import { healthRoutes } from "@slipway/http/server"
import { layer as routes } from "@slipway/http/server/deploy"
import { layer as memory } from "@slipway/memory/deploy"
import { secretKeyFrom, secretKeyIn } from "@slipway/sql"
import { layer as sql } from "@slipway/sql/deploy"
import { layerKeyReader } from "@slipway/ssh"
import { Effect, Layer, Redacted } from "effect"
import { Aead, Digest, SecureRandom } from "effect/crypto"
import { type Settings, settings } from "./config.ts"
import { greeting } from "./greeting.ts"

const largestBody = 4

const secretKey = ({ database, encryptionKey, encryptionKeyFile }: Settings) => {
  if (encryptionKey !== undefined) return secretKeyFrom(encryptionKey, "DEPLOY_ENCRYPTION_KEY")
  return database._tag === "Memory"
    ? Effect.sync(() => Redacted.make(crypto.getRandomValues(new Uint8Array(32))))
    : secretKeyIn(encryptionKeyFile)
}

const cryptography = Layer.mergeAll(
  Digest.layerWebCrypto,
  Aead.layerWebCrypto.pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))
)

const store = ({ database }: Settings) => (database._tag === "Memory" ? memory : sql(database))

const service = Effect.gen(function* () {
  const chosen = yield* settings
  const vault = Vault.layer(yield* secretKey(chosen)).pipe(Layer.provideMerge(cryptography))
  const platform = Layer.mergeAll(store(chosen), vault, layerKeyReader)
  const prepared = Layer.effectDiscard(
    Effect.flatMap(FirstStart.prepare(chosen.token), (made) =>
      Effect.sync(() => process.stdout.write(greeting(chosen, made)))
    )
  )
  const health = healthRoutes(Effect.flatMap(SettingsStore, (kept) => kept.read))
  return serve(Layer.mergeAll(routes, health), { host: chosen.host, port: chosen.port, largestBody }).pipe(
    Layer.provideMerge(prepared),
    Layer.provide(platform)
  )
}).pipe(Layer.unwrap, Layer.launch)

runService("deploy", service)
