import { Redacted } from "effect"
import type { Pairs } from "../../containers/engine/ContainerSpec.ts"
import { backupDirectory, valueOf, wordsOf } from "../container.ts"
import type { DatabaseUuid } from "../Database.ts"
import { type DatabaseKind, type DumpRow, kindNames, kindOf, type Word } from "../kinds.ts"
import type { Values } from "../secrets.ts"
import type { BackupInput, BackupRun } from "./Backup.ts"

/** The facts of a backup that its file name consists of. */
type NamedRun = Pick<BackupRun, "dumpsAll" | "startedAt" | "uuid">

const endingOf = (dump: DumpRow | null, { dumpsAll }: NamedRun): string =>
  (dumpsAll ? dump?.all?.ending : undefined) ?? dump?.ending ?? "dump"

/** Returns the file name of a backup: its start time and its uuid. */
export const fileOf = (kind: DatabaseKind, run: NamedRun): string =>
  `${kind}-${run.startedAt.slice(0, 19).replaceAll(":", "-")}-${run.uuid}.${endingOf(kindOf(kind).dump, run)}`

/** Returns the path of a backup file in its container. */
export const pathOf = (kind: DatabaseKind, run: NamedRun): string => `${backupDirectory}/${fileOf(kind, run)}`

/** The ending of the keys of encrypted objects, which the program `age` uses too. */
export const encryptedEnding = ".age"

/** Returns the key of the object of a backup: in a folder of its database, under its file name. */
export const objectKeyOf = (
  { kind, uuid }: { readonly kind: DatabaseKind; readonly uuid: DatabaseUuid },
  run: NamedRun,
  isEncrypted: boolean
): string => `slipway/databases/${uuid}/${fileOf(kind, run)}${isEncrypted ? encryptedEnding : ""}`

/** A command to run in the container of a database. */
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

/** Returns the command that dumps a database to a file, or without a path to its output; null if unsupported. */
export const dumpOf = (
  kind: DatabaseKind,
  values: Values,
  selection: DumpSelection,
  path: string | null
): DumpCommand | null => {
  const { dump } = kindOf(kind)
  if (dump === null) return null
  return {
    argv: [...wordsOf(programOf(dump, selection), values), ...(path === null ? dump.toOutput : toFile(dump, path))],
    environment: dump.environment.map(([name, word]) => [name, Redacted.make(valueOf(word, values) ?? "")] as const)
  }
}

const toFile = ({ into }: DumpRow, path: string): ReadonlyArray<string> => [
  ...into.slice(0, -1),
  `${into.at(-1) ?? ""}${path}`
]

/** Returns why a type of database cannot be dumped with a selection, by the name of its field; null if it can. */
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
 * Wraps a command in a timeout that runs inside the container, because the process that waits outside may exit earlier.
 */
export const endingAfter = (seconds: number, { argv, environment }: DumpCommand): DumpCommand => ({
  argv: ["timeout", "-s", "KILL", String(seconds), ...argv],
  environment
})
