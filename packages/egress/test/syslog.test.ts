import { createServer } from "node:net"
import { assert, it } from "@effect/vitest"
import { SyslogSender } from "@slipway/domain/deploy/infrastructure"
import { layerEgress, layerSyslogSender } from "@slipway/egress"
import { Effect, Layer } from "effect"

/** A TCP server that returns what each client has sent. */
const listening = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly port: number; readonly received: Promise<string>; readonly close: () => void }>(
        (resolve) => {
          let done: (text: string) => void = () => undefined
          const received = new Promise<string>((settle) => {
            done = settle
          })
          const server = createServer((socket) => {
            let text = ""
            socket.on("data", (chunk) => {
              text += String(chunk)
            })
            socket.on("end", () => done(text))
          })
          server.listen(0, "127.0.0.1", () => {
            const address = server.address()
            const port = typeof address === "object" && address !== null ? address.port : 0
            resolve({ port, received, close: () => server.close() })
          })
        }
      )
  ),
  ({ close }) => Effect.sync(close)
)

const sender = (allowPrivate: boolean) => Layer.provide(layerSyslogSender, layerEgress({ allowPrivate }))

it.live("messages are written to the syslog server one after the other", () =>
  Effect.gen(function* () {
    const { port, received } = yield* listening
    const { send } = yield* SyslogSender
    yield* send({ host: "127.0.0.1", port, isEncrypted: false }, ["5 first", "6 second"])
    assert.strictEqual(yield* Effect.promise(() => received), "5 first6 second")
  }).pipe(Effect.scoped, Effect.provide(sender(true)))
)

it.live("a private address is refused unless the instance allows it (invariant I14)", () =>
  Effect.gen(function* () {
    const { port } = yield* listening
    const { send } = yield* SyslogSender
    const error = yield* Effect.flip(send({ host: "127.0.0.1", port, isEncrypted: false }, ["5 first"]))
    assert.strictEqual(error._tag, "SyslogUnsent")
    assert.include(error.because, "127.0.0.1")
  }).pipe(Effect.scoped, Effect.provide(sender(false)))
)
