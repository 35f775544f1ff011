import { assert, describe, it } from "@effect/vitest"
import { ClientRotations, ForgeConnections, TokenRotations } from "@slipway/deploy/infrastructure"
import { Pipeline } from "@slipway/deploy/runtime"
import { Vault } from "@slipway/domain"
import { ConnectedForges, type GitHostFailed } from "@slipway/domain/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { ForgeAppStore, isConnected } from "@slipway/domain/deploy/infrastructure"
import { ForgeSimulation } from "@slipway/memory/deploy"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { world } from "../support/support.ts"

const url = "http://127.0.0.1:3000"
const id = "platform"

/** A platform that is an OAuth2 client of a connected forge, and that rotated its token a minute later. */
const connected = Effect.gen(function* () {
  const forge = yield* (yield* ForgeSimulation).start(url)
  forge.tokens.set("t0ken", "robot")
  forge.clients.set(id, ["first"])
  const { uuid } = yield* ForgeConnections.create(system("forgeConnection.create"), {
    name: "forge",
    url,
    token: Redacted.make("t0ken"),
    platformUrl: "https://deploy.example",
    sshPort: null,
    signIn: { id, secret: Redacted.make("first") }
  })
  const read = Effect.gen(function* () {
    const found = yield* (yield* ForgeAppStore).find(uuid)
    return found !== undefined && isConnected(found) ? found : assert.fail("the connection is gone")
  })
  const rotateToken = Effect.flatMap(read, (forgeConnection) =>
    TokenRotations.rotate(system("forgeConnection.rotate", { forgeConnection }))
  )
  /** Rotates, or completes what a restarted platform finds, as the watcher does in each second. */
  const resume = Effect.flatMap(read, ClientRotations.rotateAfterToken)
  /** The secret with which people sign in, in clear. */
  const inUse = Effect.gen(function* () {
    const { clientSecret } = yield* read
    if (clientSecret === null) return null
    return Redacted.value(yield* (yield* Vault).open({ uuid, field: "client_secret" }, clientSecret))
  })
  /** Whether the forge accepts the secret with which people sign in. */
  const signsIn = Effect.map(inUse, (secret) => (forge.clients.get(id) ?? []).some((each) => each === secret))
  yield* TestClock.adjust("1 minute")
  yield* rotateToken
  return { forge, inUse, read, resume, rotateToken, signsIn, uuid }
})

type Call = "acceptsClient" | "confirmClient" | "rotateClient"

/** Rotates until a call of the forge, and kills the platform there: before the call, or before its answer is stored. */
const killedAt = Effect.fnUntraced(function* (
  { resume }: Pick<Effect.Success<typeof connected>, "resume">,
  call: Call,
  when: "after" | "before"
) {
  const forges = yield* ConnectedForges
  const hanging = (...sent: Parameters<typeof forges.rotateClient>) =>
    when === "before" ? Effect.never : Effect.andThen(forges[call](...sent), Effect.never)
  const rotating = Effect.provideService(resume, ConnectedForges, { ...forges, [call]: hanging })
  const fiber = yield* Effect.forkChild(rotating)
  yield* TestClock.adjust("1 second")
  yield* Fiber.interrupt(fiber)
})

describe("the rotation of the client secret for sign-in", () => {
  it.effect("follows that of the token, and keeps the old secret for 10 minutes", () =>
    Effect.gen(function* () {
      const { forge, inUse, read, resume } = yield* connected
      assert.isTrue(yield* resume)
      assert.deepStrictEqual(forge.clients.get(id), ["first", "rotated-2"])
      assert.strictEqual(yield* inUse, "rotated-2")
      const swapped = yield* read
      assert.strictEqual(swapped.connection.clientRotation?.stage, "swapped")
      assert.strictEqual(swapped.connection.clientSince, "1970-01-01T00:01:00.000Z")
      // Sealed: neither text is in the store.
      assert.notInclude(JSON.stringify(swapped), "first")
      assert.notInclude(JSON.stringify(swapped), "rotated-2")
      yield* TestClock.adjust("599 seconds")
      yield* resume
      assert.deepStrictEqual(forge.clients.get(id), ["first", "rotated-2"])
      yield* TestClock.adjust("1 second")
      yield* resume
      assert.deepStrictEqual(forge.clients.get(id), ["rotated-2"])
      assert.strictEqual((yield* read).connection.clientRotation, null)
      yield* TestClock.adjust("1 day")
      yield* resume
      assert.deepStrictEqual(forge.clients.get(id), ["rotated-2"])
    }).pipe(Effect.provide(world))
  )

  it.effect("continues after a crash of the platform between any two steps; people can sign in at each moment", () =>
    Effect.gen(function* () {
      for (const [call, when, secrets, used] of [
        ["rotateClient", "before", ["first"], "first"],
        ["rotateClient", "after", ["first", "rotated-2"], "first"],
        ["acceptsClient", "before", ["first", "rotated-2"], "first"],
        ["acceptsClient", "after", ["first", "rotated-2"], "first"],
        ["confirmClient", "before", ["first", "rotated-2"], "rotated-2"],
        ["confirmClient", "after", ["rotated-2"], "rotated-2"]
      ] as const) {
        yield* Effect.gen(function* () {
          const at = yield* connected
          const { forge, inUse, read, resume, signsIn } = at
          if (call === "confirmClient") {
            yield* resume
            yield* TestClock.adjust("10 minutes")
          }
          yield* killedAt(at, call, when)
          assert.deepStrictEqual(forge.clients.get(id), [...secrets])
          assert.deepStrictEqual([yield* inUse, yield* signsIn], [used, true])
          // Another process may still wait for the successor.
          if (call === "rotateClient") {
            yield* resume
            assert.strictEqual(yield* inUse, "first")
            yield* TestClock.adjust("1 minute")
          }
          yield* resume
          const successor = call === "rotateClient" && when === "after" ? "rotated-3" : "rotated-2"
          assert.deepStrictEqual([yield* inUse, yield* signsIn], [successor, true])
          yield* TestClock.adjust("10 minutes")
          yield* resume
          assert.deepStrictEqual(forge.clients.get(id), [successor])
          assert.strictEqual((yield* read).connection.clientRotation, null)
        }).pipe(Effect.provide(world))
      }
    })
  )

  it.effect("continues after a crash of the forge, and never uses a secret that the forge lost", () =>
    Effect.gen(function* () {
      const at = yield* connected
      const { forge, inUse, read, resume, signsIn } = at
      const simulation = yield* ForgeSimulation
      yield* simulation.stop(url)
      assert.strictEqual((yield* Effect.flip(resume))._tag, "GitHostFailed")
      assert.strictEqual((yield* read).connection.clientRotation, null)
      yield* simulation.resume(url)
      // The forge is restored from a backup that lacks the successor.
      yield* killedAt(at, "acceptsClient", "before")
      forge.clients.set(id, ["first"])
      const { because } = (yield* Effect.flip(resume)) as GitHostFailed
      assert.strictEqual(because, `the forge ${url} does not accept the new client secret`)
      assert.deepStrictEqual([yield* inUse, yield* signsIn], ["first", true])
      yield* resume
      yield* TestClock.adjust("10 minutes")
      yield* simulation.stop(url)
      yield* Effect.flip(resume)
      yield* simulation.resume(url)
      yield* resume
      assert.deepStrictEqual([forge.clients.get(id), yield* inUse], [["rotated-3"], "rotated-3"])
    }).pipe(Effect.provide(world))
  )

  it.effect("is dropped if a user sends another client or removes it", () =>
    Effect.gen(function* () {
      const at = yield* connected
      const { forge, inUse, read, resume, rotateToken } = at
      yield* killedAt(at, "acceptsClient", "before")
      const send = Effect.fnUntraced(function* (signIn: { id: string; secret: Redacted.Redacted } | null) {
        const forgeConnection = yield* read
        yield* ForgeConnections.update(system("forgeConnection.update", { forgeConnection }), { signIn })
      })
      forge.clients.set("other", ["own"])
      yield* send({ id: "other", secret: Redacted.make("own") })
      yield* resume
      assert.deepStrictEqual([yield* inUse, (yield* read).connection.clientRotation], ["own", null])
      yield* TestClock.adjust("10 minutes")
      yield* Effect.flatMap(read, TokenRotations.rotateOld)
      yield* rotateToken
      yield* killedAt(at, "acceptsClient", "before")
      yield* send(null)
      assert.isTrue(yield* resume)
      const { connection } = yield* read
      assert.deepStrictEqual([yield* inUse, connection.clientSince, connection.clientRotation], [null, null, null])
    }).pipe(Effect.provide(world))
  )

  it.effect("runs once for all processes, and never at a forge that cannot rotate", () =>
    Effect.gen(function* () {
      const { forge, inUse, read } = yield* connected
      forge.rotates = false
      yield* Effect.forkScoped(Pipeline.watchForges)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual([yield* inUse, (yield* read).connection.clientRotation], ["first", null])
      forge.rotates = true
      yield* Effect.forkScoped(Pipeline.watchForges)
      yield* Effect.forkScoped(Pipeline.watchForges)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual([forge.clients.get(id), forge.rotations], [["first", "rotated-2"], 2])
      yield* TestClock.adjust("11 minutes")
      assert.deepStrictEqual([forge.clients.get(id), yield* inUse], [["rotated-2"], "rotated-2"])
    }).pipe(Effect.scoped, Effect.provide(world))
  )
})
