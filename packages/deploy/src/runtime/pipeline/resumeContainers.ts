import type { Plan } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { type DeployContext, isPassing } from "./deployContext.ts"
import { isDone, refOf } from "./execute.ts"

/**
 * Starts the containers of a resumed deployment that ended with their engine; running and completed ones stay as they are.
 *
 * A failure is left to the steps that follow.
 */
export const resumeContainers = Effect.fnUntraced(function* ({ engine }: DeployContext, plan: Plan) {
  for (const planned of plan.containers) {
    const ref = refOf(plan, planned)
    const resumed = Effect.gen(function* () {
      const details = yield* engine.inspect(ref)
      const isDown = details.state === "exited" || details.state === "dead"
      if (isDown && !isDone(planned, details)) yield* engine.start(ref)
    })
    yield* Effect.catchIf(
      resumed,
      (error) => !isPassing(error),
      () => Effect.void
    )
  }
})
