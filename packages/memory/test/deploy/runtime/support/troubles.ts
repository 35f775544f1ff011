import { assert, describe, it } from "@effect/vitest"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Cause, Effect, Fiber } from "effect"
import { isTried } from "../../../../../../scripts/vitest/runs.ts"
import { Gate, type Step, server, startWorker, type Taken } from "./support.ts"

/** What comes over workers in the middle of their work. */
export type Trouble = "killed" | "unreachable"

const troubles: ReadonlyArray<readonly [title: string, trouble: Trouble]> = [
  ["is killed", "killed"],
  ["can't reach its server for a while", "unreachable"]
]

/** Which step a trouble comes before. */
export interface Before {
  readonly trouble: Trouble
  /** How many steps are taken before it. */
  readonly after: number
  /** The deployment by whose states steps are told apart. */
  readonly deployment: DeploymentUuid
  /** Steps that are taken at no certain moment, and aren't counted. */
  readonly uncounted?: ReadonlyArray<Step>
}

/** Lets a trouble come before a step of whoever works from now on; `end` ends it, and a killed worker has a successor. */
export const bring = Effect.fnUntraced(function* ({ after, deployment, trouble, uncounted = [] }: Before) {
  const simulation = yield* EngineSimulation
  const taken: Array<Taken> = []
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

/** Work that a trouble comes over. */
interface Work<Kind> {
  readonly kinds: ReadonlyArray<Kind>
  /** Works until all is over, with a trouble after some steps, and returns the steps that were taken before it. */
  readonly work: (kind: Kind, after: number, trouble: Trouble) => Effect.Effect<ReadonlyArray<Taken>, unknown>
  /** How many steps are fewer than the work takes. */
  readonly fewer: (kind: Kind) => number
  /** Whether a step is as good as the one before it. */
  readonly isRepeated?: (step: Taken | undefined, before: Taken | undefined) => boolean
  /** How many milliseconds the steps of a kind have. */
  readonly timeout?: number
}

/** Describes that a worker ends its work whatever comes over it before each step, by the same steps up to there. */
export const describeTroubles = <Kind extends { readonly title: string }>({
  fewer,
  isRepeated = () => false,
  kinds,
  timeout,
  work
}: Work<Kind>) =>
  describe("a worker", () => {
    for (const [turn, [what, trouble]] of troubles.entries()) {
      for (const [at, kind] of kinds.entries()) {
        const tried = Effect.gen(function* () {
          const all = yield* work(kind, Number.POSITIVE_INFINITY, trouble)
          assert.isAbove(all.length, fewer(kind))
          for (const [after, step] of all.entries()) {
            // Half of the steps with each trouble, the other half with the other; a run of many cases has all.
            if (!isTried(2, turn, at, after) || isRepeated(step, all[after - 1])) continue
            const taken = yield* work(kind, after, trouble).pipe(
              Effect.catchCause((cause) =>
                Effect.die(new Error(`at step ${after}, ${JSON.stringify(step)}`, { cause: Cause.squash(cause) }))
              )
            )
            assert.deepStrictEqual(taken, all.slice(0, after))
          }
        })
        it.effect(`that ${what} before any step of ${kind.title}`, () => tried, timeout)
      }
    }
  })
