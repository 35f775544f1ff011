import { hasEnded } from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { type DeploymentLine, DeploymentLogStore, type DeploymentProgress } from "@slipway/domain/deploy/runtime"
import { Effect, Option, Stream } from "effect"
import { waitForExpiry } from "../../identity/tokens/Tokens.ts"

type Progress = Pick<DeploymentProgress, "status" | "reason">

/** An event of a deployment log stream. */
export type Event =
  | { readonly _tag: "Line"; readonly line: DeploymentLine }
  | ({ readonly _tag: "Status" | "End" } & Progress)

interface Followed extends Progress {
  readonly after: number
  /** Whether the current status was sent to the reader. */
  readonly isTold: boolean
  /** Whether the deployment had ended at the last poll. One more poll is needed for lines stored after that. */
  readonly isOver: boolean
  /** Whether the last poll returned the maximum number of lines, so that more can be read immediately. */
  readonly isFull: boolean
}

const batchSize = 500
const pollInterval = "500 millis"

/** Streams the log lines of a deployment after a given line, and its status changes, until the deployment ends. */
export const follow = (
  proof: Authorized<"deployment.read">,
  after: number
): Stream.Stream<Event, never, Effect.Services<ReturnType<typeof waitForExpiry>> | DeploymentLogStore> => {
  const { reason, status, uuid } = proof.resource.deployment
  const first: Followed = { status, reason, after, isTold: false, isOver: false, isFull: true }
  return Stream.paginate(
    first,
    Effect.fnUntraced(function* (last: Followed) {
      if (!last.isFull) yield* Effect.sleep(pollInterval)
      const seen = yield* (yield* DeploymentLogStore).look(uuid, last.after, batchSize)
      const { lines = [], ...progress } = seen ?? { status: last.status, reason: "the deployment was deleted" }
      const events = lines.map((line): Event => ({ _tag: "Line", line }))
      if (!last.isTold || progress.status !== last.status) events.push({ _tag: "Status", ...progress })
      const isFull = lines.length === batchSize
      if (seen === undefined || (last.isOver && !isFull)) {
        return [[...events, { _tag: "End", ...progress }], Option.none<Followed>()] as const
      }
      const isOver = hasEnded(progress.status)
      const next = { ...progress, after: lines.at(-1)?.id ?? last.after, isTold: true, isOver, isFull }
      return [events, Option.some<Followed>(next)] as const
    })
  ).pipe(Stream.interruptWhen(waitForExpiry(proof)))
}
