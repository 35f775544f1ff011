import { higher, type Level, levels } from "@slipway/access"
import {
  anonymous,
  type CallerFacts,
  type ItemKind,
  isAdminUnits,
  itemKinds,
  itemVocabularies,
  type Kind,
  newSiteSwitches,
  noGrants,
  ordinary,
  scopeAsFacts,
  scopeOf,
  unitFacts,
  unitKeys
} from "@slipway/domain/forge/access"
import type { Asker, World, WorldRepository, WorldTeam } from "./World.ts"

/** The values of a resource and a caller that access rules test, by name. */
export type Facts = Readonly<Record<string, boolean | string | number>>

const found = <A>(thing: A | undefined, name: string): A => {
  if (thing === undefined) throw new Error(`\`${name}\` is not in this world`)
  return thing
}

const callerOf = (world: World, asker: Asker): CallerFacts => {
  if (asker.name === undefined) return anonymous
  const user = found(world.users.get(asker.name), asker.name)
  return {
    ...ordinary,
    siteAdmin: user.admin,
    restricted: user.restricted,
    secondFactor: user.secondFactor,
    mayCreateOrganizations: user.createsOrganizations,
    withPassword: asker.token === undefined,
    ...(asker.token === undefined ? {} : scopeAsFacts(scopeOf(asker.token)))
  }
}

const teamsOf = (world: World, asker: Asker, organization: string): ReadonlyArray<WorldTeam> =>
  world.teams.filter(
    (team) => team.organization === organization && asker.name !== undefined && team.members.includes(asker.name)
  )

const membership = (world: World, asker: Asker, organization: string) => {
  const teams = teamsOf(world, asker, organization)
  return { organizationMember: teams.length > 0, organizationOwner: teams.some((team) => team.owners) }
}

const holds = (team: WorldTeam, repository: WorldRepository) =>
  team.repositories === "all" || team.repositories.includes(repository.name)

const best = (values: ReadonlyArray<Level>): Level => values.reduce(higher, levels[0] as Level)

const isBlocked = (world: World, by: string | undefined, name: string | undefined): boolean =>
  world.blocks.some(({ blocked, blocker }) => blocker === by && blocked === name)

const namedBlocks = (world: World, asker: Asker, owner: string, named: string | undefined) => ({
  blocksCaller: isBlocked(world, named, asker.name),
  blockedByOwner: isBlocked(world, owner, named)
})

const repositoryFacts = (world: World, asker: Asker, path: string, named?: string): Facts => {
  const repository = found(
    world.repositories.find((each) => `${each.owner}/${each.name}` === path),
    path
  )
  const owner = found(world.organizations.get(repository.owner) ?? world.users.get(repository.owner), repository.owner)
  const teams = teamsOf(world, asker, repository.owner).filter((team) => !team.owners && holds(team, repository))
  const facts: Record<string, boolean | string | number> = {
    ...noGrants,
    ...membership(world, asker, repository.owner),
    private: repository.private,
    archived: repository.archived,
    mirror: repository.mirror,
    ownerVisibility: owner.visibility,
    blocked: isBlocked(world, repository.owner, asker.name),
    ...namedBlocks(world, asker, repository.owner, named),
    repositoryOwner: repository.owner === asker.name,
    collaborator: (asker.name === undefined ? undefined : repository.collaborators.get(asker.name)) ?? 0,
    teamAdmin: teams.some((team) => isAdminUnits(team.units))
  }
  const open: Array<Level> = []
  for (const unit of unitKeys) {
    const level = best(teams.map((team) => team.units[unit] ?? 0))
    const on = !repository.off.includes(unit)
    facts[unitFacts[unit].team] = level
    facts[unitFacts[unit].on] = on
    if (on) open.push(level)
  }
  return { ...facts, teamAny: best(open) }
}

const organizationFacts = (world: World, asker: Asker, name: string): Facts => ({
  ...membership(world, asker, name),
  organizationVisibility: found(world.organizations.get(name), name).visibility,
  mayCreateRepositories: teamsOf(world, asker, name).some((team) => team.createsRepositories)
})

const reaches = (
  world: World,
  name: string,
  { collaborators, name: repository, off, owner }: WorldRepository
): boolean =>
  owner === name ||
  (collaborators.get(name) ?? 0) > 0 ||
  teamsOf(world, { name, token: undefined }, owner).some(
    (team) =>
      team.owners ||
      ((team.repositories === "all" || team.repositories.includes(repository)) &&
        (isAdminUnits(team.units) || unitKeys.some((unit) => (team.units[unit] ?? 0) > 0 && !off.includes(unit))))
  )

/** Whether two users share an organization or a repository. */
const areTied = (world: World, one: string, other: string): boolean =>
  [...world.organizations.keys()].some((organization) =>
    [one, other].every((name) => teamsOf(world, { name, token: undefined }, organization).length > 0)
  ) || world.repositories.some((repository) => [one, other].every((name) => reaches(world, name, repository)))

const userFacts = (world: World, asker: Asker, name: string): Facts => ({
  userIsOrganization: false,
  belongsToUser: false,
  tied: asker.name !== undefined && areTied(world, asker.name, name),
  blocked: world.blocks.some(
    ({ blocked, blocker }) =>
      (blocker === asker.name && blocked === name) || (blocker === name && blocked === asker.name)
  ),
  userVisibility: found(world.users.get(name), name).visibility,
  self: name === asker.name
})

const teamFacts = (world: World, asker: Asker, path: string, named?: string): Facts => {
  const team = found(
    world.teams.find((each) => `${each.organization}/${each.name}` === path),
    path
  )
  return {
    ...organizationFacts(world, asker, team.organization),
    teamVisibility: team.visibility,
    teamMember: asker.name !== undefined && team.members.includes(asker.name),
    ownersTeam: team.owners,
    ...namedBlocks(world, asker, team.organization, named)
  }
}

const packageFacts = (world: World, asker: Asker, name: string): Facts => ({
  ...membership(world, asker, name),
  ownerVisibility: found(world.organizations.get(name) ?? world.users.get(name), name).visibility,
  self: name === asker.name,
  teamPackages: best(
    teamsOf(world, asker, name)
      .filter((team) => !team.owners)
      .map((team) => team.units["repo.packages"] ?? 0)
  )
})

/**
 * Returns the facts (values that access rules test) of a resource within a repository. All facts of a missing resource
 * are off.
 */
const itemFacts =
  (kind: ItemKind) =>
  (world: World, asker: Asker, path: string): Facts => {
    const item = world.items.find((each) => each.kind === kind && each.path === path)
    const isOn = (fact: string): boolean => {
      const value = item?.facts.get(fact)
      return value === true || (value !== undefined && value.user === asker.name)
    }
    return {
      ...repositoryFacts(world, asker, path.split("#")[0] ?? ""),
      ...Object.fromEntries(Object.keys(itemVocabularies[kind]).map((fact) => [fact, isOn(fact)])),
      found: item !== undefined
    }
  }

const about: { readonly [K in Kind]: (world: World, asker: Asker, a: string, b: string) => Facts } = {
  ...(Object.fromEntries(itemKinds.map((kind) => [kind, itemFacts(kind)])) as Record<
    ItemKind,
    ReturnType<typeof itemFacts>
  >),
  site: () => ({}),
  organization: (world, asker, name, user) => ({
    ...organizationFacts(world, asker, name),
    self: user === asker.name
  }),
  organizationUser: (world, asker, organization, user) => ({
    ...organizationFacts(world, asker, organization),
    ...userFacts(world, asker, user)
  }),
  team: teamFacts,
  teamRepository: (world, asker, team, repository) => ({
    ...repositoryFacts(world, asker, repository),
    ...teamFacts(world, asker, team)
  }),
  user: userFacts,
  repository: repositoryFacts,
  packageOwner: packageFacts,
  signedLink: (_, __, signature) => ({ signatureValid: signature === "valid" })
}

/** Returns the facts (values that access rules test) of a custom resource. */
const ownFacts =
  (kind: string) =>
  (world: World, asker: Asker, name: string): Facts =>
    Object.fromEntries(
      Object.entries(found(world.own?.[`${kind} ${name}`], `${kind} ${name}`)).map(([fact, value]) => [
        fact,
        typeof value === "object" ? value.user === asker.name : value
      ])
    )

/** Returns the facts (values that access rules test) that custom rules add to every request, such as the time. */
const momentFacts = ({ rules }: World, { name }: Asker): object =>
  rules === undefined ? {} : rules.policy.at({ at: rules.at, caller: { name, address: "" } })

/**
 * Returns the facts (values that access rules test) about a resource for a caller. They equal the facts that a store
 * returns for the same data.
 */
export const factsOf = (world: World, asker: Asker, kind: string, things: ReadonlyArray<string>): Facts => ({
  ...newSiteSwitches,
  ...world.site,
  ...callerOf(world, asker),
  ...momentFacts(world, asker),
  ...(Object.hasOwn(about, kind) ? about[kind as Kind] : ownFacts(kind))(world, asker, things[0] ?? "", things[1] ?? "")
})
