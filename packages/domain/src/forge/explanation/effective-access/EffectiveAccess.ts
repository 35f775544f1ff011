import { compile, Level, levels } from "@slipway/access"
import { memoize } from "../../../memoize.ts"
import type { RepositoryFacts, SiteFacts, SwitchFacts } from "../../access/facts/facts.ts"
import { fullScope, scopeOf } from "../../access/facts/Scope.ts"
import { siteFactsOf } from "../../access/facts/siteFacts.ts"
import { isAdminUnits, type Unit, type Units, unitKeys } from "../../access/facts/Unit.ts"
import { givesOnRepository } from "../../access/grants.ts"
import { repositoryLevel, unitLevel } from "../../access/levels.ts"
import { load } from "../../access/load.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import {
  type ComparableRow,
  comparableRowOf,
  grantsOfTeams,
  haveSameFacts,
  type NamedRepository,
  type RepositoryGrants,
  type RepositoryWithGrants,
  repositoryFacts
} from "../../code/repositories/grants.ts"
import type { Repository } from "../../code/repositories/Repository.ts"
import { callerFacts } from "../../identity/actors/Actor.ts"
import type { Team } from "../../identity/teams/Team.ts"
import type { User } from "../../identity/users/User.ts"
import { scopesOfJob } from "../../identity/viewers/JobTask.ts"
import type { Viewer } from "../../identity/viewers/Viewer.ts"

/** A user and a repository with the stored access between them. */
export interface AccessPair {
  readonly user: User
  readonly repository: Repository
  /** Whether the user is in a team of the organization that owns the repository. */
  readonly member: boolean
  readonly collaborator: Level
  /** The user's teams with access to the repository, including the Owners team, in insertion order. */
  readonly teams: ReadonlyArray<Pick<Team, "id" | "name" | "owners" | "units">>
}

/** Returns the grants of a pair's user on its repository, as in decisions on requests. */
export const grantsOfPair = ({ collaborator, member, teams }: AccessPair): RepositoryGrants => ({
  membership: { member, owner: teams.some((team) => team.owners) },
  collaborator,
  ...grantsOfTeams(teams.filter((team) => !team.owners))
})

const jobScope = scopeOf(scopesOfJob(Level.write))

/** Returns the viewer for a user, as if signed in with a password. */
export const asViewer = (user: User): Viewer => ({
  facts: callerFacts(user, fullScope, { withPassword: true, sudo: false }),
  userId: user.id
})

/** Returns the account that jobs share, as a job that pushed to a repository: the token permits the same actions. */
export const asJob = (account: User, repositoryId: RepositoryId): Viewer => ({
  facts: callerFacts(account, jobScope, { withPassword: false, sudo: false, job: true }),
  userId: account.id,
  // The id of the job has no effect.
  task: { jobId: 0, repositoryId, level: Level.write }
})

/** Returns the facts that decide a user's permissions on a repository, given the viewer for that user. */
export const pairFacts = (
  switches: SwitchFacts,
  pair: AccessPair,
  viewer: Viewer = asViewer(pair.user)
): RepositoryFacts => repositoryFacts(viewer, switches, { repository: pair.repository, grants: grantsOfPair(pair) })

/** The level on the entire repository, and on each open unit. */
export interface Levels {
  readonly permission: Level
  readonly units: Units
}

/** Returns the levels on a repository from facts. */
export const levelsOf = (facts: RepositoryFacts): Levels => {
  const loaded = load("repository", facts)
  const units: { [U in Unit]?: Level } = {}
  for (const unit of unitKeys) {
    const level = unitLevel(loaded, unit)
    if (level !== Level.none) units[unit] = level
  }
  return { permission: repositoryLevel(loaded), units }
}

type FoundRepository = RepositoryWithGrants & Partial<Pick<NamedRepository, "blocked">>

/** The caller of a request for levels, with the repository and the deciding facts of the request, if any. */
export interface LevelsRequest extends Partial<RepositoryWithGrants> {
  readonly actor: Viewer
  readonly facts?: RepositoryFacts
}

/** The levels of a decision, with the facts that led to it, except those of the caller. */
interface DecidedLevels {
  readonly row: ComparableRow
  readonly levels: Levels
}

/** The maximum number of cached decisions for callers with equal facts. */
const mostDecided = 30
const decidedFor = memoize((_: SiteFacts): Array<DecidedLevels> => [], 1_000)

/**
 * Returns a function that computes the levels of a user on repositories.
 *
 * Few combinations of facts differ between rows and callers, so decisions are cached by facts. The repository of the
 * request itself already has its facts, unless it was changed since.
 */
export const levelsFor = (asking: LevelsRequest, switches: SwitchFacts): ((held: FoundRepository) => Levels) => {
  const { actor: viewer, facts } = asking
  const decided = decidedFor(siteFactsOf(switches, viewer.facts))
  const factsOf = (held: FoundRepository) =>
    facts !== undefined && held.repository === asking.repository && held.grants === asking.grants
      ? facts
      : repositoryFacts(viewer, switches, held)
  return (held) => {
    const row = comparableRowOf(viewer, held)
    const same = decided.find((other) => haveSameFacts(row, other.row))
    if (same !== undefined) return same.levels
    const levels = levelsOf(factsOf(held))
    if (decided.length >= mostDecided) decided.length = 0
    decided.push({ row, levels })
    return levels
  }
}

/**
 * Returns the level that clients rely on for pushes: the role of administrators and owners, otherwise the level on
 * code.
 *
 * Source: decisions, "Words of permission".
 */
export const roleOf = ({ permission, units }: Levels): Level =>
  permission >= Level.admin ? permission : (units["repo.code"] ?? Level.none)

/** A rule that grants a level, with the teams through which it applies. */
export interface GrantingRule {
  readonly rule: string
  readonly because: string
  readonly teams: ReadonlyArray<string>
}

/** The level of a user on one unit, and the rules that grant it. */
export interface EffectiveUnitAccess {
  readonly level: Level
  readonly by: ReadonlyArray<GrantingRule>
}

/** The effective access of a user to a repository. */
export interface EffectiveAccess {
  readonly user: User
  readonly repository: Repository
  readonly permission: Level
  readonly units: { readonly [U in Unit]?: EffectiveUnitAccess }
}

const giving = new Map(
  unitKeys.map((unit) => [
    unit,
    levels.map((level) => givesOnRepository(level, unit).map((rule) => ({ ...rule, holds: compile(rule.when) })))
  ])
)

const teamsBehind = (rule: string, { teams }: AccessPair, unit: Unit, level: Level): ReadonlyArray<string> => {
  const behind: Readonly<Record<string, (team: AccessPair["teams"][number]) => boolean>> = {
    "repository.organization-owner": (team) => team.owners,
    "repository.team-admin": (team) => !team.owners && isAdminUnits(team.units),
    "repository.team": (team) => !team.owners && (team.units[unit] ?? Level.none) >= level
  }
  return teams.filter((team) => behind[rule]?.(team) ?? false).map((team) => team.name)
}

/** Returns the effective access of a user to a repository, unit by unit, with the granting rules. */
export const effectiveAccessOf = (switches: SwitchFacts, pair: AccessPair): EffectiveAccess => {
  const facts = pairFacts(switches, pair)
  const { permission, units } = levelsOf(facts)
  const why = (unit: Unit, level: Level): EffectiveUnitAccess => ({
    level,
    by: (giving.get(unit)?.[level] ?? [])
      .filter(({ holds }) => holds(facts))
      .map(({ because, id }) => ({ rule: id, because, teams: teamsBehind(id, pair, unit, level) }))
  })
  return {
    user: pair.user,
    repository: pair.repository,
    permission,
    units: Object.fromEntries(
      Object.entries(units).map(([unit, level]) => [unit, why(unit as Unit, level)])
    ) as EffectiveAccess["units"]
  }
}
