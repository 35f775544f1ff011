import { Effect } from "effect"
import { makeUuid } from "../../Ids.ts"
import { now } from "../../Time.ts"
import { authorize, type Caller } from "../access/authorize.ts"
import { reading } from "../access/reading.ts"
import type { Application } from "../applications/Application.ts"
import { DeploymentNotFound, DeploymentUuid } from "./Deployment.ts"
import { DeploymentStore } from "./DeploymentStore.ts"

/** Records that an application is to be deployed; fails when the caller may not deploy. */
export const request = Effect.fnUntraced(function* (caller: Caller, application: Application, serverName: string) {
  yield* authorize(caller, "application.deploy")
  const store = yield* DeploymentStore
  const at = yield* now
  return yield* Effect.orDie(
    store.insert({
      uuid: yield* makeUuid(DeploymentUuid),
      applicationUuid: application.uuid,
      applicationName: application.configuration.name ?? "",
      serverUuid: application.placement.serverUuid,
      serverName,
      destinationUuid: application.placement.destinationUuid,
      commit: application.configuration.git_commit_sha ?? "",
      status: "queued",
      createdAt: at,
      updatedAt: at
    })
  )
})

/** Reads one deployment, a page of them, or all. */
export const { get, list, stream } = reading("deployment", DeploymentStore, () => new DeploymentNotFound())
