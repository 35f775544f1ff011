import { assert, describe, it } from "@effect/vitest"
import { SharedVariables } from "@slipway/deploy/apps"
import { DatabaseMoves, DatabaseSettings, Databases } from "@slipway/deploy/databases"
import { InvalidInput } from "@slipway/domain"
import { DeletionStore, StorageStore, teamOwner } from "@slipway/domain/deploy/apps"
import { type Database, ownerOf } from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { DestinationStore } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect, Redacted } from "effect"
import { plantDatabase, runDatabase, settle, shownDatabase } from "../support/databaseSupport.ts"
import { pass, place, server, startWorker, world } from "../support/support.ts"

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
  const { command, environment, files, healthCheck, mounts } = one?.spec ?? assert.fail("no container is running")
  return {
    command,
    files: files.map(({ path, text }) => [path, Redacted.value(text)]),
    healthCheck,
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

  it.effect("reach its container: the configuration file, file storages and the health check", () =>
    Effect.gen(function* () {
      const { database } = yield* planted
      yield* DatabaseSettings.createStorage(mayUpdate(database), {
        name: "hba",
        mountPath: "/etc/more/pg.conf",
        hostPath: null,
        content: Redacted.make("first")
      })
      yield* Databases.update(mayUpdate(database), {
        limits: {},
        fields: { postgres_conf: Buffer.from("max_connections = 7\n").toString("base64") },
        health: { interval: 30, retries: 2 }
      })
      yield* runDatabase(database)
      const first = yield* running(database)
      assert.deepStrictEqual(first.files, [
        ["/etc/slipway-postgresql.conf", "max_connections = 7\n"],
        ["/etc/more/pg.conf", "first"]
      ])
      assert.deepStrictEqual(first.command, [
        "postgres",
        "-c",
        "config_file=/etc/slipway-postgresql.conf",
        "-c",
        "listen_addresses=*"
      ])
      assert.deepStrictEqual(first.healthCheck, {
        command: ["pg_isready", "--host=127.0.0.1", "--username", "postgres", "--dbname", "postgres"],
        interval: 30,
        timeout: 5,
        retries: 2,
        startPeriod: 600
      })
      assert.strictEqual(first.mounts.length, 2)
      const [file = assert.fail()] = yield* (yield* StorageStore).ofApplication(ownerOf(database.uuid))
      const content = { content: Redacted.make("second") }
      yield* DatabaseSettings.updateStorage(mayUpdate(database), { uuid: file.uuid }, content, "file")
      yield* Databases.update(mayUpdate(database), {
        limits: {},
        fields: { postgres_conf: "" },
        health: { isEnabled: false }
      })
      yield* runDatabase(yield* shownDatabase(database))
      const second = yield* running(database)
      assert.deepStrictEqual(second.files, [["/etc/more/pg.conf", "second"]])
      assert.deepStrictEqual([second.command, second.healthCheck], [null, "disabled"])
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

  it.effect("must be stopped before another server, and leaves no container behind", () =>
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
      yield* DatabaseSettings.createStorage(mayUpdate(source), {
        name: "file",
        mountPath: "/etc/file",
        hostPath: null,
        content: Redacted.make("content")
      })
      yield* runDatabase(source)
      const clone = yield* DatabaseMoves.clone(system("database.clone", { database: yield* shownDatabase(source) }), {
        destinationUuid: source.placement.destinationUuid
      })
      assert.deepStrictEqual(
        [clone.name, clone.isPublic, clone.publicPort, clone.state, clone.servingUuid],
        [`orders-${clone.uuid}`, false, null, "idle", null]
      )
      yield* runDatabase(clone)
      const { environment, files, mounts } = yield* running(clone)
      assert.deepStrictEqual(files, [["/etc/file", "content"]])
      assert.deepStrictEqual([environment.POSTGRES_PASSWORD, environment.TZ], ["pass", "UTC"])
      assert.deepStrictEqual(mounts[2], [`${clone.uuid}_extra`, "/extra"])
    }).pipe(Effect.provide(world))
  )
})
