import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Effect } from "effect"

const prefix = "slipway-packer-"
/** Longer than any build takes, in milliseconds. */
const abandoned = 24 * 60 * 60 * 1_000

const orNothing = <A>(work: Promise<A>): Promise<A | undefined> =>
  work.then(
    (done) => done,
    () => undefined
  )

/** Removes what killed processes left behind, with the variables in it, a day later (invariant I15). */
export const sweep = (parent: string): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.promise(async () => {
      for (const name of (await orNothing(readdir(parent))) ?? []) {
        const path = join(parent, name)
        const found = name.startsWith(prefix) ? await orNothing(stat(path)) : undefined
        if (found === undefined || found.mtimeMs > now - abandoned) continue
        // What isn't this user's stays.
        await orNothing(rm(path, { recursive: true, force: true }))
      }
    })
  )

/** Makes a folder that nobody else of the machine may enter; it goes with the scope. */
export const privateDirectory = (parent: string) =>
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(parent, prefix))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
