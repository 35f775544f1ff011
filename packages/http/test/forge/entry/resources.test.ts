import { expect, layer } from "@effect/vitest"
import { actions, type ItemKind, itemKinds, type ScopeWord, scopeWords } from "@slipway/domain/forge/access"
import type { LoadedKind } from "@slipway/domain/forge/entry"
import { type Asker, factsOf, parseWorld } from "@slipway/testkit/forge"
import { Context, Effect, Layer } from "effect"
import type { AnyFacts } from "../../../../../scripts/vitest/oracle.ts"
import { refused, searchKeys } from "../../../../../scripts/vitest/refusals.ts"
import { isTried } from "../../../../../scripts/vitest/runs.ts"
import { type Endpoint, endpoints, pathOf } from "../support/endpoints.ts"
import { type Answer, referenceUrl, type Service, startWithCheckpoint } from "../support/harness.ts"
import { credentialsOf, type Headers, pathParametersIn, plant } from "../support/world.ts"

const inOrganization = (name: string) => `
  repository ${name}/open
  repository ${name}/shut private
  team ${name}/Owners: olga
  team ${name}/closed code=read on shut: tim
  team ${name}/middle limited code=write on open: mem
  team ${name}/wide public admin on *: tim
`

/** An issue, a pull request that is private and locked, a comment and a draft: their ids are global. */
const withIssues = (name: string, at: number) => `
  repositoryUser ${name}/open#mem self=mem
  repositoryUser ${name}/shut#tim self=tim
  heldTeam ${name}/open#middle ownersDecide
  heldTeam ${name}/shut#closed ownersDecide
  issue ${name}/open#1 author=mem
  issue ${name}/shut#1 author=mem pull locked
  comment ${name}/open#${at + 1} author=mem commentAuthor=out
  release ${name}/open#${at * 2 + 1} draft
  taggedRelease ${name}/shut#v1
`

/** Three organizations, one of each visibility, with a team of each visibility, and one that anyone may ask to join. */
const world = parseWorld(`
  site +codeSearch
  user ann admin
  user olga
  user mem
  user tim
  user out
  user rex restricted
  organization public-one public
  organization limited-one limited
  organization private-one private
  block out olga
  ${["public-one", "limited-one", "private-one"].map(inOrganization).join("\n")}
  ${["public-one", "private-one"].map(withIssues).join("\n")}
`)

const tokens: ReadonlyArray<ReadonlyArray<ScopeWord>> = [
  ["all"],
  ["all", "public-only"],
  ...scopeWords.filter((word) => word !== "all" && word !== "public-only").map((word) => [word])
]

// The rules treat the scopes of all users alike, so that few users test each scope.
const scoped = ["olga", "tim"]

const askers: ReadonlyArray<Asker> = [
  { name: undefined, token: undefined },
  ...[...world.users.keys()].flatMap(
    (name): ReadonlyArray<Asker> => [
      { name, token: undefined },
      ...(scoped.includes(name) ? tokens : tokens.slice(0, 2)).map((token) => ({ name, token }))
    ]
  )
]

const organizations = [...world.organizations.keys()]
const teams = world.teams.map(({ name, organization }) => `${organization}/${name}`)
const repositories = world.repositories.map(({ name, owner }) => `${owner}/${name}`)

const things: Readonly<Record<Exclude<LoadedKind, "site" | "user">, ReadonlyArray<ReadonlyArray<string>>>> = {
  ...(Object.fromEntries(
    itemKinds.map((kind) => [kind, world.items.filter((each) => each.kind === kind).map(({ path }) => [path])])
  ) as unknown as Record<ItemKind, ReadonlyArray<ReadonlyArray<string>>>),
  organization: organizations.map((name) => [name]),
  organizationUser: organizations.flatMap((name) => ["mem", "out"].map((user) => [name, user])),
  team: teams.map((path) => [path]),
  teamRepository: teams.flatMap((path) =>
    repositories.filter((each) => each.split("/")[0] === path.split("/")[0]).map((each) => [path, each])
  ),
  repository: repositories.map((path) => [path]),
  packageOwner: [...organizations, "mem"].map((name) => [name]),
  // Signed links are tested with artifacts.
  signedLink: []
}

/** The resource of an endpoint. A second user in the path sometimes blocks one of the permitted callers. */
const thingsOf = ({ on, path }: Endpoint & { readonly on: keyof typeof things }) =>
  (on === "team" || on === "repository") && /\/(members|collaborators)\/\{/.test(path)
    ? things[on].map((names, at) => [...names, at % 2 === 0 ? "out" : "mem"])
    : things[on]

/** Returns whether an allowed request would change something. */
const changes = ({ hasBody, method }: Endpoint) => method !== "GET" && method !== "HEAD" && !hasBody

// Permissions are decided before the use case: an allowed request never gets 403.
const goesOn = [200, 201, 202, 204, 302, 404, 405, 409, 412, 422, 423, 501]

const send = (api: Service, { hasBody, method }: Endpoint, path: string, headers: Headers, body = "{") => {
  const signed = hasBody ? { method, path, body } : { method, path }
  return api.send(method, path, { headers: headers(signed), ...(hasBody ? { raw: body } : {}) })
}

type Allowed = { readonly what: string; readonly headers: Headers }

/** A site with the world, restored before each test, where every user shows their profile. */
class Site extends Context.Service<
  Site,
  {
    readonly api: Service
    readonly credentials: ReadonlyArray<ReadonlyArray<Headers>>
    readonly reset: Effect.Effect<void>
  }
>()("test/things/Site") {
  static readonly layer = Layer.effect(
    Site,
    Effect.gen(function* () {
      const api = yield* startWithCheckpoint({ switches: world.site })
      yield* plant(api, world)
      const credentials = yield* Effect.forEach(askers, (asker) => credentialsOf(api, asker))
      return { api, credentials, reset: yield* api.checkpoint }
    })
  )
}

layer(Site.layer, { excludeTestServices: true })(
  "all routes about an organization, a team or a repository, where an allowed request never gets 403",
  (it) => {
    for (const [turn, endpoint] of endpoints.entries()) {
      if (endpoint.on === "site" || endpoint.on === "user") continue
      const about = thingsOf({ ...endpoint, on: endpoint.on })
      it.effect(`${endpoint.method} ${endpoint.path} answers every caller by the rules`, () =>
        Effect.gen(function* () {
          const { api, credentials, reset } = yield* Site
          yield* reset
          const paths = yield* Effect.forEach(about, (names) =>
            Effect.map(pathParametersIn(api, endpoint, names), (parts) =>
              pathOf(endpoint, { username: "nobody-there", ...parts })
            )
          )
          const allowed = new Map<number, Array<Allowed>>()
          for (const [at, asker] of askers.entries()) {
            const ways = credentials[at] as ReadonlyArray<Headers>
            const headers = ways[(turn + at) % ways.length] as Headers
            let missing: Answer | undefined
            for (const [thing, names] of about.entries()) {
              // On each route every caller asks about one resource, changing with the route; a long run has all.
              if (!isTried(about.length, turn, at, thing)) continue
              const what = `${asker.name} with ${asker.token}: ${names}`
              const facts = factsOf(world, asker, endpoint.on, names)
              const refusal = refused(actions[endpoint.action], facts as AnyFacts)
              if (refusal === undefined) allowed.set(thing, [...(allowed.get(thing) ?? []), { what, headers }])
              // Requests that change something come last.
              if (refusal === undefined && changes(endpoint)) continue
              const answer = yield* send(api, endpoint, paths[thing] as string, headers)
              if (refusal === undefined) {
                expect(goesOn, `${what}: ${answer.text}`).toContain(answer.status)
                continue
              }
              const { message, status } = refusal
              expect({ what, status: answer.status, body: answer.json }).toEqual({
                what,
                status,
                body: { message, url: referenceUrl, ...searchKeys(endpoint.path, message) }
              })
              // I9: a hidden resource gets the response of a missing one.
              if (status === 404) {
                missing ??= yield* send(api, endpoint, pathOf(endpoint, { id: "4040404" }), headers)
                expect({ what, status, body: missing.json, headers: [...missing.headers] }).toEqual({
                  what,
                  status: missing.status,
                  body: answer.json,
                  headers: [...answer.headers]
                })
              }
            }
          }
          if (endpoint.method === "GET" || endpoint.method === "HEAD") return
          // One permitted caller changes each resource; scenarios test the effects.
          for (const [at, [thing, by]] of [...allowed].entries()) {
            const { headers, what } = by[at % by.length] as Allowed
            const answer = yield* send(api, endpoint, paths[thing] as string, headers, "{}")
            expect(goesOn, `${what} with a body: ${answer.text}`).toContain(answer.status)
          }
        })
      )
    }
  }
)
