import { lstat, mkdtemp, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Duration, Effect, type Scope } from "effect"

/** A kind of temporary folder, identified by the prefix of its name. */
export interface FolderKind {
  readonly prefix: string
  /** The age after which a folder counts as abandoned. It must be longer than any work that uses the folder. */
  readonly abandoned: Duration.Duration
}

const orNothing = <A>(work: Promise<A>): Promise<A | undefined> =>
  work.then(
    (done) => done,
    () => undefined
  )

/**
 * Removes abandoned folders of one type, which killed processes have left. Removes only the folders of one user: by
 * default, the user of this process.
 */
export const sweepFolders = (
  { abandoned, prefix }: FolderKind,
  parent: string,
  user = process.getuid?.()
): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.promise(async () => {
      for (const name of (await orNothing(readdir(parent))) ?? []) {
        const path = join(parent, name)
        const found = name.startsWith(prefix) ? await orNothing(lstat(path)) : undefined
        if (found === undefined || found.mtimeMs > now - Duration.toMillis(abandoned)) continue
        // Folders of other users stay, even if this user could remove them.
        if (found.uid !== user) continue
        await orNothing(rm(path, { recursive: true, force: true }))
      }
    })
  )

/** Creates a folder that only the current user can access. It is removed with its content when the scope closes. */
export const privateFolder = ({ prefix }: FolderKind, parent: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(parent, prefix))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  )
