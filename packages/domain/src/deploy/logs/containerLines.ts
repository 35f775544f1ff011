import { Effect, Stream } from "effect"
import type { Container, ContainerRef, Engine, LogLine, LogsQuery } from "../engine/ContainerEngine.ts"
import type { Serving } from "../releases/Release.ts"
import { comparePositions, dawn, type LinePosition, lineId, momentOf, secondBefore } from "./LinePosition.ts"
import { mostContainers, mostInAnswer } from "./limits.ts"

/** A line that a container of an application wrote. */
export interface ApplicationLine extends LinePosition {
  readonly id: string
  readonly stream: LogLine["stream"]
  readonly service: string | null
  readonly text: string
}

/** Whose lines are wanted; null is no choice. */
export interface ContainerFilter {
  /** The name of a container. */
  readonly container: string | null
  /** The name of a compose service. */
  readonly service: string | null
}

/** Returns the containers whose lines are meant: those that serve, or all of the application when none does. */
export const chosenContainers = (
  containers: ReadonlyArray<Container>,
  serving: Pick<Serving, "deploymentUuid"> | undefined,
  { container, service }: ContainerFilter
): ReadonlyArray<Container> => {
  const started = containers.filter(
    ({ name, owner, state }) =>
      state !== "created" && name === (container ?? name) && owner.service === (service ?? owner.service)
  )
  const those = started.filter(({ owner }) => owner.deployment === serving?.deploymentUuid)
  return (container !== null || those.length === 0 ? started : those).slice(0, mostContainers)
}

/**
 * Numbers what a container wrote, the same way from wherever the reading began.
 *
 * An engine's moments may be whole seconds, and go back a little where a program writes to both streams at once.
 */
const numbered = <E, R>(
  { name, owner }: Container,
  lines: Stream.Stream<LogLine, E, R>
): Stream.Stream<ApplicationLine, E, R> =>
  lines.pipe(
    Stream.mapAccum(
      () => ({ at: dawn.at, ordinal: -1 }),
      (last, { at: written, stream, text }) => {
        const at = momentOf(written) ?? last.at
        const next = at > last.at ? { at, ordinal: 0 } : { at: last.at, ordinal: last.ordinal + 1 }
        const position = { ...next, container: name }
        return [next, [{ ...position, id: lineId(position), stream, service: owner.service, text }]]
      }
    )
  )

/** Streams what a container wrote after a position, oldest first. */
export const linesAfter = (engine: Engine, container: Container, after: LinePosition, follow: boolean) => {
  const ref: ContainerRef = { application: container.owner.application, name: container.name }
  // From a little before, since what was written next may say that it was written earlier.
  const query: LogsQuery = after.at === dawn.at ? { follow } : { follow, since: secondBefore(after.at) }
  return numbered(container, engine.logs(ref, query)).pipe(Stream.filter((line) => comparePositions(line, after) > 0))
}

const costOf = ({ text }: ApplicationLine): number => text.length

/** Keeps the first lines, as many as one answer may have. */
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

/** Keeps the last lines, as many as one answer may have. */
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

/** Reads the first lines that a container wrote after a position. */
export const readFirst = (engine: Engine, container: Container, after: LinePosition, most: number) =>
  Effect.suspend(() => {
    let left: number = mostInAnswer.characters
    return linesAfter(engine, container, after, false).pipe(
      Stream.take(most),
      Stream.takeWhile((line) => {
        left -= costOf(line)
        return left >= 0
      }),
      Stream.runCollect
    )
  })

/** Reads the last lines that a container wrote after a position, and whether that left any out. */
export const readLast = Effect.fnUntraced(function* (
  engine: Engine,
  container: Container,
  after: LinePosition,
  most: number
) {
  const ref: ContainerRef = { application: container.owner.application, name: container.name }
  // What the engine leaves out can't be numbered: it says where the last lines begin, and these are read from there.
  const since = after.at === dawn.at ? {} : { since: secondBefore(after.at) }
  const [first] = yield* Stream.runCollect(Stream.take(engine.logs(ref, { ...since, tail: most + 1 }), 1))
  const at = first === undefined ? undefined : momentOf(first.at)
  if (at === undefined) return { lines: [], isCut: false }
  const from = comparePositions({ ...dawn, at }, after) > 0 ? { ...dawn, at } : after
  let kept: Array<ApplicationLine> = []
  let size = 0
  let isCut = false
  yield* linesAfter(engine, container, from, false).pipe(
    Stream.runForEach((line) =>
      Effect.sync(() => {
        kept.push(line)
        size += costOf(line)
        // Now and then, since cutting takes longer than adding.
        if (kept.length <= 2 * most + 1_000 && size <= 2 * mostInAnswer.characters) return
        kept = [...lastLines(kept, most)]
        size = kept.reduce((sum, each) => sum + costOf(each), 0)
        isCut = true
      })
    )
  )
  const lines = lastLines(kept, most)
  return { lines, isCut: isCut || lines.length < kept.length }
})
