import { assert } from "@effect/vitest"
import type { Engine } from "@slipway/domain/deploy/containers"
import { BackupStore, RestoreStore, VolumeBackupStore, VolumeRestoreStore } from "@slipway/domain/deploy/databases"
import { BucketSimulation, EngineSimulation } from "@slipway/memory/deploy"
import { Context, Deferred, Effect, Fiber } from "effect"
import { pass } from "./support.ts"

/** A change by a process: an operation of an engine, of a bucket or of a store. */
export type ProcessStep = string

/** The operations of stores that change nothing, and those at random times. */
const uncounted: ReadonlySet<string> = new Set(["claim", "executions", "renew", "find", "ofStorage", "ofDatabase"])

/** Runs an effect before each changing method of a store. */
const gated = <Store extends object>(store: Store, pass: (step: ProcessStep) => Effect.Effect<void>): Store =>
  Object.fromEntries(
    Object.entries(store).map(([name, method]) =>
      typeof method !== "function" || uncounted.has(name)
        ? [name, method]
        : [name, (...given: ReadonlyArray<unknown>) => Effect.andThen(pass(name), method(...given))]
    )
  ) as Store

/**
 * Runs a process, kills it before one of its changes as `kill -9` does, and runs it again. Returns the changes before the
 * kill.
 *
 * Nothing of the killed process runs after its kill, neither a finalizer nor the release of a lease.
 */
export const killProcess = Effect.fnUntraced(function* <E, R>(process: Effect.Effect<never, E, R>, after: number) {
  const taken: Array<ProcessStep> = []
  let state: "running" | "killed" | "over" = "running"
  const end = yield* Deferred.make<never>()
  const die = Effect.die("the process was killed")
  const step = (name: ProcessStep) =>
    Effect.suspend(() => {
      if (state === "over") return Effect.void
      if (state === "killed") return die
      if (taken.length === after) {
        state = "killed"
        // A finalizer cannot be interrupted.
        return Deferred.await(end)
      }
      taken.push(name)
      return Effect.void
    })
  yield* (yield* EngineSimulation).onCall((_, operation: keyof Engine) => step(operation))
  yield* (yield* BucketSimulation).onRequest((operation) => step(`s3 ${operation}`))
  const stores = Context.make(BackupStore, gated(yield* BackupStore, step)).pipe(
    Context.add(RestoreStore, gated(yield* RestoreStore, step)),
    Context.add(VolumeBackupStore, gated(yield* VolumeBackupStore, step)),
    Context.add(VolumeRestoreStore, gated(yield* VolumeRestoreStore, step))
  )
  const fiber = yield* Effect.forkScoped(Effect.provideContext(process, stores))
  yield* pass(4)
  state = "killed"
  yield* Deferred.die(end, "the process was killed")
  yield* Fiber.interrupt(fiber)
  state = "over"
  yield* Effect.forkScoped(process)
  yield* pass(4)
  return taken
})

/** Kills a process before each of its changes, in one world for each, and expects the same changes before each kill. */
export const killBeforeEachStep = Effect.fnUntraced(function* <E, R>(
  fewer: number,
  work: (after: number) => Effect.Effect<ReadonlyArray<ProcessStep>, E, R>
) {
  const all = yield* work(Number.POSITIVE_INFINITY)
  assert.isAbove(all.length, fewer, all.join(", "))
  for (const after of all.keys()) {
    const taken = yield* work(after).pipe(
      Effect.catchCause((cause) => Effect.die(new Error(`before step ${after}, ${all[after]}`, { cause })))
    )
    assert.deepStrictEqual(taken, all.slice(0, after))
  }
  return all
})
