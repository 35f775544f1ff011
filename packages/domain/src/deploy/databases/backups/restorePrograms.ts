import { Redacted } from "effect"
import { backupDirectory, valueOf, wordsOf } from "../container.ts"
import type { Database } from "../Database.ts"
import { type DatabaseKind, kindOf, type Word } from "../kinds.ts"
import type { Values } from "../secrets.ts"
import { sslDumpOptions } from "../ssl.ts"
import type { BackupRun } from "./Backup.ts"
import type { DumpCommand } from "./dump.ts"
import type { RestoreRunUuid } from "./Restore.ts"

/** The program that restores backups of one database type, and its limits. */
interface RestoreRow {
  /**
   * An idempotent shell script. Its arguments are the path of the backup file, the database name, `same` or `other`
   * (whether the backup comes from the same database), and then `words`. The variable `SLIPWAY_TLS` has the options
   * with which programs connect to a database with TLS.
   */
  readonly script: string
  readonly words: ReadonlyArray<Word>
  /** The field with the name of the default database; null if backups of this type contain no database name. */
  readonly database: string | null
  /** Whether a dump of the default database can only be restored into a database of the same name. */
  readonly keepsName: boolean
  /** The possible targets of a backup of all databases with their users: any database server, the same one, or none. */
  readonly all: "anywhere" | "same" | "nowhere"
}

// One transaction: a failed restore changes nothing. Users of the backup may be missing in another database.
const postgresql = `set -eu
[ -n "$(psql --no-psqlrc --no-align --tuples-only --username="$4" --dbname=template1 --command="SELECT 1 FROM pg_database WHERE datname = '$2'")" ] ||
  createdb --username="$4" --maintenance-db=template1 --template=template0 "$2"
[ "$3" = same ] || set -- "$1" "$2" "--no-owner --no-privileges" "$4"
[ "$3" != same ] || set -- "$1" "$2" "" "$4"
exec pg_restore --clean --if-exists --single-transaction $3 --username="$4" --dbname="$2" "$1"`

const likeMysql = (kind: "mariadb" | "mysql"): RestoreRow => ({
  script: `set -eu
${kind} --user=root < "$1"
exec ${kind} --user=root --execute="FLUSH PRIVILEGES"`,
  words: [],
  database: `${kind}_database`,
  keepsName: true,
  all: "same"
})

// A second server loads the file, and the database copies its data as a replica: a running server loads no file.
const redis = `set -eu
port=16380
cli() { redis-cli $SLIPWAY_TLS "$@" 2>&1; }
second() { redis-cli -p "$port" "$@" 2>&1; }
second SHUTDOWN NOSAVE > /dev/null || true
redis-server --port "$port" --bind 127.0.0.1 --dir "$(dirname "$1")" --dbfilename "$(basename "$1")" --save "" --appendonly no --repl-diskless-sync-delay 0 --requirepass "$REDISCLI_AUTH" > /tmp/slipway-restore.log 2>&1 &
loaded=$!
trap 'cli REPLICAOF NO ONE > /dev/null || true; kill -9 "$loaded" 2> /dev/null || true' EXIT
trap 'exit 1' TERM
until [ "$(second PING)" = PONG ] && second INFO server | tr -d '\\r' | grep -qx "process_id:$loaded"; do
  kill -0 "$loaded" 2> /dev/null || { tail -n 20 /tmp/slipway-restore.log; exit 1; }
  sleep 1
done
[ "$(cli CONFIG SET masterauth "$REDISCLI_AUTH")" = OK ]
[ "$(cli REPLICAOF 127.0.0.1 "$port")" = OK ]
until cli INFO replication | grep -q "^master_link_status:up"; do
  kill -0 "$loaded" 2> /dev/null || { tail -n 20 /tmp/slipway-restore.log; exit 1; }
  sleep 1
done
[ "$(cli REPLICAOF NO ONE)" = OK ]`

const rows: Readonly<Partial<Record<DatabaseKind, RestoreRow>>> = {
  postgresql: {
    script: postgresql,
    words: [{ field: "postgres_user" }],
    database: "postgres_db",
    keepsName: false,
    all: "nowhere"
  },
  mysql: likeMysql("mysql"),
  mariadb: likeMysql("mariadb"),
  redis: { script: redis, words: [], database: null, keepsName: false, all: "anywhere" },
  mongodb: {
    // Users stay those of the database, so that the platform can still reach it.
    script: `exec mongorestore $SLIPWAY_TLS --quiet --gzip --drop --stopOnError --nsExclude="admin.*" --authenticationDatabase=admin --username "$4" --password "$5" --archive="$1"`,
    words: [{ field: "mongo_initdb_root_username" }, { field: "mongo_initdb_root_password" }],
    database: null,
    keepsName: false,
    all: "anywhere"
  }
}

/** Returns the path in the container to which a restore copies a backup that is in S3 or in another database. */
export const restorePathOf = (run: RestoreRunUuid): string => `${backupDirectory}/restore-${run}`

/** Returns the command that restores a backup file in the database's container; null if the type is not supported. */
export const restoreOf = (
  kind: DatabaseKind,
  values: Values,
  { databases }: Pick<BackupRun, "databases">,
  isSame: boolean,
  path: string,
  usesSsl = false
): DumpCommand | null => {
  const row = rows[kind]
  if (row === undefined) return null
  const { database, script, words } = row
  const name = databases[0] ?? (database === null ? "" : (values[database] ?? ""))
  return {
    argv: ["sh", "-c", script, "restore", path, name, isSame ? "same" : "other", ...wordsOf(words, values)],
    environment: [
      ...(kindOf(kind).dump?.environment ?? []).map(
        ([variable, word]) => [variable, Redacted.make(valueOf(word, values) ?? "")] as const
      ),
      ["SLIPWAY_TLS", Redacted.make(sslDumpOptions(kind, usesSsl).join(" "))]
    ]
  }
}

/**
 * Wraps a restore command in a lock and a timeout inside the container. If the command of an earlier, killed worker
 * still runs there, the new command waits for its end.
 */
export const oneAtATime = (seconds: number, { argv, environment }: DumpCommand): DumpCommand => ({
  argv: ["flock", `${backupDirectory}/.restore`, "timeout", "-s", "TERM", String(seconds), ...argv],
  environment
})

/** Parses the version numbers from the tag of an image, such as `11.4`; undefined if the tag begins with no number. */
const versionOf = (image: string): ReadonlyArray<number> | undefined => {
  const digits = /:v?(\d{1,6}(?:\.\d{1,6})?)[^/:@]*(?:@.*)?$/.exec(image)?.[1]
  return digits?.split(".").map(Number)
}

const isOlder = (image: string, than: string): boolean => {
  const [mine, theirs] = [versionOf(image), versionOf(than)]
  if (mine === undefined || theirs === undefined) return false
  const [major = 0, minor] = mine
  const [itsMajor = 0, itsMinor] = theirs
  return major < itsMajor || (major === itsMajor && minor !== undefined && itsMinor !== undefined && minor < itsMinor)
}

/** Returns the error, with its request field, if a backup cannot be restored into a database; otherwise null. */
export const restoreProblem = (
  source: Pick<Database, "kind" | "settings" | "uuid">,
  run: Pick<BackupRun, "databases" | "dumpsAll" | "image">,
  target: Pick<Database, "image" | "kind" | "settings" | "uuid">
): { readonly field: "database_uuid" | "execution_uuid"; readonly sentence: string } | null => {
  const { kind } = source
  if (target.kind !== kind) {
    return { field: "database_uuid", sentence: `Must be a database of the type ${kind}, not ${target.kind}.` }
  }
  const row = rows[kind]
  if (row === undefined) return { field: "execution_uuid", sentence: `Backups of ${kind} cannot be restored.` }
  if (run.image !== null && isOlder(target.image, run.image)) {
    const sentence = `Must have the version of the backup or a newer one: the backup is from ${run.image}, the database has ${target.image}.`
    return { field: "database_uuid", sentence }
  }
  if (run.dumpsAll && row.all === "nowhere") {
    const sentence = `Backups of ${kind} with dump_all cannot be restored by the API: run psql with the file.`
    return { field: "execution_uuid", sentence }
  }
  const isSame = source.uuid === target.uuid
  if (run.dumpsAll && row.all === "same" && !isSame) {
    const sentence = "Must be the database of the backup: a backup with dump_all contains its users."
    return { field: "database_uuid", sentence }
  }
  const { database, keepsName } = row
  if (keepsName && database !== null && run.databases.length === 0 && !run.dumpsAll) {
    const name = source.settings[database]
    if (name !== target.settings[database]) {
      return { field: "database_uuid", sentence: `Must have the ${database} of the backup, which is \`${name}\`.` }
    }
  }
  return null
}
