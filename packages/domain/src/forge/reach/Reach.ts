import { compile } from "../../access/Condition.ts"
import { Level, levels } from "../../access/Level.ts"
import type { RepositoryFacts, SwitchFacts } from "../access/facts.ts"
import { givesOnRepository } from "../access/grants.ts"
import { repositoryLevel, unitLevel } from "../access/levels.ts"
import { fullScope } from "../access/Scope.ts"
import { isAdminUnits, type Unit, type Units, unitKeys } from "../access/Unit.ts"
import { callerFacts, type Viewer } from "../accounts/Actor.ts"
import type { User } from "../accounts/User.ts"
import { type Holding, heldByTeams, repositoryFacts } from "../repositories/holding.ts"
import type { Repository } from "../repositories/Repository.ts"
import type { Team } from "../teams/Team.ts"

/** What ties a user to a repository, as it is stored. */
export interface Tie {
  readonly user: User
  readonly repository: Repository
  /** Whether the user is in a team of the organization that owns the repository. */
  readonly member: boolean
  readonly collaborator: Level
  /** The teams of the user that hold the repository, the Owners team among them, in the order of their insertion. */
  readonly teams: ReadonlyArray<Pick<Team, "id" | "name" | "owners" | "units">>
}

/** Returns what a user holds on a repository, as it decides their requests. */
export const holdingOf = ({ collaborator, member, teams }: Tie): Holding => ({
  place: { member, owner: teams.some((team) => team.owners) },
  collaborator,
  ...heldByTeams(teams.filter((team) => !team.owners))
})

/** Returns a user as whoever would ask, signed in with a password. */
export const asViewer = (user: User): Viewer => ({
  facts: callerFacts(user, fullScope, { withPassword: true, sudo: false }),
  userId: user.id
})

/** Returns the facts that decide what a user may do with a repository. */
export const tieFacts = (switches: SwitchFacts, tie: Tie): RepositoryFacts =>
  repositoryFacts(asViewer(tie.user), switches, { repository: tie.repository, holding: holdingOf(tie) })

/** The level on a repository as a whole, and on each unit that is open. */
export interface Levels {
  readonly permission: Level
  readonly units: Units
}

/** Returns the levels that facts give on a repository. */
export const levelsOf = (facts: RepositoryFacts): Levels => ({
  permission: repositoryLevel(facts),
  units: Object.fromEntries(
    unitKeys.flatMap((unit) => {
      const level = unitLevel(facts, unit)
      return level === Level.none ? [] : [[unit, level]]
    })
  )
})

/** A rule that gives a level, with the teams by which it does. */
export interface Giving {
  readonly rule: string
  readonly because: string
  readonly teams: ReadonlyArray<string>
}

/** What a user reaches of one unit, and what gives it. */
export interface UnitReach {
  readonly level: Level
  readonly by: ReadonlyArray<Giving>
}

/** What a user reaches of a repository. */
export interface Reach {
  readonly user: User
  readonly repository: Repository
  readonly permission: Level
  readonly units: { readonly [U in Unit]?: UnitReach }
}

const giving = new Map(
  unitKeys.map((unit) => [
    unit,
    levels.map((level) => givesOnRepository(level, unit).map((rule) => ({ ...rule, holds: compile(rule.when) })))
  ])
)

const teamsBehind = (rule: string, { teams }: Tie, unit: Unit, level: Level): ReadonlyArray<string> => {
  const behind: Readonly<Record<string, (team: Tie["teams"][number]) => boolean>> = {
    "repository.organization-owner": (team) => team.owners,
    "repository.team-admin": (team) => !team.owners && isAdminUnits(team.units),
    "repository.team": (team) => !team.owners && (team.units[unit] ?? Level.none) >= level
  }
  return teams.filter((team) => behind[rule]?.(team) ?? false).map((team) => team.name)
}

/** Returns what a user reaches of a repository, unit by unit, with the rules that give it. */
export const reachOf = (switches: SwitchFacts, tie: Tie): Reach => {
  const facts = tieFacts(switches, tie)
  const { permission, units } = levelsOf(facts)
  const why = (unit: Unit, level: Level): UnitReach => ({
    level,
    by: (giving.get(unit)?.[level] ?? [])
      .filter(({ holds }) => holds(facts))
      .map(({ because, id }) => ({ rule: id, because, teams: teamsBehind(id, tie, unit, level) }))
  })
  return {
    user: tie.user,
    repository: tie.repository,
    permission,
    units: Object.fromEntries(
      Object.entries(units).map(([unit, level]) => [unit, why(unit as Unit, level)])
    ) as Reach["units"]
  }
}
