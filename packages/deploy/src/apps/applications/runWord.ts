import type { Application } from "@slipway/domain/deploy/apps"
import { ReleaseStore } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"

import * as Status from "./Status.ts"

/** The run state and the health of an application, in the words that clients of Coolify expect. */
export type RunWord = "running:healthy" | "running:unknown" | "degraded:unhealthy" | "exited:unhealthy"

/** Returns the combined run state and health of an application's containers. */
export const runWordOf = ({ containers, state }: Pick<Status.ApplicationStatus, "containers" | "state">): RunWord => {
  switch (state) {
    case "stopped":
      return "exited:unhealthy"
    case "degraded":
      return "degraded:unhealthy"
    case "unknown":
      return "running:unknown"
    case "running":
      return containers.every(({ health }) => health === "healthy") ? "running:healthy" : "running:unknown"
  }
}

/**
 * Returns a function from an application to its run state according to the database, without a request to its server.
 * The stored state shows whether a release serves, but not its health.
 */
export const storedRunWords = Effect.fnUntraced(function* (applications: ReadonlyArray<Pick<Application, "uuid">>) {
  const serving = yield* (yield* ReleaseStore).servingOf(applications.map(({ uuid }) => uuid))
  const found = new Map<ApplicationUuid, RunWord>(
    serving.map(({ applicationUuid, degraded }) => [
      applicationUuid,
      degraded === null ? "running:unknown" : "degraded:unhealthy"
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
    Effect.map(runWordOf),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.map(storedRunWords([application]), (wordOf) => wordOf(application))
    })
  )
})
