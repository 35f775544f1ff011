import { now, Transaction } from "@slipway/domain"
import {
  ApplicationStore,
  approvalExpired,
  awaitsApproval,
  type Deployment,
  DeploymentNotFound,
  DeploymentStore,
  NotAwaitingApproval,
  ServiceStore,
  ServiceUuid
} from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { notifyWorkers } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { record } from "../../identity/audit/record.ts"
import { lockPreview, removeUnapproved } from "../removal/previewRemoval.ts"
import { findRoom } from "./queue.ts"
import { mayStillRequest, noLongerAllowed } from "./requester.ts"
import { markStarted } from "./serviceParts.ts"

type Deciding = Authorized<"deployment.approve" | "deployment.reject">

/** Locks the deployment to approve or reject. Fails if it waits for no approval, or if its approval has expired. */
const lockWaiting = Effect.fnUntraced(function* ({ resource }: Deciding, at: string) {
  const present = yield* (yield* DeploymentStore).lock(resource.deployment.uuid)
  if (present === undefined) return yield* new DeploymentNotFound()
  if (!awaitsApproval(present)) return yield* new NotAwaitingApproval({ status: present.status })
  if ((present.approvalUntil ?? at) <= at) return yield* new NotAwaitingApproval({ status: "expired" })
  return present
})

const cancelled = (present: Deployment, reason: string, at: string): Deployment => ({
  ...present,
  status: "cancelled",
  reason,
  finishedAt: at,
  updatedAt: at
})

/** Locks the service that a deployment starts stopped parts of; undefined if it starts none. */
const lockService = Effect.fnUntraced(function* ({
  deployment: { applicationUuid, startsParts }
}: Deciding["resource"]) {
  if (startsParts.length === 0) return undefined
  return yield* (yield* ServiceStore).lock(ServiceUuid.make(applicationUuid))
})

/** Stores an approved or rejected deployment, with a record in the audit log. */
const decided = Effect.fnUntraced(function* (
  { resource: { application, caller } }: Deciding,
  action: "deployment.approve" | "deployment.reject",
  row: Deployment
) {
  yield* Effect.orDie((yield* DeploymentStore).replace(row))
  if (application !== undefined) {
    const { teamId } = application.placement
    const detail = `${row.action} of ${row.applicationName}${row.status === "cancelled" && row.reason !== null ? `: ${row.reason}` : ""}`
    yield* record(caller, "done", { teamId, action, object: row.uuid, detail })
  }
  if (row.status === "cancelled") yield* removeUnapproved(row)
  return row
})

/**
 * Approves a deployment that waits for an approval, and queues it. Fails if the deployment does not wait for an
 * approval, or if the queue is full.
 *
 * Cancels the deployment instead if the account that requested it no longer has permission to deploy.
 */
export const approve = Effect.fnUntraced(function* (proof: Authorized<"deployment.approve">) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const at = yield* now
      // Requests lock the service before its deployments too.
      const service = yield* lockService(proof.resource)
      const preview = yield* lockPreview(proof.resource.deployment)
      const present = yield* lockWaiting(proof, at)
      const { application } = proof.resource
      if (application === undefined) return yield* new DeploymentNotFound()
      if (!(yield* mayStillRequest(present, application))) {
        return yield* decided(proof, "deployment.approve", cancelled(present, noLongerAllowed, at))
      }
      yield* findRoom(present.serverUuid, [present.applicationUuid])
      if (service !== undefined) yield* markStarted(service, present.startsParts)
      if (preview !== undefined && present.imageTag !== null) {
        const configuration = { ...preview.configuration, docker_registry_image_tag: present.imageTag }
        yield* Effect.orDie((yield* ApplicationStore).replace({ ...preview, configuration, updatedAt: at }))
      }
      const queued = { ...present, approvalUntil: null, reason: null, updatedAt: at }
      yield* notifyWorkers
      return yield* decided(proof, "deployment.approve", queued)
    })
  )
})

/**
 * Rejects a deployment that waits for an approval, and cancels it. Removes a preview that was never deployed. Fails if
 * the deployment does not wait for an approval.
 */
export const reject = Effect.fnUntraced(function* (proof: Authorized<"deployment.reject">) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const at = yield* now
      yield* lockPreview(proof.resource.deployment)
      const present = yield* lockWaiting(proof, at)
      return yield* decided(proof, "deployment.reject", cancelled(present, "rejected", at))
    })
  )
})

/** Cancels the deployments that were not approved in time, and removes previews that were never deployed. */
export const expire = Effect.fnUntraced(function* (at: string) {
  const [store, transaction] = [yield* DeploymentStore, yield* Transaction]
  for (const expired of yield* store.expiredApprovals(at)) {
    yield* transaction.run(
      Effect.gen(function* () {
        yield* lockPreview(expired)
        const present = yield* store.lock(expired.uuid)
        // Another process may have cancelled it since.
        if (present === undefined || !awaitsApproval(present)) return
        yield* Effect.orDie(store.replace(cancelled(present, approvalExpired, at)))
        yield* removeUnapproved(present)
      })
    )
  }
})
