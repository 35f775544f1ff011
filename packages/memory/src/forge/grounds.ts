import { nameKey, type Page, type PageRequest, windowOf } from "@slipway/domain"
import { compile, Level } from "@slipway/domain/access"
import {
  type FoundOwner,
  type FoundTeam,
  type HeldRepository,
  type Holding,
  heldByTeams,
  type NamedOrganization,
  type NamedRepository,
  noPlace,
  type Organization,
  type OrganizationId,
  type OrganizationSightFacts,
  type Owner,
  organizationSightFacts,
  organizationSightOf,
  type Place,
  type Repository,
  type RepositoryId,
  type RepositoryViewer,
  repositoryRowFacts,
  repositorySightOf,
  type Team,
  type TeamId,
  teamSightFacts,
  teamSightOf,
  type UserId,
  type Viewer
} from "@slipway/domain/forge"
import { byCodePoints } from "../codePoints.ts"
import type { Snapshot } from "../Database.ts"
import { pairKey, type RepositoryRow, type Tables } from "./tables.ts"

/** Returns rows in the order of their names. */
export const inOrderOf = <Row>(rows: ReadonlyArray<Row>, name: (row: Row) => string): ReadonlyArray<Row> =>
  rows
    .map((row) => ({ row, key: nameKey(name(row)) }))
    .sort((one, other) => byCodePoints(one.key, other.key))
    .map(({ row }) => row)

/** Cuts one page of rows. */
export const cut = <Row>(rows: ReadonlyArray<Row>, page: PageRequest): Page<Row> => {
  const { limit, skip = 0 } = windowOf(page)
  return { rows: rows.slice(skip, skip + limit), total: rows.length }
}

/** Returns the organizations, teams and repositories of a snapshot, with what users hold there. */
export const groundsIn = (tables: Tables["Service"], snapshot: Snapshot) => {
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

  const placeIn = (of: OrganizationId, user: UserId | undefined): Place => {
    const teams = teamsIn(of, user)
    return {
      ...noPlace,
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
      : { organization: found, moved: !register.current, place: placeIn(found.id, user) }
  }

  const foundTeam = (id: number, user: UserId | undefined): FoundTeam | undefined => {
    const found = team.get(snapshot, id)
    const of = found === undefined ? undefined : organization.get(snapshot, found.organizationId)
    return found === undefined || of === undefined
      ? undefined
      : {
          team: found,
          organization: of,
          place: placeIn(of.id, user),
          member: user !== undefined && tables.teamMember.has(snapshot, pairKey(id, user))
        }
  }

  const ownerOf = (id: number): Owner | undefined => {
    const user = tables.user.get(snapshot, id)
    if (user !== undefined) {
      const { fullName, name, visibility } = user
      return { kind: "user", id: user.id, name, fullName, visibility }
    }
    const found = organization.get(snapshot, id)
    if (found === undefined) return undefined
    const { fullName, name, visibility } = found
    return { kind: "organization", id: found.id, name, fullName, visibility }
  }

  const present = (row: RepositoryRow): Repository => {
    const owner = ownerOf(row.owner.id)
    if (owner === undefined) throw new Error("a repository has no owner")
    return { ...row, owner }
  }

  const holds = (held: Team, { id, owner }: Pick<RepositoryRow, "id" | "owner">): boolean =>
    owner.id === held.organizationId &&
    (held.includesAllRepositories || tables.teamRepository.has(snapshot, pairKey(held.id, id)))

  const holdingOf = (row: RepositoryRow, user: UserId | undefined): Holding => {
    const teams = row.owner.kind === "organization" ? teamsIn(row.owner.id, user) : []
    const given = user === undefined ? undefined : tables.collaborator.find(snapshot, pairKey(row.id, user))
    return {
      place: { member: teams.length > 0, owner: teams.some((each) => each.owners) },
      collaborator: given?.level ?? Level.none,
      ...heldByTeams(teams.filter((each) => !each.owners && holds(each, row)))
    }
  }

  const held = (row: RepositoryRow, user: UserId | undefined): HeldRepository => ({
    repository: present(row),
    holding: holdingOf(row, user)
  })

  const repositoryNamed = (ownerName: string, text: string, user: UserId | undefined): NamedRepository | undefined => {
    const register = name.find(snapshot, nameKey(ownerName))
    if (register === undefined) return undefined
    const entry = repositoryName.find(snapshot, pairKey(register.ownerId, nameKey(text)))
    const row = entry === undefined ? undefined : repository.get(snapshot, entry.repositoryId)
    return entry === undefined || row === undefined
      ? undefined
      : { ...held(row, user), moved: !(register.current && entry.current) }
  }

  const heldRepository = (id: RepositoryId | number, user: UserId | undefined): HeldRepository | undefined => {
    const row = repository.get(snapshot, id)
    return row && held(row, user)
  }

  const ownerNamed = (text: string, user: UserId | undefined): FoundOwner | undefined => {
    const register = name.find(snapshot, nameKey(text))
    const owner = register === undefined ? undefined : ownerOf(register.ownerId)
    if (register === undefined || owner === undefined) return undefined
    const teams = owner.kind === "organization" ? teamsIn(owner.id, user) : []
    return {
      owner,
      moved: !register.current,
      place: { member: teams.length > 0, owner: teams.some((each) => each.owners) },
      teamPackages: heldByTeams(teams.filter((each) => !each.owners)).teams["repo.packages"] ?? Level.none
    }
  }

  const seesOrganization = (viewer: Viewer, list: Parameters<typeof organizationSightOf>[1]) => {
    const seen = compile<OrganizationSightFacts>(organizationSightOf(viewer, list))
    return (each: Organization) => seen(organizationSightFacts(placeIn(each.id, viewer.userId), each))
  }

  const seesTeam = (viewer: Viewer) => {
    const seen = compile(teamSightOf(viewer))
    return (each: Pick<Team, "id">) => {
      const found = foundTeam(each.id, viewer.userId)
      return found !== undefined && seen(teamSightFacts(found))
    }
  }

  const seesRepository = (viewer: RepositoryViewer) => {
    const seen = compile(repositorySightOf(viewer))
    return (each: HeldRepository) => seen(repositoryRowFacts(viewer, each))
  }

  const memberIds = (of: TeamId): ReadonlyArray<UserId> => membersOf.list(snapshot, String(of)).map((row) => row.userId)

  return {
    teamsIn,
    placeIn,
    organizationNamed,
    foundTeam,
    ownerNamed,
    present,
    held,
    holds,
    heldRepository,
    repositoryNamed,
    seesOrganization,
    seesTeam,
    seesRepository,
    memberIds
  }
}
