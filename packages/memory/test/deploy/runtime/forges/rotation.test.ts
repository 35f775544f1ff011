import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Applications, Deployments, ForgeApplications, Webhooks } from "@slipway/deploy/apps"
import { ForgeConnections, TokenRotations } from "@slipway/deploy/infrastructure"
import { Pipeline } from "@slipway/deploy/runtime"
import { Vault } from "@slipway/domain"
import { ApplicationStore, ConnectedForges, PathMatcher, providers } from "@slipway/domain/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { type ConnectedForge, ForgeAppStore, isConnected } from "@slipway/domain/deploy/infrastructure"
import { ForgeSimulation, SourceSimulation } from "@slipway/memory/deploy"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { passUntilEnded, place, shown, startWorker, world } from "../support/support.ts"

const url = "http://127.0.0.1:3000"

/** A platform that is connected to a forge. */
const connected = Effect.gen(function* () {
  const forge = yield* (yield* ForgeSimulation).start(url)
  forge.tokens.set("t0ken", "robot")
  const { uuid } = yield* ForgeConnections.create(system("forgeConnection.create"), {
    name: "forge",
    url,
    token: Redacted.make("t0ken"),
    platformUrl: "https://deploy.example",
    sshPort: null
  })
  const read = Effect.gen(function* () {
    const found = yield* (yield* ForgeAppStore).find(uuid)
    return found !== undefined && isConnected(found) ? found : assert.fail("the connection is gone")
  })
  const proof = Effect.map(read, (forgeConnection) => system("forgeConnection.rotate", { forgeConnection }))
  /** Completes what a restarted platform finds, as the watcher does in each second. */
  const resume = Effect.flatMap(read, TokenRotations.rotateOld)
  /** The token that the platform uses, in clear. */
  const inUse = Effect.gen(function* () {
    const { token } = (yield* read).connection
    return Redacted.value(yield* (yield* Vault).open({ uuid, field: "forge_token" }, token))
  })
  return { forge, inUse, proof, read, resume }
})

/** Rotates until a call of the forge, and kills the platform there: before the call, or before its answer is stored. */
const killedAt = Effect.fnUntraced(function* (
  proof: Effect.Success<typeof connected>["proof"],
  call: "account" | "confirm" | "rotate",
  when: "after" | "before"
) {
  const forges = yield* ConnectedForges
  const hanging = (access: Parameters<typeof forges.rotate>[0]) =>
    when === "before" ? Effect.never : Effect.andThen(forges[call](access), Effect.never)
  const rotating = TokenRotations.rotate(yield* proof).pipe(
    Effect.provideService(ConnectedForges, { ...forges, [call]: hanging })
  )
  const fiber = yield* Effect.forkChild(rotating)
  yield* TestClock.adjust("1 second")
  yield* Fiber.interrupt(fiber)
})

const accepted = ({ tokens }: { readonly tokens: Map<string, string> }) => [...tokens.keys()]

describe("the rotation of a forge token", () => {
  it.effect("keeps the old token until the forge accepts the new one, and for 10 minutes more", () =>
    Effect.gen(function* () {
      const { forge, inUse, proof, read, resume } = yield* connected
      const before = (yield* read).connection
      yield* TokenRotations.rotate(yield* proof)
      assert.deepStrictEqual(accepted(forge), ["t0ken", "rotated-1"])
      assert.strictEqual(yield* inUse, "rotated-1")
      const swapped = (yield* read).connection
      assert.strictEqual(swapped.rotation?.stage, "swapped")
      // Sealed: neither text is in the store.
      assert.notInclude(JSON.stringify([before, swapped]), "t0ken")
      assert.notInclude(JSON.stringify([before, swapped]), "rotated-1")
      yield* TestClock.adjust("599 seconds")
      yield* resume
      assert.deepStrictEqual(accepted(forge), ["t0ken", "rotated-1"])
      yield* TestClock.adjust("1 second")
      yield* resume
      assert.deepStrictEqual(accepted(forge), ["rotated-1"])
      assert.strictEqual((yield* read).connection.rotation, null)
    }).pipe(Effect.provide(world))
  )

  it.effect("continues after a crash of the platform between any two steps, and leaves one token", () =>
    Effect.gen(function* () {
      for (const [call, when, tokens] of [
        ["rotate", "before", ["t0ken"]],
        ["rotate", "after", ["t0ken", "rotated-1"]],
        ["account", "before", ["t0ken", "rotated-1"]],
        ["account", "after", ["t0ken", "rotated-1"]]
      ] as const) {
        yield* Effect.gen(function* () {
          const { forge, inUse, proof, read, resume } = yield* connected
          yield* killedAt(proof, call, when)
          assert.deepStrictEqual(accepted(forge), [...tokens])
          assert.strictEqual(yield* inUse, "t0ken")
          // Another process may still wait for the successor.
          if (call === "rotate") {
            yield* resume
            assert.strictEqual(yield* inUse, "t0ken")
            yield* TestClock.adjust("1 minute")
          }
          yield* resume
          const successor = call === "rotate" && when === "after" ? "rotated-2" : "rotated-1"
          assert.strictEqual(yield* inUse, successor)
          yield* TestClock.adjust("10 minutes")
          yield* resume
          assert.deepStrictEqual(accepted(forge), [successor])
          assert.strictEqual((yield* read).connection.rotation, null)
        }).pipe(Effect.provide(world))
      }
    })
  )

  it.effect("continues after a crash of the forge at any step, and never uses a token that the forge lost", () =>
    Effect.gen(function* () {
      const { forge, inUse, proof, read, resume } = yield* connected
      const simulation = yield* ForgeSimulation
      yield* simulation.stop(url)
      assert.strictEqual((yield* Effect.flip(TokenRotations.rotate(yield* proof)))._tag, "GitHostFailed")
      assert.strictEqual((yield* read).connection.rotation, null)
      yield* simulation.resume(url)
      // The forge is restored from a backup that lacks the successor.
      yield* killedAt(proof, "account", "before")
      forge.tokens.delete("rotated-1")
      forge.successors.clear()
      assert.strictEqual((yield* Effect.flip(resume))._tag, "GitHostFailed")
      assert.deepStrictEqual([yield* inUse, (yield* read).connection.rejection], ["t0ken", null])
      yield* TokenRotations.rotate(yield* proof)
      yield* TestClock.adjust("10 minutes")
      // The forge stops before it answers the confirmation.
      yield* simulation.stop(url)
      yield* Effect.flip(resume)
      yield* simulation.resume(url)
      yield* resume
      assert.deepStrictEqual(accepted(forge), ["rotated-2"])
      assert.deepStrictEqual([yield* inUse, (yield* read).connection.rotation], ["rotated-2", null])
    }).pipe(Effect.provide(world))
  )

  it.effect("accepts the new token of an account that was renamed at the forge", () =>
    Effect.gen(function* () {
      const { forge, inUse, proof, read, resume } = yield* connected
      yield* killedAt(proof, "account", "before")
      for (const token of forge.tokens.keys()) forge.tokens.set(token, "renamed")
      yield* resume
      const { account, rotation } = (yield* read).connection
      assert.deepStrictEqual([yield* inUse, account, rotation?.stage], ["rotated-1", "renamed", "swapped"])
      yield* TestClock.adjust("10 minutes")
      yield* resume
      assert.deepStrictEqual(accepted(forge), ["rotated-1"])
    }).pipe(Effect.provide(world))
  )

  it.effect("is refused while another one is under way, and if the connection is removed meanwhile", () =>
    Effect.gen(function* () {
      const { forge, inUse, proof, read } = yield* connected
      const rotating = Effect.flatMap(proof, TokenRotations.rotate)
      const forges = yield* ConnectedForges
      yield* killedAt(proof, "rotate", "before")
      assert.strictEqual((yield* Effect.flip(rotating))._tag, "ForgeRotationRunning")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* rotating).connection.rotation?.stage, "swapped")
      assert.strictEqual((yield* Effect.flip(rotating))._tag, "ForgeRotationRunning")
      assert.strictEqual(forge.rotations, 1)
      // After the grace period, a request confirms the former rotation and makes another one.
      yield* TestClock.adjust("10 minutes")
      yield* rotating
      assert.deepStrictEqual([yield* inUse, accepted(forge)], ["rotated-2", ["rotated-1", "rotated-2"]])
      yield* TestClock.adjust("10 minutes")
      const forgeConnection = yield* read
      const removed = Effect.andThen(
        ForgeConnections.remove(system("forgeConnection.delete", { forgeConnection })),
        forges.rotate({ url, token: Redacted.make("rotated-2") })
      ).pipe(Effect.provideService(ForgeAppStore, yield* ForgeAppStore))
      const gone = yield* Effect.flip(
        Effect.provideService(rotating, ConnectedForges, { ...forges, rotate: () => Effect.orDie(removed) })
      )
      assert.strictEqual(gone._tag, "ForgeConnectionNotFound")
    }).pipe(Effect.provide(world))
  )

  it.effect("starts after 30 days, once for all processes, and hourly if the forge does not answer", () =>
    Effect.gen(function* () {
      const { forge, inUse, read } = yield* connected
      const simulation = yield* ForgeSimulation
      yield* TestClock.setTime(Date.parse((yield* read).createdAt) + 30 * 86_400_000 - 10_000)
      yield* Effect.forkScoped(Pipeline.watchForges)
      yield* Effect.forkScoped(Pipeline.watchForges)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(forge.rotations, 0)
      yield* simulation.stop(url)
      yield* TestClock.adjust("10 seconds")
      yield* simulation.resume(url)
      yield* TestClock.adjust("50 minutes")
      assert.strictEqual(forge.rotations, 0)
      yield* TestClock.adjust("15 minutes")
      assert.deepStrictEqual([forge.rotations, yield* inUse], [1, "rotated-1"])
      yield* TestClock.adjust("11 minutes")
      assert.deepStrictEqual(accepted(forge), ["rotated-1"])
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("is tried once a day at a forge that cannot rotate tokens", () =>
    Effect.gen(function* () {
      const { forge, inUse, read } = yield* connected
      forge.rotates = false
      yield* TestClock.setTime(Date.parse((yield* read).createdAt) + 30 * 86_400_000)
      yield* Effect.forkScoped(Pipeline.watchForges)
      yield* TestClock.adjust("5 seconds")
      const { connection, updatedAt } = yield* read
      assert.deepStrictEqual([yield* inUse, connection.rotation, connection.rejection], ["t0ken", null, null])
      yield* TestClock.adjust("2 hours")
      assert.strictEqual((yield* read).updatedAt, updatedAt)
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("is dropped if a user sends another token or disconnects the forge", () =>
    Effect.gen(function* () {
      const { forge, inUse, proof, read, resume } = yield* connected
      yield* killedAt(proof, "account", "before")
      forge.tokens.set("other", "robot")
      const forgeConnection: ConnectedForge = yield* read
      yield* ForgeConnections.update(system("forgeConnection.update", { forgeConnection }), {
        token: Redacted.make("other")
      })
      yield* resume
      assert.deepStrictEqual([yield* inUse, (yield* read).connection.rotation], ["other", null])
      yield* TokenRotations.rotate(yield* proof)
      yield* ForgeConnections.disconnect(system("forgeConnection.disconnect", { forgeConnection: yield* read }))
      yield* TestClock.adjust("10 minutes")
      yield* resume
      assert.deepStrictEqual([yield* inUse, (yield* read).connection.rotation], ["", null])
    }).pipe(Effect.provide(world))
  )
})

describe("the rotation of a webhook's secret", () => {
  /** An application of the connected forge, and whether the platform accepts a push that is signed with a secret. */
  const withHook = Effect.gen(function* () {
    const there = yield* connected
    const files = { Dockerfile: "FROM works" }
    there.forge.repositories.set("acme/site", { defaultBranch: "main", isAdministered: true, files })
    const { placement } = yield* place()
    const { uuid } = yield* ForgeApplications.create(system("application.create"), {
      git_repository: "acme/site",
      environment_uuid: placement.environmentUuid,
      ports_exposes: "3000"
    })
    const atForge = () => Redacted.value(there.forge.hooks.get("acme/site")?.[0]?.secret ?? Redacted.make(""))
    let count = 0
    const accepts = Effect.fnUntraced(function* (secret: string) {
      count++
      const body = new TextEncoder().encode(JSON.stringify({ ref: "refs/tags/v1", after: String(count) }))
      const headers = {
        [providers.gitea.event]: "push",
        "content-type": "application/json",
        "x-gitea-signature": createHmac("sha256", secret).update(body).digest("hex")
      }
      return yield* Webhooks.verify({ application: uuid, provider: "gitea", headers, body }).pipe(
        Effect.flatMap((delivery) =>
          Effect.provideService(Webhooks.receive(delivery), PathMatcher, { compile: () => assert.fail("compared") })
        ),
        Effect.as(true),
        Effect.catchTag("Unauthenticated", () => Effect.succeed(false))
      )
    })
    const application = Effect.map(
      Effect.flatMap(ApplicationStore, ({ find }) => find(uuid)),
      (found) => found ?? assert.fail("the application is gone")
    )
    return { ...there, accepts, application, atForge }
  })

  it.effect("follows that of the token, and keeps the former secret until a delivery proves the new one", () =>
    Effect.gen(function* () {
      const { accepts, atForge, proof } = yield* withHook
      const former = atForge()
      assert.match(former, /^[0-9a-f]{64}$/)
      yield* Effect.forkScoped(Pipeline.watchHooks)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(atForge(), former)
      yield* TokenRotations.rotate(yield* proof)
      yield* TestClock.adjust("1 minute")
      const present = atForge()
      assert.match(present, /^[0-9a-f]{64}$/)
      assert.notStrictEqual(present, former)
      // A delivery that was signed before the rotation arrives late.
      assert.deepStrictEqual([yield* accepts(former), yield* accepts("another")], [true, false])
      assert.deepStrictEqual([yield* accepts(present), yield* accepts(former)], [true, false])
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(atForge(), present)
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("loses no delivery if the forge does not get the new secret, and completes with the next deployment", () =>
    Effect.gen(function* () {
      const { accepts, application, atForge, forge, proof } = yield* withHook
      const former = atForge()
      yield* TestClock.adjust("1 minute")
      yield* TokenRotations.rotate(yield* proof)
      const forges = yield* ConnectedForges
      // The platform is killed before the forge answers.
      const watching = yield* Effect.forkChild(
        Effect.provideService(Pipeline.watchHooks, ConnectedForges, { ...forges, addHook: () => Effect.never })
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(watching)
      assert.strictEqual(atForge(), former)
      assert.isTrue(yield* accepts(former))
      const sources = yield* SourceSimulation
      const repository = `${url}/acme/site.git`
      const token = { _tag: "Token", username: "robot", token: Redacted.make("rotated-1") } as const
      yield* sources.repository(repository, token)
      yield* sources.commit(repository, "main", { message: "change", files: { Dockerfile: "FROM works" } })
      yield* startWorker()
      const queued = yield* Deployments.deploy(system("application.deploy", { application: yield* application }), false)
      yield* passUntilEnded(queued, 30)
      const ended = yield* shown(queued)
      assert.deepStrictEqual([ended.status, ended.reason], ["finished", null])
      const present = atForge()
      assert.notStrictEqual(present, former)
      assert.deepStrictEqual([yield* accepts(present), yield* accepts(former)], [true, false])
      assert.strictEqual(forge.rotations, 1)
    }).pipe(Effect.provide(world))
  )

  it.effect("leaves secrets that a user has set, and forgets the former one when a user sets a secret", () =>
    Effect.gen(function* () {
      const { accepts, application, atForge, proof, read } = yield* withHook
      const former = atForge()
      yield* Effect.forkScoped(Pipeline.watchHooks)
      yield* TestClock.adjust("1 minute")
      yield* TokenRotations.rotate(yield* proof)
      yield* TestClock.adjust("1 minute")
      assert.notStrictEqual(atForge(), former)
      const set = Effect.fnUntraced(function* (secret: string) {
        const proven = system("application.update", { application: yield* application })
        yield* Applications.update(proven, { manual_webhook_secret_forgeD: secret })
      })
      yield* set("my own secret")
      assert.deepStrictEqual([yield* accepts("my own secret"), yield* accepts(former)], [true, false])
      const connection = { ...(yield* read).connection, tokenSince: "2999-01-01T00:00:00.000Z" }
      yield* Effect.orDie((yield* ForgeAppStore).replace({ ...(yield* read), connection }))
      yield* TestClock.adjust("2 minutes")
      assert.isTrue(yield* accepts("my own secret"))
    }).pipe(Effect.scoped, Effect.provide(world))
  )
})
