import { assert, describe, it } from "@effect/vitest"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Cause, Effect, Fiber } from "effect"
import { isTried } from "../../../../../../scripts/vitest/runs.ts"
import { Gate, type Step, server, startWorker, type WorkerStep } from "./support.ts"

/** A failure during the work of a worker. */
export type InjectedFailure = "killed" | "unreachable"

const troubles: ReadonlyArray<readonly [title: string, trouble: InjectedFailure]> = [
  ["is killed", "killed"],
  ["can't reach its server for a while", "unreachable"]
]

/** The step before which a failure happens. */
export interface Before {
  readonly trouble: InjectedFailure
  /** The number of steps before the failure. */
  readonly after: number
  /** The deployment of the state in each step. */
  readonly deployment: DeploymentUuid
  /** Steps at random times, which are not counted. */
  readonly uncounted?: ReadonlyArray<Step>
}

/** Injects a failure before a later step of any worker. `end` ends the failure, and replaces a killed worker. */
export const bring = Effect.fnUntraced(function* ({ after, deployment, trouble, uncounted = [] }: Before) {
  const simulation = yield* EngineSimulation
  const taken: Array<WorkerStep> = []
  let isOver = false
  yield* (yield* Gate).guard(deployment, (next) =>
    Effect.suspend(() => {
      if (isOver || uncounted.includes(next.step)) return Effect.void
      if (taken.length < after) {
        taken.push(next)
        return Effect.void
      }
      isOver = trouble === "unreachable"
      return isOver ? simulation.cutOff(server, "the cable is cut") : Effect.never
    })
  )
  const end = Effect.fnUntraced(function* (worker: Fiber.Fiber<unknown, unknown>) {
    if (trouble === "unreachable") return yield* simulation.cutOff(server, null)
    yield* Fiber.interrupt(worker)
    isOver = true
    yield* startWorker()
  })
  return { taken, end }
})

/** Work with an injected failure. */
interface Work<Kind> {
  readonly kinds: ReadonlyArray<Kind>
  /** Does all work with a failure after `after` steps, and returns the steps before the failure. */
  readonly work: (
    kind: Kind,
    after: number,
    trouble: InjectedFailure
  ) => Effect.Effect<ReadonlyArray<WorkerStep>, unknown>
  /** A lower bound of the number of steps. */
  readonly fewer: (kind: Kind) => number
  /** Whether a step needs no test next to the previous one. */
  readonly isRepeated?: (step: WorkerStep | undefined, before: WorkerStep | undefined) => boolean
  /** The timeout for all steps of a kind, in milliseconds. */
  readonly timeout?: number
}

/** Tests that the work ends correctly with a failure before each step, and takes the same steps before the failure. */
export const describeFailures = <Kind extends { readonly title: string }>({
  fewer,
  isRepeated = () => false,
  kinds,
  timeout,
  work
}: Work<Kind>) =>
  describe("a failure before any step", () => {
    for (const [turn, [what, trouble]] of troubles.entries()) {
      for (const [at, kind] of kinds.entries()) {
        const tried = Effect.gen(function* () {
          const all = yield* work(kind, Number.POSITIVE_INFINITY, trouble)
          assert.isAbove(all.length, fewer(kind))
          for (const [after, step] of all.entries()) {
            // One half of the steps gets one failure, the other half the other. A thorough run tests all.
            if (!isTried(2, turn, at, after) || isRepeated(step, all[after - 1])) continue
            const taken = yield* work(kind, after, trouble).pipe(
              Effect.catchCause((cause) =>
                Effect.die(new Error(`at step ${after}, ${JSON.stringify(step)}`, { cause: Cause.squash(cause) }))
              )
            )
            assert.deepStrictEqual(taken, all.slice(0, after))
          }
        })
        it.effect(`${kind.title} when its worker ${what} before any step`, () => tried, timeout)
      }
    }
  })
