import { randomUUID } from "node:crypto"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Data, Effect } from "effect"

/** The error for a directory that is not writable, because the disk is full or read-only. */
export class NoDiskSpace extends Data.TaggedError("NoDiskSpace")<{
  readonly directory: string
  readonly problem: string
}> {
  override get message(): string {
    return `cannot write to \`${this.directory}\`: ${this.problem}`
  }
}

// More than a file system stores inside a directory entry.
const probe = new Uint8Array(64 * 1024)

/** Checks whether a directory has free space, by writing a file of 64 KiB and deleting it immediately. */
export const checkDiskSpace = (directory: string): Effect.Effect<void, NoDiskSpace> =>
  Effect.tryPromise({
    try: async () => {
      const file = join(directory, `.probe-${randomUUID()}`)
      try {
        await writeFile(file, probe, { flag: "wx", mode: 0o600 })
      } finally {
        await rm(file, { force: true })
      }
    },
    catch: (error) => new NoDiskSpace({ directory, problem: (error as Error).message })
  })
