import { Context, type Effect } from "effect"
import type { Collection } from "../../../Collection.ts"
import type { AccountUuid } from "../accounts/Account.ts"
import type { TeamId } from "../teams/Team.ts"
import type { Invitation } from "./Invitation.ts"

/**
 * Stores invitations to teams.
 *
 * Must:
 * - list only the invitations of the given team, in the order of insertion
 * - list only the invitations of the given account, in the order of insertion
 */
export class InvitationStore extends Context.Service<
  InvitationStore,
  Collection<Invitation> & {
    readonly ofTeam: (team: TeamId) => Effect.Effect<ReadonlyArray<Invitation>>
    readonly ofAccount: (account: AccountUuid) => Effect.Effect<ReadonlyArray<Invitation>>
  }
>()("@slipway/domain/deploy/InvitationStore") {}
