import { EnvironmentStore, ProjectStore } from "@slipway/domain/deploy/apps"
import { DatabaseStore } from "@slipway/domain/deploy/databases"
import { DestinationStore, ForgeAppStore, PrivateKeyStore, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import {
  newDatabase,
  newDestination,
  newEnvironment,
  newForgeApp,
  newPrivateKey,
  newProject,
  newServer,
  placementOf
} from "./builders.ts"

/** Stores a project with an environment, and a server with a destination: a placement for applications. */
export const plantPlace = Effect.fnUntraced(function* (n = 1) {
  const project = yield* (yield* ProjectStore).insert(newProject(n))
  const environment = yield* (yield* EnvironmentStore).insert(newEnvironment(n, project))
  const server = yield* (yield* ServerStore).insert(newServer(n))
  const destination = yield* (yield* DestinationStore).insert(newDestination(n, server))
  return { project, environment, server, destination, placement: placementOf(environment, destination) }
})

/** Stores two databases in one environment. */
export const plantTwoDatabases = Effect.gen(function* () {
  const { placement } = yield* plantPlace()
  const databases = yield* DatabaseStore
  return {
    mine: yield* databases.insert(newDatabase(1, placement)),
    other: yield* databases.insert(newDatabase(2, placement))
  }
})

/**
 * Stores every resource that an application of any variant can reference. Each private key is used by only one of them.
 */
export const plantWorld = Effect.fnUntraced(function* (n = 1) {
  const place = yield* plantPlace(n)
  const keys = yield* PrivateKeyStore
  const privateKey = yield* keys.insert(newPrivateKey(n * 10))
  const forgeKey = yield* keys.insert(newPrivateKey(n * 10 + 1))
  const forgeApp = yield* (yield* ForgeAppStore).insert(newForgeApp(n, forgeKey))
  return { ...place, privateKey, forgeKey, forgeApp }
})
