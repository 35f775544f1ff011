import { Effect, Stream } from "effect"
import type { ServingRelease } from "../../apps/releases/Release.ts"
import type { Container, ContainerRef, Engine, LogLine, LogsQuery } from "../../containers/engine/ContainerEngine.ts"
import { LineCounter } from "../../containers/logs/LineCounter.ts"
import {
  comparePositions,
  type LinePosition,
  lineId,
  momentOf,
  secondBefore,
  startPosition
} from "../../containers/logs/LinePosition.ts"
import { mostContainers, mostInAnswer } from "../../containers/logs/limits.ts"

/** A log line of an application's container. */
export interface ApplicationLine extends LinePosition {
  readonly id: string
  readonly stream: LogLine["stream"]
  readonly service: string | null
  readonly text: string
}

/** The filter for log lines by container or compose service; null matches all. */
export interface ContainerFilter {
  /** The name of a container. */
  readonly container: string | null
  /** The name of a compose service. */
  readonly service: string | null
}

/**
 * Returns the containers with logs that a filter selects: containers of the current release, or, if there are none or
 * the filter names a container, all started containers of the application. At most {@link mostContainers}.
 */
export const chosenContainers = (
  containers: ReadonlyArray<Container>,
  serving: Pick<ServingRelease, "deploymentUuid"> | undefined,
  { container, service }: ContainerFilter
): ReadonlyArray<Container> => {
  const started = containers.filter(
    ({ name, owner, state }) =>
      state !== "created" && name === (container ?? name) && owner.service === (service ?? owner.service)
  )
  const those = started.filter(({ owner }) => owner.deployment === serving?.deploymentUuid)
  return (container !== null || those.length === 0 ? started : those).slice(0, mostContainers)
}

/** A notice in a log stream that some log lines of a container are missing, with the reason. */
export interface LinesLost {
  readonly _tag: "LinesLost"
  readonly container: string
  readonly because: string
}

/** A batch of a container's log lines in a stream, and notices about lost lines. */
export type Read = ReadonlyArray<ApplicationLine | LinesLost>

const linesLost = (container: string, because: string): LinesLost => ({ _tag: "LinesLost", container, because })

/** Returns whether an element of a log stream is a log line, not a notice. */
export const isLine = <Other extends { readonly _tag: string }>(
  each: ApplicationLine | Other
): each is ApplicationLine => !("_tag" in each)

const rotated = "the last line that was read is no longer stored; later lines may be missing too"

/** A search for a position in a log: it receives lines from the engine, and returns the lines after the position. */
interface Scan {
  readonly push: (lines: ReadonlyArray<LogLine>) => Read
  /** Returns the remaining lines after the end of the engine's stream. */
  readonly end: () => Read
}

const scanned = <E, R>(lines: Stream.Stream<LogLine, E, R>, { end, push }: Scan): Stream.Stream<Read, E, R> =>
  lines.pipe(
    // Many lines at a time: a container may write faster than lines can be processed one by one.
    Stream.chunks,
    Stream.map(push),
    Stream.concat(Stream.suspend(() => Stream.succeed(end()))),
    Stream.filter((read) => read.length > 0)
  )

const lineAt = (
  { owner }: Container,
  position: LinePosition,
  { stream, text }: Pick<LogLine, "stream" | "text">
): ApplicationLine => ({ ...position, id: lineId(position), stream, service: owner.service, text })

/** Creates a buffer for lines before a searched position; it keeps only the last lines that fit into a response. */
const makeLineBuffer = () => {
  let lines: Array<ApplicationLine> = []
  let size = 0
  return {
    add: (line: ApplicationLine) => {
      lines.push(line)
      size += costOf(line)
      if (lines.length <= 2 * mostInAnswer.lines && size <= 2 * mostInAnswer.characters) return
      lines = [...lastLines(lines, mostInAnswer.lines)]
      size = lines.reduce((sum, each) => sum + costOf(each), 0)
    },
    take: () => {
      const taken = lines
      lines = []
      size = 0
      return taken
    }
  }
}

/** Returns the search for a position, for a stream that starts slightly before it; `counter` numbers the lines. */
const afterPosition = (container: Container, after: LinePosition, counter: LineCounter): Scan => {
  const isOwn = after.container === container.name
  const held = makeLineBuffer()
  let isFound = false
  const found = (isLost: boolean): Array<ApplicationLine | LinesLost> => {
    isFound = true
    return [...(isLost && isOwn ? [linesLost(container.name, rotated)] : []), ...held.take()]
  }
  return {
    push: (lines) => {
      const read: Array<ApplicationLine | LinesLost> = []
      for (const each of lines) {
        const line = lineAt(container, counter.next(each), each)
        if (isFound) read.push(line)
        else if (after.print !== undefined && isOwn && line.at === after.at) {
          if (counter.print(after.ordinal) === after.print) {
            isFound = true
            held.take()
          } else held.add(line)
        } else {
          const order = comparePositions(line, after)
          if (order === 0) isFound = true
          if (order > 0) read.push(...found(true), line)
        }
      }
      return read
    },
    end: () => (isFound || after.at === startPosition.at ? [] : found(true))
  }
}

/** Streams the log lines of a container after a position, oldest first. */
export const linesAfter = (
  engine: Engine,
  container: Container,
  after: LinePosition,
  follow: boolean,
  counter = new LineCounter(container.name, false)
) => {
  const ref: ContainerRef = { application: container.owner.application, name: container.name }
  // Starts slightly earlier, because the next line may have an earlier timestamp.
  const query: LogsQuery = after.at === startPosition.at ? { follow } : { follow, since: secondBefore(after.at) }
  return scanned(engine.logs(ref, query), afterPosition(container, after, counter))
}

/** The number of last lines of a log that are searched for the line that was read last. */
const window = 10_000

/** Returns the search for the line that `counter` counted last; the lines after it are counted and returned. */
const afterCounter = (container: Container, counter: LineCounter): Scan => {
  const trace = counter.trace()
  const seen = counter.at
  const seeking = new LineCounter(container.name, true)
  let held: Array<LogLine> = []
  let isFound = false
  const counted = (lines: ReadonlyArray<LogLine>) => lines.map((each) => lineAt(container, counter.next(each), each))
  const give = (): Read => {
    const lines = held
    held = []
    isFound = true
    counter.skip()
    return [linesLost(container.name, rotated), ...counted(lines)]
  }
  const seek = (lines: ReadonlyArray<LogLine>): Read => {
    for (const [n, each] of lines.entries()) {
      seeking.next(each)
      if (seeking.endsWith(trace)) {
        isFound = true
        held = []
        return counted(lines.slice(n + 1))
      }
      const at = momentOf(each.at) ?? ""
      if (at >= seen) held.push(each)
      if (at > seen || seeking.count > window) return [...give(), ...counted(lines.slice(n + 1))]
    }
    return []
  }
  return { push: (lines) => (isFound ? counted(lines) : seek(lines)), end: () => (isFound ? [] : give()) }
}

/** Streams the log lines of a container after the line that `counter` counted last. */
export const linesBeyond = (engine: Engine, container: Container, counter: LineCounter, follow: boolean) => {
  const ref: ContainerRef = { application: container.owner.application, name: container.name }
  const query: LogsQuery = { follow, since: secondBefore(counter.earliest), tail: window }
  return scanned(engine.logs(ref, query), afterCounter(container, counter))
}

/** Streams a notice about lost lines, then the last `most` log lines of a container and all new lines. */
export const linesFromNow = (
  engine: Engine,
  container: Container,
  counter: LineCounter,
  most: number,
  because: string
) => {
  const ref: ContainerRef = { application: container.owner.application, name: container.name }
  counter.skip()
  return Stream.concat(
    Stream.succeed<Read>([linesLost(container.name, because)]),
    scanned(engine.logs(ref, { follow: true, tail: most }), {
      push: (lines) => lines.map((each) => lineAt(container, counter.next(each), each)),
      end: () => []
    })
  )
}

const costOf = ({ text }: ApplicationLine): number => text.length

/** Returns the first `most` lines, or fewer if they have more characters than a response may contain. */
export const firstLines = (lines: ReadonlyArray<ApplicationLine>, most: number): ReadonlyArray<ApplicationLine> => {
  let left: number = mostInAnswer.characters
  let end = 0
  for (const line of lines.slice(0, most)) {
    left -= costOf(line)
    if (left < 0) break
    end += 1
  }
  return lines.slice(0, end)
}

/** Returns the last `most` lines, or fewer if they have more characters than a response may contain. */
export const lastLines = (lines: ReadonlyArray<ApplicationLine>, most: number): ReadonlyArray<ApplicationLine> => {
  let left: number = mostInAnswer.characters
  let start = lines.length
  while (start > 0 && lines.length - start < most) {
    const line = lines[start - 1]
    left -= line === undefined ? 0 : costOf(line)
    if (left < 0) break
    start -= 1
  }
  return lines.slice(start)
}

/** Reads the first `most` log lines of a container after a position; `isLost` is whether earlier lines are missing. */
export const readFirst = (engine: Engine, container: Container, after: LinePosition, most: number) =>
  Effect.suspend(() => {
    const lines: Array<ApplicationLine> = []
    let left: number = mostInAnswer.characters
    let isLost = false
    return linesAfter(engine, container, after, false).pipe(
      Stream.takeUntil((read) => {
        for (const each of read) {
          if (!isLine(each)) isLost = true
          else {
            left -= costOf(each)
            if (left < 0 || lines.length === most) return true
            lines.push(each)
          }
        }
        return lines.length === most
      }),
      Stream.runDrain,
      Effect.map(() => ({ lines, isLost }))
    )
  })

const sizeOf = (lines: ReadonlyArray<LogLine>) => lines.reduce((sum, { text }) => sum + text.length, 0)

/** Reads the last `most` log lines of a container after a position, and returns whether it omitted any lines. */
export const readLast = Effect.fnUntraced(function* (
  engine: Engine,
  container: Container,
  after: LinePosition,
  most: number
) {
  const ref: ContainerRef = { application: container.owner.application, name: container.name }
  const since = after.at === startPosition.at ? {} : { since: secondBefore(after.at) }
  const buffer: Array<LogLine> = []
  let size = 0
  let isCut = false
  yield* engine.logs(ref, { ...since, tail: most + 1 }).pipe(
    Stream.chunks,
    Stream.runForEach((lines) =>
      Effect.sync(() => {
        for (const line of lines) buffer.push(line)
        size += sizeOf(lines)
        while (buffer.length > most + 1 || size > 2 * mostInAnswer.characters) {
          size -= buffer.shift()?.text.length ?? 0
          isCut = true
        }
      })
    )
  )
  const counter = new LineCounter(container.name, isCut || buffer.length > most)
  const all = buffer
    .map((each) => lineAt(container, counter.next(each), each))
    .filter((line) => comparePositions(line, after) > 0)
  const lines = lastLines(all, most)
  return { lines, isCut: isCut || lines.length < all.length, counter }
})
