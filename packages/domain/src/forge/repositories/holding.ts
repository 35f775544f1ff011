import { higher, Level } from "../../access/Level.ts"
import type { RepositoryFacts, SwitchFacts } from "../access/facts.ts"
import { unitFacts } from "../access/facts.ts"
import { noHolding } from "../access/standing.ts"
import { isAdminUnits, type Unit, type Units, unitKeys } from "../access/Unit.ts"
import type { Viewer } from "../accounts/Actor.ts"
import type { Place } from "../organizations/Organization.ts"
import type { Repository } from "./Repository.ts"

/** What a user holds on a repository, from its organization, teams and collaboration. */
export interface Holding {
  readonly place: Pick<Place, "member" | "owner">
  readonly collaborator: Level
  /** Whether a team of the user at admin level holds the repository; the Owners team is left out, as it is of `teams`. */
  readonly teamAdmin: boolean
  /** The level of the user's best team on each unit, among the teams that hold the repository. */
  readonly teams: Units
}

/** The holding of somebody who holds nothing. */
export const nothingHeld: Holding = {
  place: { member: false, owner: false },
  collaborator: Level.none,
  teamAdmin: false,
  teams: {}
}

/** A repository with what somebody holds on it. */
export interface HeldRepository {
  readonly repository: Repository
  readonly holding: Holding
}

/** A repository found by a name; `moved` when the name is one that it, or its owner, had before. */
export interface NamedRepository extends HeldRepository {
  readonly moved: boolean
}

/** Returns what teams give together: the best level on each unit, and whether one of them is at admin level. */
export const heldByTeams = (teams: ReadonlyArray<{ readonly units: Units }>): Pick<Holding, "teamAdmin" | "teams"> => ({
  teamAdmin: teams.some((team) => isAdminUnits(team.units)),
  teams: Object.fromEntries(
    unitKeys.flatMap((unit) => {
      const best = teams.reduce<Level>((level, team) => higher(level, team.units[unit] ?? Level.none), Level.none)
      return best === Level.none ? [] : [[unit, best]]
    })
  )
})

type UnitFacts = { -readonly [F in (typeof unitFacts)[Unit]["team" | "on"]]: RepositoryFacts[F] }

/** The facts of a repository that decide who sees it and what they may do there. */
export type RepositoryRowFacts = Omit<RepositoryFacts, keyof Viewer["facts"] | keyof SwitchFacts>

/** Returns what decides an action on a repository, apart from who asks and the switches of the site. */
export const repositoryRowFacts = (
  viewer: Pick<Viewer, "userId">,
  { holding, repository }: HeldRepository
): RepositoryRowFacts => {
  const units: Partial<UnitFacts> = {}
  let teamAny: Level = Level.none
  for (const unit of unitKeys) {
    const level = holding.teams[unit] ?? Level.none
    units[unitFacts[unit].team] = level
    units[unitFacts[unit].on] = repository.units[unit]
    if (repository.units[unit]) teamAny = higher(teamAny, level)
  }
  return {
    // Every unit has been gone through.
    ...(units as UnitFacts),
    teamAny,
    teamAdmin: holding.teamAdmin,
    collaborator: holding.collaborator,
    taskLevel: Level.none,
    organizationMember: holding.place.member,
    organizationOwner: holding.place.owner,
    repositoryOwner: repository.owner.kind === "user" && viewer.userId === repository.owner.id,
    private: repository.private,
    archived: repository.archived,
    mirror: repository.mirror,
    ownerVisibility: repository.owner.visibility
  }
}

const offFacts = Object.fromEntries(unitKeys.map((unit) => [unitFacts[unit].on, false])) as Pick<
  RepositoryFacts,
  (typeof unitFacts)[Unit]["on"]
>

/** Returns the facts about a repository that decide an action; one that isn't there is one that nobody sees. */
export const repositoryFacts = (
  viewer: Viewer,
  switches: SwitchFacts,
  found: HeldRepository | undefined
): RepositoryFacts =>
  found === undefined
    ? {
        ...switches,
        ...viewer.facts,
        siteAdmin: false,
        ...noHolding,
        ...offFacts,
        private: true,
        ownerVisibility: "private",
        archived: false,
        mirror: false
      }
    : { ...switches, ...viewer.facts, ...repositoryRowFacts(viewer, found) }
