import { Effect } from "effect"
import { makeUuid } from "../../Ids.ts"
import { type Page, type PageRequest, windowOf } from "../../Page.ts"
import { now } from "../../Time.ts"
import { type Authorized, authorize, type Caller } from "../access/authorize.ts"
import type { Application } from "../applications/Application.ts"
import { type Deployment, DeploymentNotFound, DeploymentUuid } from "./Deployment.ts"
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

/** Reads one deployment. */
export const get = Effect.fnUntraced(function* (_: Authorized<"deployment.read">, uuid: string) {
  const found = yield* (yield* DeploymentStore).find(DeploymentUuid.make(uuid, { disableChecks: true }))
  return found ?? (yield* new DeploymentNotFound())
})

/** Lists a page of all deployments, oldest first. */
export const list = Effect.fnUntraced(function* (_: Authorized<"deployment.list">, page: PageRequest) {
  const store = yield* DeploymentStore
  const rows = yield* store.list(windowOf(page))
  return { rows, total: yield* store.count } satisfies Page<Deployment>
})
