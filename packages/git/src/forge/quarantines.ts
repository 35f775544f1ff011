import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Duration, Effect } from "effect"

/** How old a quarantine is that nobody can just be making. */
const settled = Duration.minutes(1)

/** Tells whether a folder of objects is that of a push which is still to be decided. */
export const isQuarantine = (name: string): boolean => name.startsWith("tmp_objdir-")

/** Removes what pushes left that were killed, from a repository to which nobody else pushes: git itself lets it lie. */
export const sweepQuarantines = Effect.fnUntraced(function* (folder: string) {
  const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(settled)
  yield* Effect.promise(async () => {
    const objects = join(folder, "objects")
    for (const name of await readdir(objects)) {
      if (!isQuarantine(name)) continue
      const found = await stat(join(objects, name)).catch(() => undefined)
      if (found !== undefined && found.mtimeMs < before) await rm(join(objects, name), { recursive: true, force: true })
    }
  })
})
