import { describe, expect, it } from "@effect/vitest"
import { DatabaseStatus } from "@slipway/deploy/databases"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  type BackupRunUuid,
  containerOf,
  type Database,
  DatabaseKinds,
  dumpOf,
  externalAddress,
  fileOf,
  internalAddress,
  pathOf
} from "@slipway/domain/deploy/databases"
import { Redacted, Schema } from "effect"

const uuid = "database0000000000000001"
const run = "deployment00000000000001" as DeploymentUuid

const databaseOf = (kind: DatabaseKinds.DatabaseKind, facts: Partial<Database> = {}): Database =>
  ({
    uuid,
    kind,
    health: { isEnabled: true, interval: 5, timeout: 5, retries: 10, startPeriod: 600 },
    ssl: { isEnabled: false, mode: null },
    limits: {
      limits_memory: "0",
      limits_memory_swap: "0",
      limits_memory_swappiness: 60,
      limits_memory_reservation: "0",
      limits_cpus: "0",
      limits_cpuset: null,
      limits_cpu_shares: 1_024
    },
    isPublic: false,
    publicPort: null,
    ...facts
  }) as unknown as Database

/** The values of a database type: secrets are `it's a secret`, other fields have their defaults. */
const valuesOf = (kind: DatabaseKinds.DatabaseKind) =>
  Object.fromEntries(
    Object.entries(DatabaseKinds.kindOf(kind).fields).map(([name, { secret, unset }]) => [
      name,
      secret ? "it's a secret" : unset
    ])
  )

const containerFor = (kind: DatabaseKinds.DatabaseKind, facts: Partial<Database> = {}) =>
  containerOf(databaseOf(kind, facts), run, {
    image: "sha256:1",
    network: "network",
    values: valuesOf(kind),
    variables: [],
    storages: [],
    files: []
  })

/** The parts of a container that differ between database types. */
const particular = (kind: DatabaseKinds.DatabaseKind) => {
  const { command, environment, healthCheck, mounts } = containerFor(kind)
  return {
    image: DatabaseKinds.kindOf(kind).image,
    directory: mounts[0]?.target,
    variables: environment.map(([name, value]) => `${name}=${Redacted.value(value)}`),
    command,
    health: typeof healthCheck === "string" ? healthCheck : (healthCheck?.command ?? null),
    address: internalAddress(databaseOf(kind), valuesOf(kind))
  }
}

describe("the database types", () => {
  it("match the types of Coolify clients, each with its container settings", () => {
    expect(Object.fromEntries(DatabaseKinds.kindNames.map((kind) => [kind, particular(kind)]))).toEqual({
      postgresql: {
        image: "postgres:17-alpine",
        directory: "/var/lib/pgdata",
        variables: [
          "POSTGRES_USER=postgres",
          "POSTGRES_PASSWORD=it's a secret",
          "POSTGRES_DB=postgres",
          "PGDATA=/var/lib/pgdata"
        ],
        command: null,
        health: ["pg_isready", "--host=127.0.0.1", "--username", "postgres", "--dbname", "postgres"],
        address: `postgres://postgres:it's%20a%20secret@${uuid}:5432/postgres`
      },
      mysql: {
        image: "mysql:8.4",
        directory: "/var/lib/mysql",
        variables: [
          "MYSQL_ROOT_PASSWORD=it's a secret",
          "MYSQL_USER=mysql",
          "MYSQL_PASSWORD=it's a secret",
          "MYSQL_DATABASE=default"
        ],
        command: null,
        health: ["mysqladmin", "ping", "--host=127.0.0.1"],
        address: `mysql://mysql:it's%20a%20secret@${uuid}:3306/default`
      },
      mariadb: {
        image: "mariadb:11.4",
        directory: "/var/lib/mysql",
        variables: [
          "MARIADB_ROOT_PASSWORD=it's a secret",
          "MARIADB_USER=mariadb",
          "MARIADB_PASSWORD=it's a secret",
          "MARIADB_DATABASE=default"
        ],
        command: null,
        health: ["mariadb-admin", "ping", "--host=127.0.0.1"],
        address: `mysql://mariadb:it's%20a%20secret@${uuid}:3306/default`
      },
      redis: {
        image: "redis:7.4-alpine",
        directory: "/data",
        variables: ["REDISCLI_AUTH=it's a secret"],
        command: ["redis-server", "--appendonly", "yes", "--requirepass", "it's a secret"],
        health: ["redis-cli", "ping"],
        address: `redis://default:it's%20a%20secret@${uuid}:6379/0`
      },
      mongodb: {
        image: "mongo:8.0",
        directory: "/data/db",
        variables: [
          "MONGO_INITDB_ROOT_USERNAME=root",
          "MONGO_INITDB_ROOT_PASSWORD=it's a secret",
          "MONGO_INITDB_DATABASE=default"
        ],
        command: null,
        health: ["mongosh", "--quiet", "--eval", "db.adminCommand('ping')"],
        address: `mongodb://root:it's%20a%20secret@${uuid}:27017/?directConnection=true`
      },
      keydb: {
        image: "eqalpha/keydb:latest",
        directory: "/data",
        variables: [],
        command: ["keydb-server", "--appendonly", "yes", "--requirepass", "it's a secret"],
        health: ["keydb-cli", "ping"],
        address: `redis://default:it's%20a%20secret@${uuid}:6379/0`
      },
      dragonfly: {
        image: "docker.dragonflydb.io/dragonflydb/dragonfly:latest",
        directory: "/data",
        variables: ["DFLY_requirepass=it's a secret"],
        command: null,
        health: null,
        address: `redis://default:it's%20a%20secret@${uuid}:6379/0`
      },
      clickhouse: {
        image: "clickhouse/clickhouse-server:25.3",
        directory: "/var/lib/clickhouse",
        variables: ["CLICKHOUSE_USER=default", "CLICKHOUSE_PASSWORD=it's a secret"],
        command: null,
        health: ["wget", "--quiet", "--tries=1", "--spider", "http://127.0.0.1:8123/ping"],
        address: `clickhouse://default:it's%20a%20secret@${uuid}:9000/default`
      }
    })
  })

  it("have unique field names, and commands use only fields that always have a value", () => {
    const names = DatabaseKinds.kindNames.flatMap((kind) => Object.keys(DatabaseKinds.kindOf(kind).fields))
    expect(new Set(names).size).toBe(names.length)
    const needed = DatabaseKinds.kindNames.flatMap((kind) => {
      const { address, command, fields, health } = DatabaseKinds.kindOf(kind)
      const words = [...(command ?? []), ...(health ?? []), address.user, address.password, address.path]
      return words.flatMap((word) => (typeof word === "string" ? [] : [fields[word.field]]))
    })
    expect(needed.filter((field) => field === undefined || (field.unset === null && !field.secret))).toEqual([])
  })
})

describe("a password of a database", () => {
  const accepts = (kind: DatabaseKinds.DatabaseKind, field: string, value: string) => {
    const { schema } = DatabaseKinds.kindOf(kind).fields[field] ?? expect.fail(field)
    return Schema.is(schema)(value)
  }

  it("cannot be read as an option of a command (invariant I23)", () => {
    const option = "--loadmodule /data/evil.so"
    expect(accepts("redis", "redis_password", option)).toBe(false)
    expect(accepts("keydb", "keydb_password", option)).toBe(false)
    expect(accepts("mongodb", "mongo_initdb_root_password", "-h")).toBe(false)
    expect(accepts("redis", "redis_password", "it's - a --secret")).toBe(true)
    // Programs read these passwords from environment variables.
    expect(accepts("postgresql", "postgres_password", option)).toBe(true)
    expect(accepts("dragonfly", "dragonfly_password", option)).toBe(true)
  })

  it("is on a command line only if it cannot start like an option", () => {
    const words = DatabaseKinds.kindNames.flatMap((kind) => {
      const { command, dump, fields, health } = DatabaseKinds.kindOf(kind)
      return [...(command ?? []), ...(dump?.program ?? []), ...(health ?? [])].flatMap((word) =>
        typeof word === "string" ? [] : [[word.field, fields[word.field]] as const]
      )
    })
    expect(
      words.filter(([, field]) => field === undefined || Schema.is(field.schema)("--x")).map(([name]) => name)
    ).toEqual([])
  })
})

describe("the backup of a database", () => {
  const dump = (kind: DatabaseKinds.DatabaseKind) => {
    const found = dumpOf(kind, valuesOf(kind), { databases: [], dumpsAll: false }, "/file")
    return (
      found && { argv: found.argv, told: found.environment.map(([name, value]) => `${name}=${Redacted.value(value)}`) }
    )
  }

  it("is made by the dump program of the image, without a shell (invariant I23)", () => {
    expect(Object.fromEntries(DatabaseKinds.kindNames.map((kind) => [kind, dump(kind)]))).toEqual({
      postgresql: {
        argv: ["pg_dump", "--format=custom", "--username", "postgres", "--dbname", "postgres", "--file=/file"],
        told: ["PGPASSWORD=it's a secret"]
      },
      mysql: {
        argv: [
          "mysqldump",
          "--user=root",
          "--single-transaction",
          "--routines",
          "--events",
          "--databases",
          "default",
          "--result-file=/file"
        ],
        told: ["MYSQL_PWD=it's a secret"]
      },
      mariadb: {
        argv: [
          "mariadb-dump",
          "--user=root",
          "--single-transaction",
          "--routines",
          "--events",
          "--databases",
          "default",
          "--result-file=/file"
        ],
        told: ["MYSQL_PWD=it's a secret"]
      },
      redis: { argv: ["redis-cli", "--rdb", "/file"], told: [] },
      mongodb: {
        argv: [
          "mongodump",
          "--quiet",
          "--gzip",
          "--authenticationDatabase=admin",
          "--username",
          "root",
          "--password",
          "it's a secret",
          "--archive=/file"
        ],
        told: []
      },
      keydb: null,
      dragonfly: null,
      clickhouse: null
    })
  })

  it("is a file named by type, start time and uuid", () => {
    const uuid = "backup000000000000000001" as BackupRunUuid
    const run = { startedAt: "2026-03-02T03:00:01.123Z", uuid, dumpsAll: false }
    expect([pathOf("postgresql", run), fileOf("mongodb", run)]).toEqual([
      "/var/lib/slipway-backups/postgresql-2026-03-02T03-00-01-backup000000000000000001.dump",
      "mongodb-2026-03-02T03-00-01-backup000000000000000001.archive.gz"
    ])
    expect(fileOf("postgresql", { ...run, dumpsAll: true })).toBe(
      "postgresql-2026-03-02T03-00-01-backup000000000000000001.sql"
    )
  })

  it("is written to the standard output without a path, of chosen databases or of all", () => {
    const argv = (kind: DatabaseKinds.DatabaseKind, databases: ReadonlyArray<string>, dumpsAll = false) =>
      dumpOf(kind, valuesOf(kind), { databases, dumpsAll }, null)?.argv
    expect(argv("postgresql", ["shop"])).toEqual([
      "pg_dump",
      "--format=custom",
      "--username",
      "postgres",
      "--dbname=shop"
    ])
    expect(argv("mysql", ["shop", "orders"])?.slice(-3)).toEqual(["--databases", "shop", "orders"])
    expect(argv("mariadb", [], true)?.at(-1)).toBe("--all-databases")
    expect(argv("redis", [], true)).toEqual(["redis-cli", "--rdb", "-"])
    expect(argv("mongodb", ["shop"])?.slice(-2)).toEqual(["--db=shop", "--archive"])
  })
})

describe("the container of a database", () => {
  it("has only its uuid as alias in the shared network (invariant I22)", () => {
    const { name, networks, owner } = containerFor("postgresql")
    expect([name, networks, owner]).toEqual([
      `${uuid}-${run}`,
      [{ network: "network", aliases: [uuid] }],
      { application: uuid, deployment: run, service: null }
    ])
  })

  it("has separate volumes, limits, a stop timeout, and a server port only if it is public", () => {
    const limits = { ...databaseOf("redis").limits, limits_memory: "512m", limits_cpus: "0.5" }
    const { limits: set, mounts, options, ports, restart } = containerFor("redis", { limits, publicPort: 6_380 })
    expect(mounts).toEqual([
      { source: { _tag: "Volume", name: `${uuid}_data` }, target: "/data", readOnly: false },
      { source: { _tag: "Volume", name: `${uuid}_backups` }, target: "/var/lib/slipway-backups", readOnly: false }
    ])
    expect([set.memory, set.nanoCpus, options.stopTimeout, restart._tag]).toEqual([
      536_870_912,
      500_000_000,
      60,
      "UnlessStopped"
    ])
    expect(ports).toEqual([])
    expect(containerFor("redis", { isPublic: true, publicPort: 6_380 }).ports).toEqual([
      { address: null, host: 6_380, container: 6_379, protocol: "tcp" }
    ])
  })

  it("has an external address while it is public", () => {
    const values = valuesOf("postgresql")
    const shown = (facts: Partial<Database>, ip: string) => externalAddress(databaseOf("postgresql", facts), values, ip)
    const open = { isPublic: true, publicPort: 5_433 }
    expect(shown(open, "192.0.2.7")).toBe("postgres://postgres:it's%20a%20secret@192.0.2.7:5433/postgres")
    expect(shown(open, "2001:db8::7")).toBe("postgres://postgres:it's%20a%20secret@[2001:db8::7]:5433/postgres")
    expect([shown({ ...open, isPublic: false }, "192.0.2.7"), shown({ isPublic: true }, "192.0.2.7")]).toEqual([
      null,
      null
    ])
  })
})

describe("the status of a database", () => {
  const serving = run
  const stored = { action: "start", servingUuid: serving, state: "done", unhealthy: null } as const
  const container = (state: string, health: string | null, deployment: string = run) =>
    ({ state, health, owner: { application: uuid, deployment, service: null } }) as never

  it("is derived from the stored state", () => {
    const word = DatabaseStatus.storedWordOf
    expect(word({ action: null, servingUuid: null, state: "idle", unhealthy: null })).toBe("exited:unhealthy")
    expect(word({ ...stored, servingUuid: null, state: "queued" })).toBe("starting:unknown")
    expect(word({ ...stored, action: "restart", state: "working" })).toBe("starting:unknown")
    expect(word(stored)).toBe("running:unknown")
    expect(word({ ...stored, unhealthy: "no response" })).toBe("running:unhealthy")
    expect(word({ ...stored, action: "repair", state: "failed", unhealthy: "no response" })).toBe("degraded:unhealthy")
    expect(word({ ...stored, action: "stop", state: "queued" })).toBe("running:unknown")
    expect(word({ ...stored, servingUuid: null, state: "failed" })).toBe("exited:unhealthy")
  })

  it("is derived from the container of this database, and from no other container", () => {
    const word = (...containers: ReadonlyArray<never>) => DatabaseStatus.wordOf(stored, containers)
    expect(word()).toBe("exited:unhealthy")
    expect(word(container("running", "healthy", "another"))).toBe("exited:unhealthy")
    expect(word(container("running", "healthy"))).toBe("running:healthy")
    expect(word(container("running", "starting"))).toBe("running:unknown")
    expect(word(container("running", null))).toBe("running:unknown")
    expect(word(container("running", "unhealthy"))).toBe("running:unhealthy")
    expect(word(container("restarting", null))).toBe("degraded:unhealthy")
    expect(word(container("exited", null))).toBe("exited:unhealthy")
    expect(DatabaseStatus.wordOf({ ...stored, state: "working" }, [container("running", "healthy")])).toBe(
      "starting:unknown"
    )
  })
})
