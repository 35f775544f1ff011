import { Redacted } from "effect"
import type { Pairs } from "../../containers/engine/ContainerSpec.ts"
import { backupDirectory, valueOf, wordsOf } from "../container.ts"
import { type DatabaseKind, kindOf } from "../kinds.ts"
import type { Values } from "../secrets.ts"
import type { BackupRun } from "./Backup.ts"

/** Returns the file name of a backup: its start time and its uuid. */
export const fileOf = (kind: DatabaseKind, { startedAt, uuid }: Pick<BackupRun, "startedAt" | "uuid">): string =>
  `${kind}-${startedAt.slice(0, 19).replaceAll(":", "-")}-${uuid}.${kindOf(kind).dump?.ending ?? "dump"}`

/** Returns the path of a backup file in its container. */
export const pathOf = (kind: DatabaseKind, run: Pick<BackupRun, "startedAt" | "uuid">): string =>
  `${backupDirectory}/${fileOf(kind, run)}`

/** A command to run in the container of a database. */
export interface DumpCommand {
  readonly argv: ReadonlyArray<string>
  readonly environment: Pairs
}

/** Returns the command that dumps a database to a file; null for a type without one. */
export const dumpOf = (kind: DatabaseKind, values: Values, path: string): DumpCommand | null => {
  const { dump } = kindOf(kind)
  if (dump === null) return null
  return {
    argv: [...wordsOf(dump.program, values), `${dump.into}${path}`],
    environment: dump.environment.map(([name, word]) => [name, Redacted.make(valueOf(word, values) ?? "")] as const)
  }
}

/**
 * Wraps a command in a timeout that runs inside the container, because the process that waits outside may exit earlier.
 */
export const endingAfter = (seconds: number, { argv, environment }: DumpCommand): DumpCommand => ({
  argv: ["timeout", "-s", "KILL", String(seconds), ...argv],
  environment
})
