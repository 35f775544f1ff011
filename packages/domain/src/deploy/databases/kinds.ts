import { Schema } from "effect"
import { base64Content } from "../apps/fields/base64.ts"
import { line, lineThat, nonEmpty } from "../apps/fields/field.ts"

/** A command word or the value of a variable: a literal text, or the name of a database field that has the text. */
export type Word = string | { readonly field: string }

/** The definition of one field that users can set for databases of one type, such as a password. */
export interface KindField {
  readonly schema: Schema.Codec<string, string>
  /** The default value; null generates a random secret for a secret field, and means unset for others. */
  readonly unset: string | null
  /** Whether the value is stored encrypted and returned only to callers who may read secrets. */
  readonly secret: boolean
  /** Converts a sent value to the stored value; if omitted, the value is stored unchanged. */
  readonly stored?: (sent: string) => string
}

/** The configuration file of a database type. */
export interface ConfigurationRow {
  /** The name of the field with the text of the file; if the field is empty, no file is written. */
  readonly field: string
  /** The path of the file in the container; its directory exists in the image. */
  readonly path: string
  /** The container command that makes the server read the file; null if the server reads this path by default. */
  readonly command: ReadonlyArray<Word> | null
}

/** The program that dumps databases of one type. */
export interface DumpRow {
  readonly program: ReadonlyArray<Word>
  /** The arguments if the user selected no databases. */
  readonly usual: ReadonlyArray<Word>
  /**
   * The arguments that select databases: those before the names, the prefix of each name, and the maximum number of
   * names. Null if the type does not support a selection.
   */
  readonly named: { readonly before: ReadonlyArray<string>; readonly prefix: string; readonly most: number } | null
  /** The program that dumps all databases, and its file extension; null if `program` does this by default. */
  readonly all: { readonly program: ReadonlyArray<Word>; readonly ending: string } | null
  /** The last arguments of a dump into a file; the file's path is appended to the last one. */
  readonly into: readonly [string, ...ReadonlyArray<string>]
  /** The last arguments of a dump to the standard output. */
  readonly toOutput: ReadonlyArray<string>
  /** The environment variables with the password; unlike arguments, they do not appear in process lists. */
  readonly environment: ReadonlyArray<readonly [name: string, value: Word]>
  /** The file extension of dumps. */
  readonly ending: string
}

/** The properties of a database type, such as PostgreSQL: its image, its fields, and how clients connect to it. */
export interface KindRow {
  readonly image: string
  /** The port at which the database listens in its container. */
  readonly port: number
  /** The data directory in the container; the data volume is mounted there. */
  readonly directory: string
  readonly fields: Readonly<Record<string, KindField>>
  /** The environment variables of the container; variables that refer to an unset field are omitted. */
  readonly environment: ReadonlyArray<readonly [name: string, value: Word]>
  /** The command that replaces the command of the image; null keeps it. */
  readonly command: ReadonlyArray<Word> | null
  /** The custom configuration file, which changes defaults of the image; omitted if the type supports none. */
  readonly configuration?: ConfigurationRow
  /** The health check command: exit code 0 is healthy. Null uses the health check of the image. */
  readonly health: ReadonlyArray<Word> | null
  /** The program that makes backups; null if the type supports no backups. */
  readonly dump: DumpRow | null
  /** The parts of the connection URL: `scheme://user:password@host:port/path`. */
  readonly address: {
    readonly scheme: string
    readonly user: Word
    readonly password: Word
    readonly path: Word
  }
}

/** Returns whether a text is safe as a database name, also in images that use names in SQL without quotes. */
export const isDatabaseName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)

const Name = nonEmpty(
  lineThat(isDatabaseName, "Must be letters, digits, `_` and `-`, and begin with a letter or `_`.", 63)
)
const notRoot = Name.check(
  Schema.makeFilter((value: string) => (value === "root" ? "Must not be `root`, which always exists." : undefined))
)
const Password = nonEmpty(line(1_000))

const name = (unset: string, schema: Schema.Codec<string, string> = Name): KindField => ({
  schema,
  unset,
  secret: false
})
const password: KindField = { schema: Password, unset: null, secret: true }
/** A password field for programs that receive it as an argument; rejects a leading dash, which begins an option. */
const passwordAsWord: KindField = {
  ...password,
  schema: Password.check(
    Schema.makeFilter((value: string) => (value.startsWith("-") ? "Must not begin with `-`." : undefined))
  )
}
const plainField = (schema: Schema.Codec<string, string>): KindField => ({ schema, unset: null, secret: false })
const of = (field: string): Word => ({ field })

/** The maximum length of a configuration file, in characters. */
const longestConfiguration = 100_000

/** A field with the text of a configuration file, which requests send in base64; an empty text counts as unset. */
const configurationFile: KindField = {
  schema: Schema.String.check(
    Schema.makeFilter((sent: string) => {
      const text = sent === "" ? "" : base64Content(sent)
      if (text === undefined) return "Must be the text of a file in base64."
      if (text.includes("\0")) return "Must not contain NUL bytes."
      return text.length > longestConfiguration ? `Must have at most ${longestConfiguration} characters.` : undefined
    })
  ),
  unset: null,
  secret: false,
  stored: (sent) => base64Content(sent) ?? ""
}

/** The maximum number of databases that a backup schedule selects by name. */
const mostNamed = 20

/** Returns the properties that the Redis-compatible database types have in common. */
const likeRedis = (field: string, secret: KindField, configuration?: string) => ({
  port: 6379,
  directory: "/data",
  fields: { [field]: secret, ...(configuration === undefined ? {} : { [configuration]: configurationFile }) },
  address: { scheme: "redis", user: "default", password: of(field), path: "0" }
})

/** Returns the configuration file of a Redis-compatible server; command options after the file override it. */
const configurationOfRedis = (program: "keydb" | "redis"): ConfigurationRow => {
  const path = `/etc/slipway-${program}.conf`
  const options = ["--appendonly", "yes", "--requirepass", of(`${program}_password`)]
  return { field: `${program}_conf`, path, command: [`${program}-server`, path, ...options] }
}

/** Returns the common properties of MySQL and MariaDB; the names of fields and programs differ by their prefix. */
const likeMysql = (kind: "mariadb" | "mysql") => {
  const variable = kind.toUpperCase()
  const dump = [
    kind === "mysql" ? "mysqldump" : "mariadb-dump",
    "--user=root",
    "--single-transaction",
    "--routines",
    "--events"
  ]
  return {
    port: 3306,
    directory: "/var/lib/mysql",
    fields: {
      [`${kind}_root_password`]: password,
      [`${kind}_user`]: name(kind, notRoot),
      [`${kind}_password`]: password,
      [`${kind}_database`]: name("default"),
      [`${kind}_conf`]: configurationFile
    },
    configuration: { field: `${kind}_conf`, path: "/etc/mysql/conf.d/slipway.cnf", command: null },
    environment: [
      [`${variable}_ROOT_PASSWORD`, of(`${kind}_root_password`)],
      [`${variable}_USER`, of(`${kind}_user`)],
      [`${variable}_PASSWORD`, of(`${kind}_password`)],
      [`${variable}_DATABASE`, of(`${kind}_database`)]
    ] as const,
    command: null,
    dump: {
      program: dump,
      usual: ["--databases", of(`${kind}_database`)],
      named: { before: ["--databases"], prefix: "", most: mostNamed },
      all: { program: [...dump, "--all-databases"], ending: "sql" },
      into: ["--result-file="] as const,
      toOutput: [],
      environment: [["MYSQL_PWD", of(`${kind}_root_password`)] as const],
      ending: "sql"
    },
    address: {
      scheme: "mysql",
      user: of(`${kind}_user`),
      password: of(`${kind}_password`),
      path: of(`${kind}_database`)
    }
  }
}

/**
 * The database types with their images, ports, variables and commands.
 *
 * The health checks connect over the network: images initialize their data with a server that has no network, so that
 * the container counts as unhealthy until the data is ready.
 */
export const kinds = {
  postgresql: {
    image: "postgres:17-alpine",
    port: 5432,
    // A directory that no version of the image uses otherwise.
    directory: "/var/lib/pgdata",
    fields: {
      postgres_user: name("postgres"),
      postgres_password: password,
      postgres_db: name("postgres"),
      postgres_initdb_args: plainField(
        // The image passes them to a shell.
        lineThat(
          (value) => /^[A-Za-z0-9 _=.,:/-]*$/.test(value),
          "Must be options of initdb: letters, digits, spaces and `_=.,:/-`.",
          1_000
        )
      ),
      postgres_host_auth_method: plainField(
        lineThat(
          (value) => /^[a-z0-9-]{1,32}$/.test(value),
          "Must be a method of authentication, such as scram-sha-256."
        )
      ),
      postgres_conf: configurationFile
    },
    configuration: {
      field: "postgres_conf",
      path: "/etc/slipway-postgresql.conf",
      command: ["postgres", "-c", "config_file=/etc/slipway-postgresql.conf", "-c", "listen_addresses=*"]
    },
    environment: [
      ["POSTGRES_USER", of("postgres_user")],
      ["POSTGRES_PASSWORD", of("postgres_password")],
      ["POSTGRES_DB", of("postgres_db")],
      ["POSTGRES_INITDB_ARGS", of("postgres_initdb_args")],
      ["POSTGRES_HOST_AUTH_METHOD", of("postgres_host_auth_method")],
      ["PGDATA", "/var/lib/pgdata"]
    ],
    command: null,
    health: ["pg_isready", "--host=127.0.0.1", "--username", of("postgres_user"), "--dbname", of("postgres_db")],
    dump: {
      program: ["pg_dump", "--format=custom", "--username", of("postgres_user")],
      usual: ["--dbname", of("postgres_db")],
      named: { before: [], prefix: "--dbname=", most: 1 },
      all: { program: ["pg_dumpall", "--clean", "--if-exists", "--username", of("postgres_user")], ending: "sql" },
      into: ["--file="],
      toOutput: [],
      environment: [["PGPASSWORD", of("postgres_password")]],
      ending: "dump"
    },
    address: {
      scheme: "postgres",
      user: of("postgres_user"),
      password: of("postgres_password"),
      path: of("postgres_db")
    }
  },
  mysql: { ...likeMysql("mysql"), image: "mysql:8.4", health: ["mysqladmin", "ping", "--host=127.0.0.1"] },
  mariadb: { ...likeMysql("mariadb"), image: "mariadb:11.4", health: ["mariadb-admin", "ping", "--host=127.0.0.1"] },
  redis: {
    ...likeRedis("redis_password", passwordAsWord, "redis_conf"),
    configuration: configurationOfRedis("redis"),
    image: "redis:7.4-alpine",
    environment: [["REDISCLI_AUTH", of("redis_password")]],
    command: ["redis-server", "--appendonly", "yes", "--requirepass", of("redis_password")],
    health: ["redis-cli", "ping"],
    // The program reads the password from the container's environment variable.
    dump: {
      program: ["redis-cli"],
      usual: [],
      named: null,
      all: null,
      into: ["--rdb", ""],
      toOutput: ["--rdb", "-"],
      environment: [],
      ending: "rdb"
    }
  },
  mongodb: {
    image: "mongo:8.0",
    port: 27017,
    directory: "/data/db",
    fields: {
      mongo_initdb_root_username: name("root"),
      mongo_initdb_root_password: passwordAsWord,
      mongo_initdb_database: name("default"),
      mongo_conf: configurationFile
    },
    configuration: {
      field: "mongo_conf",
      path: "/etc/slipway-mongod.conf",
      command: ["mongod", "--config", "/etc/slipway-mongod.conf", "--bind_ip_all"]
    },
    environment: [
      ["MONGO_INITDB_ROOT_USERNAME", of("mongo_initdb_root_username")],
      ["MONGO_INITDB_ROOT_PASSWORD", of("mongo_initdb_root_password")],
      ["MONGO_INITDB_DATABASE", of("mongo_initdb_database")]
    ],
    command: null,
    health: ["mongosh", "--quiet", "--eval", "db.adminCommand('ping')"],
    // The program has no environment variable for the password.
    dump: {
      program: [
        "mongodump",
        "--quiet",
        "--gzip",
        "--authenticationDatabase=admin",
        "--username",
        of("mongo_initdb_root_username"),
        "--password",
        of("mongo_initdb_root_password")
      ],
      usual: [],
      named: { before: [], prefix: "--db=", most: 1 },
      all: null,
      into: ["--archive="],
      toOutput: ["--archive"],
      environment: [],
      ending: "archive.gz"
    },
    address: {
      scheme: "mongodb",
      user: of("mongo_initdb_root_username"),
      password: of("mongo_initdb_root_password"),
      path: "?directConnection=true"
    }
  },
  keydb: {
    ...likeRedis("keydb_password", passwordAsWord, "keydb_conf"),
    configuration: configurationOfRedis("keydb"),
    image: "eqalpha/keydb:latest",
    environment: [],
    command: ["keydb-server", "--appendonly", "yes", "--requirepass", of("keydb_password")],
    health: ["keydb-cli", "ping"],
    dump: null
  },
  dragonfly: {
    ...likeRedis("dragonfly_password", password),
    image: "docker.dragonflydb.io/dragonflydb/dragonfly:latest",
    // Its flags are also read from variables, which process lists do not show.
    environment: [["DFLY_requirepass", of("dragonfly_password")]],
    command: null,
    health: null,
    dump: null
  },
  clickhouse: {
    image: "clickhouse/clickhouse-server:25.3",
    port: 9000,
    directory: "/var/lib/clickhouse",
    fields: { clickhouse_admin_user: name("default"), clickhouse_admin_password: password },
    environment: [
      ["CLICKHOUSE_USER", of("clickhouse_admin_user")],
      ["CLICKHOUSE_PASSWORD", of("clickhouse_admin_password")]
    ],
    command: null,
    health: ["wget", "--quiet", "--tries=1", "--spider", "http://127.0.0.1:8123/ping"],
    dump: null,
    address: {
      scheme: "clickhouse",
      user: of("clickhouse_admin_user"),
      password: of("clickhouse_admin_password"),
      path: "default"
    }
  }
} as const satisfies Readonly<Record<string, KindRow>>

/** The name of a database type. */
export type DatabaseKind = keyof typeof kinds
/** The names of all database types. */
export const kindNames = Object.keys(kinds) as ReadonlyArray<DatabaseKind>

/** Returns the properties of a database type. */
export const kindOf = (kind: DatabaseKind): KindRow => kinds[kind]

/** The fields of all database types by name; no two types have a field with the same name. */
export const kindFields: Readonly<Record<string, KindField>> = Object.assign(
  {},
  ...kindNames.map((kind) => kindOf(kind).fields)
)
