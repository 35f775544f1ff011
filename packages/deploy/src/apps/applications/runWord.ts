import type { Application } from "@slipway/domain/deploy/apps"
import { ReleaseStore } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"

import * as Status from "./Status.ts"

/** The run state and the health of an application, in the words that clients of Coolify expect. */
export type RunWord =
  | "running:healthy"
  | "running:unhealthy"
  | "running:unknown"
  | "degraded:unhealthy"
  | "exited:unhealthy"

/** Returns the combined run state and health of an application's containers. */
export const runWordOf = ({ containers, state }: Pick<Status.ApplicationStatus, "containers" | "state">): RunWord => {
  switch (state) {
    case "stopped":
      return "exited:unhealthy"
    case "degraded":
      return Status.isOnlyUnhealthy(containers) ? "running:unhealthy" : "degraded:unhealthy"
    case "unknown":
      return "running:unknown"
    case "running":
      return containers.every(({ health }) => health === "healthy") ? "running:healthy" : "running:unknown"
  }
}

/** Returns the run state words of several applications from stored data: whether a release serves, and known problems. */
export const storedRunWords = Effect.fnUntraced(function* (applications: ReadonlyArray<Pick<Application, "uuid">>) {
  const serving = yield* (yield* ReleaseStore).servingOf(applications.map(({ uuid }) => uuid))
  const found = new Map<ApplicationUuid, RunWord>(
    serving.map(({ applicationUuid, degraded, unhealthy }) => [
      applicationUuid,
      degraded === null ? (unhealthy === null ? "running:unknown" : "running:unhealthy") : "degraded:unhealthy"
    ])
  )
  return ({ uuid }: Pick<Application, "uuid">): RunWord => found.get(uuid) ?? "exited:unhealthy"
})

const timeout = "2 seconds"

/**
 * Reads the state of an application's containers from its server. Returns the stored state if the server does not
 * respond within two seconds.
 */
export const runWord = Effect.fnUntraced(function* (proof: Authorized<"application.read" | "service.read">) {
  const { application } = proof.resource
  return yield* Status.read(proof).pipe(
    Effect.map(({ containers, serving, state }) => {
      const serves = containers.filter(({ owner }) => owner.deployment === serving?.serving.deploymentUuid)
      return runWordOf({ state, containers: serves })
    }),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.map(storedRunWords([application]), (wordOf) => wordOf(application))
    })
  )
})
