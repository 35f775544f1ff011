import { Context, type Effect } from "effect"
import type { Deployment } from "../../apps/deployments/Deployment.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"

/** One line of the log of a deployment. */
export interface DeploymentLine {
  readonly id: number
  readonly at: string
  readonly stream: "stdout" | "stderr"
  readonly text: string
}

/** The progress of a deployment, and the next lines of its log. */
export interface DeploymentProgress extends Pick<Deployment, "status" | "reason"> {
  readonly lines: ReadonlyArray<DeploymentLine>
}

/** The maximum number of stored log lines of a deployment; later lines are not stored. */
export const mostLines = 10_000

/** The limits for the last lines of a log to return. */
export interface TailRequest {
  /** The maximum number of lines. */
  readonly lines: number
  /** The maximum total length of the lines, in characters. */
  readonly characters: number
}

/** The number of newest deployments of an application with stored log lines; older logs are deleted. */
export const mostLogs = 100

/**
 * Stores the logs of deployments.
 *
 * Must:
 * - return the lines of one deployment after a given line, in order
 * - return the last lines of several deployments in one call
 * - return at most the requested number of characters per deployment
 * - return the status of a deployment together with its lines
 * - delete the log lines of an application's deployments, except for the newest deployments
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
    /** Returns the last log lines of each deployment, oldest first. */
    readonly tails: (
      deployments: ReadonlyArray<DeploymentUuid>,
      wanted: TailRequest
    ) => Effect.Effect<ReadonlyMap<DeploymentUuid, ReadonlyArray<DeploymentLine>>>
    readonly prune: (application: ApplicationUuid, keptDeployments: number) => Effect.Effect<void>
    /**
     * Reads a page of log lines and the status of a deployment together; undefined if the deployment does not exist.
     */
    readonly look: (
      deployment: DeploymentUuid,
      after: number,
      limit: number
    ) => Effect.Effect<DeploymentProgress | undefined>
  }
>()("@slipway/domain/deploy/DeploymentLogStore") {}
