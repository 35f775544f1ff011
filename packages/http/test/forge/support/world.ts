import { actions, type ItemKind, itemKinds, type ScopeWord } from "@slipway/domain/forge/access"
import { itemKeysNamed, type LoadedKind } from "@slipway/domain/forge/entry"
import {
  type Asker,
  newPackageOf,
  organizationNamed,
  organizationOwner,
  plantResources,
  plantSecondFactor,
  repositoryAt,
  teamAt,
  userNamed,
  userOwner,
  type World,
  worldCode
} from "@slipway/testkit/forge"
import { Effect } from "effect"
import type { Endpoint } from "./endpoints.ts"
import { basic, bearer, type Service } from "./harness.ts"
import { byStandard, makeKey, type Signing } from "./signing.ts"

/** The name of a package that each owner of a world has. */
const aPackage = { type: "generic", name: "tool", version: "1.0" }

const plantPackages = Effect.fnUntraced(function* ({ organizations, users }: World) {
  const { name, type, version } = aPackage
  for (const user of users.keys()) yield* newPackageOf(userOwner(yield* userNamed(user)), type, name, version)
  for (const organization of organizations.keys()) {
    yield* newPackageOf(organizationOwner(yield* organizationNamed(organization)), type, name, version)
  }
})

/** Creates all resources of a world, with one password for all users. */
export const plant = Effect.fnUntraced(function* (api: Service, world: World) {
  for (const { admin, createsOrganizations, name, restricted, secondFactor, visibility } of world.users.values()) {
    const { id } = yield* api.user(name, {
      admin,
      restricted,
      visibility,
      mayCreateOrganizations: createsOrganizations
    })
    if (secondFactor) yield* api.within(plantSecondFactor(id))
  }
  yield* Effect.orDie(api.within(plantResources(world)))
  yield* Effect.orDie(api.within(plantPackages(world)))
})

/** Returns the headers of a user of a world. */
export const headersOf = (api: Service, { name, token }: Asker): Effect.Effect<Readonly<Record<string, string>>> => {
  if (name === undefined) return Effect.succeed({})
  return token === undefined
    ? Effect.map(worldCode, (code) => ({ ...basic(name), "x-svc-otp": code }))
    : Effect.map(api.mint(name, token), bearer)
}

/** Returns the headers of a user of a world for a request. */
export type Headers = (request: Pick<Signing, "body" | "method" | "path">) => Readonly<Record<string, string>>

const signed = (api: Service, name: string): Effect.Effect<Headers> =>
  Effect.gen(function* () {
    const key = makeKey()
    const body = { title: "laptop", key: key.publicKey }
    yield* api.ask(201, "POST", "/user/keys", { headers: bearer(yield* api.mint(name, ["all"])), body })
    return (request) => byStandard({ key, ...request })
  })

/** The credentials other than a personal token: the rules treat all alike (I2). */
const ways: ReadonlyArray<(api: Service, name: string, token: ReadonlyArray<ScopeWord>) => Effect.Effect<Headers>> = [
  (api, name, token) => Effect.map(api.mint(name, token), (text) => () => bearer(text)),
  (api, name, token) => Effect.map(api.mintOf("oauth2", name, token), (text) => () => basic("anything", text)),
  (api, name, token) =>
    Effect.map(api.mintOf("session", name, token), (text) => () => ({ authorization: `Bearer ${text}` })),
  signed
]

/** Returns the headers of a user of a world, once for each type of credential. */
export const credentialsOf = (api: Service, asker: Asker): Effect.Effect<ReadonlyArray<Headers>> => {
  const { name, token } = asker
  if (name === undefined || token === undefined) return Effect.map(headersOf(api, asker), (headers) => [() => headers])
  // A caller who signs the request has all scopes.
  const possible = token.length === 1 && token[0] === "all" ? ways : ways.slice(0, 3)
  return Effect.forEach(possible, (way) => way(api, name, token))
}

type Parts = Readonly<Record<string, string>>

const split = (path: string): readonly [string, string] => {
  const [owner = "", name = ""] = path.split("/")
  return [owner, name]
}

const ofRepository = (api: Service, path: string, owner: string, name: string) =>
  Effect.map(api.within(Effect.orDie(repositoryAt(path))), ({ id }): Parts => {
    const [first, second] = split(path)
    return { id: String(id), [owner]: first, [name]: second }
  })

const ofTeam = (api: Service, path: string) =>
  Effect.map(api.within(Effect.orDie(teamAt(path))), ({ id }): Parts => ({ id: String(id) }))

/** The path parameter that names a second user next to the resource, if a question names one. */
const beside = (part: string, name: string): Parts => (name === "" ? {} : { [part]: name })

type PartsOf = { readonly [K in LoadedKind]: (api: Service, a: string, b: string) => Effect.Effect<Parts> }

const ofItem = (kind: ItemKind) => (_: Service, path: string) => {
  const [repository = "", key = ""] = path.split("#")
  const [username, reponame] = split(repository)
  return Effect.succeed<Parts>({
    ...Object.fromEntries(Object.entries(itemKeysNamed(kind, key)).map(([name, value]) => [name, String(value)])),
    username,
    reponame
  })
}

const partsOf: PartsOf = {
  ...(Object.fromEntries(itemKinds.map((kind) => [kind, ofItem(kind)])) as unknown as Pick<PartsOf, ItemKind>),
  site: () => Effect.succeed({}),
  user: (_, username) => Effect.succeed({ username }),
  organization: (_, org) => Effect.succeed({ org }),
  organizationUser: (_, org, username) => Effect.succeed({ org, username }),
  team: (api, path, user) => Effect.map(ofTeam(api, path), (parts) => ({ ...parts, ...beside("username", user) })),
  teamRepository: (api, team, repository) =>
    Effect.map(Effect.all([ofTeam(api, team), ofRepository(api, repository, "org", "repo")]), ([one, other]) => ({
      ...other,
      ...one
    })),
  repository: (api, path, user) =>
    Effect.map(ofRepository(api, path, "username", "reponame"), (parts) => ({
      ...parts,
      ...beside("collaborator", user)
    })),
  packageOwner: (_, username) => Effect.succeed({ username, ...aPackage }),
  signedLink: () => Effect.succeed({})
}

/** Returns the path parameters of an endpoint for resources of a world. */
export const pathParametersIn = (
  api: Service,
  endpoint: Pick<Endpoint, "action">,
  things: ReadonlyArray<string>
): Effect.Effect<Parts> => partsOf[actions[endpoint.action].on](api, things[0] ?? "", things[1] ?? "")
