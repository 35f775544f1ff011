import { Context, type Effect } from "effect"
import type { Deployment, DeploymentUuid } from "../deployments/Deployment.ts"

/** One line of the log of a deployment. */
export interface DeploymentLine {
  readonly id: number
  readonly at: string
  readonly stream: "stdout" | "stderr"
  readonly text: string
}

/** How far a deployment has come, and the next lines of its log. */
export interface DeploymentLook extends Pick<Deployment, "status" | "reason"> {
  readonly lines: ReadonlyArray<DeploymentLine>
}

/** How many lines of a deployment are kept, the first ones. */
export const mostLines = 10_000

/**
 * Keeps the logs of deployments.
 *
 * Must:
 * - give the lines of one deployment after one of them, in order
 * - say how far a deployment has come, together with its lines
 */
export class DeploymentLogStore extends Context.Service<
  DeploymentLogStore,
  {
    readonly append: (
      deployment: DeploymentUuid,
      lines: ReadonlyArray<Omit<DeploymentLine, "id">>
    ) => Effect.Effect<void>
    readonly page: (
      deployment: DeploymentUuid,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DeploymentLine>>
    /** Reads a page and the status at once; nothing when there is no such deployment. */
    readonly look: (
      deployment: DeploymentUuid,
      after: number,
      limit: number
    ) => Effect.Effect<DeploymentLook | undefined>
  }
>()("@slipway/domain/deploy/DeploymentLogStore") {}
