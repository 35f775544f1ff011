import type { Application, Deployment } from "@slipway/domain/deploy/apps"
import { decideAccess } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { accountCaller } from "../deliveries/actor.ts"

/** The reason of a deployment with a requester that lost the permission. */
export const noLongerAllowed = "the account that requested it may no longer deploy"

/** Returns whether the account that requested a deployment may still request it (invariant I7). */
export const mayStillRequest = Effect.fnUntraced(function* (
  { requestedBy }: Pick<Deployment, "requestedBy">,
  application: Application
) {
  if (requestedBy === null) return true
  const acting = { tokenUuid: "deployment request", abilities: ["deploy"] } as const
  const caller = yield* accountCaller(acting, requestedBy, application.placement.teamId)
  return caller !== undefined && decideAccess(caller, "application.deploy.request", { application }).allowed
})
