import type { Application } from "@slipway/domain/deploy/apps"
import { ApplicationNotFound, ApplicationStore, ReleaseStore } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { Container, ContainerState, Engine } from "@slipway/domain/deploy/containers"
import {
  comparePositions,
  EngineUnreachable,
  LineCounter,
  type LineCursor,
  type LinePosition,
  mostContainers,
  positionIn,
  showCursor,
  startPosition
} from "@slipway/domain/deploy/containers"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import {
  type ApplicationLine,
  type ContainerFilter,
  chosenContainers,
  firstLines,
  isLine,
  type LinesLost,
  lastLines,
  linesAfter,
  linesBeyond,
  linesFromNow,
  makeLagTracker,
  type Read,
  readFirst,
  readLast,
  slowReaderMessage
} from "@slipway/domain/deploy/runtime"
import { Clock, Effect, Stream } from "effect"
import { waitForExpiry } from "../../identity/tokens/Tokens.ts"
import { inTime, openEngine, publicEngineFailureReason } from "../../infrastructure/servers/validate.ts"

export type { ApplicationLine as Line } from "@slipway/domain/deploy/runtime"

/** A request for log lines of an application. */
export interface LogLinesRequest extends ContainerFilter {
  /** The maximum number of lines. With a cursor, the first lines after it are returned, otherwise the last lines. */
  readonly lines: number
  /** Omits lines before this time; null includes all lines. */
  readonly since: string | null
  readonly after: LineCursor | null
}

/** An event of an application log stream. */
export type Event =
  /** A log line, with the cursor for continuing after this line. */
  | { readonly _tag: "Line"; readonly cursor: string; readonly line: ApplicationLine }
  /** A notice that lines of a container were lost and cannot be sent. */
  | LinesLost
  /** A notice that the server does not respond; the stream keeps polling it. */
  | { readonly _tag: "Unreachable"; readonly because: string }
  | { readonly _tag: "End"; readonly reason: string }

/** Finds the server that runs an application; if none does yet, the server of its placement. */
const serverOf = Effect.fnUntraced(function* ({ placement, uuid }: Application) {
  const serving = yield* (yield* ReleaseStore).serving(uuid)
  const server = yield* (yield* ServerStore).find(serving?.serverUuid ?? placement.serverUuid)
  return server ?? (yield* new EngineUnreachable({ because: "the server was deleted" }))
})

const containersOf = Effect.fnUntraced(function* (engine: Engine, { uuid }: Application, filter: ContainerFilter) {
  const serving = yield* (yield* ReleaseStore).serving(uuid)
  const all = yield* engine.list({ application: uuid })
  return { all, chosen: chosenContainers(all, serving, filter) }
})

const floorOf = ({ since }: LogLinesRequest): LinePosition =>
  since === null ? startPosition : { ...startPosition, at: since }

const merged = (one: ReadonlyArray<ApplicationLine>, other: ReadonlyArray<ApplicationLine>) =>
  [...one, ...other].sort(comparePositions)

/** The lines that were read from all containers, with the position in each container. */
interface Past {
  readonly lines: ReadonlyArray<ApplicationLine>
  readonly isCut: boolean
  /** The containers of which some requested lines are no longer available. */
  readonly lost: ReadonlyArray<string>
  /** The read position of each container. */
  readonly counters: ReadonlyMap<string, LineCounter>
}

const nothing: Past = { lines: [], isCut: false, lost: [], counters: new Map() }

/** Reads the logs of containers one after another, to limit memory use. */
const readAll = Effect.fnUntraced(function* (application: Application, wanted: LogLinesRequest) {
  const engine = yield* openEngine(yield* serverOf(application))
  const floor = floorOf(wanted)
  let all = nothing
  const { chosen } = yield* containersOf(engine, application, wanted)
  for (const container of chosen) {
    const read = Effect.gen(function* () {
      if (wanted.after === null) {
        const { counter, isCut, lines } = yield* readLast(engine, container, floor, wanted.lines)
        const both = merged(all.lines, lines)
        const tail = lastLines(both, wanted.lines)
        const counters = new Map([...all.counters, [container.name, counter]])
        return { ...all, lines: tail, isCut: all.isCut || isCut || tail.length < both.length, counters }
      }
      const reached = positionIn(wanted.after, container.name)
      const from = comparePositions(reached, floor) > 0 ? reached : floor
      const { isLost, lines } = yield* readFirst(engine, container, from, wanted.lines)
      const lost = isLost ? [...all.lost, container.name] : all.lost
      return { ...all, lines: firstLines(merged(all.lines, lines), wanted.lines), isCut: true, lost }
    })
    // A container that was just removed has no lines.
    all = yield* Effect.catchTag(read, "ContainerNotFound", () => Effect.succeed(all))
  }
  return all
}, Effect.scoped)

const readInTime = Effect.fnUntraced(function* (application: Application, wanted: LogLinesRequest) {
  return yield* inTime(yield* serverOf(application))(readAll(application, wanted))
})

/** Reads the log lines of an application's containers, oldest first, and the names of containers that lost lines. */
export const read = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.logs" | "service.logs" | "service.part.logs">,
  wanted: LogLinesRequest
) {
  const { lines, lost } = yield* readInTime(resource.application, wanted)
  return { lines, lost }
})

const looksAreApart = "2 seconds"

/** The number of newest lines that a slow reader receives after skipped lines. */
const linesAgain = 100

/** The state of one log stream: its position in each container, and the lines it received. */
interface Reader {
  /** The read position of each container. */
  readonly counters: Map<string, LineCounter>
  /** The containers with an open log stream, and the last known state of the other containers. */
  readonly seen: Map<string, ContainerState | "reading">
  isCutOff: boolean
}

const isDown = (state: ContainerState | "reading" | undefined) => state === "exited" || state === "dead"

/** Streams the log lines of one container until it exits. Failures are handled by the next poll. */
const followOne = (reader: Reader, application: Application, container: Container, start: LineCursor) => {
  const { name, state } = container
  const seen = (end: ContainerState | undefined) =>
    Effect.sync(() => {
      if (end === undefined) reader.seen.delete(name)
      else reader.seen.set(name, end)
    })
  const follows = !isDown(state)
  const reading = (engine: Engine) => {
    const present = reader.counters.get(name)
    if (present !== undefined && present.count > 0) return linesBeyond(engine, container, present, follows)
    const counter = new LineCounter(name, false)
    reader.counters.set(name, counter)
    return linesAfter(engine, container, positionIn(start, name), follows, counter)
  }
  /** Streams every line; skips to the newest lines if the reader falls behind. */
  const keepingUp = <E, R>(engine: Engine, read: Stream.Stream<Read, E, R>): typeof read => {
    const isLeftBehind = makeLagTracker()
    let wasLate = false
    return read.pipe(
      Stream.mapEffect((lines) =>
        Effect.map(Clock.currentTimeMillis, (time) => {
          wasLate = follows && isLeftBehind(lines, time)
          return lines
        })
      ),
      Stream.takeUntil(() => wasLate),
      Stream.concat(
        Stream.suspend((): Stream.Stream<Read, E, R> => {
          const counter = reader.counters.get(name)
          if (!wasLate || counter === undefined) return Stream.empty
          // BOUNDARY: the engine's streams of logs all fail and require alike.
          const again = linesFromNow(
            engine,
            container,
            counter,
            linesAgain,
            slowReaderMessage
          ) as unknown as typeof read
          return keepingUp(engine, again)
        })
      )
    )
  }
  return Effect.gen(function* () {
    const engine = yield* openEngine(yield* serverOf(application))
    return keepingUp(engine, reading(engine))
  }).pipe(
    Stream.unwrap,
    Stream.concat(Stream.fromEffectDrain(seen(state))),
    Stream.catch(() => Stream.fromEffectDrain(seen(undefined)))
  )
}

/** Finds the containers that have no open log stream and may have written lines. */
const unread = Effect.fnUntraced(function* (reader: Reader, application: Application, filter: ContainerFilter) {
  const server = yield* serverOf(application)
  const { all, chosen } = yield* Effect.flatMap(openEngine(server), (engine) =>
    containersOf(engine, application, filter)
  ).pipe(Effect.scoped, inTime(server))
  const names = new Set(all.map(({ name }) => name))
  for (const name of new Set([...reader.counters.keys(), ...reader.seen.keys()])) {
    if (names.has(name) || reader.seen.get(name) === "reading") continue
    reader.seen.delete(name)
    reader.counters.delete(name)
  }
  // A container that was read before can write more lines after another one started to serve.
  const left = all.filter((each) => reader.counters.has(each.name) && !chosen.includes(each))
  const wanted = [...chosen, ...left].filter(({ name, state }) => {
    const seen = reader.seen.get(name)
    return seen !== "reading" && !(isDown(state) && seen === state)
  })
  for (const { name } of wanted) reader.seen.set(name, "reading")
  return wanted
})

type Step = Event | { readonly _tag: "Follow"; readonly application: Application; readonly container: Container }

const look = Effect.fnUntraced(function* (reader: Reader, uuid: ApplicationUuid, filter: ContainerFilter) {
  const steps = Effect.gen(function* () {
    const application = yield* (yield* ApplicationStore).find(uuid)
    if (application === undefined) return yield* new ApplicationNotFound()
    const containers = yield* unread(reader, application, filter)
    reader.isCutOff = false
    return containers.map((container): Step => ({ _tag: "Follow", application, container }))
  })
  return yield* steps.pipe(
    Effect.catch((error) =>
      Effect.sync((): ReadonlyArray<Step> => {
        if (error._tag === "ApplicationNotFound") return [{ _tag: "End", reason: "the application was deleted" }]
        const isNew = !reader.isCutOff
        reader.isCutOff = true
        return isNew ? [{ _tag: "Unreachable", because: publicEngineFailureReason(error) }] : []
      })
    )
  )
})

/** Returns a function that adds to each line the cursor for continuing after this line. */
const withCursors = (start: LineCursor, reader: Reader) => {
  const reached = new Map(start.reached)
  return (line: ApplicationLine): Event => {
    const { at, container, ordinal, print } = line
    reached.set(container, { at, ordinal, container, ...(print === undefined ? {} : { print }) })
    // Removed containers need no position.
    for (const name of reached.keys()) {
      if (name !== line.container && !reader.counters.has(name) && !reader.seen.has(name)) reached.delete(name)
    }
    return { _tag: "Line", cursor: showCursor({ floor: start.floor, reached }), line }
  }
}

/**
 * Streams the log lines of an application's containers, across deployments, until the application is deleted.
 *
 * Starts after a cursor, or else with the last lines. Without a cursor, it fails if the server does not respond at the
 * start.
 */
export const follow = Effect.fnUntraced(function* (
  proof: Authorized<"application.logs" | "service.logs" | "service.part.logs">,
  wanted: LogLinesRequest
) {
  const { application } = proof.resource
  const past = wanted.after === null ? yield* readInTime(application, wanted) : nothing
  const reader: Reader = { counters: new Map(past.counters), seen: new Map(), isCutOff: false }
  // Lines that were cut off are not sent later; a container may still add lines with the timestamp of the floor.
  const [first] = past.lines
  const floor = past.isCut && first !== undefined ? { ...startPosition, at: first.at } : floorOf(wanted)
  const start = wanted.after ?? { floor, reached: new Map<string, LinePosition>() }
  const event = withCursors(start, reader)
  const looks = Stream.tick(looksAreApart).pipe(
    Stream.mapEffect(() => look(reader, application.uuid, wanted)),
    Stream.flattenIterable,
    Stream.flatMap(
      (
        step
      ): Stream.Stream<
        ReadonlyArray<ApplicationLine | Event>,
        never,
        Effect.Services<ReturnType<typeof readInTime>>
      > =>
        step._tag === "Follow" ? followOne(reader, step.application, step.container, start) : Stream.succeed([step]),
      { concurrency: mostContainers, bufferSize: 1 }
    ),
    Stream.flattenIterable
  )
  return Stream.concat(Stream.fromIterable(past.lines), looks).pipe(
    Stream.map((each: ApplicationLine | Event): Event => (isLine(each) ? event(each) : each)),
    Stream.takeUntil((each) => each._tag === "End"),
    Stream.interruptWhen(waitForExpiry(proof))
  )
})
