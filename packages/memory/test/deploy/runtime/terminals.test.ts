import { assert, describe, it } from "@effect/vitest"
import { authenticate, Sessions } from "@slipway/deploy/identity"
import { Terminals } from "@slipway/deploy/runtime"
import { ApplicationStore } from "@slipway/domain/deploy/apps"
import { ContainerEngine } from "@slipway/domain/deploy/containers"
import { authorize } from "@slipway/domain/deploy/entry"
import {
  type Account,
  AccountStore,
  AuditStore,
  GrantStore,
  rootTeam,
  TeamStore
} from "@slipway/domain/deploy/identity"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import type { TerminalInput } from "@slipway/domain/deploy/runtime"
import { EngineSimulation } from "@slipway/memory/deploy"
import { moment, newAccount, newGrant } from "@slipway/testkit/deploy"
import { Effect, Fiber, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import { pass, place, plantApplication, queue, server, startWorker, world } from "./support/support.ts"

const encoder = new TextEncoder()
const size = { columns: 80, rows: 24 }
const keys = (text: string): TerminalInput => ({ _tag: "Keys", bytes: encoder.encode(text) })

/** A deployed application on a server with terminals, and the proof of a session that may open one. */
const deployedBy = Effect.fnUntraced(function* (facts: Partial<Account>) {
  const application = yield* plantApplication(yield* place({ isTerminalEnabled: true }))
  const worker = yield* startWorker()
  yield* queue(1, application)
  yield* pass(20)
  yield* Fiber.interrupt(worker)
  const account = yield* Effect.orDie((yield* AccountStore).insert(newAccount(1, facts)))
  yield* (yield* TeamStore).addMember({ teamId: rootTeam, accountUuid: account.uuid, createdAt: moment(1) })
  const { environmentUuid } = application.placement
  const grant = newGrant(1, account, { placeType: "environment", placeUuid: environmentUuid, role: "admin" })
  yield* Effect.orDie((yield* GrantStore).insert(grant))
  const { plain } = yield* Sessions.begin(account, { agent: "test", address: "192.0.2.1" })
  const proof = yield* authorize(yield* authenticate(plain), "application.terminal", { application })
  return { account, application, proof }
})

const deployed = deployedBy({ isRoot: true })

/** Opens a terminal with a browser that confirms output only if `confirms` is true. */
const opened = Effect.fnUntraced(function* (proof: Terminals.TerminalProof, confirms = true) {
  const input = yield* Queue.unbounded<TerminalInput>()
  const decoder = new TextDecoder()
  let screen = ""
  let received = 0
  const client = {
    input: Stream.fromQueue(input),
    send: (bytes: Uint8Array) =>
      Effect.suspend(() => {
        screen += decoder.decode(bytes, { stream: true })
        received += bytes.length
        return confirms ? Queue.offer(input, { _tag: "Shown", bytes: bytes.length }) : Effect.void
      })
  }
  const running = yield* Effect.forkScoped(Terminals.run(proof, { container: null, size }, client, Effect.never))
  yield* pass(1)
  return {
    resize: Effect.andThen(Queue.offer(input, { _tag: "Resize", size }), pass(1)),
    type: (text: string) => Effect.andThen(Queue.offer(input, keys(text)), pass(1)),
    confirm: (bytes: number) => Effect.andThen(Queue.offer(input, { _tag: "Shown", bytes }), pass(1)),
    screen: () => screen,
    received: () => received,
    end: Fiber.join(running)
  }
})

/** An engine that never answers the resize of a terminal. */
const withoutResizes = Effect.map(ContainerEngine, ({ open }) =>
  ContainerEngine.of({
    open: (access) =>
      Effect.map(open(access), (engine) => ({
        ...engine,
        terminal: (...args) =>
          Effect.map(engine.terminal(...args), (terminal) => ({ ...terminal, resize: () => Effect.never }))
      }))
  })
)

const terminals = Effect.flatMap(EngineSimulation, ({ inventory }) =>
  Effect.map(inventory(server), ({ terminals: open }) => open)
)

const audited = Effect.gen(function* () {
  const records = yield* (yield* AuditStore).list({ teamId: rootTeam, limit: 10 })
  return records.map(({ action, detail, outcome }) => [outcome, action, detail.replace(/in [a-z0-9-]+/, "in …")])
})

describe("a terminal", () => {
  it.effect("runs a shell until it exits, and is audited without its content", () =>
    Effect.gen(function* () {
      const { proof } = yield* deployed
      const { end, screen, type } = yield* opened(proof)
      yield* type("echo hi\r")
      assert.strictEqual(screen(), "$ echo hi\r\nhi\r\n$ ")
      assert.strictEqual(yield* terminals, 1)
      yield* type("exit\r")
      assert.strictEqual(yield* end, "exited")
      assert.strictEqual(yield* terminals, 0)
      assert.deepStrictEqual(yield* audited, [
        ["done", "application.terminal", "closed the terminal in … after 2 s (exited)"],
        ["done", "application.terminal", "opened a terminal in …"]
      ])
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("is closed after 15 minutes without input", () =>
    Effect.gen(function* () {
      const { proof } = yield* deployed
      const { end, type } = yield* opened(proof)
      yield* TestClock.adjust("14 minutes")
      yield* type("\r")
      yield* TestClock.adjust("14 minutes")
      assert.strictEqual(yield* terminals, 1)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(yield* end, "idle")
      assert.strictEqual(yield* terminals, 0)
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("is closed after 8 hours", () =>
    Effect.gen(function* () {
      const { proof } = yield* deployed
      const { end, type } = yield* opened(proof)
      for (let minutes = 0; minutes < 8 * 60; minutes += 10) {
        yield* type("\r")
        yield* TestClock.adjust("10 minutes")
      }
      assert.strictEqual(yield* end, "expired")
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("is closed within 6 seconds after its account or the setting of the server is disabled", () =>
    Effect.gen(function* () {
      const { account, application, proof } = yield* deployed
      const one = yield* opened(proof)
      const servers = yield* ServerStore
      const present = (yield* servers.find(application.placement.serverUuid)) ?? assert.fail("it exists")
      yield* Effect.orDie(servers.replace({ ...present, isTerminalEnabled: false }))
      yield* pass(6)
      assert.strictEqual(yield* one.end, "disabled")
      const refused = Terminals.run(
        proof,
        { container: null, size },
        { input: Stream.never, send: () => Effect.void },
        Effect.never
      )
      assert.strictEqual((yield* Effect.flip(refused))._tag, "TerminalsDisabled")
      yield* Effect.orDie(servers.replace(present))
      const two = yield* opened(proof)
      yield* Effect.orDie((yield* AccountStore).replace({ ...account, isDisabled: true }))
      yield* pass(6)
      assert.strictEqual(yield* two.end, "revoked")
      assert.strictEqual(yield* terminals, 0)
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("is closed within 6 seconds after its application moved to an environment without permission", () =>
    Effect.gen(function* () {
      const { application, proof } = yield* deployedBy({})
      const { end } = yield* opened(proof)
      const { environment, project } = yield* place({}, 2)
      const { name: environmentName, uuid: environmentUuid } = environment
      const placement = { ...application.placement, environmentName, environmentUuid, projectUuid: project.uuid }
      const applications = yield* ApplicationStore
      const present = (yield* applications.find(application.uuid)) ?? assert.fail("it exists")
      yield* Effect.orDie(applications.replace({ ...present, placement }))
      yield* pass(6)
      assert.strictEqual(yield* end, "revoked")
      assert.strictEqual(yield* terminals, 0)
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("sends no more than 256 KiB of output before the browser confirms it", () =>
    Effect.gen(function* () {
      const { proof } = yield* deployed
      const { confirm, received, type } = yield* opened(proof, false)
      for (let line = 0; line < 10; line += 1) yield* type(`echo ${"x".repeat(30_000)}\r`)
      const before = received()
      assert.isAtLeast(before, 262_144)
      assert.isAtMost(before, 262_144 + 40_000)
      yield* confirm(200_000)
      assert.isAbove(received(), before)
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("reads input while the engine does not answer a resize", () =>
    Effect.gen(function* () {
      const { proof } = yield* deployed
      const { resize, screen, type } = yield* opened(proof)
      yield* resize
      yield* type("echo hi\r")
      assert.strictEqual(screen(), "$ echo hi\r\nhi\r\n$ ")
    }).pipe(Effect.provideServiceEffect(ContainerEngine, withoutResizes), Effect.scoped, Effect.provide(world))
  )

  it.effect("reports a container that does not run", () =>
    Effect.gen(function* () {
      const { proof } = yield* deployed
      const client = { input: Stream.never, send: () => Effect.void }
      const missing = Terminals.run(proof, { container: "missing", size }, client, Effect.never)
      assert.deepInclude(yield* Effect.flip(missing), { _tag: "NoRunningContainer", container: "missing" })
      const shown = yield* Terminals.read(proof)
      assert.deepStrictEqual([shown.isEnabled, shown.running.length], [true, 1])
    }).pipe(Effect.scoped, Effect.provide(world))
  )
})
