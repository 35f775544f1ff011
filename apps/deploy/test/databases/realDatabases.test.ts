import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { CertificateIssuer } from "@slipway/domain/deploy/infrastructure"
import { layerCertificateIssuer } from "@slipway/signatures/x509"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { freePort, json, onPodman } from "../containers.ts"
import { buildDatabaseImage, type DebianDatabase } from "../images/debianImages.ts"
import { eventually, newDirectory, placesAt, send } from "../support.ts"

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

/** Creates databases of a type on Debian's programs, and backs them up and restores them by the API. */
const onDebian = async (kind: string, fields: Readonly<Record<string, unknown>>) => {
  // No registry listens there, so that the image on the server is used.
  const image = `127.0.0.1:1/${kind}:1`
  await buildDatabaseImage(podman(), kind as DebianDatabase, image)
  const { base } = await world()
  const at = `${base}/api/v1/databases`
  const places = await placesAt(base)
  const read = (uuid: string) => json<Json>(send("GET", `${at}/${uuid}`))
  const create = async (name: string) => {
    const body = { ...places, ...fields, name, image, instant_deploy: true }
    const { uuid = "" } = await json<Json>(send("POST", `${at}/${kind}`, body))
    await eventually(async () => (await read(uuid)).status === "running:healthy")
    const [container = ""] = await containersOf(uuid)
    const execute = (command: string) => Effect.runPromise(podman().podman("exec", container, "sh", "-c", command))
    return { uuid, execute }
  }
  const backUp = async (uuid: string) => {
    const backups = `${at}/${uuid}/backups`
    const { uuid: schedule } = await json<Json>(send("POST", backups, { frequency: "yearly", backup_now: true }))
    const newest = async () =>
      (await json<{ executions: ReadonlyArray<Json> }>(send("GET", `${backups}/${schedule}/executions`))).executions[0]
    await eventually(async () => ["failed", "success"].includes((await newest())?.status ?? ""))
    const backup = await newest()
    expect(backup?.status, backup?.message).toBe("success")
    return `${backups}/${schedule}/executions/${backup?.uuid}/restore`
  }
  const restore = async (path: string, database: string, isSame: boolean) => {
    await send("POST", path, isSame ? undefined : { database_uuid: database })
    const restored = async () =>
      (await json<ReadonlyArray<Json>>(send("GET", `${at}/${database}/restores`))).map(({ message, status }) => [
        status,
        message
      ])
    await eventually(async () => ["failed", "success"].includes((await restored())[0]?.[0] ?? ""))
    expect(await restored()).toEqual([["success", expect.anything()]])
  }
  return { at, backUp, create, read, restore }
}

test.for(Object.entries(programs))(
  "Debian's %s is backed up, and restored into the same and into a new database",
  {
    timeout: 300_000
  },
  async ([kind, { fields, read, remove, write }]) => {
    const { backUp, create, restore } = await onDebian(kind, fields)
    const orders = await create("orders")
    await orders.execute(write)
    expect((await orders.execute(read)).trim()).toBe("a lamp")
    const path = await backUp(orders.uuid)
    await orders.execute(remove)
    await restore(path, orders.uuid, true)
    expect((await orders.execute(read)).trim()).toBe("a lamp")

    const copy = await create("copy")
    await restore(path, copy.uuid, false)
    expect((await copy.execute(read)).trim()).toBe("a lamp")
  }
)

/** A client of the machine: its command with verified TLS, and without TLS, with the message of its failure. */
interface Client {
  readonly fields: Readonly<Record<string, string>>
  readonly secure: (at: ClientTarget) => readonly [program: string, ...args: ReadonlyArray<string>]
  readonly plain: (at: ClientTarget) => readonly [program: string, ...args: ReadonlyArray<string>]
  readonly refusal: RegExp
  /** The user id that owns the private key. */
  readonly owner: string
}

interface ClientTarget {
  readonly url: string
  readonly ca: string
  readonly port: string
  readonly password: string
}

const mariadbAt = ({ password, port }: ClientTarget) =>
  [
    "mariadb",
    "--host=localhost",
    "--protocol=tcp",
    `--port=${port}`,
    "--user=mariadb",
    `--password=${password}`
  ] as const
const asked = ["--skip-column-names", "--execute", "select 'a lamp'"]

const clients: Readonly<Record<DebianDatabase, Client>> = {
  postgresql: {
    fields: { postgres_db: "orders", ssl_mode: "verify-full" },
    secure: ({ ca, url }) => [
      "psql",
      `${url}&sslrootcert=${ca}`,
      "-Atc",
      "select 'a lamp' from pg_stat_ssl where ssl limit 1"
    ],
    plain: ({ url }) => ["psql", url.replace("verify-full", "disable"), "-Atc", "select 'a lamp'"],
    refusal: /no pg_hba.conf entry .* no encryption/,
    owner: "999"
  },
  mariadb: {
    fields: { mariadb_database: "orders" },
    secure: (at) => [...mariadbAt(at), `--ssl-ca=${at.ca}`, "--ssl-verify-server-cert", ...asked],
    plain: (at) => [...mariadbAt(at), "--skip-ssl", ...asked],
    // MariaDB 10 reports the wrong password for a missing TLS.
    refusal: /Access denied|insecure transport/,
    owner: "999"
  },
  redis: {
    fields: {},
    secure: ({ ca, url }) => ["redis-cli", "-u", url, "--cacert", ca, "echo", "a lamp"],
    plain: ({ url }) => ["redis-cli", "-u", url.replace("rediss:", "redis:"), "echo", "a lamp"],
    refusal: /I\/O error|Connection reset|Protocol error/,
    // Debian's image has no such user, so root owns the key.
    owner: "0"
  }
}

/** Writes the certificate of an authority that signed no certificate of a database. */
const strangeAuthority = (directory: string) =>
  Effect.gen(function* () {
    const validity = { from: "2026-01-01T00:00:00.000Z", until: "2036-01-01T00:00:00.000Z" }
    const { certificate } = yield* (yield* CertificateIssuer).makeAuthority("Slipway databases of team 0", validity)
    const ca = join(directory, "strange.crt")
    writeFileSync(ca, certificate)
    return { ca }
  }).pipe(Effect.provide(layerCertificateIssuer), Effect.runPromise)

test.for(Object.entries(clients))(
  "Debian's %s accepts only TLS, with a certificate that clients verify, and is backed up and restored",
  { timeout: 300_000 },
  async ([kind, { fields, owner, plain, refusal, secure }]) => {
    const port = await freePort()
    const { at, backUp, create, read, restore } = await onDebian(kind, {
      ...fields,
      enable_ssl: true,
      is_public: true,
      public_port: port
    })
    const { execute, uuid } = await create("orders")
    const { external_db_url: url = "", [`${kind}_password`]: password = "" } = {
      ...(await read(uuid))
    }
    const { ca_certificate } = await json<Json>(send("GET", `${at}/${uuid}/ssl`))
    const directory = newDirectory()
    const ca = join(directory, "ca.crt")
    writeFileSync(ca, ca_certificate ?? "")
    const target = { url, ca, port: String(port), password }
    const runClient = promisify(execFile)
    const [program, ...args] = secure(target)
    expect((await runClient(program, args)).stdout.trim()).toBe("a lamp")
    const [other, ...otherArgs] = plain(target)
    const refused = await runClient(other, otherArgs).then(
      ({ stderr, stdout }) => stdout + stderr,
      (error: Error) => String(error.message)
    )
    expect(refused).toMatch(refusal)
    // Another authority is not trusted.
    const { ca: stranger } = await strangeAuthority(directory)
    const [third, ...thirdArgs] = secure({ ...target, ca: stranger })
    await expect(runClient(third, thirdArgs)).rejects.toThrow(/certificate|SSL/i)
    expect((await execute("stat -c '%a %u' /etc/slipway-tls/server.key")).trim()).toBe(`600 ${owner}`)

    await restore(await backUp(uuid), uuid, true)
    expect((await runClient(program, args)).stdout.trim()).toBe("a lamp")
  }
)
