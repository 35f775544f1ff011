import { assert, describe, it } from "@effect/vitest"
import {
  type ApplicationUuid,
  type Container,
  chosenContainers,
  comparePositions,
  type DeploymentUuid,
  dawn,
  type Engine,
  firstLines,
  type LogLine,
  lastLines,
  linesAfter,
  momentOf,
  mostInAnswer,
  positionIn,
  readCursor,
  readFirst,
  readLast,
  secondBefore,
  showCursor
} from "@slipway/domain/deploy"
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

/** An engine whose one container wrote these lines; like the real ones, it compares moments alone. */
const engineWith = (...lines: ReadonlyArray<readonly [at: string, text: string]>): Engine => {
  const all = lines.map(([at, text]): LogLine => ({ at, stream: "stdout", text }))
  const logs: Engine["logs"] = (_, { since, tail } = {}) => {
    const recent = tail === undefined ? all : all.slice(-tail)
    return Stream.fromIterable(
      recent.filter(({ at }) => since === undefined || (momentOf(at) ?? "") >= (momentOf(since) ?? ""))
    )
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
  // What a program wrote to its other stream may come with an earlier moment.
  [second(2), "f"],
  [second(4), "g"]
)
const texts = (lines: ReadonlyArray<{ readonly text: string }>) => lines.map(({ text }) => text).join("")

describe("the lines of a container", () => {
  it.effect("have ids that order them, and from which the reading goes on without a loss or a double", () =>
    Effect.gen(function* () {
      const all = yield* Stream.runCollect(linesAfter(seconds, web, dawn, false))
      assert.strictEqual(texts(all), "abcdefg")
      assert.deepStrictEqual([...all].sort(comparePositions), all)
      for (const [n, line] of all.entries()) {
        const cursor = readCursor(line.id) ?? assert.fail(line.id)
        const rest = yield* Stream.runCollect(linesAfter(seconds, web, positionIn(cursor, "web"), false))
        assert.deepStrictEqual(rest, all.slice(n + 1), `after ${line.text}`)
        const next = yield* readFirst(seconds, web, positionIn(cursor, "web"), 2)
        assert.deepStrictEqual(next, all.slice(n + 1, n + 3))
      }
    })
  )

  it.effect("have the same ids when only the last are read", () =>
    Effect.gen(function* () {
      const all = yield* Stream.runCollect(linesAfter(seconds, web, dawn, false))
      for (let most = 1; most <= 8; most += 1) {
        const { isCut, lines } = yield* readLast(seconds, web, dawn, most)
        assert.deepStrictEqual(lines, all.slice(-most), `the last ${most}`)
        assert.strictEqual(isCut, most < all.length)
      }
    })
  )

  it.effect("are none of a container that wrote nothing", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readLast(engineWith(), web, dawn, 10), { lines: [], isCut: false })
      assert.deepStrictEqual(yield* readFirst(engineWith(), web, dawn, 10), [])
    })
  )

  it.effect("are as many as one answer may hold, however long they are (invariant I25)", () =>
    Effect.gen(function* () {
      const long = "x".repeat(16_384)
      const most = Math.floor(mostInAnswer.characters / long.length)
      const flood = engineWith(...Array.from({ length: 3 * most }, (_, n) => [second(n % 60), long] as const))
      const last = yield* readLast(flood, web, dawn, mostInAnswer.lines)
      assert.deepStrictEqual([last.lines.length, last.isCut], [most, true])
      const first = yield* readFirst(flood, web, dawn, mostInAnswer.lines)
      assert.strictEqual(first.length, most)
      assert.strictEqual(firstLines([...first, ...first], mostInAnswer.lines).length, most)
      assert.strictEqual(lastLines([...first, ...first], 3).length, 3)
    })
  )
})

describe("a cursor", () => {
  const at = (n: number, name: string) => ({ at: momentOf(second(n)) ?? "", ordinal: n, container: name })

  it("remembers each container by itself, and the floor for all others", () => {
    const cursor = { floor: at(3, "web"), reached: new Map([["db", at(1, "db")]]) }
    const read = readCursor(showCursor(cursor)) ?? assert.fail()
    assert.deepStrictEqual(read, cursor)
    assert.deepStrictEqual(positionIn(read, "db"), at(1, "db"))
    assert.deepStrictEqual(positionIn(read, "new"), at(3, "web"))
  })

  it("is refused when it is none, or endless (invariant I25)", () => {
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

it("moments that are none are refused", () => {
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

it("no moment that can be sent is too early or too late for an engine", () => {
  for (const at of ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.5Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z"]) {
    assert.strictEqual(secondBefore(momentOf(at) ?? assert.fail(at)), "1970-01-01T00:00:00.000000000Z")
  }
  assert.strictEqual(secondBefore("1971-01-01T00:00:00.000000001Z"), "1970-12-31T23:59:59.000000001Z")
  assert.strictEqual(secondBefore("9999-12-31T23:59:59.999999999Z"), "9999-12-31T23:59:58.999999999Z")
  assert.isUndefined(readCursor("9999-99-99T99:99:99.000000000Z~0~web"))
  assert.isUndefined(momentOf("9999-12-31T23:59:59-05:00"))
})

describe("the containers whose lines are meant", () => {
  const named = (containers: ReadonlyArray<Container>) => containers.map(({ name }) => name)
  const any = { container: null, service: null }
  const db = container("db", "one", { owner: { ...web.owner, service: "db" } })
  const old = container("old", "zero", { state: "exited" })
  const all = [db, old, web, container("made", "two", { state: "created" })]
  const serving = { deploymentUuid: "one" as DeploymentUuid }

  it("are those that serve, or all when none does; never one that was not started", () => {
    assert.deepStrictEqual(named(chosenContainers(all, serving, any)), ["db", "web"])
    assert.deepStrictEqual(named(chosenContainers(all, undefined, any)), ["db", "old", "web"])
  })

  it("are one, or those of a compose service, when that is asked for", () => {
    assert.deepStrictEqual(named(chosenContainers(all, serving, { ...any, container: "old" })), ["old"])
    assert.deepStrictEqual(named(chosenContainers(all, serving, { ...any, service: "db" })), ["db"])
    assert.deepStrictEqual(named(chosenContainers(all, serving, { container: "web", service: "db" })), [])
  })
})
