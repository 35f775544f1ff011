import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Duration, Effect } from "effect"

/** The minimum age of a quarantine that is removed; a younger one may still be in creation. */
const settled = Duration.minutes(1)

/** Returns whether a folder of objects is the quarantine of an undecided push. */
export const isQuarantine = (name: string): boolean => name.startsWith("tmp_objdir-")

/** Removes the leftovers of killed pushes from a repository without concurrent pushes: git itself keeps them. */
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
