import type { Application } from "@slipway/domain/deploy/apps"
import type { Caller } from "@slipway/domain/deploy/entry"
import { type AccountUuid, accountAccess, GrantStore, ownerAccess, type TeamId } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"

/** Returns an account as a caller in a team, in all projects or the given ones; undefined if it is disabled or deleted. */
export const accountCaller = Effect.fnUntraced(function* (
  acting: Pick<Caller, "abilities" | "tokenUuid">,
  accountUuid: AccountUuid,
  teamId: TeamId,
  projects: ReadonlyArray<string> | null = null
) {
  const found = yield* (yield* GrantStore).accessOf(accountUuid)
  if (found === undefined || found.isDisabled) return undefined
  return { ...acting, accountUuid, access: accountAccess(found, teamId, projects) } satisfies Caller
})

/**
 * Returns the caller that the automatic deployments of an application act as (invariant I7): it may change and deploy
 * what its owner may, and reads no secret.
 *
 * Without an owner, it may change and deploy the project of the application. Undefined if the owner is disabled or
 * deleted.
 */
export const actorOf = Effect.fnUntraced(function* ({ ownerUuid, placement }: Application) {
  const { projectUuid, teamId } = placement
  const acting = { tokenUuid: "repository link", abilities: ["write", "deploy"] } as const
  if (ownerUuid !== null) return yield* accountCaller(acting, ownerUuid, teamId, [projectUuid])
  return { ...acting, accountUuid: null, access: ownerAccess(teamId, [projectUuid]) } satisfies Caller
})
