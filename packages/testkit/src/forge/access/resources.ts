import type { Decision } from "@slipway/access"
import { itemKinds, type Kind, PolicySet, type Rulebook } from "@slipway/domain/forge/access"
import { ownKindsOf, ownNamesIn, rulebookIn } from "../customResources.ts"
import { factsOf } from "../facts.ts"
import type { Asker, World } from "../World.ts"

/** Returns the callers of a world: the anonymous caller, and each user with a password. */
export const askersOf = (world: World): ReadonlyArray<Asker> =>
  [undefined, ...world.users.keys()].map((name) => ({ name, token: undefined }))

/** Returns the name of a caller as questions and tables show it, with the scopes of a token. */
export const askerName = ({ name = "anonymous", token }: Asker): string =>
  token === undefined ? name : `${name} with ${token.join(", ")}`

type ResourceName = ReadonlyArray<string>

const pairs = (some: ResourceName, others: ResourceName): ReadonlyArray<ResourceName> =>
  some.flatMap((one) => others.map((other) => [one, other]))

/** Returns the resources of a type in a world. Each is a list of the names that identify it in an access question. */
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

/** The built-in resource types that a world can contain. */
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

/** Returns all resource types that a world can contain, including those of custom rules. */
export const resourceKindsIn = (world: World): ReadonlyArray<string> => [
  ...libraryKinds,
  ...ownKindsOf(rulebookIn(world))
]

/** Returns the actions on a resource type, by their names. */
export const actionsOn = (kind: string, { tables }: Rulebook = PolicySet.builtIn.rulebook): ReadonlyArray<string> =>
  Object.entries(tables.actions).flatMap(([name, { on }]) => (on === kind ? [name] : []))

/**
 * Decides all actions on one resource for a caller, by action name. The result is empty if the world does not contain
 * the resource or the user.
 */
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
