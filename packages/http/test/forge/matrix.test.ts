import { expect, layer } from "@effect/vitest"
import type { Decision, Answer as Refusal } from "@slipway/domain/access"
import {
  admit,
  anonymous,
  type CallerFacts,
  entryAnswers,
  installed,
  type LoadedKind,
  missingUserFacts,
  notFound,
  ordinary,
  organizationFacts,
  organizationUserFacts,
  packageOwnerFacts,
  policyOf,
  repositoryFacts,
  type ScopeWord,
  type SwitchFacts,
  scopeAsFacts,
  scopeOf,
  scopeWords,
  teamFacts,
  type UserFacts,
  type Viewer
} from "@slipway/domain/forge"
import { factsOf, parseWorld, plantOrganizations } from "@slipway/testkit/forge"
import { Context, Effect, Layer } from "effect"
import { type Endpoint, endpoints, pathOf } from "./support/endpoints.ts"
import { type Answer, basic, bearer, codeOf, referenceUrl, type Service, start, step } from "./support/harness.ts"
import { partsOf } from "./support/parts.ts"

/** What a caller sends to say who they are. */
interface Shown {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

/** The service with a token that expired. */
type World = Omit<Service, "expired"> & { readonly expired: string }

/** Somebody who asks, with what the rules know of them: the facts are said here once more, not taken from the service. */
interface Asker {
  readonly title: string
  readonly show: (service: World) => Effect.Effect<Shown>
  /** What becomes of the credentials, when they are not valid. */
  readonly invalid?: Refusal
  readonly facts: CallerFacts
  readonly sudo?: { readonly name: string; readonly facts: CallerFacts | undefined }
  /** The name of the user who acts. */
  readonly name?: string
}

const users = {
  ann: { admin: true },
  bob: {},
  lim: { visibility: "limited" },
  pia: { visibility: "private" },
  rex: { restricted: true },
  ina: { active: false },
  pro: { prohibited: true },
  mia: { mustChangePassword: true },
  tof: {}
} as const

const callers: Readonly<Record<keyof typeof users, CallerFacts>> = {
  ann: { ...ordinary, siteAdmin: true },
  bob: ordinary,
  lim: ordinary,
  pia: ordinary,
  rex: { ...ordinary, restricted: true },
  ina: { ...ordinary, active: false },
  pro: { ...ordinary, prohibited: true },
  mia: { ...ordinary, mustChangePassword: true },
  tof: { ...ordinary, secondFactor: true }
}

type Name = keyof typeof users

const withToken = (facts: CallerFacts, scopes: ReadonlyArray<ScopeWord>): CallerFacts => ({
  ...facts,
  withPassword: false,
  ...scopeAsFacts(scopeOf(scopes))
})

const signedIn = (name: Name): Asker => ({
  title: `${name} with a password`,
  name,
  facts: callers[name],
  show: () => Effect.succeed({ headers: basic(name) })
})

const holding = (name: Name, ...scopes: ReadonlyArray<ScopeWord>): Asker => ({
  title: `${name} with a token of ${scopes.join(", ")}`,
  name,
  facts: withToken(callers[name], scopes),
  // Each request has a token of its own, since some of them delete it.
  show: ({ mint }) => Effect.map(mint(name, scopes), (token) => ({ headers: bearer(token) }))
})

const failing = (title: string, invalid: Refusal, show: Asker["show"]): Asker => ({
  title,
  invalid,
  facts: anonymous,
  show
})

const actingAs = (asker: Asker, name: string, place: "query" | "header"): Asker => {
  const target = callers[name as Name]
  const { publicOnly, scopeActivitypub: _, withPassword, ...rest } = asker.facts
  const scopes = Object.fromEntries(Object.entries(rest).filter(([fact]) => fact.startsWith("scope")))
  return {
    ...asker,
    title: `${asker.title}, as ${name} by ${place}`,
    sudo: {
      name,
      facts:
        target === undefined
          ? undefined
          : {
              ...target,
              ...scopes,
              scopeActivitypub: asker.facts.scopeActivitypub,
              publicOnly,
              withPassword,
              sudo: true
            }
    },
    show: (service) =>
      Effect.map(asker.show(service), (shown) =>
        place === "query"
          ? { ...shown, query: `sudo=${name}` }
          : { ...shown, headers: { ...shown.headers, sudo: name } }
      )
  }
}

const nobody: Asker = { title: "nobody", facts: anonymous, show: () => Effect.succeed({}) }

const askers: ReadonlyArray<Asker> = [
  nobody,
  failing("a wrong password", entryAnswers.invalidCredentials, () =>
    Effect.succeed({ headers: basic("bob", "wrong") })
  ),
  failing("an unknown name", entryAnswers.invalidCredentials, () => Effect.succeed({ headers: basic("nobody") })),
  failing("no token at all", entryAnswers.invalidCredentials, () => Effect.succeed({ headers: bearer("nonsense") })),
  failing("an unknown token", entryAnswers.invalidCredentials, () =>
    Effect.succeed({ headers: bearer(`slp_${"a".repeat(40)}`) })
  ),
  failing("an expired token", entryAnswers.invalidCredentials, ({ expired }) =>
    Effect.succeed({ headers: bearer(expired) })
  ),
  failing("a second factor without its code", entryAnswers.invalidCode, () =>
    Effect.succeed({ headers: basic("tof") })
  ),
  signedIn("bob"),
  signedIn("ann"),
  signedIn("lim"),
  signedIn("pia"),
  signedIn("rex"),
  signedIn("ina"),
  signedIn("pro"),
  signedIn("mia"),
  holding("tof", "all"),
  ...scopeWords.filter((word) => word !== "public-only").map((word) => holding("bob", word)),
  holding("bob", "all", "public-only"),
  holding("ann", "all"),
  holding("ann", "all", "public-only"),
  holding("ann", "read:admin"),
  holding("ann", "write:admin"),
  holding("pia", "all", "public-only"),
  holding("rex", "all"),
  holding("ina", "all"),
  actingAs(signedIn("ann"), "bob", "query"),
  actingAs(signedIn("ann"), "pia", "header"),
  actingAs(signedIn("ann"), "ina", "header"),
  actingAs(signedIn("ann"), "nobody-there", "query"),
  actingAs(holding("ann", "all"), "bob", "header"),
  actingAs(holding("ann", "write:admin"), "bob", "header"),
  actingAs(holding("ann", "read:admin"), "bob", "query"),
  actingAs(holding("ann", "all", "public-only"), "bob", "header"),
  actingAs(signedIn("bob"), "ann", "query"),
  actingAs(signedIn("bob"), "nobody-there", "header"),
  actingAs(nobody, "ann", "header")
]

/** What stands below each user: organizations of each visibility in which bob is an owner, a member, or a stranger. */
const world = parseWorld(`
  ${Object.entries(users)
    .map(([name, set]) => `user ${name} ${(set as { visibility?: string }).visibility ?? "public"}`)
    .join("\n")}
  ${["public", "limited", "private"]
    .map(
      (visibility) => `
        organization ${visibility}-own ${visibility}
        team ${visibility}-own/Owners: bob
        team ${visibility}-own/builders limited code=write on kept: rex
        repository ${visibility}-own/kept private
        organization ${visibility}-other ${visibility}
        team ${visibility}-other/Owners: pia
        team ${visibility}-other/builders code=read creates on *: lim, tof
        repository ${visibility}-other/kept
      `
    )
    .join("\n")}
`)

const organizations = [...world.organizations.keys()]
const below = (name: string) => organizations.map((organization) => `${organization}/${name}`)

/** The things of each kind that requests are about; nothing stands for one that isn't there. */
const targets: { readonly [K in LoadedKind]: ReadonlyArray<ReadonlyArray<string> | undefined> } = {
  site: [[]],
  user: [["bob"], ["lim"], ["pia"], undefined],
  organization: [...organizations.map((name) => [name]), undefined],
  organizationUser: [...organizations.map((name) => [name, "bob"]), ["public-own", "pia"], undefined],
  team: [...below("builders").map((path) => [path]), undefined],
  teamRepository: [...organizations.map((name) => [`${name}/builders`, `${name}/kept`]), undefined],
  repository: [...below("kept").map((path) => [path]), undefined],
  packageOwner: [["bob"], ["pia"], ...organizations.map((name) => [name]), undefined]
}

const missingFacts: {
  readonly [K in LoadedKind]: (viewer: Viewer, switches: SwitchFacts) => Readonly<Record<string, unknown>>
} = {
  site: (viewer, switches) => ({ ...switches, ...viewer.facts }),
  user: (viewer, switches) => ({ ...missingUserFacts(viewer, switches) }),
  organization: (viewer, switches) => ({ ...organizationFacts(viewer, switches, undefined) }),
  organizationUser: (viewer, switches) => ({ ...organizationUserFacts(viewer, switches, undefined, undefined) }),
  team: (viewer, switches) => ({ ...teamFacts(viewer, switches, undefined) }),
  teamRepository: (viewer, switches) => ({
    ...repositoryFacts(viewer, switches, undefined),
    ...teamFacts(viewer, switches, undefined)
  }),
  repository: (viewer, switches) => ({ ...repositoryFacts(viewer, switches, undefined) }),
  packageOwner: (viewer, switches) => ({ ...packageOwnerFacts(viewer, switches, undefined) })
}

/** Returns what the rules answer before the body is read; nothing when they let the request on. */
const expected = (
  endpoint: Endpoint,
  asker: Asker,
  switches: SwitchFacts,
  things: ReadonlyArray<string> | undefined
): Refusal | undefined => {
  if (asker.invalid !== undefined) return asker.invalid
  const entry: Decision = admit({ ...switches, ...asker.facts, sudo: asker.sudo !== undefined })
  if (!entry.allowed) return entry.answer
  if (asker.sudo !== undefined && asker.sudo.facts === undefined) return notFound
  const facts = asker.sudo?.facts ?? asker.facts
  const name = asker.sudo?.name ?? asker.name
  const about =
    things === undefined
      ? missingFacts[endpoint.on]({ facts, userId: undefined }, switches)
      : { ...factsOf(world, { name, token: undefined }, endpoint.on, things), ...switches, ...facts }
  const decision = policyOf(endpoint.action as "user.read").decide(about as unknown as UserFacts)
  return decision.allowed ? undefined : decision.answer
}

const plainSite = "a site as it is installed"

const sites: Readonly<Record<string, Partial<SwitchFacts>>> = {
  [plainSite]: {},
  "a closed site": { strictSignIn: true },
  "a site with federation, without a users page and a reference": {
    federation: true,
    usersPage: false,
    apiReference: false
  },
  "a site where searching needs a sign-in and addresses are confirmed": {
    exploreNeedsSignIn: true,
    confirmationRequired: true
  }
}

/** The statuses with which a request ends that the rules let on: what it asks for, or what is wrong with its input. */
const goesOn = [200, 201, 204, 302, 404, 409, 422, 501]

const judge = (answer: Answer, refusal: Refusal | undefined, what: string) => {
  if (refusal === undefined) {
    expect(goesOn, `${what}: ${answer.text}`).toContain(answer.status)
    return
  }
  expect({ what, status: answer.status, body: answer.json }).toEqual({
    what,
    status: refusal.status,
    body: { message: refusal.message, url: referenceUrl }
  })
  expect(answer.headers.has("www-authenticate"), what).toBe(refusal.status === 401)
}

for (const [title, switches] of Object.entries(sites)) {
  const all: SwitchFacts = { ...installed, ...switches }

  class Api extends Context.Service<Api, World>()(`test/matrix/${title}`) {
    static readonly layer = Layer.effect(
      Api,
      Effect.gen(function* () {
        const service = yield* start({ switches })
        for (const [name, set] of Object.entries(users)) yield* service.user(name, set)
        yield* Effect.orDie(service.within(plantOrganizations(world)))
        const expired = yield* service.expired("bob")
        const { secret } = yield* service.ask(201, "POST", "/user/second_factor", { headers: basic("tof") })
        const code = codeOf(secret, step())
        yield* service.ask(200, "POST", "/user/second_factor/confirm", { headers: basic("tof"), body: { code } })
        return { ...service, expired }
      })
    )
  }

  layer(Api.layer, { excludeTestServices: true })(title, (it) => {
    for (const endpoint of endpoints) {
      const { method, on, path } = endpoint
      // On other sites the switches count, not who holds what.
      const about =
        title === plainSite ? targets[on] : targets[on].filter((_, at, all) => at === 0 || at === all.length - 1)
      const dry = path.startsWith("/teams/") && method !== "GET"
      it.effect(`${method} ${path} answers each caller as the rules say`, () =>
        Effect.gen(function* () {
          const service = yield* Api
          for (const asker of askers) {
            for (const things of about) {
              const { headers = {}, query = "" } = yield* asker.show(service)
              const parts = things === undefined ? {} : yield* partsOf(service, on, things)
              // Only members of whom the request speaks for themselves are concerned, and nobody is removed.
              const self = path.includes("/public_members/")
                ? { username: asker.sudo?.name ?? asker.name ?? "bob" }
                : {}
              // What the rules let on would leave nothing to ask about, where it isn't asked for its consequences alone.
              const asked = [query, ...(dry ? ["dry_run=true"] : [])].filter((part) => part !== "").join("&")
              const address = `${pathOf(endpoint, { target: "bob", id: "0", ...self, ...parts })}${asked === "" ? "" : `?${asked}`}`
              const answer = yield* service.send(method, address, {
                headers,
                ...(endpoint.hasBody ? { raw: "{" } : {})
              })
              judge(answer, expected(endpoint, asker, all, things), `${asker.title}: ${method} ${address}`)
              if (asker.invalid !== undefined) yield* service.forgiveAll
            }
          }
        })
      )
    }
  })
}
