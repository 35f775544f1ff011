import type { Decision } from "@slipway/access"
import { itemKinds, type Kind, PolicySet, type Rulebook } from "@slipway/domain/forge/access"
import { ownKindsOf, ownNamesIn, rulebookIn } from "../customResources.ts"
import { factsOf } from "../facts.ts"
import type { Asker, World } from "../World.ts"

/** The anonymous caller, and each user of a world with their password. */
export const askersOf = (world: World): ReadonlyArray<Asker> =>
  [undefined, ...world.users.keys()].map((name) => ({ name, token: undefined }))

/** Returns the name of a caller in questions and tables. */
export const askerName = ({ name = "anonymous", token }: Asker): string =>
  token === undefined ? name : `${name} with ${token.join(", ")}`

type ResourceName = ReadonlyArray<string>

const pairs = (some: ResourceName, others: ResourceName): ReadonlyArray<ResourceName> =>
  some.flatMap((one) => others.map((other) => [one, other]))

/** Returns the resources of a type in a world, each as the names that an access question contains. */
export const resourcesIn = (world: World, kind: string): ReadonlyArray<ResourceName> => {
  const users = [...world.users.keys()]
  const organizations = [...world.organizations.keys()]
  const teams = world.teams.map(({ name, organization }) => `${organization}/${name}`)
  const repositories = world.repositories.map(({ name, owner }) => `${owner}/${name}`)
  const single = (names: ResourceName): ReadonlyArray<ResourceName> => names.map((name) => [name])
  switch (kind) {
    case "site":
      return [[]]
    case "signedLink":
      return []
    case "user":
      return single(users)
    case "organization":
      return single(organizations)
    case "team":
      return single(teams)
    case "repository":
      return single(repositories)
    case "packageOwner":
      return single([...organizations, ...users])
    case "organizationUser":
      return pairs(organizations, users)
    case "teamRepository":
      return teams.flatMap((team) =>
        repositories.filter((path) => path.split("/")[0] === team.split("/")[0]).map((path) => [team, path])
      )
    default:
      return single([
        ...world.items.filter((item) => item.kind === kind).map(({ path }) => path),
        ...ownNamesIn(world, kind)
      ])
  }
}

/** Every resource type of the library that a world can contain. */
const libraryKinds: ReadonlyArray<Kind> = [
  "site",
  "user",
  "organization",
  "organizationUser",
  "team",
  "teamRepository",
  "repository",
  "packageOwner",
  ...itemKinds
]

/** Returns every resource type that a world can contain under its rules. */
export const resourceKindsIn = (world: World): ReadonlyArray<string> => [
  ...libraryKinds,
  ...ownKindsOf(rulebookIn(world))
]

/** Returns the actions on a resource type, by their names. */
export const actionsOn = (kind: string, { tables }: Rulebook = PolicySet.builtIn.rulebook): ReadonlyArray<string> =>
  Object.entries(tables.actions).flatMap(([name, { on }]) => (on === kind ? [name] : []))

/** Decides all actions of a type on one resource for a caller; none if the world lacks the resource or the user. */
export const decisionsOn = (
  world: World,
  asker: Asker,
  kind: string,
  things: ResourceName
): ReadonlyMap<string, Decision> => {
  const isThere =
    (asker.name === undefined || world.users.has(asker.name)) &&
    resourcesIn(world, kind).some((each) => each.join(" ") === things.join(" "))
  if (!isThere) return new Map()
  const facts = factsOf(world, asker, kind, things)
  const rulebook = rulebookIn(world)
  return new Map(actionsOn(kind, rulebook).map((action) => [action, rulebook.policyOf(action).decide(facts)]))
}
