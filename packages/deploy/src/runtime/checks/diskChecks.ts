import { now, Transaction } from "@slipway/domain"
import { nextRun } from "@slipway/domain/deploy/apps"
import type { DiskSpace } from "@slipway/domain/deploy/containers"
import {
  type DiskCheck,
  diskMessage,
  isPastThreshold,
  type Server,
  ServerStore,
  type ServerUuid
} from "@slipway/domain/deploy/infrastructure"
import { Duration, Effect } from "effect"
import { raiseCondition, topicOf } from "../../infrastructure/notifications/record.ts"
import { engineFailureReason, inTime, openEngine } from "../../infrastructure/servers/validate.ts"

/** Returns whether the disk check of a server is due. */
export const isDiskCheckDue = ({ createdAt, diskCheck, diskCheckFrequency }: Server, at: string): boolean => {
  const due = nextRun(diskCheckFrequency, diskCheck?.at ?? createdAt)
  return due !== undefined && due <= at
}

/** Updates the stored disk state of a server with a function of its current state, unless the server was removed. */
const keep = Effect.fnUntraced(function* <R>(
  uuid: ServerUuid,
  next: (present: Server) => DiskCheck | undefined,
  also: (server: Server) => Effect.Effect<void, never, R>
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* ServerStore
      const present = yield* store.lock(uuid)
      const diskCheck = present === undefined ? undefined : next(present)
      if (present === undefined || diskCheck === undefined) return undefined
      const server: Server = { ...present, diskCheck }
      yield* Effect.orDie(store.replace(server))
      yield* also(server)
      return { before: present, server }
    })
  )
})

/** Returns the used disk space in percent, rounded up as common disk tools do. */
const percentOf = ({ free, used }: DiskSpace): number =>
  used + free === 0 ? 100 : Math.ceil((100 * used) / (used + free))

const look = (server: Server) =>
  Effect.flatMap(openEngine(server), (engine) => engine.diskSpace).pipe(
    Effect.scoped,
    inTime(server),
    Effect.map((space) =>
      space === null
        ? { percent: null, because: "the connection to its engine does not report disk usage" }
        : { percent: percentOf(space), because: null }
    ),
    Effect.catch((error) => Effect.succeed({ percent: null, because: engineFailureReason(error) }))
  )

/** The minimum interval between two notifications about a disk above its threshold. */
const reportInterval = Duration.hours(1)

/** Queues a notification if the disk usage of a server is above its threshold. */
const reportUsage = Effect.fnUntraced(function* (server: Server) {
  const percent = server.diskCheck?.percent ?? null
  if (percent === null || !isPastThreshold(server)) return
  const message = diskMessage(server, percent, server.diskThreshold)
  yield* raiseCondition(server.teamId, topicOf("disk", server.uuid), message, reportInterval)
})

/** Checks the disk usage of a server, unless another process does, and warns once if it is above the threshold. */
export const checkDisk = Effect.fnUntraced(function* (uuid: ServerUuid) {
  const at = yield* now
  const taken = yield* keep(
    uuid,
    (server) => (isDiskCheckDue(server, at) ? { percent: null, because: null, ...server.diskCheck, at } : undefined),
    () => Effect.void
  )
  if (taken === undefined) return
  const found = yield* look(taken.server)
  const stored = yield* keep(uuid, () => ({ ...found, at }), reportUsage)
  if (stored === undefined || found.percent === null) return
  const { before, server } = stored
  if (isPastThreshold(server) === isPastThreshold(before)) return
  const said = isPastThreshold(server)
    ? Effect.logWarning(`the disk of the server ${server.name} is ${found.percent} % full`)
    : Effect.logInfo(`the disk of the server ${server.name} has free space again: it is ${found.percent} % full`)
  yield* Effect.annotateLogs(said, { server: uuid, percent: found.percent, threshold: server.diskThreshold })
})
