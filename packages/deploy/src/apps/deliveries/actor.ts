import type { Application } from "@slipway/domain/deploy/apps"
import type { Caller } from "@slipway/domain/deploy/entry"
import { accountAccess, GrantStore, ownerAccess } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"

/**
 * Returns the caller that the automatic deployments of an application act as (invariant I7): it may change and deploy
 * what its owner may, and reads no secret.
 *
 * Without an owner, it may change and deploy the project of the application. Undefined if the owner is disabled or
 * deleted.
 */
export const actorOf = Effect.fnUntraced(function* ({ ownerUuid, placement }: Application) {
  const { projectUuid, teamId } = placement
  const caller = { tokenUuid: "repository link", abilities: ["write", "deploy"], accountUuid: ownerUuid } as const
  if (ownerUuid === null) return { ...caller, access: ownerAccess(teamId, [projectUuid]) } satisfies Caller
  const found = yield* (yield* GrantStore).accessOf(ownerUuid)
  if (found === undefined || found.isDisabled) return undefined
  return { ...caller, access: accountAccess(found, teamId, [projectUuid]) } satisfies Caller
})
