import { Effect } from "effect"
import { expect, test } from "vitest"
import { json, onPodman } from "../containers.ts"
import { buildDatabaseImage, type DebianDatabase } from "../images/debianImages.ts"
import { eventually, placesAt, send } from "../support.ts"

const { containersOf, podman, world } = onPodman("file")

type Json = Readonly<Record<string, string>>

/** A type of database with commands for its data, executed in its container. */
interface Program {
  readonly fields: Readonly<Record<string, string>>
  readonly write: string
  readonly read: string
  readonly remove: string
}

const mariadb = 'MYSQL_PWD="$MARIADB_ROOT_PASSWORD" mariadb --user=root --skip-column-names orders --execute'

const programs: Readonly<Record<DebianDatabase, Program>> = {
  postgresql: {
    fields: { postgres_db: "orders" },
    write: `psql -U postgres orders -c "create table orders as select 'a lamp' as name"`,
    read: `psql -U postgres orders -Atc "select name from orders"`,
    remove: `psql -U postgres orders -c "drop table orders"`
  },
  mariadb: {
    fields: { mariadb_database: "orders" },
    write: `${mariadb} "create table orders as select 'a lamp' as name"`,
    read: `${mariadb} "select name from orders"`,
    remove: `${mariadb} "drop table orders"`
  },
  redis: {
    fields: {},
    write: "redis-cli set name 'a lamp'",
    read: "redis-cli get name",
    remove: "redis-cli del name"
  }
}

test.for(Object.entries(programs))(
  "Debian's %s is backed up, and restored into the same and into a new database",
  {
    timeout: 300_000
  },
  async ([kind, { fields, read, remove, write }]) => {
    // No registry listens there, so that the image on the server is used.
    const image = `127.0.0.1:1/${kind}:1`
    await buildDatabaseImage(podman(), kind as DebianDatabase, image)
    const { base } = await world()
    const at = `${base}/api/v1/databases`
    const places = await placesAt(base)
    const create = async (name: string) => {
      const body = { ...places, ...fields, name, image, instant_deploy: true }
      const { uuid = "" } = await json<Json>(send("POST", `${at}/${kind}`, body))
      await eventually(async () => (await json<Json>(send("GET", `${at}/${uuid}`))).status === "running:healthy")
      const [container = ""] = await containersOf(uuid)
      const execute = (command: string) => Effect.runPromise(podman().podman("exec", container, "sh", "-c", command))
      return { uuid, execute }
    }
    const orders = await create("orders")
    await orders.execute(write)
    expect((await orders.execute(read)).trim()).toBe("a lamp")

    const backups = `${at}/${orders.uuid}/backups`
    const { uuid: schedule } = await json<Json>(send("POST", backups, { frequency: "yearly", backup_now: true }))
    const newest = async () =>
      (await json<{ executions: ReadonlyArray<Json> }>(send("GET", `${backups}/${schedule}/executions`))).executions[0]
    await eventually(async () => ["failed", "success"].includes((await newest())?.status ?? ""))
    const backup = await newest()
    expect(backup?.status, backup?.message).toBe("success")

    const restore = async (database: string) => {
      const path = `${backups}/${schedule}/executions/${backup?.uuid}/restore`
      await send("POST", path, database === orders.uuid ? undefined : { database_uuid: database })
      const restored = async () =>
        (await json<ReadonlyArray<Json>>(send("GET", `${at}/${database}/restores`))).map(({ message, status }) => [
          status,
          message
        ])
      await eventually(async () => ["failed", "success"].includes((await restored())[0]?.[0] ?? ""))
      expect(await restored()).toEqual([["success", expect.anything()]])
    }
    await orders.execute(remove)
    await restore(orders.uuid)
    expect((await orders.execute(read)).trim()).toBe("a lamp")

    const copy = await create("copy")
    await restore(copy.uuid)
    expect((await copy.execute(read)).trim()).toBe("a lamp")
  }
)
