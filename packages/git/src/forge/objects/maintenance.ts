import { createHash } from "node:crypto"
import { readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { CheckResult, GitId, GitOverloaded, MaintenanceResult } from "@slipway/domain/forge/code"
import { Clock, Duration, Effect } from "effect"
import { sweepQuarantines } from "../quarantines.ts"
import type { RepositoryLocks } from "../repositoryLocks.ts"
import type { Programs } from "./programs.ts"
import { orDie, type Repository } from "./store.ts"

const longest = Duration.hours(1)
/** How long unreachable objects are kept: a concurrent push may be about to create a ref to them. */
const unreachableRetention = "2.weeks.ago"
/** The maintenance interval of an unchanged repository; needed to remove unreachable objects that expired meanwhile. */
const again = Duration.days(15)

/** The file in a repository that contains the hash of its state after the last maintenance. */
const marker = "slipway-maintained"

const settings = ["pack.threads=1", "pack.windowMemory=64m"]

const missing = (error: unknown) => {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
  throw error
}

/**
 * Returns a hash of the state of a repository: the names of its packs and loose objects, and the size of packed refs.
 */
const stateOf = async (folder: string): Promise<string> => {
  const hash = createHash("sha256")
  const objects = join(folder, "objects")
  for (const name of (await readdir(join(objects, "pack")).catch(missing)).sort()) hash.update(`${name}\n`)
  for (const name of (await readdir(objects)).filter((each) => /^(?:[0-9a-f]{2}|tmp_objdir-.*)$/.test(each)).sort()) {
    for (const loose of (await readdir(join(objects, name)).catch(missing)).sort()) hash.update(`${name}${loose}\n`)
  }
  const refs = await stat(join(folder, "packed-refs")).catch(() => undefined)
  return hash.update(String(refs?.size)).digest("hex")
}

/** Makes the function that maintains a repository: it packs refs and objects, prunes, and writes a commit graph. */
export const makeMaintenance = (programs: Programs, turns: RepositoryLocks) => {
  const orders = Effect.fnUntraced(function* ({ folder }: Repository) {
    const run = (...args: ReadonlyArray<string>) =>
      orDie(programs.run({ folder, args, settings, timeout: longest, tied: true }))
    // There is no concurrent push.
    yield* sweepQuarantines(folder)
    // Separate commands: `git gc` leaves its child programs running when it is killed.
    yield* run("pack-refs", "--all")
    yield* run("repack", "-d", "-l", "-q", "-b", "--cruft", `--cruft-expiration=${unreachableRetention}`)
    yield* run("prune", `--expire=${unreachableRetention}`)
    yield* run("commit-graph", "write", "--reachable", "--changed-paths", "--no-progress")
    yield* Effect.promise(async () => writeFile(join(folder, marker), await stateOf(folder)))
    return "done" as const
  })

  const isInOrder = Effect.fnUntraced(function* ({ folder }: Repository) {
    const at = yield* Clock.currentTimeMillis
    return yield* Effect.promise(async () => {
      const path = join(folder, marker)
      const found = await stat(path).catch(() => undefined)
      if (found === undefined || found.mtimeMs < at - Duration.toMillis(again)) return false
      return (await readFile(path, "utf8")) === (await stateOf(folder))
    })
  })

  return (id: GitId, repository: Repository): Effect.Effect<MaintenanceResult, GitOverloaded> =>
    Effect.gen(function* () {
      if (yield* isInOrder(repository)) return "nothing"
      return (yield* turns.alone(id, orders(repository))) ?? "busy"
    })
}

/** The exit codes by which `git fsck` reports a damaged repository: any sum of its flags, or 128. */
const faulty = [...Array.from({ length: 63 }, (_, at) => at + 1), 128]

/** Makes a function that checks every object of a repository with `git fsck`; never runs during maintenance. */
export const makeCheck =
  (programs: Programs, turns: RepositoryLocks) =>
  (id: GitId, { folder }: Repository): Effect.Effect<CheckResult, GitOverloaded> =>
    Effect.gen(function* () {
      const args = ["fsck", "--full", "--no-dangling", "--no-progress"]
      const run = orDie(programs.run({ folder, args, settings, timeout: longest, tied: true, mayEnd: faulty }))
      const outcome = yield* turns.alone(id, run)
      if (outcome === undefined) return "busy"
      return outcome.exitCode === 0 ? "sound" : "damaged"
    })
