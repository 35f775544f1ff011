import { randomUUID } from "node:crypto"
import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { GitId } from "@slipway/domain/forge/code"
import { Clock, Duration, Effect, Schedule, type Scope } from "effect"
import { unavailableIfFull } from "../diskFull.ts"

/** The interval at which a process renews its lock file, and the age after which the lock file expires. */
const renewInterval = Duration.seconds(5)
const silent = Duration.seconds(30)
/** The interval at which a waiting process polls the lock, and maintenance polls for waiting pushes. */
const looking = Duration.millis(100)
/** How long a push waits before maintenance yields to it. */
const longestWait = Duration.seconds(10)

/** Locks that prevent pushes during the maintenance of a repository, also between processes. */
export interface RepositoryLocks {
  /**
   * Waits for the end of maintenance on a repository, and prevents maintenance until the scope closes.
   *
   * Returns whether no other push to the repository is running.
   */
  readonly push: (id: GitId) => Effect.Effect<boolean, never, Scope.Scope>
  /**
   * Runs maintenance on a repository, unless the repository is in use or a push is running.
   *
   * Interrupts the maintenance if a push has waited too long.
   */
  readonly alone: <A, E, R>(id: GitId, work: Effect.Effect<A, E, R>) => Effect.Effect<A | undefined, E, R>
}

const io = <A>(work: () => Promise<A>): Effect.Effect<A> =>
  Effect.catch(Effect.tryPromise(work), ({ cause }) => Effect.die(unavailableIfFull(cause)))
const isThere = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "EEXIST"

/** Makes locks from files below `root`: a process that uses a repository creates a file and renews its timestamp. */
export const makeRepositoryLocks = (
  root: string,
  timeout: Duration.Duration = longestWait
): Effect.Effect<RepositoryLocks> =>
  Effect.gen(function* () {
    const folder = join(root, "turns")
    yield* io(() => mkdir(folder, { recursive: true, mode: 0o700 }))
    const age = Effect.fnUntraced(function* (path: string, of: "birthtimeMs" | "mtimeMs") {
      const found = yield* io(() => stat(path).catch(() => undefined))
      return found === undefined ? undefined : (yield* Clock.currentTimeMillis) - found[of]
    })
    const isHeld = (path: string) =>
      Effect.map(age(path, "mtimeMs"), (since) => since !== undefined && since < Duration.toMillis(silent))
    const forget = (path: string) => io(() => rm(path, { force: true }))

    /** Locks by creating a file until the scope closes; returns `false` if another process has the lock. */
    const hold = Effect.fnUntraced(function* (path: string) {
      if (!(yield* isHeld(path))) yield* forget(path)
      const isMine = yield* Effect.acquireRelease(
        io(() =>
          writeFile(path, "", { flag: "wx", mode: 0o600 }).then(
            () => true,
            (error) => (isThere(error) ? false : Promise.reject(error))
          )
        ),
        (mine) => (mine ? forget(path) : Effect.void)
      )
      if (!isMine) return false
      const touch = Effect.flatMap(Clock.currentTimeMillis, (at) =>
        // Another process considered it abandoned, removed it, and is at work.
        io(() => utimes(path, at / 1_000, at / 1_000).catch(() => undefined))
      )
      yield* Effect.forkScoped(Effect.delay(Effect.repeat(touch, Schedule.spaced(renewInterval)), renewInterval))
      return true
    })

    const order = (id: GitId) => join(folder, `order-${id}`)
    const pushes = Effect.fnUntraced(function* (id: GitId) {
      const names = yield* io(() => readdir(folder))
      const paths = names.filter((name) => name.startsWith(`push-${id}-`)).map((name) => join(folder, name))
      return yield* Effect.filter(paths, (path) =>
        Effect.tap(isHeld(path), (held) => (held ? Effect.void : forget(path)))
      )
    })
    const waited = Effect.fnUntraced(function* (id: GitId) {
      for (const path of yield* pushes(id)) {
        if (((yield* age(path, "birthtimeMs")) ?? 0) > Duration.toMillis(timeout)) return true
      }
      return false
    })
    const until = (done: Effect.Effect<boolean>) =>
      Effect.asVoid(Effect.repeat(done, { until: (isDone) => isDone, schedule: Schedule.spaced(looking) }))

    return {
      // Each side writes its own file before it checks for the other's: of two that start concurrently, one sees the
      // other.
      push: Effect.fnUntraced(function* (id) {
        yield* hold(join(folder, `push-${id}-${randomUUID()}`))
        yield* until(Effect.map(isHeld(order(id)), (held) => !held))
        return (yield* pushes(id)).length === 1
      }),
      alone: (id, work) =>
        Effect.scoped(
          Effect.gen(function* () {
            if (!(yield* hold(order(id))) || (yield* pushes(id)).length > 0) return undefined
            return yield* Effect.raceFirst(work, Effect.as(until(waited(id)), undefined))
          })
        )
    }
  })
