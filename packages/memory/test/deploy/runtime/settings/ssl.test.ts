import { assert, describe, it } from "@effect/vitest"
import { Databases, readSsl } from "@slipway/deploy/databases"
import { Pipeline } from "@slipway/deploy/runtime"
import { type Database, ownerOf } from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { CertificateAuthorityStore } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Duration, Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { nothing, plantDatabase, runDatabase, settle, shownDatabase } from "../support/databaseSupport.ts"
import { pass, place, server, startWorker, world } from "../support/support.ts"

const planted = Effect.gen(function* () {
  yield* (yield* EngineSimulation).publish("postgres:17-alpine")
  const there = yield* place()
  const worker = yield* startWorker()
  const database = yield* plantDatabase(there, { ssl: { isEnabled: true, mode: "verify-full" } })
  return { database: yield* runDatabase(database), there, worker }
})

/** The TLS files and the command of the running container of a database. */
const running = Effect.fnUntraced(function* ({ uuid }: Pick<Database, "uuid">) {
  const { containers } = yield* (yield* EngineSimulation).inventory(server)
  const [one] = containers.filter(({ owner, state }) => owner.application === ownerOf(uuid) && state === "running")
  const { command, files } = one?.spec ?? assert.fail("no container is running")
  return { command, files: Object.fromEntries(files.map(({ path, text }) => [path, Redacted.value(text)])) }
})

const day = (n: number) => new Date(Duration.toMillis(Duration.days(n))).toISOString().slice(0, 10)

const update = (database: Database, input: Partial<Databases.DatabaseInput>) =>
  Databases.update(system("database.update", { database }), { ...nothing, ...input })

describe("TLS of a database", () => {
  it.effect("puts a certificate for the database's names, signed by the team's authority, into its container", () =>
    Effect.gen(function* () {
      const { database, there } = yield* planted
      const { command, files } = yield* running(database)
      assert.match(
        files["/etc/slipway-tls/server.crt"] ?? "",
        new RegExp(`^certificate for ${database.uuid}, localhost, 127.0.0.1, ::1, .* until ${day(365)}`)
      )
      assert.strictEqual(files["/etc/slipway-tls/server.key"], `key for ${database.uuid}\n`)
      assert.deepStrictEqual(command?.slice(0, 2), ["-c", "ssl=on"])
      const authority = yield* (yield* CertificateAuthorityStore).find(there.placement.teamId)
      assert.strictEqual(files["/etc/slipway-tls/ca.crt"], authority?.certificate)
      assert.notInclude(authority?.privateKey, "key of")
      assert.strictEqual(database.certificateExpiresAt?.slice(0, 10), day(365))
      const ssl = yield* readSsl(system("database.read", { database }))
      assert.deepStrictEqual(
        [ssl.isEnabled, ssl.mode, ssl.authority, ssl.certificateExpiresAt],
        [true, "verify-full", authority, database.certificateExpiresAt]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("ends with the next start after it was disabled, and with a stop", () =>
    Effect.gen(function* () {
      const { database } = yield* planted
      yield* update(database, { ssl: { isEnabled: false } })
      const changed = yield* shownDatabase(database)
      assert.isNotNull(changed.certificateExpiresAt)
      assert.isNull((yield* readSsl(system("database.read", { database: changed }))).authority)
      assert.isNull((yield* runDatabase(changed)).certificateExpiresAt)
      const { command, files } = yield* running(database)
      assert.deepStrictEqual([command, files], [null, {}])
      yield* update(database, { ssl: { isEnabled: true } })
      assert.isNotNull((yield* runDatabase(yield* shownDatabase(database))).certificateExpiresAt)
      yield* Databases.stop(system("database.deploy", { database }))
      assert.isNull((yield* settle(database)).certificateExpiresAt)
    }).pipe(Effect.provide(world))
  )

  it.effect("keeps the certificate of the running container if a start fails", () =>
    Effect.gen(function* () {
      const { database } = yield* planted
      yield* update(database, { image: "missing:1" })
      const failed = yield* runDatabase(yield* shownDatabase(database))
      assert.strictEqual(failed.state, "failed")
      assert.strictEqual(failed.certificateExpiresAt, database.certificateExpiresAt)
    }).pipe(Effect.provide(world))
  )

  it.effect("renews a certificate by a restart, 30 days before it expires", () =>
    Effect.gen(function* () {
      const { database, worker } = yield* planted
      // A worker that polls for months would take minutes of this test.
      yield* Fiber.interrupt(worker)
      const check = Effect.gen(function* () {
        const watch = yield* Effect.forkScoped(Pipeline.renewDatabaseCertificates)
        yield* pass(1)
        yield* Fiber.interrupt(watch)
        return yield* shownDatabase(database)
      })
      yield* TestClock.adjust(Duration.days(334))
      assert.deepStrictEqual(yield* check, database)
      yield* TestClock.adjust(Duration.days(2))
      const { action, state } = yield* check
      assert.deepStrictEqual([action, state], ["restart", "queued"])
      yield* startWorker()
      const renewed = yield* settle(database)
      assert.deepStrictEqual([renewed.state, renewed.certificateExpiresAt?.slice(0, 10)], ["done", day(336 + 365)])
      assert.deepStrictEqual(yield* check, renewed)
    }).pipe(Effect.provide(world))
  )

  it.effect("renews the certificate of an authority two years before it expires, with the same key", () =>
    Effect.gen(function* () {
      const { database, there, worker } = yield* planted
      yield* Fiber.interrupt(worker)
      const store = yield* CertificateAuthorityStore
      const first = yield* store.find(there.placement.teamId)
      yield* TestClock.adjust(Duration.days(3_650 - 729))
      yield* startWorker()
      yield* runDatabase(database)
      const second = yield* store.find(there.placement.teamId)
      assert.strictEqual(second?.expiresAt.slice(0, 10), day(3_650 - 729 + 3_650))
      assert.strictEqual(second?.privateKey, first?.privateKey)
      assert.strictEqual((yield* running(database)).files["/etc/slipway-tls/ca.crt"], second?.certificate)
    }).pipe(Effect.provide(world))
  )
})
