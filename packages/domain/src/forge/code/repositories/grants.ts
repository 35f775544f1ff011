import { higher, Level } from "@slipway/access"
import { noGrants } from "../../access/facts/defaultFacts.ts"
import type { RepositoryFacts, SwitchFacts } from "../../access/facts/facts.ts"
import { unitFacts } from "../../access/facts/facts.ts"
import { siteFactsOf } from "../../access/facts/siteFacts.ts"
import { isAdminUnits, type Unit, type Units, unitKeys } from "../../access/facts/Unit.ts"
import type { OrganizationMembership } from "../../identity/organizations/Organization.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { Viewer } from "../../identity/viewers/Viewer.ts"
import { type NamedAccountFacts, type NamedBlocks, noNamedBlocks } from "../../identity/visibility/Account.ts"
import type { Owner, Repository } from "./Repository.ts"

/** The permissions of a user on a repository: as a member of the organization, through teams, and as a collaborator. */
export interface RepositoryGrants {
  readonly membership: Pick<OrganizationMembership, "member" | "owner">
  readonly collaborator: Level
  /** Whether a team of the user has admin access to the repository; the Owners team is not counted. */
  readonly teamAdmin: boolean
  /** The highest level of the user's teams on each repository unit; the Owners team is not counted. */
  readonly teams: Units
}

/** The permissions of a user who has none on a repository. */
export const noRepositoryGrants: RepositoryGrants = {
  membership: { member: false, owner: false },
  collaborator: Level.none,
  teamAdmin: false,
  teams: {}
}

/** A repository with the permissions of a user on it. */
export interface RepositoryWithGrants {
  readonly repository: Repository
  readonly grants: RepositoryGrants
  /**
   * The branches that a user without write access may push to, because pull requests allow edits; loaded only for
   * pushes.
   */
  readonly lent?: ReadonlyArray<string> | undefined
}

/**
 * Returns whether a user has permissions on a repository. If so, the maintainers of the repository may see the user,
 * even if the account is private.
 */
export const hasRelation = ({ grants, repository }: RepositoryWithGrants, user: UserId): boolean =>
  grants.collaborator > Level.none ||
  grants.membership.member ||
  grants.teamAdmin ||
  Object.keys(grants.teams).length > 0 ||
  (repository.owner.kind === "user" && repository.owner.id === user)

/** A repository that was found by its name; `renamed` if the name is an old name of the repository or its owner. */
export interface NamedRepository extends RepositoryWithGrants, NamedAccountFacts {
  readonly renamed: boolean
  /** Whether the owner of the repository blocks the user. */
  readonly blocked: boolean
}

/** Combines the permissions of several teams: the highest level on each unit, and whether a team is at admin level. */
export const grantsOfTeams = (
  teams: ReadonlyArray<{ readonly units: Units }>
): Pick<RepositoryGrants, "teamAdmin" | "teams"> => ({
  teamAdmin: teams.some((team) => isAdminUnits(team.units)),
  teams: Object.fromEntries(
    unitKeys.flatMap((unit) => {
      const best = teams.reduce<Level>((level, team) => higher(level, team.units[unit] ?? Level.none), Level.none)
      return best === Level.none ? [] : [[unit, best]]
    })
  )
})

type UnitFacts = { -readonly [F in (typeof unitFacts)[Unit]["team" | "on"]]: RepositoryFacts[F] }

/** The facts (inputs of access rules) about one repository in a list, without facts about the caller and the site. */
export type RepositoryRowFacts = Omit<
  RepositoryFacts,
  keyof Viewer["facts"] | keyof SwitchFacts | keyof NamedBlocks | "blocked" | "lent"
>

/** The fields of a repository, and the user's permissions on it, that access decisions need. */
export interface DecidingRow {
  readonly grants: RepositoryGrants
  readonly repository: Pick<Repository, "archived" | "id" | "mirror" | "private" | "units"> & {
    readonly owner: Pick<Owner, "id" | "kind" | "visibility">
  }
}

const owns = ({ userId }: Pick<Viewer, "userId">, { repository: { owner } }: DecidingRow): boolean =>
  owner.kind === "user" && userId === owner.id

/** Returns the access level of a workflow job's token on a repository; none for repositories other than the job's. */
const taskLevelOf = ({ task }: Pick<Viewer, "task">, { repository }: DecidingRow): Level =>
  task !== undefined && task.repositoryId === repository.id ? task.level : Level.none

/** The data that determines the facts (inputs of access rules) about a repository, in a form for fast comparison. */
export interface ComparableRow {
  readonly grants: RepositoryGrants
  readonly units: Repository["units"]
  readonly visibility: Owner["visibility"]
  readonly flags: number
}

/** Returns the data that determines the facts (inputs of access rules) about a repository, for fast comparison. */
export const comparableRowOf = (
  viewer: Pick<Viewer, "task" | "userId">,
  row: DecidingRow & Partial<Pick<NamedRepository, "blocked" | "lent">>
): ComparableRow => {
  const { blocked = false, grants, lent = [], repository } = row
  const { archived, mirror, owner, units } = repository
  const flags = [repository.private, archived, mirror, owns(viewer, row), blocked, lent.length > 0]
  return {
    grants,
    units,
    visibility: owner.visibility,
    flags: flags.reduce<number>((bits, flag) => 2 * bits + Number(flag), taskLevelOf(viewer, row))
  }
}

/**
 * Returns whether two repositories have the same facts (inputs of access rules), so that one decision is enough. May
 * return false for equal facts.
 */
export const haveSameFacts = (one: ComparableRow, other: ComparableRow): boolean =>
  one.grants === other.grants &&
  one.units === other.units &&
  one.visibility === other.visibility &&
  one.flags === other.flags

/** Returns the facts (inputs of access rules) about a repository, without the facts about the caller and the site. */
export const repositoryRowFacts = (viewer: Pick<Viewer, "task" | "userId">, row: DecidingRow): RepositoryRowFacts => {
  const { grants, repository } = row
  const units: Partial<UnitFacts> = {}
  let teamAny: Level = Level.none
  for (const unit of unitKeys) {
    const level = grants.teams[unit] ?? Level.none
    units[unitFacts[unit].team] = level
    units[unitFacts[unit].on] = repository.units[unit]
    if (repository.units[unit]) teamAny = higher(teamAny, level)
  }
  return {
    // All units have been processed.
    ...(units as UnitFacts),
    teamAny,
    teamAdmin: grants.teamAdmin,
    collaborator: grants.collaborator,
    taskLevel: taskLevelOf(viewer, row),
    organizationMember: grants.membership.member,
    organizationOwner: grants.membership.owner,
    repositoryOwner: owns(viewer, row),
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

/**
 * Returns all facts (inputs of access rules) about a repository that decide an action. A missing repository has the
 * same facts as a hidden one.
 *
 * Whether the owner blocks the caller is loaded only for the repository of the request. For other repositories, only
 * access levels are needed, and blocks do not change these.
 */
export const repositoryFacts = (
  viewer: Viewer,
  switches: SwitchFacts,
  found: (RepositoryWithGrants & Partial<Pick<NamedRepository, "blocked" | "named">>) | undefined
): RepositoryFacts =>
  found === undefined
    ? {
        ...siteFactsOf(switches, viewer.facts),
        siteAdmin: false,
        ...noGrants,
        ...offFacts,
        private: true,
        ownerVisibility: "private",
        archived: false,
        mirror: false,
        blocked: false,
        ...noNamedBlocks
      }
    : {
        ...siteFactsOf(switches, viewer.facts),
        ...repositoryRowFacts(viewer, found),
        blocked: found.blocked === true,
        ...(found.named ?? noNamedBlocks),
        lent: found.lent !== undefined && found.lent.length > 0
      }
