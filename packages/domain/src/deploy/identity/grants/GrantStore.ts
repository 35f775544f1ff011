import { Context, type Effect } from "effect"
import type { Collection } from "../../../Collection.ts"
import type { AccountUuid } from "../accounts/Account.ts"
import type { TeamId } from "../teams/Team.ts"
import type { AccountAccess } from "./Access.ts"
import type { Grant } from "./Grant.ts"

/**
 * Stores the grants of teams.
 *
 * Must:
 * - list only the grants of the given team, in the order of insertion
 * - return the teams of an account and its grants with their capabilities in one call
 * - return the grants of the groups of an account after its own
 * - return nothing for a missing account
 * - remove the grants of a removed place, role or account
 */
export class GrantStore extends Context.Service<
  GrantStore,
  Collection<Grant> & {
    readonly ofTeam: (team: TeamId) => Effect.Effect<ReadonlyArray<Grant>>
    readonly accessOf: (account: AccountUuid) => Effect.Effect<AccountAccess | undefined>
  }
>()("@slipway/domain/deploy/GrantStore") {}
