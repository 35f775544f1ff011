import { now, storable, Transaction } from "@slipway/domain"
import {
  ContainerEngine,
  type EngineFailure,
  type EngineInfo,
  EngineUnreachable,
  type HostKeyChanged
} from "@slipway/domain/deploy/containers"
import type { Authorized } from "@slipway/domain/deploy/entry"
import type { HostKey, Server, ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { HostKeyStore, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { saveReachability } from "../notifications/record.ts"
import { accessTo } from "./accessTo.ts"

/** The oldest supported version of the Docker Engine API: Docker 20.10, Podman 4. */
export const oldestApi = "1.41"

/** The result of checking a server's container engine. */
export interface Validation {
  /** Whether the container engine of the server responds. */
  readonly isReachable: boolean
  /** Whether applications can be deployed to the server. */
  readonly isUsable: boolean
  /** The reason why the server is not usable, or a summary of the result. */
  readonly because: string
  readonly engine: EngineInfo | null
  readonly hostKeys: ReadonlyArray<HostKey>
}

const minorOf = (version: string): number => Number(version.split(".")[1] ?? 0)

const judged = (engine: EngineInfo): Omit<Validation, "hostKeys"> => {
  const { apiVersion, architecture, operatingSystem, product, version } = engine
  const isUsable = minorOf(apiVersion) >= minorOf(oldestApi)
  const found = `${product} ${version} answers (API ${apiVersion}, ${operatingSystem}, ${architecture})`
  return {
    isReachable: true,
    isUsable,
    because: isUsable ? found : `${found}, which is too old: API ${oldestApi} is needed`,
    engine
  }
}

/** Returns the result of a check if the container engine does not respond. */
export const unreachable = (because: string): Omit<Validation, "hostKeys"> => ({
  isReachable: false,
  isUsable: false,
  because,
  engine: null
})

// In addition to the connection itself, which has its own timeout.
const seconds = 20

/** Returns a container engine failure as a message. */
export const engineFailureReason = (error: EngineFailure | HostKeyChanged): string => {
  switch (error._tag) {
    case "EngineUnreachable":
      return `the engine cannot be reached: ${error.because}`
    case "EngineRefused":
      return `the engine rejects the request: ${error.because}`
    case "HostKeyChanged":
      return `the SSH host key of the server changed to ${error.shown}: forget the known key if this is intended`
  }
}

/** Returns a container engine failure as a message without the socket path, for callers that may not see the path. */
export const publicEngineFailureReason = (error: EngineFailure | HostKeyChanged): string =>
  engineFailureReason(error).replaceAll(/(?<![\w/])\/[^\s:,;'"`]+/g, "the socket")

/** Opens a connection to the container engine of a server. */
export const openEngine = Effect.fnUntraced(function* (server: Server) {
  return yield* (yield* ContainerEngine).open(yield* accessTo(server))
})

/** Applies the timeout for responses of a server to an effect. */
export const inTime =
  (server: Server) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | EngineUnreachable, R> =>
    Effect.timeoutOrElse(effect, {
      duration: (server.connectionTimeout + seconds) * 1_000,
      orElse: () => Effect.fail(new EngineUnreachable({ because: "no answer in time" }))
    })

const examine = (server: Server) =>
  Effect.flatMap(openEngine(server), (engine) => engine.info).pipe(
    Effect.map(judged),
    Effect.scoped,
    inTime(server),
    Effect.catch((error) => Effect.succeed(unreachable(engineFailureReason(error))))
  )

/** Stores the result of a server check, unless the server was removed in the meantime. */
export const keep = Effect.fnUntraced(function* (
  uuid: ServerUuid,
  { because, isReachable, isUsable }: Omit<Validation, "hostKeys">
) {
  const transaction = yield* Transaction
  // The server may have sent a part of the message.
  const validation = { isReachable, isUsable, because: storable(because), at: yield* now }
  yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* ServerStore
      const present = yield* store.lock(uuid)
      if (present === undefined) return
      yield* Effect.orDie(store.replace({ ...present, validation }))
      yield* saveReachability(present, isReachable)
    })
  )
})

/**
 * Checks that a server's container engine responds and meets the requirements. Stores the result and, at the first
 * connection, the SSH host key.
 */
export const validate = Effect.fnUntraced(function* ({ resource }: Authorized<"server.validate">) {
  const { server } = resource
  const found = yield* examine(server)
  yield* keep(server.uuid, found)
  return { ...found, hostKeys: yield* (yield* HostKeyStore).ofServer(server.uuid) } satisfies Validation
})

/** Deletes the SSH host keys of a server; the next connection stores the server's current key. */
export const forgetHostKeys = Effect.fnUntraced(function* ({ resource }: Authorized<"server.update">) {
  yield* (yield* HostKeyStore).forget(resource.server.uuid)
})
