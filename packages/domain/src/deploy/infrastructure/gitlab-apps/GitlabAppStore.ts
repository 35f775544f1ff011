import { Context, type Effect } from "effect"
import type { VisibleCollection } from "../../identity/grants/Visible.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { GitlabApp } from "./GitlabApp.ts"

/**
 * Stores GitLab apps.
 *
 * Must:
 * - list only the GitLab apps of the given team, in the order of insertion
 */
export class GitlabAppStore extends Context.Service<
  GitlabAppStore,
  VisibleCollection<GitlabApp> & { readonly ofTeam: (team: TeamId) => Effect.Effect<ReadonlyArray<GitlabApp>> }
>()("@slipway/domain/deploy/GitlabAppStore") {}
