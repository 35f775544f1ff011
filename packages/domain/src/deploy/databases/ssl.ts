import { Redacted } from "effect"
import type { ContainerFile } from "../containers/engine/ContainerSpec.ts"
import type { IssuedCertificate } from "../infrastructure/certificates/CertificateIssuer.ts"
import type { DatabaseKind } from "./kinds.ts"

/** The TLS settings of a database; null as mode is the default mode of the database type. */
export interface DatabaseSsl {
  readonly isEnabled: boolean
  readonly mode: SslMode | null
}

/** The TLS settings of a new database. */
export const defaultSsl: DatabaseSsl = { isEnabled: false, mode: null }

const directory = "/etc/slipway-tls"
const ca = `${directory}/ca.crt`
const certificate = `${directory}/server.crt`
const key = `${directory}/server.key`
/** The certificate with its key, in one file. */
const pair = `${directory}/server.pem`
const accessRules = `${directory}/pg_hba.conf`

/** The modes of the database types, by their names in the clients of each type. */
const modes = {
  postgresql: ["allow", "prefer", "require", "verify-ca", "verify-full"],
  mongodb: ["allow", "prefer", "require", "verify-full"],
  mysql: ["PREFERRED", "REQUIRED", "VERIFY_CA", "VERIFY_IDENTITY"]
} as const

/** A TLS mode of any database type. */
export type SslMode = (typeof modes)[keyof typeof modes][number]

/** All TLS modes, of any database type. */
export const sslModes: ReadonlyArray<SslMode> = [...modes.postgresql, ...modes.mysql]

/** The modes in which a server also accepts connections without TLS. */
const plainModes: ReadonlyArray<SslMode> = ["allow", "prefer", "PREFERRED"]

/** How one database type uses TLS. */
interface SslRow {
  /** The modes; empty for a type that never accepts connections without TLS. */
  readonly modes: ReadonlyArray<SslMode>
  readonly usual: SslMode | null
  /** The user in the image that runs the server; only this user can read the private key. */
  readonly user: string
  /** The options of the server. */
  readonly options: (mode: SslMode | null) => ReadonlyArray<string>
  readonly environment: ReadonlyArray<readonly [name: string, value: string]>
  /** The health check command; null keeps the command of the database type. */
  readonly health: ReadonlyArray<string> | null
  /** The options of the programs that dump and restore; empty for programs that connect to a socket file. */
  readonly dump: ReadonlyArray<string>
  /** The scheme of the connection URL; null keeps it. */
  readonly scheme: string | null
  /** The query parameter of the connection URL; null for none. */
  readonly query: (mode: SslMode | null) => string | null
}

const requiresTls = (mode: SslMode | null): boolean => mode === null || !plainModes.includes(mode)

const likeMysql = (kind: "mariadb" | "mysql"): SslRow => ({
  modes: modes.mysql,
  usual: "REQUIRED",
  user: "mysql",
  options: (mode) => [
    `--ssl-ca=${ca}`,
    `--ssl-cert=${certificate}`,
    `--ssl-key=${key}`,
    ...(requiresTls(mode) ? ["--require-secure-transport=ON"] : [])
  ],
  environment: [],
  health: [kind === "mysql" ? "mysqladmin" : "mariadb-admin", "ping", "--host=127.0.0.1", `--ssl-ca=${ca}`],
  dump: [],
  scheme: null,
  query: (mode) => `ssl-mode=${mode}`
})

const redisClient = ["--tls", "--cacert", ca]

const likeRedis = (program: "keydb" | "redis"): SslRow => ({
  modes: [],
  usual: null,
  user: program,
  options: () => [
    ...["--port", "0", "--tls-port", "6379", "--tls-auth-clients", "no"],
    ...["--tls-ca-cert-file", ca, "--tls-cert-file", certificate, "--tls-key-file", key]
  ],
  environment: [],
  health: [`${program}-cli`, ...redisClient, "ping"],
  dump: redisClient,
  scheme: "rediss",
  query: () => null
})

const mongoModes: Readonly<Partial<Record<SslMode, string>>> = { allow: "allowTLS", prefer: "preferTLS" }

const rows: Readonly<Partial<Record<DatabaseKind, SslRow>>> = {
  postgresql: {
    modes: modes.postgresql,
    usual: "require",
    user: "postgres",
    options: (mode) => [
      ...["-c", "ssl=on", "-c", `ssl_cert_file=${certificate}`, "-c", `ssl_key_file=${key}`],
      ...(requiresTls(mode) ? ["-c", `hba_file=${accessRules}`] : [])
    ],
    environment: [],
    health: null,
    dump: [],
    scheme: null,
    query: (mode) => `sslmode=${mode}`
  },
  mysql: likeMysql("mysql"),
  mariadb: likeMysql("mariadb"),
  redis: likeRedis("redis"),
  keydb: likeRedis("keydb"),
  mongodb: {
    modes: modes.mongodb,
    usual: "require",
    user: "mongodb",
    options: (mode) => [
      ...["--tlsMode", (mode && mongoModes[mode]) ?? "requireTLS", "--tlsCertificateKeyFile", pair],
      ...["--tlsCAFile", ca, "--tlsAllowConnectionsWithoutCertificates"]
    ],
    environment: [],
    health: ["mongosh", "--quiet", "--tls", "--tlsCAFile", ca, "--eval", "db.adminCommand('ping')"],
    dump: ["--ssl", `--sslCAFile=${ca}`],
    scheme: null,
    query: () => "tls=true"
  },
  dragonfly: {
    modes: [],
    usual: null,
    user: "dfly",
    options: () => [],
    // The health check of the image has no TLS: it uses a port that is only reachable inside of the container.
    environment: [
      ["DFLY_tls", "true"],
      ["DFLY_tls_cert_file", certificate],
      ["DFLY_tls_key_file", key],
      ["DFLY_admin_port", "6380"],
      ["DFLY_admin_bind", "127.0.0.1"],
      ["DFLY_no_tls_on_admin_port", "true"],
      ["HEALTHCHECK_PORT", "6380"]
    ],
    health: null,
    dump: [],
    scheme: "rediss",
    query: () => null
  }
}

/** Returns how a database uses TLS; null if TLS is off or its type does not support TLS. */
const rowOf = ({ kind, ssl }: { readonly kind: DatabaseKind; readonly ssl: DatabaseSsl }): SslRow | null =>
  ssl.isEnabled ? (rows[kind] ?? null) : null

/** The parts of a database that determine its TLS options. */
export interface SslSettings {
  readonly kind: DatabaseKind
  readonly ssl: DatabaseSsl
}

const modeOf = ({ usual }: SslRow, { ssl }: SslSettings): SslMode | null => ssl.mode ?? usual

/** Returns the TLS mode of a database; null if its type has no modes. */
export const sslModeOf = (database: SslSettings): SslMode | null => {
  const row = rows[database.kind]
  return row === undefined ? null : modeOf(row, database)
}

/** Returns the TLS modes of a database type; null if the type does not support TLS, empty if it has no modes. */
export const sslModesOf = (kind: DatabaseKind): ReadonlyArray<SslMode> | null => rows[kind]?.modes ?? null

/** Returns the error, with its request field, if a database type does not support TLS settings; otherwise null. */
export const sslProblem = (
  kind: DatabaseKind,
  { isEnabled, mode }: Partial<DatabaseSsl>
): { readonly field: "enable_ssl" | "ssl_mode"; readonly sentence: string } | null => {
  const row = rows[kind]
  if (row === undefined) {
    if (isEnabled === true) return { field: "enable_ssl", sentence: `Databases of ${kind} do not support TLS.` }
    return mode == null ? null : { field: "ssl_mode", sentence: `Databases of ${kind} do not support TLS.` }
  }
  if (mode == null || row.modes.includes(mode)) return null
  const sentence =
    row.modes.length === 0
      ? `Databases of ${kind} have no modes: with enable_ssl, every connection needs TLS.`
      : `Must be one of ${row.modes.join(", ")}.`
  return { field: "ssl_mode", sentence }
}

/** Returns the additional options of a server with TLS; empty without TLS. */
export const sslOptions = (database: SslSettings): ReadonlyArray<string> => {
  const row = rowOf(database)
  return row === null ? [] : row.options(modeOf(row, database))
}

/** Returns the additional environment variables of a container with TLS. */
export const sslEnvironment = (database: SslSettings) =>
  (rowOf(database)?.environment ?? []).map(([name, value]) => [name, Redacted.make(value)] as const)

/** Returns the health check command of a container with TLS; null if the usual command works. */
export const sslHealth = (database: SslSettings): ReadonlyArray<string> | null => rowOf(database)?.health ?? null

/** Returns the options with which the programs in a container connect to its database; empty without TLS. */
export const sslDumpOptions = (kind: DatabaseKind, usesSsl: boolean): ReadonlyArray<string> =>
  usesSsl ? (rows[kind]?.dump ?? []) : []

/** Returns the scheme of a database's connection URL. */
export const sslScheme = (database: SslSettings, scheme: string): string => rowOf(database)?.scheme ?? scheme

/** Returns the path and query of a connection URL, with the query parameter for TLS. */
export const sslPath = (database: SslSettings, path: string): string => {
  const row = rowOf(database)
  const query = row?.query(modeOf(row, database)) ?? null
  if (query === null) return path
  return `${path}${path.includes("?") ? "&" : "?"}${query}`
}

/**
 * Returns the text of `pg_hba.conf`: the rules of the image, but other hosts need TLS. The method `md5` also accepts
 * passwords in the newer format of SCRAM.
 */
const accessRulesOf = (method: string): string => `local all all trust
host all all 127.0.0.1/32 trust
host all all ::1/128 trust
local replication all trust
host replication all 127.0.0.1/32 trust
host replication all ::1/128 trust
hostssl all all all ${method}
`

/** Returns the files of a container with TLS: the certificates, the private key and access rules. */
export const sslFiles = (
  database: SslSettings,
  values: Readonly<Record<string, string | null>>,
  authority: string,
  issued: IssuedCertificate
): ReadonlyArray<ContainerFile> => {
  const row = rowOf(database)
  if (row === null) return []
  const file = (path: string, text: string): ContainerFile => ({ path, text: Redacted.make(text) })
  const secret = (path: string, text: string): ContainerFile => ({ ...file(path, text), owner: row.user, mode: 0o600 })
  const privateKey = Redacted.value(issued.privateKey)
  const method = values.postgres_host_auth_method ?? ""
  return [
    file(ca, authority),
    file(certificate, issued.certificate),
    ...(database.kind === "mongodb" ? [secret(pair, `${issued.certificate}${privateKey}`)] : [secret(key, privateKey)]),
    ...(database.kind === "postgresql" ? [file(accessRules, accessRulesOf(method === "" ? "md5" : method))] : [])
  ]
}
