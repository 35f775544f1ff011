import "effect/schema/SchemaJITCompiler/enable"
import { Transaction } from "@slipway/domain"
import { layerProgramVersion, runService, serve } from "@slipway/http/node"
import { healthRoutes } from "@slipway/http/server"
import { layer as routes } from "@slipway/http/server/forge"
import { layer as memory } from "@slipway/memory/forge"
import { layer as sql } from "@slipway/sql/forge"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Settings, settings } from "./config.ts"
import { greeting } from "./greeting.ts"

const largestBody = 4

const platform = ({ database }: Settings) =>
  Layer.mergeAll(
    SecureRandom.layerWebCrypto,
    database._tag === "Memory" ? memory : sql(database),
    layerProgramVersion(new URL("../package.json", import.meta.url))
  )

// An empty transaction goes all the way to the database and back.
const health = healthRoutes(Effect.flatMap(Transaction, ({ run }) => run(Effect.void)))

const service = Effect.gen(function* () {
  const chosen = yield* settings
  return serve(Layer.mergeAll(routes, health), {
    ...chosen,
    largestBody,
    onListening: (base) => Effect.sync(() => void process.stdout.write(greeting(base, chosen)))
  }).pipe(Layer.provide(platform(chosen)))
}).pipe(Layer.unwrap, Layer.launch)

runService("forge", service)
