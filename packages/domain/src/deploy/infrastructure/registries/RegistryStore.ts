import { Context, type Effect } from "effect"
import type { VisibleCollection } from "../../identity/grants/Visible.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { Registry } from "./Registry.ts"

/**
 * Stores the credentials of teams for container registries; a team has one entry for each registry or namespace.
 *
 * Must:
 * - list only the registries of the given team, in the order of insertion
 */
export class RegistryStore extends Context.Service<
  RegistryStore,
  VisibleCollection<Registry> & { readonly ofTeam: (team: TeamId) => Effect.Effect<ReadonlyArray<Registry>> }
>()("@slipway/domain/deploy/RegistryStore") {}
