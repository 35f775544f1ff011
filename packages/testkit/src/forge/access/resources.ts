import type { Decision } from "@slipway/domain/access"
import { type ActionName, actionNames, actions, decide, itemKinds, type Kind } from "@slipway/domain/forge"
import { factsOf } from "../facts.ts"
import type { Asker, World } from "../World.ts"

/** Nobody who is known, and each user of a world with their password. */
export const askersOf = (world: World): ReadonlyArray<Asker> =>
  [undefined, ...world.users.keys()].map((name) => ({ name, token: undefined }))

/** Returns what somebody is called in questions and tables. */
export const askerName = ({ name = "anonymous", token }: Asker): string =>
  token === undefined ? name : `${name} with ${token.join(", ")}`

type ResourceName = ReadonlyArray<string>

const pairs = (some: ResourceName, others: ResourceName): ReadonlyArray<ResourceName> =>
  some.flatMap((one) => others.map((other) => [one, other]))

/** Returns the resources of a kind that a world has, each as questions name it. */
export const resourcesIn = (world: World, kind: Kind): ReadonlyArray<ResourceName> => {
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
      return single(world.items.filter((item) => item.kind === kind).map(({ path }) => path))
  }
}

/** Every kind of resource that a world may have. */
export const resourceKinds: ReadonlyArray<Kind> = [
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

/** The actions on each kind of thing, by their names. */
export const actionsOn = (kind: Kind): ReadonlyArray<ActionName> =>
  actionNames.filter((name) => actions[name].on === kind)

/** Decides all actions of a kind on one thing for somebody; none where the world lacks the thing or the person. */
export const decisionsOn = (
  world: World,
  asker: Asker,
  kind: Kind,
  things: ResourceName
): ReadonlyMap<ActionName, Decision> => {
  const isThere =
    (asker.name === undefined || world.users.has(asker.name)) &&
    resourcesIn(world, kind).some((each) => each.join(" ") === things.join(" "))
  if (!isThere) return new Map()
  const facts = factsOf(world, asker, kind, things)
  // BOUNDARY: the facts are those of the action's kind, which the compiler can't follow through a name.
  return new Map(actionsOn(kind).map((action) => [action, decide(action, facts as never)]))
}
