import { Context, type Effect } from "effect"
import type { Collection } from "../../../Collection.ts"
import type { TeamId } from "../teams/Team.ts"
import type { Role } from "./Role.ts"

/**
 * Stores the custom roles of teams.
 *
 * Must:
 * - list only the roles of the given team, in the order of insertion
 */
export class RoleStore extends Context.Service<
  RoleStore,
  Collection<Role> & { readonly ofTeam: (team: TeamId) => Effect.Effect<ReadonlyArray<Role>> }
>()("@slipway/domain/deploy/RoleStore") {}
