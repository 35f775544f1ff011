import { rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Duration, Effect } from "effect"

/** The age from which a lock counts as abandoned; git holds a ref lock for milliseconds. */
const abandoned = Duration.minutes(2)

/** Removes ref lock files that killed git processes left behind; git itself never removes them. */
export const removeStaleLocks = Effect.fnUntraced(function* (folder: string, refs: ReadonlyArray<string>) {
  const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(abandoned)
  yield* Effect.promise(() =>
    Promise.all(
      [...refs, "packed-refs"].map(async (ref) => {
        const lock = join(folder, `${ref}.lock`)
        const found = await stat(lock).catch(() => undefined)
        if (found !== undefined && found.mtimeMs < before) await rm(lock, { force: true })
      })
    )
  )
})
