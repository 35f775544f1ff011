import { Schema } from "effect"
import { base64Content } from "../apps/fields/base64.ts"
import { line, lineThat, nonEmpty } from "../apps/fields/field.ts"

/** A word of a command or the value of a variable: a literal, or a reference to a field of the database. */
export type Word = string | { readonly field: string }

/** A field of databases of one type. */
export interface KindField {
  readonly schema: Schema.Codec<string, string>
  /** The default value; null generates a secret, and undefined leaves the value to the image. */
  readonly unset: string | null
  /** Whether it is stored encrypted and returned only to callers who may read secrets. */
  readonly secret: boolean
  /** Returns the stored value of a sent one; the same if omitted. */
  readonly stored?: (sent: string) => string
}

/** The configuration file of a database type. */
export interface ConfigurationRow {
  /** The field with its text; without a text, there is no file. */
  readonly field: string
  /** Its path in the container, in an existing directory. */
  readonly path: string
  /** The command that makes the server read it; null if the server reads the path anyway. */
  readonly command: ReadonlyArray<Word> | null
}

/** The program that dumps databases of one type. */
export interface DumpRow {
  readonly program: ReadonlyArray<Word>
  /** The words that follow without a selection of databases. */
  readonly usual: ReadonlyArray<Word>
  /** The words before the names of selected databases, and the prefix and maximum number of names; null for none. */
  readonly named: { readonly before: ReadonlyArray<string>; readonly prefix: string; readonly most: number } | null
  /** The program that dumps all databases, and the extension of its file; null if it is the usual one. */
  readonly all: { readonly program: ReadonlyArray<Word>; readonly ending: string } | null
  /** The last words, to which the path of the file is appended. */
  readonly into: readonly [string, ...ReadonlyArray<string>]
  /** The last words for a dump to the standard output. */
  readonly toOutput: ReadonlyArray<string>
  /** The environment variables that pass the password to the program, which process lists do not show. */
  readonly environment: ReadonlyArray<readonly [name: string, value: Word]>
  /** The extension of the file name. */
  readonly ending: string
}

/** The properties of a database type: its image, the image's settings, and how clients connect to it. */
export interface KindRow {
  readonly image: string
  /** The port at which it listens in its container. */
  readonly port: number
  /** The data directory in its container, which is a volume. */
  readonly directory: string
  readonly fields: Readonly<Record<string, KindField>>
  /** The environment variables of its image; one with an unset field is omitted. */
  readonly environment: ReadonlyArray<readonly [name: string, value: Word]>
  /** The command that replaces the image's; null keeps the image's command. */
  readonly command: ReadonlyArray<Word> | null
  /** Its configuration file, which supplements the defaults of the image; omitted if the server reads none. */
  readonly configuration?: ConfigurationRow
  /** The health check program, which reports by its exit code; null uses the image's check. */
  readonly health: ReadonlyArray<Word> | null
  /** The program that dumps it; null when there is none. */
  readonly dump: DumpRow | null
  /** The format of its URL: the words after the host and the port are `path`. */
  readonly address: {
    readonly scheme: string
    readonly user: Word
    readonly password: Word
    readonly path: Word
  }
}

/** Returns whether a text is the name of a database: images use names in their SQL, some of them without quotes. */
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
/** The password is passed as an argument, where a leading dash would be read as an option. */
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

/** A configuration file, which requests send in base64. An empty one counts as unset. */
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

/** The maximum number of databases that a schedule names. */
const mostNamed = 20

/** Returns the common rows of the Redis-compatible databases. */
const likeRedis = (field: string, secret: KindField, configuration?: string) => ({
  port: 6379,
  directory: "/data",
  fields: { [field]: secret, ...(configuration === undefined ? {} : { [configuration]: configurationFile }) },
  address: { scheme: "redis", user: "default", password: of(field), path: "0" }
})

/** Returns the configuration file of a Redis-compatible server; its options after the file take precedence. */
const configurationOfRedis = (program: "keydb" | "redis"): ConfigurationRow => {
  const path = `/etc/slipway-${program}.conf`
  const options = ["--appendonly", "yes", "--requirepass", of(`${program}_password`)]
  return { field: `${program}_conf`, path, command: [`${program}-server`, path, ...options] }
}

/** Returns the rows that the two MySQL-compatible databases have in common, except for their name prefixes. */
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
 * Their health checks connect over the network, so a container counts as unhealthy while its database initializes data.
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

/** The fields of all database types: each belongs to one of them. */
export const kindFields: Readonly<Record<string, KindField>> = Object.assign(
  {},
  ...kindNames.map((kind) => kindOf(kind).fields)
)
