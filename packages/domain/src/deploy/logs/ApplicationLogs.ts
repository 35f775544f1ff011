import { Effect, Stream } from "effect"
import type { Authorized } from "../access/authorize.ts"
import type { Application, ApplicationUuid } from "../applications/Application.ts"
import { ApplicationNotFound } from "../applications/ApplicationError.ts"
import { ApplicationStore } from "../applications/ApplicationStore.ts"
import type { Container, ContainerState, Engine } from "../engine/ContainerEngine.ts"
import { EngineUnreachable } from "../engine/EngineError.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import { ServerStore } from "../servers/ServerStore.ts"
import { inTime, openEngine, whyNoAnswer } from "../servers/validate.ts"
import { lapse } from "../tokens/Tokens.ts"
import {
  type ApplicationLine,
  type ContainerFilter,
  chosenContainers,
  firstLines,
  lastLines,
  linesAfter,
  readFirst,
  readLast
} from "./containerLines.ts"
import { comparePositions, dawn, type LineCursor, type LinePosition, positionIn, showCursor } from "./LinePosition.ts"
import { mostContainers } from "./limits.ts"

export type { ApplicationLine as Line } from "./containerLines.ts"

/** Which lines of an application are wanted. */
export interface LinesWanted extends ContainerFilter {
  /** How many at most: the first after a cursor, else the last. */
  readonly lines: number
  /** Lines that were written before this moment are left out; null leaves none out. */
  readonly since: string | null
  readonly after: LineCursor | null
}

/** What somebody who follows an application is told. */
export type Event =
  /** A line, and the cursor of whoever has read to it. */
  | { readonly _tag: "Line"; readonly cursor: string; readonly line: ApplicationLine }
  /** The server doesn't answer; it is asked again. */
  | { readonly _tag: "Unreachable"; readonly because: string }
  | { readonly _tag: "End"; readonly reason: string }

const findApplication = Effect.fnUntraced(function* (uuid: string) {
  const application = yield* (yield* ApplicationStore).find(uuid as ApplicationUuid)
  return application ?? (yield* new ApplicationNotFound())
})

/** Finds the application whose lines are wanted. */
export const find = (_: Authorized<"application.logs">, uuid: string) => findApplication(uuid)

/** Finds the server on which an application serves, or is to. */
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

const floorOf = ({ since }: LinesWanted): LinePosition => (since === null ? dawn : { ...dawn, at: since })

const merged = (one: ReadonlyArray<ApplicationLine>, other: ReadonlyArray<ApplicationLine>) =>
  [...one, ...other].sort(comparePositions)

const nothing = { lines: [] as ReadonlyArray<ApplicationLine>, isCut: false }

/** Reads containers one after the other, so that what is kept stays small, however many they are. */
const readAll = Effect.fnUntraced(function* (application: Application, wanted: LinesWanted) {
  const engine = yield* openEngine(yield* serverOf(application))
  const floor = floorOf(wanted)
  let all = nothing
  const { chosen } = yield* containersOf(engine, application, wanted)
  for (const container of chosen) {
    const read = Effect.gen(function* () {
      if (wanted.after === null) {
        const { isCut, lines } = yield* readLast(engine, container, floor, wanted.lines)
        const both = merged(all.lines, lines)
        const kept = lastLines(both, wanted.lines)
        return { lines: kept, isCut: all.isCut || isCut || kept.length < both.length }
      }
      const reached = positionIn(wanted.after, container.name)
      const from = comparePositions(reached, floor) > 0 ? reached : floor
      const lines = yield* readFirst(engine, container, from, wanted.lines)
      return { lines: firstLines(merged(all.lines, lines), wanted.lines), isCut: true }
    })
    // One that has just been removed has nothing to say.
    all = yield* Effect.catchTag(read, "ContainerNotFound", () => Effect.succeed(all))
  }
  return all
}, Effect.scoped)

const readInTime = Effect.fnUntraced(function* (application: Application, wanted: LinesWanted) {
  return yield* inTime(yield* serverOf(application))(readAll(application, wanted))
})

/** Reads what the containers of an application wrote, oldest first. */
export const read = Effect.fnUntraced(function* (_: Authorized<"application.logs">, uuid: string, wanted: LinesWanted) {
  return (yield* readInTime(yield* findApplication(uuid), wanted)).lines
})

const looksAreApart = "2 seconds"

/** One reader: what it has read of each container, and what it has been told. */
interface Reader {
  /** How far its lines are read, sent or not. */
  readonly read: Map<string, LinePosition>
  /** The containers that are being read, and the state in which the others last were. */
  readonly seen: Map<string, ContainerState | "reading">
  isCutOff: boolean
}

const isDown = (state: ContainerState | "reading" | undefined) => state === "exited" || state === "dead"

/** Streams what one container writes until it ends; what goes wrong is met again by the next look. */
const followOne = (reader: Reader, application: Application, container: Container, start: LineCursor) => {
  const { name, state } = container
  const seen = (end: ContainerState | undefined) =>
    Effect.sync(() => {
      if (end === undefined) reader.seen.delete(name)
      else reader.seen.set(name, end)
    })
  return Effect.gen(function* () {
    const engine = yield* openEngine(yield* serverOf(application))
    return linesAfter(engine, container, reader.read.get(name) ?? positionIn(start, name), !isDown(state))
  }).pipe(
    Stream.unwrap,
    Stream.tap((line) => Effect.sync(() => void reader.read.set(name, line))),
    Stream.concat(Stream.fromEffectDrain(seen(state))),
    Stream.catch(() => Stream.fromEffectDrain(seen(undefined)))
  )
}

/** Finds the containers that nobody reads and that may have written something. */
const unread = Effect.fnUntraced(function* (reader: Reader, application: Application, filter: ContainerFilter) {
  const server = yield* serverOf(application)
  const { all, chosen } = yield* Effect.flatMap(openEngine(server), (engine) =>
    containersOf(engine, application, filter)
  ).pipe(Effect.scoped, inTime(server))
  const names = new Set(all.map(({ name }) => name))
  for (const name of new Set([...reader.read.keys(), ...reader.seen.keys()])) {
    if (names.has(name) || reader.seen.get(name) === "reading") continue
    reader.seen.delete(name)
    reader.read.delete(name)
  }
  const wanted = chosen.filter(({ name, state }) => {
    const seen = reader.seen.get(name)
    return seen !== "reading" && !(isDown(state) && seen === state)
  })
  for (const { name } of wanted) reader.seen.set(name, "reading")
  return wanted
})

type Step = Event | { readonly _tag: "Follow"; readonly application: Application; readonly container: Container }

const look = Effect.fnUntraced(function* (reader: Reader, uuid: string, filter: ContainerFilter) {
  const steps = Effect.gen(function* () {
    const application = yield* findApplication(uuid)
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
        return isNew ? [{ _tag: "Unreachable", because: whyNoAnswer(error) }] : []
      })
    )
  )
})

/** Gives each line the cursor of whoever has read to it. */
const withCursors = (start: LineCursor, reader: Reader) => {
  const reached = new Map(start.reached)
  return (line: ApplicationLine): Event => {
    reached.set(line.container, { at: line.at, ordinal: line.ordinal, container: line.container })
    // Containers that are gone for good needn't be remembered.
    for (const name of reached.keys()) {
      if (name !== line.container && !reader.read.has(name)) reached.delete(name)
    }
    return { _tag: "Line", cursor: showCursor({ floor: start.floor, reached }), line }
  }
}

/**
 * Streams what the containers of an application write, over switches from one to another, until the application is deleted:
 * from a cursor on, else beginning with the last lines, and then only when its server answers now.
 */
export const follow = Effect.fnUntraced(function* (
  proof: Authorized<"application.logs">,
  uuid: string,
  wanted: LinesWanted
) {
  const application = yield* findApplication(uuid)
  const reader: Reader = { read: new Map(wanted.after?.reached), seen: new Map(), isCutOff: false }
  const past = wanted.after === null ? yield* readInTime(application, wanted) : nothing
  for (const line of past.lines) reader.read.set(line.container, line)
  // What the last lines leave out isn't told later either; of what has the same moment, a container may yet say more.
  const [first] = past.lines
  const floor = past.isCut && first !== undefined ? { ...dawn, at: first.at } : floorOf(wanted)
  const start = wanted.after ?? { floor, reached: new Map<string, LinePosition>() }
  const event = withCursors(start, reader)
  const looks = Stream.tick(looksAreApart).pipe(
    Stream.mapEffect(() => look(reader, uuid, wanted)),
    Stream.flattenIterable,
    Stream.flatMap(
      (step): Stream.Stream<ApplicationLine | Event, never, Effect.Services<ReturnType<typeof readInTime>>> =>
        step._tag === "Follow" ? followOne(reader, step.application, step.container, start) : Stream.succeed(step),
      { concurrency: mostContainers, bufferSize: 1 }
    )
  )
  return Stream.concat(Stream.fromIterable(past.lines), looks).pipe(
    Stream.map((each) => ("_tag" in each ? each : event(each))),
    Stream.takeUntil((each) => each._tag === "End"),
    Stream.interruptWhen(lapse(proof))
  )
})
