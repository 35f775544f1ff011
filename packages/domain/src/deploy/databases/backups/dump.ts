import { Redacted } from "effect"
import type { Pairs } from "../../containers/engine/ContainerSpec.ts"
import { backupDirectory, valueOf, wordsOf } from "../container.ts"
import type { DatabaseUuid } from "../Database.ts"
import { type DatabaseKind, type DumpRow, kindNames, kindOf, type Word } from "../kinds.ts"
import type { Values } from "../secrets.ts"
import { sslDumpOptions } from "../ssl.ts"
import type { BackupInput, BackupRun } from "./Backup.ts"

/** The fields of a backup that its file name is built from. */
type NamedRun = Pick<BackupRun, "dumpsAll" | "startedAt" | "uuid">

const endingOf = (dump: DumpRow | null, { dumpsAll }: NamedRun): string =>
  (dumpsAll ? dump?.all?.ending : undefined) ?? dump?.ending ?? "dump"

/** Returns the file name of a backup: the database type, the start time, the uuid and an extension. */
export const fileOf = (kind: DatabaseKind, run: NamedRun): string =>
  `${kind}-${run.startedAt.slice(0, 19).replaceAll(":", "-")}-${run.uuid}.${endingOf(kindOf(kind).dump, run)}`

/** Returns the path of a backup file in the container of its database. */
export const pathOf = (kind: DatabaseKind, run: NamedRun): string => `${backupDirectory}/${fileOf(kind, run)}`

/** The file extension of encrypted backups in S3; it is the usual extension of the program `age`. */
export const encryptedEnding = ".age"

/** Returns the S3 key of a backup: a folder with the uuid of the database, and the file name of the backup. */
export const objectKeyOf = (
  { kind, uuid }: { readonly kind: DatabaseKind; readonly uuid: DatabaseUuid },
  run: NamedRun,
  isEncrypted: boolean
): string => `slipway/databases/${uuid}/${fileOf(kind, run)}${isEncrypted ? encryptedEnding : ""}`

/** A dump or restore command to run in the container of a database, with its secret environment variables. */
export interface DumpCommand {
  readonly argv: ReadonlyArray<string>
  readonly environment: Pairs
}

/** The databases that a dump contains. */
export type DumpSelection = Pick<BackupInput, "databases" | "dumpsAll">

const programOf = (dump: DumpRow, { databases, dumpsAll }: DumpSelection): ReadonlyArray<Word> => {
  if (dumpsAll) return dump.all?.program ?? [...dump.program, ...dump.usual]
  if (databases.length === 0 || dump.named === null) return [...dump.program, ...dump.usual]
  const { before, prefix } = dump.named
  return [...dump.program, ...before, ...databases.map((name) => `${prefix}${name}`)]
}

/**
 * Returns the command that dumps a database to the file `path`; null as `path` writes to the standard output. Returns
 * null if the database type supports no dumps. `usesSsl` is whether the database in the container uses TLS.
 */
export const dumpOf = (
  kind: DatabaseKind,
  values: Values,
  selection: DumpSelection,
  path: string | null,
  usesSsl = false
): DumpCommand | null => {
  const { dump } = kindOf(kind)
  if (dump === null) return null
  const [program = "", ...words] = wordsOf(programOf(dump, selection), values)
  const output = path === null ? dump.toOutput : toFile(dump, path)
  return {
    argv: [program, ...sslDumpOptions(kind, usesSsl), ...words, ...output],
    environment: dump.environment.map(([name, word]) => [name, Redacted.make(valueOf(word, values) ?? "")] as const)
  }
}

const toFile = ({ into }: DumpRow, path: string): ReadonlyArray<string> => [
  ...into.slice(0, -1),
  `${into.at(-1) ?? ""}${path}`
]

/** Returns the error, with its request field, if a database type does not support such a dump; otherwise null. */
export const selectionProblem = (
  kind: DatabaseKind,
  { databases, dumpsAll }: DumpSelection
): { readonly field: "databases" | "frequency"; readonly sentence: string } | null => {
  const { dump } = kindOf(kind)
  if (dump === null) {
    const some = kindNames.filter((each) => kindOf(each).dump !== null).join(", ")
    return { field: "frequency", sentence: `Backups support ${some}, not ${kind}.` }
  }
  if (databases.length === 0) return null
  if (dumpsAll) return { field: "databases", sentence: "Must be empty if dump_all is true." }
  const most = dump.named?.most ?? 0
  if (databases.length <= most) return null
  const sentence =
    most === 0
      ? `Must be empty: a backup of ${kind} contains all of its data.`
      : `Must name at most ${most} of ${kind}: create one schedule for each, or set dump_all.`
  return { field: "databases", sentence }
}

/**
 * Wraps a command in the program `timeout` inside the container. It stops the command even if the platform's process,
 * which waits for the command, exits earlier.
 */
export const endingAfter = (seconds: number, { argv, environment }: DumpCommand): DumpCommand => ({
  argv: ["timeout", "-s", "KILL", String(seconds), ...argv],
  environment
})
