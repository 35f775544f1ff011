import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import {
  containerOf,
  type Database,
  dumpOf,
  externalAddress,
  internalAddress,
  restoreOf,
  sslFiles,
  sslModeOf,
  sslProblem
} from "../../../src/deploy/databases/index.ts"

const values = {
  postgres_user: "ann",
  postgres_password: "secret",
  postgres_db: "orders",
  redis_password: "secret",
  mysql_user: "ann",
  mysql_password: "secret",
  mysql_database: "orders",
  mongo_initdb_root_username: "root",
  mongo_initdb_root_password: "secret"
}

// Only these fields determine the container.
const database = (kind: Database["kind"], mode: Database["ssl"]["mode"] = null) =>
  ({
    uuid: "database0000000000000000",
    kind,
    ssl: { isEnabled: true, mode },
    isPublic: true,
    publicPort: 7_000,
    health: { isEnabled: true, interval: 1, timeout: 1, retries: 1, startPeriod: 1 },
    limits: {
      limits_memory: "0",
      limits_memory_swap: "0",
      limits_memory_swappiness: 60,
      limits_memory_reservation: "0",
      limits_cpus: "0",
      limits_cpuset: null,
      limits_cpu_shares: 1_024
    }
  }) as unknown as Database

const parts = { image: "image", network: "network", values, variables: [], storages: [], files: [] }
const spec = (one: Database) => containerOf(one, "run000000000000000000000" as never, parts)

const issued = { certificate: "CERTIFICATE\n", privateKey: Redacted.make("KEY\n") }

const filesOf = (one: Database, fields = {}) =>
  sslFiles(one, { ...values, ...fields }, "AUTHORITY\n", issued).map(({ mode, owner, path, text }) => [
    path,
    owner ?? null,
    mode ?? null,
    Redacted.value(text)
  ])

describe("TLS of databases", () => {
  it("sets the options of each type", () => {
    expect(spec(database("postgresql")).command).toEqual([
      ...["-c", "ssl=on", "-c", "ssl_cert_file=/etc/slipway-tls/server.crt"],
      ...["-c", "ssl_key_file=/etc/slipway-tls/server.key", "-c", "hba_file=/etc/slipway-tls/pg_hba.conf"]
    ])
    expect(spec(database("postgresql", "prefer")).command).toEqual([
      ...["-c", "ssl=on", "-c", "ssl_cert_file=/etc/slipway-tls/server.crt"],
      ...["-c", "ssl_key_file=/etc/slipway-tls/server.key"]
    ])
    const mysql = [
      "--ssl-ca=/etc/slipway-tls/ca.crt",
      "--ssl-cert=/etc/slipway-tls/server.crt",
      "--ssl-key=/etc/slipway-tls/server.key"
    ]
    expect(spec(database("mysql", "PREFERRED")).command).toEqual(mysql)
    expect(spec(database("mariadb", "VERIFY_CA")).command).toEqual([...mysql, "--require-secure-transport=ON"])
    expect(spec(database("mongodb", "allow")).command).toEqual([
      ...["--tlsMode", "allowTLS", "--tlsCertificateKeyFile", "/etc/slipway-tls/server.pem"],
      ...["--tlsCAFile", "/etc/slipway-tls/ca.crt", "--tlsAllowConnectionsWithoutCertificates"]
    ])
    expect(spec(database("redis")).command).toEqual([
      ...["redis-server", "--appendonly", "yes", "--requirepass", "secret"],
      ...["--port", "0", "--tls-port", "6379", "--tls-auth-clients", "no"],
      ...["--tls-ca-cert-file", "/etc/slipway-tls/ca.crt", "--tls-cert-file", "/etc/slipway-tls/server.crt"],
      ...["--tls-key-file", "/etc/slipway-tls/server.key"]
    ])
    const dragonfly = spec(database("dragonfly"))
    expect(dragonfly.command).toBeNull()
    expect(dragonfly.environment.map(([name]) => name)).toContain("DFLY_tls_key_file")
  })

  it("checks the health over TLS", () => {
    const health = (kind: Database["kind"]) => {
      const { healthCheck } = spec(database(kind))
      return typeof healthCheck === "object" ? healthCheck?.command : undefined
    }
    expect(health("redis")).toEqual(["redis-cli", "--tls", "--cacert", "/etc/slipway-tls/ca.crt", "ping"])
    expect(health("mysql")).toEqual([...["mysqladmin", "ping", "--host=127.0.0.1"], "--ssl-ca=/etc/slipway-tls/ca.crt"])
    expect(health("postgresql")?.[0]).toBe("pg_isready")
  })

  it("writes the private key so that only the server's user reads it", () => {
    expect(filesOf(database("mariadb"))).toEqual([
      ["/etc/slipway-tls/ca.crt", null, null, "AUTHORITY\n"],
      ["/etc/slipway-tls/server.crt", null, null, "CERTIFICATE\n"],
      ["/etc/slipway-tls/server.key", "mysql", 0o600, "KEY\n"]
    ])
    expect(filesOf(database("mongodb")).at(-1)).toEqual([
      "/etc/slipway-tls/server.pem",
      "mongodb",
      0o600,
      "CERTIFICATE\nKEY\n"
    ])
  })

  it("lets PostgreSQL refuse other hosts without TLS, with the database's authentication method", () => {
    const rules = (fields = {}) =>
      String(filesOf(database("postgresql"), fields).at(-1)?.[3])
        .split("\n")
        .at(-2)
    expect(rules()).toBe("hostssl all all all md5")
    expect(rules({ postgres_host_auth_method: "scram-sha-256" })).toBe("hostssl all all all scram-sha-256")
  })

  it("adds the mode to the connection URLs", () => {
    const url = (kind: Database["kind"], mode: Database["ssl"]["mode"] = null) =>
      internalAddress(database(kind, mode), values)
    expect(url("postgresql")).toBe("postgres://ann:secret@database0000000000000000:5432/orders?sslmode=require")
    expect(url("mysql", "VERIFY_CA")).toBe("mysql://ann:secret@database0000000000000000:3306/orders?ssl-mode=VERIFY_CA")
    expect(url("mongodb")).toBe("mongodb://root:secret@database0000000000000000:27017/?directConnection=true&tls=true")
    expect(url("redis")).toBe("rediss://default:secret@database0000000000000000:6379/0")
    expect(externalAddress(database("postgresql", "verify-full"), values, "192.0.2.1")).toBe(
      "postgres://ann:secret@192.0.2.1:7000/orders?sslmode=verify-full"
    )
  })

  it("passes the options of clients to programs that dump and restore over TLS", () => {
    const selection = { databases: [], dumpsAll: false }
    expect(dumpOf("redis", values, selection, "/file", true)?.argv).toEqual([
      ...["redis-cli", "--tls", "--cacert", "/etc/slipway-tls/ca.crt", "--rdb", "/file"]
    ])
    expect(dumpOf("mongodb", values, selection, "/file", true)?.argv.slice(0, 3)).toEqual([
      "mongodump",
      "--ssl",
      "--sslCAFile=/etc/slipway-tls/ca.crt"
    ])
    const variable = (usesSsl: boolean) => {
      const pair = restoreOf("redis", values, { databases: [] }, true, "/file", usesSsl)?.environment.at(-1)
      return [pair?.[0], pair && Redacted.value(pair[1])]
    }
    expect(variable(true)).toEqual(["SLIPWAY_TLS", "--tls --cacert /etc/slipway-tls/ca.crt"])
    expect(variable(false)).toEqual(["SLIPWAY_TLS", ""])
  })

  it("rejects settings that a type does not support", () => {
    expect(sslProblem("clickhouse", { isEnabled: true })).toEqual({
      field: "enable_ssl",
      sentence: "Databases of clickhouse do not support TLS."
    })
    expect(sslProblem("clickhouse", { isEnabled: false, mode: null })).toBeNull()
    expect(sslProblem("redis", { mode: "require" })).toEqual({
      field: "ssl_mode",
      sentence: "Databases of redis have no modes: with enable_ssl, every connection needs TLS."
    })
    expect(sslProblem("mysql", { mode: "require" })).toEqual({
      field: "ssl_mode",
      sentence: "Must be one of PREFERRED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY."
    })
    expect(sslProblem("mongodb", { mode: "verify-ca" })?.field).toBe("ssl_mode")
    expect(sslProblem("postgresql", { isEnabled: true, mode: "verify-ca" })).toBeNull()
    expect([sslModeOf(database("postgresql")), sslModeOf(database("mariadb")), sslModeOf(database("redis"))]).toEqual([
      "require",
      "REQUIRED",
      null
    ])
  })
})
