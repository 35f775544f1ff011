import { compile, Level } from "@slipway/access"
import { nameKey } from "@slipway/domain"
import type { Unit } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  grantsOfTeams,
  type NamedRepository,
  type Owner,
  type Repository,
  type RepositoryAction,
  type RepositoryGrants,
  type RepositoryViewer,
  type RepositoryWithGrants,
  readableUnit,
  repositoriesAllowing,
  repositoryRowFacts,
  visibleRepositories
} from "@slipway/domain/forge/code"
import {
  type FoundTeam,
  listedTeams,
  type NamedAccountFacts,
  type NamedOrganization,
  notAMember,
  type Organization,
  type OrganizationId,
  type OrganizationMembership,
  type OrganizationVisibilityFacts,
  type OwnerId,
  organizationVisibilityFacts,
  type Team,
  type TeamId,
  teamVisibilityFacts,
  type UserId,
  type Viewer,
  visibleOrganizations
} from "@slipway/domain/forge/identity"
import type { FoundOwner } from "@slipway/domain/forge/registries"
import { byCodePoints } from "../../codePoints.ts"
import type { Snapshot } from "../../Database.ts"
import { pairKey, type RepositoryRow, type Tables } from "./tables.ts"

/** Returns rows sorted by name, ignoring case. */
export const inOrderOf = <Row>(rows: ReadonlyArray<Row>, name: (row: Row) => string): ReadonlyArray<Row> =>
  rows
    .map((row) => ({ row, key: nameKey(name(row)) }))
    .sort((one, other) => byCodePoints(one.key, other.key))
    .map(({ row }) => row)

/** Returns queries on a snapshot for organizations, teams, repositories and the access levels of users. */
export const queriesIn = (tables: Tables["Service"], snapshot: Snapshot) => {
  const { membersOf, name, organization, repository, repositoryName, team } = tables

  /** The teams of an organization that a user is in. */
  const teamsIn = (of: OrganizationId, user: UserId | undefined): ReadonlyArray<Team> =>
    user === undefined
      ? []
      : tables.teamsOfUser
          .list(snapshot, String(user))
          .filter((row) => row.organizationId === of)
          .flatMap((row) => team.get(snapshot, row.teamId) ?? [])
          .toSorted((one, other) => one.id - other.id)

  const membershipIn = (of: OrganizationId, user: UserId | undefined): OrganizationMembership => {
    const teams = teamsIn(of, user)
    return {
      ...notAMember,
      member: teams.length > 0,
      owner: teams.some((each) => each.owners),
      mayCreateRepositories: teams.some((each) => each.mayCreateRepositories)
    }
  }

  const organizationNamed = (text: string, user: UserId | undefined): NamedOrganization | undefined => {
    const register = name.find(snapshot, nameKey(text))
    const found = register === undefined ? undefined : organization.get(snapshot, register.ownerId)
    return register === undefined || found === undefined
      ? undefined
      : { organization: found, renamed: !register.current, membership: membershipIn(found.id, user) }
  }

  const foundTeam = (id: number, user: UserId | undefined): FoundTeam | undefined => {
    const found = team.get(snapshot, id)
    const of = found === undefined ? undefined : organization.get(snapshot, found.organizationId)
    return found === undefined || of === undefined
      ? undefined
      : {
          team: found,
          organization: of,
          membership: membershipIn(of.id, user),
          member: user !== undefined && tables.teamMember.has(snapshot, pairKey(id, user))
        }
  }

  const ownerOf = (id: number): Owner | undefined => {
    const user = tables.user.get(snapshot, id)
    if (user !== undefined) {
      const { fullName, name, visibility } = user
      return { kind: "user", id: user.id, name, fullName, visibility, repoAdminChangeTeamAccess: false }
    }
    const found = organization.get(snapshot, id)
    if (found === undefined) return undefined
    const { fullName, name, repoAdminChangeTeamAccess, visibility } = found
    return { kind: "organization", id: found.id, name, fullName, visibility, repoAdminChangeTeamAccess }
  }

  const present = (row: RepositoryRow): Repository => {
    const owner = ownerOf(row.owner.id)
    if (owner === undefined) throw new Error("a repository has no owner")
    return { ...row, owner }
  }

  const holds = (withGrants: Team, { id, owner }: Pick<RepositoryRow, "id" | "owner">): boolean =>
    owner.id === withGrants.organizationId &&
    (withGrants.includesAllRepositories || tables.teamRepository.has(snapshot, pairKey(withGrants.id, id)))

  const grantsOn = (row: RepositoryRow, user: UserId | undefined): RepositoryGrants => {
    const teams = row.owner.kind === "organization" ? teamsIn(row.owner.id, user) : []
    const grant = user === undefined ? undefined : tables.collaborator.find(snapshot, pairKey(row.id, user))
    return {
      membership: { member: teams.length > 0, owner: teams.some((each) => each.owners) },
      collaborator: grant?.level ?? Level.none,
      ...grantsOfTeams(teams.filter((each) => !each.owners && holds(each, row)))
    }
  }

  const withGrants = (row: RepositoryRow, user: UserId | undefined): RepositoryWithGrants => ({
    repository: present(row),
    grants: grantsOn(row, user)
  })

  const blocks = (owner: OwnerId, user: UserId | undefined): boolean =>
    user !== undefined && tables.block.has(snapshot, pairKey(owner, user))

  const namedBlocks = (owner: OwnerId, text: string | undefined, user: UserId | undefined): NamedAccountFacts => {
    const register = text === undefined ? undefined : name.find(snapshot, nameKey(text))
    if (register?.current !== true) return {}
    const { ownerId } = register
    return {
      named: {
        blocksCaller: blocks(ownerId, user),
        blockedByOwner: tables.block.has(snapshot, pairKey(owner, ownerId))
      }
    }
  }

  const repositoryNamed = (ownerName: string, text: string, user: UserId | undefined): NamedRepository | undefined => {
    const register = name.find(snapshot, nameKey(ownerName))
    if (register === undefined) return undefined
    const entry = repositoryName.find(snapshot, pairKey(register.ownerId, nameKey(text)))
    const row = entry === undefined ? undefined : repository.get(snapshot, entry.repositoryId)
    return entry === undefined || row === undefined
      ? undefined
      : {
          ...withGrants(row, user),
          renamed: !(register.current && entry.current),
          blocked: blocks(row.owner.id, user)
        }
  }

  const repositoryWithGrants = (
    id: RepositoryId | number,
    user: UserId | undefined
  ): RepositoryWithGrants | undefined => {
    const row = repository.get(snapshot, id)
    return row && withGrants(row, user)
  }

  const ownerNamed = (text: string, user: UserId | undefined): FoundOwner | undefined => {
    const register = name.find(snapshot, nameKey(text))
    const owner = register === undefined ? undefined : ownerOf(register.ownerId)
    if (register === undefined || owner === undefined) return undefined
    const teams = owner.kind === "organization" ? teamsIn(owner.id, user) : []
    return {
      owner,
      renamed: !register.current,
      membership: { member: teams.length > 0, owner: teams.some((each) => each.owners) },
      teamPackages: grantsOfTeams(teams.filter((each) => !each.owners)).teams["repo.packages"] ?? Level.none
    }
  }

  const canSeeOrganization = (viewer: Viewer, list: Parameters<typeof visibleOrganizations>[1]) => {
    const seen = compile<OrganizationVisibilityFacts>(visibleOrganizations(viewer, list))
    return (each: Organization) => seen(organizationVisibilityFacts(membershipIn(each.id, viewer.userId), each))
  }

  const canSeeTeam = (viewer: Viewer) => {
    const seen = compile(listedTeams(viewer))
    return (each: Pick<Team, "id">) => {
      const found = foundTeam(each.id, viewer.userId)
      return found !== undefined && seen(teamVisibilityFacts(found))
    }
  }

  const canSeeRepository = (viewer: RepositoryViewer) => {
    const seen = compile(visibleRepositories(viewer))
    return (each: RepositoryWithGrants) => seen(repositoryRowFacts(viewer, each))
  }

  const canActOnRepository = (viewer: RepositoryViewer, action: RepositoryAction) => {
    const allows = compile(repositoriesAllowing(viewer, action))
    return (each: RepositoryWithGrants) =>
      allows({ ...repositoryRowFacts(viewer, each), blocked: blocks(each.repository.owner.id, viewer.userId) })
  }

  /** Returns a function that tests whether a viewer can read a unit (such as issues or code) of a repository. */
  const canReadUnit = (viewer: RepositoryViewer, unit: Unit) => {
    const reads = compile(readableUnit(viewer, unit))
    return (id: RepositoryId): boolean => {
      const held = repositoryWithGrants(id, viewer.userId)
      return held !== undefined && reads(repositoryRowFacts(viewer, held))
    }
  }

  const memberIds = (of: TeamId): ReadonlyArray<UserId> => membersOf.list(snapshot, String(of)).map((row) => row.userId)

  return {
    teamsIn,
    membershipIn,
    organizationNamed,
    foundTeam,
    ownerNamed,
    blocks,
    namedBlocks,
    present,
    withGrants,
    holds,
    repositoryWithGrants,
    repositoryNamed,
    canSeeOrganization,
    canSeeTeam,
    canSeeRepository,
    canActOnRepository,
    canReadUnit,
    memberIds
  }
}
