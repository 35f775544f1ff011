import type { Caller } from "@slipway/domain/deploy/entry"
import {
  AccountNotFound,
  AccountStore,
  AccountUuid,
  GrantNotFound,
  GrantStore,
  GrantUuid,
  InvitationNotFound,
  InvitationStore,
  InvitationUuid,
  RoleNotFound,
  RoleStore,
  RoleUuid,
  TeamId,
  TeamNotFound,
  TokenNotFound,
  TokenStore,
  TokenUuid,
  teamOf
} from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import * as Teams from "../../administration/teams/Teams.ts"
import { by, type NamedInPath, one, withTeam } from "./finders.ts"
import type { PathKinds } from "./PathKinds.ts"

const teamNumber = /^(?:0|[1-9][0-9]{0,14})$/

/** The functions that find accounts, teams and the roles of teams by path parameters. */
export const identityKinds = {
  account: {
    find: ({ uuid }: NamedInPath) => one("account")(by(AccountStore, AccountUuid)(uuid)),
    missing: () => new AccountNotFound()
  },
  grant: {
    find: ({ grant }: NamedInPath) =>
      withTeam(one("grant")(by(GrantStore, GrantUuid)(grant)), (found) => found.grant.teamId),
    missing: () => new GrantNotFound()
  },
  invitation: {
    find: ({ invitation }: NamedInPath) =>
      withTeam(one("invitation")(by(InvitationStore, InvitationUuid)(invitation)), (found) => found.invitation.teamId),
    missing: () => new InvitationNotFound()
  },
  role: {
    find: ({ role }: NamedInPath) => withTeam(one("role")(by(RoleStore, RoleUuid)(role)), (found) => found.role.teamId),
    missing: () => new RoleNotFound()
  },
  team: {
    // Without a number, returns the team of the caller.
    find: ({ id }: NamedInPath, { access }: Caller) =>
      id === undefined || id === "current"
        ? one("team")(Teams.find(teamOf(access)))
        : teamNumber.test(id)
          ? one("team")(Teams.find(TeamId.make(Number(id))))
          : Effect.undefined,
    missing: () => new TeamNotFound()
  },
  token: {
    find: ({ uuid }: NamedInPath) => one("token")(by(TokenStore, TokenUuid)(uuid)),
    missing: () => new TokenNotFound()
  }
} satisfies Partial<PathKinds>
