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
export interface DeploymentLook extends Pick<Deployment, "status" | "reason"> {
  readonly lines: ReadonlyArray<DeploymentLine>
}

/** The number of stored lines of a deployment, counted from the first. */
export const mostLines = 10_000

/** The requested part of the end of a log. */
export interface TailWanted {
  /** The maximum number of lines. */
  readonly lines: number
  /** The maximum total length of their texts, in characters. */
  readonly characters: number
}

/** The number of an application's deployments with stored lines, counted from the newest. */
export const mostLogs = 100

/**
 * Keeps the logs of deployments.
 *
 * Must:
 * - give the lines of one deployment after one of them, in order
 * - give the last lines of several deployments at once
 * - give of each deployment no more characters than are wanted
 * - say how far a deployment has come, together with its lines
 * - forget the lines of all deployments of an application but the newest
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
    /** Gives the last lines of each deployment, in order. */
    readonly tails: (
      deployments: ReadonlyArray<DeploymentUuid>,
      wanted: TailWanted
    ) => Effect.Effect<ReadonlyMap<DeploymentUuid, ReadonlyArray<DeploymentLine>>>
    readonly prune: (application: ApplicationUuid, kept: number) => Effect.Effect<void>
    /** Reads a page and the status in one query; undefined when the deployment does not exist. */
    readonly look: (
      deployment: DeploymentUuid,
      after: number,
      limit: number
    ) => Effect.Effect<DeploymentLook | undefined>
  }
>()("@slipway/domain/deploy/DeploymentLogStore") {}
