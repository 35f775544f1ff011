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

/** A user and a repository, with the stored data that gives the user access to it. */
export interface AccessPair {
  readonly user: User
  readonly repository: Repository
  /** Whether the user is in a team of the organization that owns the repository. */
  readonly member: boolean
  readonly collaborator: Level
  /** The user's teams with access to the repository, including the Owners team, in the order of their creation. */
  readonly teams: ReadonlyArray<Pick<Team, "id" | "name" | "owners" | "units">>
}

/** Returns the grants of the user on the repository of a pair, in the form that access decisions of requests use. */
export const grantsOfPair = ({ collaborator, member, teams }: AccessPair): RepositoryGrants => ({
  membership: { member, owner: teams.some((team) => team.owners) },
  collaborator,
  ...grantsOfTeams(teams.filter((team) => !team.owners))
})

const jobScope = scopeOf(scopesOfJob(Level.write))

/** Returns a user as a viewer who signed in with a password, to compute access without a request. */
export const asViewer = (user: User): Viewer => ({
  facts: callerFacts(user, fullScope, { withPassword: true, sudo: false }),
  userId: user.id
})

/**
 * Returns the viewer for an actions job that pushed to a repository: the shared job account, with the permissions of a
 * job token.
 */
export const asJob = (account: User, repositoryId: RepositoryId): Viewer => ({
  facts: callerFacts(account, jobScope, { withPassword: false, sudo: false, job: true }),
  userId: account.id,
  // The id of the job has no effect.
  task: { jobId: 0, repositoryId, level: Level.write }
})

/** Returns the facts about a user and a repository from which the permissions are decided. */
export const pairFacts = (
  switches: SwitchFacts,
  pair: AccessPair,
  viewer: Viewer = asViewer(pair.user)
): RepositoryFacts => repositoryFacts(viewer, switches, { repository: pair.repository, grants: grantsOfPair(pair) })

/** The permission level of a user on a whole repository, and on each of its enabled units (such as code or issues). */
export interface Levels {
  readonly permission: Level
  readonly units: Units
}

/**
 * Decides the permission levels on a repository and on its units (such as code or issues), from the facts about the
 * caller and the repository.
 */
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

/**
 * The caller of a request that needs permission levels. If the request is about a repository, also that repository and
 * its facts, which are reused.
 */
export interface LevelsRequest extends Partial<RepositoryWithGrants> {
  readonly actor: Viewer
  readonly facts?: RepositoryFacts
}

/** A cached result: the levels, and the facts about the repository from which they were computed. */
interface DecidedLevels {
  readonly row: ComparableRow
  readonly levels: Levels
}

/** The maximum number of cached results for one combination of facts about the caller. */
const mostDecided = 30
const decidedFor = memoize((_: SiteFacts): Array<DecidedLevels> => [], 1_000)

/**
 * Returns a function that computes the permission levels of the caller on a repository.
 *
 * Results are cached by facts, because most repositories of a list have the same facts for the caller. For the
 * repository of the request, the function uses the facts in `asking`, unless its data changed.
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
 * Returns the permission level that clients check before a push: for administrators and owners, their level on the
 * repository; for others, their level on the code unit.
 *
 * Source: decisions, "Words of permission".
 */
export const roleOf = ({ permission, units }: Levels): Level =>
  permission >= Level.admin ? permission : (units["repo.code"] ?? Level.none)

/** An access rule that grants a level, its explanation, and the user's teams through which it applies. */
export interface GrantingRule {
  readonly rule: string
  readonly because: string
  readonly teams: ReadonlyArray<string>
}

/** The permission level of a user on one unit (such as code or issues), and the rules that grant it. */
export interface EffectiveUnitAccess {
  readonly level: Level
  readonly by: ReadonlyArray<GrantingRule>
}

/**
 * The effective access of a user to a repository: the level on the repository, and on each unit with the rules that
 * grant it.
 */
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

/** Returns the effective access of a user to a repository: the level on each unit, and the rules that grant it. */
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
