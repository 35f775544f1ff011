import { assert, describe, it } from "@effect/vitest"
import { SharedVariables } from "@slipway/deploy/apps"
import { DatabaseMoves, DatabaseSettings, Databases } from "@slipway/deploy/databases"
import { InvalidInput } from "@slipway/domain"
import { DeletionStore, teamOwner } from "@slipway/domain/deploy/apps"
import { type Database, ownerOf } from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { DestinationStore } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect, Redacted } from "effect"
import { plantDatabase, runDatabase, settle, shownDatabase } from "./support/databaseSupport.ts"
import { pass, place, server, startWorker, world } from "./support/support.ts"

const mayUpdate = (database: Database) => system("database.update", { database })

const text = (key: string, value: string) => ({ key, value: Redacted.make(value) })

const planted = Effect.gen(function* () {
  yield* (yield* EngineSimulation).publish("postgres:17-alpine")
  const there = yield* place()
  yield* startWorker()
  return { there, database: yield* plantDatabase(there) }
})

/** The environment and the mounts of the running container of a database. */
const running = Effect.fnUntraced(function* ({ uuid }: Pick<Database, "uuid">) {
  const { containers } = yield* (yield* EngineSimulation).inventory(server)
  const [one] = containers.filter(({ owner, state }) => owner.application === ownerOf(uuid) && state === "running")
  const { environment, mounts } = one?.spec ?? assert.fail("no container is running")
  return {
    environment: Object.fromEntries(environment.map(([name, value]) => [name, Redacted.value(value)])),
    mounts: mounts.map(({ source, target }) => [source._tag === "Volume" ? source.name : source._tag, target])
  }
})

describe("the settings of a database", () => {
  it.effect("reach its container: variables with references, and storages", () =>
    Effect.gen(function* () {
      const { database, there } = yield* planted
      const owner = { owner: teamOwner(there.placement.teamId), place: { teamId: there.placement.teamId } }
      yield* SharedVariables.create(system("sharedVariable.create", owner), text("ZONE", "Europe/Oslo"))
      yield* DatabaseSettings.setVariables(mayUpdate(database), [
        text("TZ", "{{team.ZONE}}"),
        text("PGTZ", "$TZ"),
        { ...text("RAW", "$TZ"), isLiteral: true }
      ])
      yield* DatabaseSettings.createStorage(mayUpdate(database), {
        name: "extra",
        mountPath: "/extra",
        hostPath: null
      })
      assert.strictEqual((yield* runDatabase(database)).reason, null)
      const { environment, mounts } = yield* running(database)
      assert.deepStrictEqual(
        [environment.TZ, environment.PGTZ, environment.RAW, environment.POSTGRES_USER],
        ["Europe/Oslo", "Europe/Oslo", "$TZ", "postgres"]
      )
      assert.deepStrictEqual(mounts, [
        [`${database.uuid}_data`, "/var/lib/pgdata"],
        [`${database.uuid}_backups`, "/var/lib/slipway-backups"],
        [`${database.uuid}_extra`, "/extra"]
      ])
    }).pipe(Effect.provide(world))
  )

  it.effect("are rejected if the database itself sets them", () =>
    Effect.gen(function* () {
      const { database } = yield* planted
      const proof = mayUpdate(database)
      const problemsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.map(Effect.flip(effect), (error) =>
          error instanceof InvalidInput ? error.problems : assert.fail("another error")
        )
      assert.deepStrictEqual(
        yield* problemsOf(DatabaseSettings.createVariable(proof, text("POSTGRES_PASSWORD", "x"))),
        { key: ["Is set by the field `postgres_password`."] }
      )
      assert.deepStrictEqual(
        yield* problemsOf(DatabaseSettings.setVariables(proof, [text("TZ", ""), text("POSTGRES_DB", "x")])),
        { "data.1.key": ["Is set by the field `postgres_db`."] }
      )
      const storage = (name: string, mountPath: string) =>
        problemsOf(DatabaseSettings.createStorage(proof, { name, mountPath, hostPath: null }))
      assert.deepStrictEqual(yield* storage("data", "/other"), {
        name: ["Is the volume with the data of the database."]
      })
      assert.deepStrictEqual(yield* storage("backups", "/other"), {
        name: ["Is the volume with the backups of the database."]
      })
      assert.deepStrictEqual(yield* storage("more", "/var/lib//pgdata/"), {
        mount_path: ["Is the directory of a volume that every database of this type has."]
      })
    }).pipe(Effect.provide(world))
  )

  it.effect("prevent a start with an unknown shared variable, which the reason names", () =>
    Effect.gen(function* () {
      const { database } = yield* planted
      yield* DatabaseSettings.createVariable(mayUpdate(database), text("TZ", "{{team.NONE}}"))
      const { reason, state } = yield* runDatabase(database)
      assert.deepStrictEqual([state, reason], ["failed", "unknown shared variables: team.NONE"])
    }).pipe(Effect.provide(world))
  )
})

describe("a database that moves to another destination", () => {
  const elsewhere = Effect.fnUntraced(function* (n: number) {
    const there = yield* place({}, n)
    const destination = yield* (yield* DestinationStore).find(there.placement.destinationUuid)
    return destination ?? assert.fail("the destination is missing")
  })

  it.effect("must be stopped if it is on another server, whose containers are then removed", () =>
    Effect.gen(function* () {
      const { database } = yield* planted
      yield* runDatabase(database)
      const other = yield* elsewhere(2)
      const error = yield* Effect.flip(DatabaseMoves.migrate(mayUpdate(database), other.uuid))
      assert.instanceOf(error, InvalidInput)
      assert.deepStrictEqual(error.problems, {
        destination_uuid: ["Is on another server: stop the database before the move."]
      })
      yield* Databases.stop(system("database.deploy", { database }))
      yield* settle(database)
      const moved = yield* DatabaseMoves.migrate(mayUpdate(database), other.uuid)
      assert.strictEqual(moved.placement.serverUuid, other.serverUuid)
      yield* pass(5)
      const simulation = yield* EngineSimulation
      assert.deepStrictEqual((yield* simulation.inventory(server)).containers, [])
      assert.strictEqual((yield* simulation.inventory(server)).volumes.length, 2)
    }).pipe(Effect.provide(world))
  )

  // Prevents: the cleanup of the first move stops the database that moved back.
  it.effect("keeps its containers if it returns before the cleanup", () =>
    Effect.gen(function* () {
      const { database } = yield* planted
      yield* runDatabase(database)
      yield* Databases.stop(system("database.deploy", { database }))
      yield* settle(database)
      const other = yield* elsewhere(2)
      yield* DatabaseMoves.migrate(mayUpdate(database), other.uuid)
      yield* DatabaseMoves.migrate(mayUpdate(database), database.placement.destinationUuid)
      yield* pass(5)
      const { containers } = yield* (yield* EngineSimulation).inventory(server)
      assert.strictEqual(containers.length, 1)
      const deletions = yield* (yield* DeletionStore).ofApplication(ownerOf(database.uuid))
      assert.deepStrictEqual(deletions[0]?.left, ["all resources, because the database moved back to the server"])
    }).pipe(Effect.provide(world))
  )
})

describe("the clone of a database", () => {
  it.effect("has its settings, secrets, variables, storages and tags, but not its port", () =>
    Effect.gen(function* () {
      yield* (yield* EngineSimulation).publish("postgres:17-alpine")
      const there = yield* place()
      yield* startWorker()
      const source = yield* plantDatabase(there, {
        name: "orders",
        isPublic: true,
        publicPort: 5_433,
        fields: { postgres_password: "pass" }
      })
      yield* DatabaseSettings.createVariable(mayUpdate(source), text("TZ", "UTC"))
      yield* DatabaseSettings.createStorage(mayUpdate(source), { name: "extra", mountPath: "/extra", hostPath: null })
      yield* runDatabase(source)
      const clone = yield* DatabaseMoves.clone(system("database.clone", { database: yield* shownDatabase(source) }), {
        destinationUuid: source.placement.destinationUuid
      })
      assert.deepStrictEqual(
        [clone.name, clone.isPublic, clone.publicPort, clone.state, clone.servingUuid],
        [`orders-${clone.uuid}`, false, null, "idle", null]
      )
      yield* runDatabase(clone)
      const { environment, mounts } = yield* running(clone)
      assert.deepStrictEqual([environment.POSTGRES_PASSWORD, environment.TZ], ["pass", "UTC"])
      assert.deepStrictEqual(mounts[2], [`${clone.uuid}_extra`, "/extra"])
    }).pipe(Effect.provide(world))
  )
})
