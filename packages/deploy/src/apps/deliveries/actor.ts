import type { Application } from "@slipway/domain/deploy/apps"
import type { Caller } from "@slipway/domain/deploy/entry"
import { type AccountUuid, accountAccess, GrantStore, ownerAccess, type TeamId } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"

/** Returns an account as a caller in a team, in all or the given projects; undefined if it is disabled or deleted. */
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
 * Returns the caller as which automatic deployments of an application run (invariant I7). It may change and deploy what
 * the application's owner may, but cannot read secrets.
 *
 * Without an owner, it may change and deploy the resources of the application's project. Returns undefined if the owner
 * is disabled or deleted.
 */
export const actorOf = Effect.fnUntraced(function* ({ ownerUuid, placement }: Application) {
  const { projectUuid, teamId } = placement
  const acting = { tokenUuid: "repository link", abilities: ["write", "deploy"] } as const
  if (ownerUuid !== null) return yield* accountCaller(acting, ownerUuid, teamId, [projectUuid])
  return { ...acting, accountUuid: null, access: ownerAccess(teamId, [projectUuid]) } satisfies Caller
})
