import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Duration, Effect } from "effect"

/** The minimum age of a quarantine to be removed; a younger quarantine may belong to a push that just begins. */
const settled = Duration.minutes(1)

/** Returns whether a folder is a quarantine: git's temporary folder for pushed objects until the push is accepted. */
export const isQuarantine = (name: string): boolean => name.startsWith("tmp_objdir-")

/**
 * Removes the quarantines of killed pushes, which git itself never removes.
 *
 * The caller must make sure that there is no concurrent push to the repository.
 */
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
