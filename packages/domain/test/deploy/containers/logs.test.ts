import { assert, describe, it } from "@effect/vitest"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  type Container,
  comparePositions,
  type Engine,
  type LinePosition,
  type LogLine,
  type LogsQuery,
  momentOf,
  mostInAnswer,
  positionIn,
  readCursor,
  secondBefore,
  showCursor,
  startPosition
} from "@slipway/domain/deploy/containers"
import {
  chosenContainers,
  firstLines,
  isLine,
  lastLines,
  linesAfter,
  linesBeyond,
  makeLagTracker,
  type Read,
  readFirst,
  readLast
} from "@slipway/domain/deploy/runtime"
import { Effect, Stream } from "effect"

const application = "application0000000000001" as ApplicationUuid

const container = (name: string, deployment = "one", facts: Partial<Container> = {}): Container => ({
  id: name,
  name,
  owner: { application, deployment: deployment as DeploymentUuid, service: null },
  image: "sha256:1",
  labels: {},
  state: "running",
  ...facts
})

const web = container("web")

/** An engine with one container that wrote these lines. Like real engines, it compares times only. */
const engineWith = (...lines: ReadonlyArray<readonly [at: string, text: string]>): Engine => {
  const all = lines.map(([at, text]): LogLine => ({ at, stream: "stdout", text }))
  const logs: Engine["logs"] = (_, { since, tail } = {}) => {
    const from = momentOf(since ?? "") ?? ""
    const recent = all.filter(({ at }) => (momentOf(at) ?? "") >= from)
    return Stream.fromIterable(tail === undefined ? recent : recent.slice(-tail))
  }
  // BOUNDARY: what these tests ask of an engine is its logs.
  return { logs } as Engine
}

const second = (n: number) => `2026-03-01T00:00:${String(n).padStart(2, "0")}Z`
const seconds = engineWith(
  [second(1), "a"],
  [second(2), "b"],
  [second(2), "c"],
  [second(2), "d"],
  [second(3), "e"],
  // A line of the other stream may have an earlier time.
  [second(2), "f"],
  [second(4), "g"]
)
const texts = (lines: ReadonlyArray<{ readonly text: string }>) => lines.map(({ text }) => text).join("")

/** The lines that were read, joined. An exclamation mark stands for lost lines. */
const flat = (read: ReadonlyArray<Read>) => read.flat()
const told = (read: ReadonlyArray<Read>) =>
  flat(read)
    .map((each) => (isLine(each) ? each.text : "!"))
    .join("")
const all = Effect.fnUntraced(function* (engine: Engine, after: LinePosition = startPosition) {
  return flat(yield* Stream.runCollect(linesAfter(engine, web, after, false))).filter(isLine)
})

describe("the log lines of a container", () => {
  it.effect("have ordered ids, and a reader resumes after any id without a loss or a duplicate", () =>
    Effect.gen(function* () {
      const lines = yield* all(seconds)
      assert.strictEqual(texts(lines), "abcdefg")
      assert.deepStrictEqual([...lines].sort(comparePositions), lines)
      for (const [n, line] of lines.entries()) {
        const cursor = readCursor(line.id) ?? assert.fail(line.id)
        assert.deepStrictEqual(yield* all(seconds, positionIn(cursor, "web")), lines.slice(n + 1), `after ${line.text}`)
        const next = yield* readFirst(seconds, web, positionIn(cursor, "web"), 2)
        assert.deepStrictEqual(next, { lines: lines.slice(n + 1, n + 3), isLost: false })
      }
    })
  )

  it.effect("are read from the end, and a reader resumes after any of these lines", () =>
    Effect.gen(function* () {
      const asked: Array<LogsQuery> = []
      const watched = {
        ...seconds,
        logs: (...its: Parameters<Engine["logs"]>) => {
          asked.push(its[1] ?? {})
          return seconds.logs(...its)
        }
      }
      const lines = yield* all(seconds)
      for (let most = 1; most <= 8; most += 1) {
        asked.length = 0
        const last = yield* readLast(watched, web, startPosition, most)
        assert.deepStrictEqual(asked, [{ tail: most + 1 }])
        assert.strictEqual(texts(last.lines), texts(lines.slice(-most)), `the last ${most}`)
        assert.strictEqual(last.isCut, most < lines.length)
        for (const [n, line] of last.lines.entries()) {
          const cursor = readCursor(line.id) ?? assert.fail(line.id)
          const after = yield* Stream.runCollect(linesAfter(seconds, web, positionIn(cursor, "web"), false))
          assert.strictEqual(told(after), texts(last.lines.slice(n + 1)), `after ${line.text} of the last ${most}`)
        }
      }
    })
  )

  it.effect("are followed from the end without reading earlier lines again, regardless of their number", () =>
    Effect.gen(function* () {
      const second = "2026-03-01T00:00:01Z"
      const written = Array.from({ length: 80_000 }, (_, n) => [second, `line ${n}`] as const)
      const before = engineWith(...written)
      const { counter, lines } = yield* readLast(before, web, startPosition, 100)
      assert.deepStrictEqual([lines.length, lines.at(-1)?.text], [100, "line 79999"])
      const later = engineWith(...written, [second, "next"], ["2026-03-01T00:00:02Z", "last"])
      const asked: Array<LogsQuery> = []
      const watched: Engine = {
        ...later,
        logs: (ref, query) => {
          asked.push(query ?? {})
          return later.logs(ref, query)
        }
      }
      assert.deepStrictEqual(told(yield* Stream.runCollect(linesBeyond(watched, web, counter, false))), "nextlast")
      assert.deepStrictEqual(asked, [{ follow: false, since: "2026-03-01T00:00:00.000000000Z", tail: 10_000 }])
    })
  )

  it.effect("are followed without a loss or a duplicate when seconds pass between two lines", () =>
    Effect.gen(function* () {
      const written = [
        ...Array.from({ length: 40 }, (_, n) => [second(n), "a"] as const),
        [second(30), "late"] as const
      ]
      const later = engineWith(...written, [second(40), "next"], [second(41), "last"])
      for (let most = 1; most <= 42; most += 1) {
        const { counter } = yield* readLast(engineWith(...written), web, startPosition, most)
        const beyond = yield* Stream.runCollect(linesBeyond(later, web, counter, false))
        assert.strictEqual(told(beyond), "nextlast", `after the last ${most}`)
      }
    })
  )

  it.effect("report a gap when lines were rotated away", () =>
    Effect.gen(function* () {
      const lines = yield* all(seconds)
      const exact = lines[1] ?? assert.fail("there is a second line")
      const { counter, lines: last } = yield* readLast(seconds, web, startPosition, 2)
      const rotated = engineWith([second(8), "x"], [second(9), "y"])
      const after = (position: LinePosition) =>
        Effect.map(Stream.runCollect(linesAfter(rotated, web, position, false)), told)
      assert.strictEqual(yield* after(exact), "!xy")
      for (const line of last) assert.strictEqual(yield* after(line), "!xy")
      assert.strictEqual(told(yield* Stream.runCollect(linesBeyond(rotated, web, counter, false))), "!xy")
      assert.strictEqual((yield* readFirst(rotated, web, exact, 9)).isLost, true)
      // A requested time gives no guarantee, and neither does another container's line.
      assert.strictEqual(yield* after({ ...startPosition, at: momentOf(second(1)) ?? "" }), "xy")
      assert.strictEqual(yield* after({ ...exact, container: "db" }), "xy")
    })
  )

  it.effect("are empty for a container without output", () =>
    Effect.gen(function* () {
      const { isCut, lines } = yield* readLast(engineWith(), web, startPosition, 10)
      assert.deepStrictEqual({ lines, isCut }, { lines: [], isCut: false })
      assert.deepStrictEqual(yield* readFirst(engineWith(), web, startPosition, 10), { lines: [], isLost: false })
    })
  )

  it.effect("are limited in size per response (invariant I25)", () =>
    Effect.gen(function* () {
      const long = "x".repeat(16_384)
      const most = Math.floor(mostInAnswer.characters / long.length)
      const flood = engineWith(...Array.from({ length: 3 * most }, (_, n) => [second(n % 60), long] as const))
      const last = yield* readLast(flood, web, startPosition, mostInAnswer.lines)
      assert.deepStrictEqual([last.lines.length, last.isCut], [most, true])
      const { lines: first } = yield* readFirst(flood, web, startPosition, mostInAnswer.lines)
      assert.strictEqual(first.length, most)
      assert.strictEqual(firstLines([...first, ...first], mostInAnswer.lines).length, most)
      assert.strictEqual(lastLines([...first, ...first], 3).length, 3)
    })
  )
})

describe("a reader of logs", () => {
  const noon = Date.parse("2026-03-01T12:00:00Z")
  const lines = (count: number, written: number): Read =>
    Array.from({ length: count }, (_, ordinal) => {
      const at = `${new Date(noon + written).toISOString().slice(0, -1)}000000Z`
      return { at, ordinal, container: "web", id: "", stream: "stdout" as const, service: null, text: "" }
    })

  it("falls behind when many lines arrive with a growing delay", () => {
    const isLeftBehind = makeLagTracker()
    assert.isFalse(isLeftBehind(lines(9_000, 0), noon + 100))
    assert.isFalse(isLeftBehind(lines(9_000, 1_000), noon + 4_200))
    assert.isTrue(isLeftBehind(lines(9_000, 2_000), noon + 9_000))
  })

  it("does not fall behind when it reads slow output slowly, or catches up with old lines", () => {
    const slow = makeLagTracker()
    assert.isFalse(slow(lines(1, 0), noon))
    assert.isFalse(slow(lines(100, 1_000), noon + 90_000))
    const catchingUp = makeLagTracker()
    for (let n = 0; n < 10; n++) assert.isFalse(catchingUp(lines(10_000, n * 100), noon + 3_600_000 + n * 100))
  })

  it("falls behind when one second has more lines than the engine keeps", () => {
    const isLeftBehind = makeLagTracker()
    assert.isFalse(isLeftBehind(lines(40_000, 0), noon + 100))
    assert.isTrue(isLeftBehind(lines(1, 500), noon + 600))
  })
})

describe("a cursor", () => {
  const at = (n: number, name: string) => ({ at: momentOf(second(n)) ?? "", ordinal: n, container: name })

  it("stores a position for each known container, and one position for all other containers", () => {
    const cursor = { floor: at(3, "web"), reached: new Map([["db", at(1, "db")]]) }
    const read = readCursor(showCursor(cursor)) ?? assert.fail()
    assert.deepStrictEqual(read, cursor)
    assert.deepStrictEqual(positionIn(read, "db"), at(1, "db"))
    assert.deepStrictEqual(positionIn(read, "new"), at(3, "web"))
  })

  it("is rejected when it is invalid or too long (invariant I25)", () => {
    const id = showCursor({ floor: at(1, "web"), reached: new Map() })
    for (const text of [
      "",
      "1",
      `${id},`,
      `${id}\n`,
      `x${id}`,
      id.replace("web", "../web"),
      `${id},`.repeat(900) + id
    ]) {
      assert.isUndefined(readCursor(text), text.slice(0, 100))
    }
  })
})

it("invalid times are rejected", () => {
  for (const text of [
    "",
    "2026",
    "2026-03-01",
    "2026-13-01T00:00:00Z",
    "2026-03-01T00:00:00",
    "0000-01-01T00:00:00+05:00"
  ]) {
    assert.isUndefined(momentOf(text), text)
  }
  assert.strictEqual(momentOf("2026-03-01T00:00Z"), "2026-03-01T00:00:00.000000000Z")
})

it("every valid time is converted to a time that engines accept", () => {
  for (const at of ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.5Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z"]) {
    assert.strictEqual(secondBefore(momentOf(at) ?? assert.fail(at)), "1970-01-01T00:00:00.000000000Z")
  }
  assert.strictEqual(secondBefore("1971-01-01T00:00:00.000000001Z"), "1970-12-31T23:59:59.000000001Z")
  assert.strictEqual(secondBefore("9999-12-31T23:59:59.999999999Z"), "9999-12-31T23:59:58.999999999Z")
  assert.isUndefined(readCursor("9999-99-99T99:99:99.000000000Z~0~web"))
  assert.isUndefined(momentOf("9999-12-31T23:59:59-05:00"))
})

describe("the containers of a log request", () => {
  const named = (containers: ReadonlyArray<Container>) => containers.map(({ name }) => name)
  const any = { container: null, service: null }
  const db = container("db", "one", { owner: { ...web.owner, service: "db" } })
  const old = container("old", "zero", { state: "exited" })
  const all = [db, old, web, container("made", "two", { state: "created" })]
  const serving = { deploymentUuid: "one" as DeploymentUuid }

  it("are the serving containers, or all started containers if none serves", () => {
    assert.deepStrictEqual(named(chosenContainers(all, serving, any)), ["db", "web"])
    assert.deepStrictEqual(named(chosenContainers(all, undefined, any)), ["db", "old", "web"])
  })

  it("are limited to the container or the compose service that the request names", () => {
    assert.deepStrictEqual(named(chosenContainers(all, serving, { ...any, container: "old" })), ["old"])
    assert.deepStrictEqual(named(chosenContainers(all, serving, { ...any, service: "db" })), ["db"])
    assert.deepStrictEqual(named(chosenContainers(all, serving, { container: "web", service: "db" })), [])
  })
})
