import { logOutages, now, timeIn } from "@slipway/domain"
import { type Engine, momentOf } from "@slipway/domain/deploy/containers"
import {
  type DrainedLine,
  type DrainPosition,
  type DrainProgress,
  isHandedOver,
  type LogDrain,
  LogDrainStore,
  type Server,
  ServerStore,
  type ServerUuid
} from "@slipway/domain/deploy/infrastructure"
import { Effect, Semaphore, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import * as LogDrains from "../../infrastructure/log-drains/LogDrains.ts"
import { inTime, openEngine } from "../../infrastructure/servers/validate.ts"

/** The interval between two passes over all servers. */
const interval = "5 seconds"
/** The maximum number of lines of a container that one pass reads; older lines are skipped. */
const mostLines = 1_000
/** The maximum number of lines in one request, and of bytes of their texts. A longer line is sent alone. */
const [mostBatchLines, mostBatchBytes] = [500, 256_000]
/** The number of servers that are read concurrently, and of containers on each server. */
const concurrency = 4
/** The lease of a process for a server in seconds after its last pass. Other processes skip the server until then. */
const lease = 60

interface DrainedContainer {
  readonly name: string
  readonly lines: ReadonlyArray<DrainedLine>
}

/** The log lines of the containers that could be read, and the names of all running containers. */
interface DrainedServer {
  readonly containers: ReadonlyArray<DrainedContainer>
  readonly present: ReadonlySet<string>
}

/** Reads the log lines of all running containers, each from its own start time; omits unreadable containers. */
const readLines = Effect.fnUntraced(function* (
  engine: Engine,
  server: Server,
  sinceOf: (container: string) => string | undefined
) {
  const running = yield* engine.addresses
  const found = yield* Effect.forEach(
    running,
    ({ name, owner: { application } }) => {
      const since = sinceOf(name)
      const query = { tail: mostLines, ...(since === undefined ? {} : { since }) }
      return Stream.runCollect(engine.logs({ application, name }, query)).pipe(
        Effect.map(
          (lines): DrainedContainer => ({
            name,
            lines: [...lines].map(({ at, stream, text }) => ({
              at: momentOf(at) ?? at,
              stream,
              text,
              container: name,
              application,
              server: server.name
            }))
          })
        ),
        Effect.catch(() => Effect.succeed(undefined))
      )
    },
    { concurrency }
  )
  const containers = found.filter((container) => container !== undefined)
  return { containers, present: new Set(running.map(({ name }) => name)) } satisfies DrainedServer
})

/** Returns the position in a container's log after which lines are new for a receiver. */
const floorOf = ({ positions, since }: DrainProgress, container: string): DrainPosition =>
  positions.find((position) => position.container === container) ?? { container, at: since }

/**
 * Returns the lines of a container that were not sent yet, and the position before them. Several lines can have the
 * same time, since Podman only records seconds.
 */
const unsentOf = ({ lines, name }: DrainedContainer, progress: DrainProgress) => {
  const floor = floorOf(progress, name)
  const same = lines.filter(({ at }) => at === floor.at)
  // With a full read, lines of the same time may be missing: the ones that are left are sent again.
  const sent = lines.length >= mostLines ? 0 : (floor.count ?? same.length)
  const position: DrainPosition = { ...floor, count: sent }
  return { lines: [...same.slice(sent), ...lines.filter(({ at }) => at > floor.at)], position }
}

const encoder = new TextEncoder()

/** Divides log lines into batches with limited numbers of lines and bytes. */
const batchesOf = (lines: ReadonlyArray<DrainedLine>): ReadonlyArray<ReadonlyArray<DrainedLine>> => {
  const batches: Array<Array<DrainedLine>> = []
  let bytes = 0
  for (const line of lines) {
    const size = encoder.encode(line.text).length
    const batch = batches.at(-1)
    if (batch === undefined || batch.length === mostBatchLines || bytes + size > mostBatchBytes) {
      batches.push([line])
      bytes = size
    } else {
      batch.push(line)
      bytes += size
    }
  }
  return batches
}

/** Sends new lines to one receiver, and stores the position after each batch. A failed batch is sent again later. */
const drain = Effect.fnUntraced(function* (
  server: Server,
  receiver: LogDrain,
  progress: DrainProgress,
  { containers, present }: DrainedServer
) {
  const store = yield* LogDrainStore
  const unsent = containers.map((container) => unsentOf(container, progress))
  const fresh = unsent
    .flatMap(({ lines }) => lines)
    .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
  // A container that this pass could not read keeps its position.
  const reached = new Map(
    [
      ...progress.positions.filter(({ container }) => present.has(container)),
      ...unsent.map(({ position }) => position)
    ].map((position) => [position.container, position] as const)
  )
  for (const batch of batchesOf(fresh)) {
    yield* LogDrains.send(server, receiver, batch)
    for (const { at, container } of batch) {
      const before = reached.get(container)
      reached.set(container, { container, at, count: before?.at === at ? (before.count ?? 0) + 1 : 1 })
    }
    yield* store.save(server.uuid, { ...progress, positions: [...reached.values()] })
  }
})

/**
 * Sends the new log lines of a server to its receivers. The first pass of a new receiver sends nothing: it stores the
 * time from which lines are sent.
 */
const drainServer = Effect.fnUntraced(function* (server: Server) {
  const store = yield* LogDrainStore
  const receivers = server.logDrains.filter(({ isEnabled }) => isEnabled)
  const stored = yield* store.ofServer(server.uuid)
  const since = momentOf(yield* now) ?? ""
  const progressOf = ({ type }: LogDrain): DrainProgress =>
    stored.find((each) => each.type === type) ?? { type, since, positions: [] }
  const isNew = ({ type }: LogDrain) => !stored.some((each) => each.type === type)
  for (const receiver of receivers.filter(isNew)) yield* store.save(server.uuid, progressOf(receiver))
  const known = receivers.filter((receiver) => !isNew(receiver))
  if (known.length === 0) return
  const oldest = (container: string) =>
    known.map((receiver) => floorOf(progressOf(receiver), container).at).toSorted()[0]
  const drained = yield* Effect.flatMap(openEngine(server), (engine) => readLines(engine, server, oldest)).pipe(
    Effect.scoped,
    inTime(server)
  )
  yield* Effect.forEach(
    known,
    (receiver) =>
      drain(server, receiver, progressOf(receiver), drained).pipe(
        Effect.catch(({ because }) =>
          Effect.annotateLogs(
            Effect.logWarning(`the log drain ${receiver.type} of the server ${server.name} takes no lines: ${because}`),
            { server: server.uuid }
          )
        )
      ),
    { concurrency: "unbounded", discard: true }
  )
})

/** Sends the container logs of servers to their receivers until it is interrupted. One process serves each server. */
export const drainLogs = Effect.gen(function* () {
  const servers = yield* ServerStore
  const store = yield* LogDrainStore
  const random = yield* SecureRandom.SecureRandom
  const worker = Hex.encode(yield* random.randomBytes(12))
  const permits = yield* Semaphore.make(concurrency)
  const busy = new Set<ServerUuid>()
  const begin = Effect.fnUntraced(function* (server: Server) {
    if (busy.has(server.uuid) || isHandedOver(server)) return
    const claim = { worker, at: yield* now, until: yield* timeIn({ seconds: lease }) }
    if (!(yield* store.claim(server.uuid, claim))) return
    busy.add(server.uuid)
    yield* permits
      .withPermits(1)(drainServer(server))
      .pipe(
        Effect.timeout("50 seconds"),
        Effect.catch((error) =>
          Effect.logDebug(`the logs of the server ${server.name} cannot be read: ${String(error)}`)
        ),
        Effect.catchCause((cause) => Effect.logWarning(`draining the logs of the server ${server.uuid} failed`, cause)),
        Effect.ensuring(Effect.sync(() => busy.delete(server.uuid))),
        Effect.forkScoped
      )
  })
  const look = Effect.flatMap(servers.withLogDrains, (drained) => Effect.forEach(drained, begin, { discard: true }))
  return yield* look.pipe(logOutages("draining logs failed"), Effect.andThen(Effect.sleep(interval)), Effect.forever)
}).pipe(Effect.scoped)
