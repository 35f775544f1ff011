import { assert, describe, it } from "@effect/vitest"
import { Pipeline } from "@slipway/deploy/runtime"
import { type HookRequest, HookSender, HookUnsent } from "@slipway/domain"
import { type LogDrain, LogDrainStore, SyslogSender } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect } from "effect"
import { pass, place, plantApplication, queue, server, startWorker, world } from "../support/support.ts"

const http: LogDrain = { type: "http", isEnabled: true, url: "https://logs.example/in", dataset: "", secret: null }
const syslog: LogDrain = { type: "syslog", isEnabled: true, url: "tcp://logs.example:601", dataset: "", secret: null }

/** Deploys an application on a server with log drains, and returns a function that writes a line of its container. */
const serving = Effect.fnUntraced(function* (logDrains: ReadonlyArray<LogDrain>) {
  const application = yield* plantApplication(yield* place({ logDrains }))
  yield* startWorker()
  yield* queue(1, application)
  yield* pass(20)
  const simulation = yield* EngineSimulation
  const { containers } = yield* simulation.inventory(server)
  const [container] = containers
  if (container === undefined) return assert.fail("no container runs")
  return (text: string, stream: "stderr" | "stdout" = "stdout", at?: string) =>
    simulation.write(server, application.uuid, container.name, { stream, text, ...(at === undefined ? {} : { at }) })
})

const messagesIn = ({ body }: HookRequest): ReadonlyArray<string> =>
  (JSON.parse(body) as ReadonlyArray<{ readonly message: string }>).map(({ message }) => message)

describe("a log drain", () => {
  it.effect("gets each new line once, by one of several processes, and lines of a failed request again", () => {
    const sent: Array<HookRequest> = []
    let isDown = false
    const sender = {
      send: (request: HookRequest) =>
        Effect.suspend(() => {
          if (isDown) return Effect.fail(new HookUnsent({ because: "connection refused", refused: false }))
          sent.push(request)
          return Effect.succeed({ status: 200, headers: {}, body: "" })
        })
    }
    return Effect.gen(function* () {
      const write = yield* serving([http, { ...syslog, isEnabled: false }])
      yield* write("before the first pass")
      yield* Effect.forkScoped(Pipeline.drainLogs)
      yield* Effect.forkScoped(Pipeline.drainLogs)
      yield* pass(6)
      yield* write("one")
      yield* write("two", "stderr")
      yield* pass(12)
      assert.deepStrictEqual(sent.map(messagesIn), [["one", "two"]])
      const [first] = sent
      assert.deepInclude(first, { method: "POST", url: "https://logs.example/in" })
      const [line, other] = JSON.parse(first?.body ?? "[]") as ReadonlyArray<Record<string, string>>
      assert.deepStrictEqual([line?.stream, other?.stream, line?.server], ["stdout", "stderr", "server 1"])
      isDown = true
      yield* write("three")
      yield* pass(12)
      isDown = false
      yield* write("four")
      yield* pass(6)
      assert.deepStrictEqual(sent.map(messagesIn), [
        ["one", "two"],
        ["three", "four"]
      ])
      const [progress] = yield* (yield* LogDrainStore).ofServer(server)
      assert.strictEqual(progress?.type, "http")
      assert.strictEqual(progress?.positions.length, 1)
    }).pipe(Effect.scoped, Effect.provide(world), Effect.provideService(HookSender, sender))
  })

  it.effect("gets later lines of the same time once, and no batch again that the receiver refuses for good", () => {
    const sent: Array<ReadonlyArray<string>> = []
    let status = 200
    const sender = {
      send: (request: HookRequest) =>
        Effect.sync(() => {
          sent.push(messagesIn(request))
          return { status, headers: {}, body: "" }
        })
    }
    return Effect.gen(function* () {
      const write = yield* serving([http])
      yield* Effect.forkScoped(Pipeline.drainLogs)
      yield* pass(6)
      // Podman gives lines of one second the same time.
      const at = "2999-01-01T00:00:00Z"
      yield* write("one", "stdout", at)
      yield* write("two", "stdout", at)
      yield* pass(6)
      yield* write("three", "stdout", at)
      yield* pass(12)
      status = 422
      yield* write("refused", "stdout", "2999-01-01T00:00:01Z")
      yield* pass(6)
      status = 200
      yield* write("x".repeat(200_000), "stdout", "2999-01-01T00:00:02Z")
      yield* write("y".repeat(200_000), "stdout", "2999-01-01T00:00:02Z")
      yield* pass(6)
      const lengths = sent.map((messages) =>
        messages.map((message) => (message.length > 100 ? message.length : message))
      )
      assert.deepStrictEqual(lengths, [["one", "two"], ["three"], ["refused"], [200_000], [200_000]])
    }).pipe(Effect.scoped, Effect.provide(world), Effect.provideService(HookSender, sender))
  })

  it.effect("sends syslog messages with their length to the server of its address", () => {
    const sent: Array<unknown> = []
    const sender = {
      send: (address: unknown, messages: ReadonlyArray<string>) =>
        Effect.sync(() => void sent.push([address, messages.map((message) => message.replace(/^.* - - /, ""))]))
    }
    return Effect.gen(function* () {
      const write = yield* serving([syslog])
      yield* Effect.forkScoped(Pipeline.drainLogs)
      yield* pass(6)
      yield* write("hello")
      yield* pass(6)
      assert.deepStrictEqual(sent, [[{ host: "logs.example", port: 601, isEncrypted: false }, ["hello"]]])
    }).pipe(Effect.scoped, Effect.provide(world), Effect.provideService(SyslogSender, sender))
  })
})
