import { assert, describe, it } from "@effect/vitest"
import { systemOn } from "@slipway/deploy/entry"
import { Pipeline, proxyStatus } from "@slipway/deploy/runtime"
import { ProxySimulation } from "@slipway/memory/deploy"
import { Duration, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import {
  pass,
  passUntilEnded,
  place,
  plantApplication,
  world as platform,
  queue,
  server,
  startWorker
} from "../support/support.ts"
import { enableWebhook, Receiver, receiving } from "./receiver.ts"

const world = Layer.merge(platform, receiving)

/** A time in hours since the start of the test clock. */
const hour = (n: number) => new Date(Duration.toMillis(Duration.hours(n))).toISOString()
const validity = { from: hour(0), until: hour(50) }

/** Deploys an application with two domains with HTTPS, and checks their certificates from then on. */
const checked = Effect.gen(function* () {
  yield* enableWebhook(["certificate_failure"])
  const application = yield* plantApplication(yield* place(), 1, {
    domains: "https://a1.example,https://b1.example,http://c1.example"
  })
  const deployment = yield* queue(1, application)
  const worker = yield* startWorker()
  yield* passUntilEnded(deployment, 60)
  // A worker that polls for days would take a minute of this test: `texts` starts one.
  yield* Fiber.interrupt(worker)
  yield* Effect.forkScoped(Pipeline.watchCertificates)
  yield* pass(1)
  return { application, ...(yield* ProxySimulation) }
})

const nextCheck = Effect.andThen(TestClock.adjust(Pipeline.certificateInterval), pass(1))
const passHours = (n: number) => Effect.andThen(TestClock.adjust(Duration.hours(n)), pass(1))

/** Runs a worker until it has sent all notifications, and returns the received messages. */
const texts = Effect.gen(function* () {
  const worker = yield* startWorker()
  yield* pass(5)
  yield* Fiber.interrupt(worker)
  return (yield* Receiver).received.map(({ document }) => document.message)
})
const missing = "The certificate of b1.example (application application 1) could not be obtained."

describe("the state of a proxy", () => {
  it.effect("has the certificates of the served hosts, or the reason why it cannot be reached", () =>
    Effect.gen(function* () {
      const { application, certify, cutOff } = yield* checked
      yield* certify("a1.example", validity)
      yield* certify("b1.example", null)
      const status = Effect.flatMap(systemOn("server.resource.list", { uuid: server }), proxyStatus)
      assert.deepStrictEqual(yield* status, {
        state: "running",
        because: null,
        certificates: [
          { application: application.uuid, host: "a1.example", validity },
          { application: application.uuid, host: "b1.example", validity: null }
        ]
      })
      yield* cutOff(server, "nothing listens there")
      assert.deepStrictEqual(yield* status, {
        state: "unreachable",
        because: "nothing listens there",
        certificates: []
      })
    }).pipe(Effect.scoped, Effect.provide(world))
  )
})

describe("the certificates of an application", () => {
  it.effect("are reported if they are missing in two checks, and again after they were valid", () =>
    Effect.gen(function* () {
      const { application, certify } = yield* checked
      yield* certify("b1.example", null)
      yield* nextCheck
      assert.deepStrictEqual(yield* texts, [])
      yield* nextCheck
      yield* nextCheck
      yield* texts
      const [first, ...others] = (yield* Receiver).received
      assert.deepStrictEqual(first?.document, {
        success: false,
        message: missing,
        event: "certificate_failed",
        application_name: "application 1",
        application_uuid: application.uuid,
        domain: "b1.example",
        problem: "missing"
      })
      assert.deepStrictEqual(others, [])
      yield* certify("b1.example", { from: hour(0), until: hour(90_000) })
      yield* nextCheck
      yield* certify("b1.example", null)
      yield* nextCheck
      assert.deepStrictEqual(yield* texts, [missing])
      yield* nextCheck
      assert.deepStrictEqual(yield* texts, [missing, missing])
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("are reported daily if they were not renewed, with the end of their validity", () =>
    Effect.gen(function* () {
      const { certify } = yield* checked
      yield* certify("a1.example", validity)
      yield* passHours(39)
      assert.deepStrictEqual(yield* texts, [])
      yield* passHours(2)
      const expires = "The certificate of a1.example (application application 1) expires soon and was not renewed."
      assert.deepStrictEqual(yield* texts, [expires])
      assert.strictEqual((yield* Receiver).received[0]?.document.expires_at, validity.until)
      yield* passHours(22)
      assert.deepStrictEqual(yield* texts, [expires])
      yield* passHours(3)
      const expired = "The certificate of a1.example (application application 1) has expired."
      assert.deepStrictEqual(yield* texts, [expires, expired])
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("are not checked while the proxy does not answer, which is no problem of a certificate", () =>
    Effect.gen(function* () {
      const { certify, cutOff } = yield* checked
      yield* certify("a1.example", null)
      yield* cutOff(server, "no route to host")
      yield* nextCheck
      yield* nextCheck
      assert.deepStrictEqual(yield* texts, [])
      yield* cutOff(server, null)
      yield* nextCheck
      yield* nextCheck
      assert.strictEqual((yield* texts).length, 1)
    }).pipe(Effect.scoped, Effect.provide(world))
  )
})
