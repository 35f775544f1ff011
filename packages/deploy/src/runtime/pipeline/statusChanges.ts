import { Transaction } from "@slipway/domain"
import {
  type Application,
  ApplicationStore,
  type Deployment,
  DeploymentStore,
  ReleaseStore,
  type ServingRelease
} from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import { type Database, DatabaseStore, type DatabaseWork } from "@slipway/domain/deploy/databases"
import { deploymentMessage, statusMessage } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { deployCopies } from "../../apps/deployments/copies.ts"
import {
  clearCondition,
  raiseCondition,
  recordNotification,
  topicOf
} from "../../infrastructure/notifications/record.ts"

/** Returns the resource type to show for an application: one that runs a service is shown as the service. */
const resourceOf = ({ variant }: Pick<Application, "variant">) => (variant === "service" ? "service" : "application")

/**
 * Stores a finished deployment, and queues its notifications and the deployments at additional destinations. Returns
 * false if another worker has the lease.
 */
export const saveEnd = Effect.fnUntraced(function* (ended: Deployment, worker: string) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      if (!(yield* (yield* DeploymentStore).save(ended, worker))) return false
      const application = yield* (yield* ApplicationStore).find(ended.applicationUuid)
      if (application === undefined) return true
      const { teamId } = application.placement
      const message = deploymentMessage(ended)
      if (message !== undefined) yield* recordNotification(teamId, message)
      const { action, applicationName: name, applicationUuid: uuid, status } = ended
      if (status === "finished") {
        const isRunning = action !== "stop"
        const restored = isRunning ? statusMessage(resourceOf(application), { name, uuid }, "running") : null
        yield* clearCondition(teamId, topicOf("application", uuid), restored)
        if (isRunning) yield* deployCopies(ended)
      }
      return true
    })
  )
})

/** The ways in which the containers of a release can fail, with the statuses that notifications name. */
const problems = {
  degraded: { store: "degrade", other: "unhealthy", solved: "running" },
  unhealthy: { store: "setUnhealthy", other: "degraded", solved: "healthy" }
} as const

/**
 * Stores whether the containers of an application's release have a problem, and queues a notification of a change:
 * `degraded` if they do not run as they should, `unhealthy` if their health checks fail.
 */
export const saveProblem = Effect.fnUntraced(function* (
  problem: keyof typeof problems,
  serving: ServingRelease,
  application: Application,
  because: string | null
) {
  const { other, solved, store } = problems[problem]
  const {
    configuration,
    placement: { teamId },
    uuid
  } = application
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const releases = yield* ReleaseStore
      yield* releases[store](serving, because)
      // A deployment that replaced it meanwhile has its own status.
      const present = yield* releases.serving(uuid)
      if (present?.deploymentUuid !== serving.deploymentUuid) return
      const status = because === null ? solved : problem
      const message = statusMessage(resourceOf(application), { name: configuration.name ?? "", uuid }, status)
      const topic = topicOf("application", uuid)
      if (because !== null) yield* raiseCondition(teamId, topic, message)
      else if (present[other] === null) yield* clearCondition(teamId, topic, message)
    })
  )
})

/** Stores whether the container of a database is healthy, with a notification of the change. */
export const saveDatabaseUnhealthy = Effect.fnUntraced(function* (
  { name, placement: { teamId }, uuid }: Database,
  run: DeploymentUuid,
  because: string | null
) {
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* DatabaseStore
      yield* store.setUnhealthy(uuid, run, because)
      if ((yield* store.find(uuid))?.servingUuid !== run) return
      const topic = topicOf("database", uuid)
      const message = statusMessage("database", { name, uuid }, because === null ? "healthy" : "unhealthy")
      yield* because === null ? clearCondition(teamId, topic, message) : raiseCondition(teamId, topic, message)
    })
  )
})

/**
 * Stores the result of a requested database action, and queues a notification if the status changed.
 *
 * Returns false if another worker has the lease of the request.
 */
export const saveDatabaseEnd = Effect.fnUntraced(function* (
  work: DatabaseWork,
  { action, name, placement: { teamId }, uuid }: Database,
  facts: Pick<Database, "certificateExpiresAt" | "reason" | "servingUuid" | "state" | "updatedAt">
) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      if (!(yield* (yield* DatabaseStore).save(work, facts))) return false
      const topic = topicOf("database", uuid)
      const report = (status: "degraded" | "failed" | "running") => statusMessage("database", { name, uuid }, status)
      if (facts.state === "done") yield* clearCondition(teamId, topic, action === "stop" ? null : report("running"))
      else if (action !== "stop")
        yield* raiseCondition(teamId, topic, report(action === "repair" ? "degraded" : "failed"))
      return true
    })
  )
})
