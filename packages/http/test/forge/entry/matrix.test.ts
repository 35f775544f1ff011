import { expect, layer } from "@effect/vitest"
import {
  actions,
  anonymous,
  type CallerFacts,
  newSiteSwitches,
  ordinary,
  type ScopeWord,
  type SwitchFacts,
  scopeAsFacts,
  scopeOf,
  scopeWords,
  type UserFacts
} from "@slipway/domain/forge/access"
import { missingUserFacts } from "@slipway/domain/forge/identity"
import { Context, Effect, Layer } from "effect"
import { entering } from "../../../../../scripts/vitest/oracle.ts"
import {
  invalidCode,
  invalidCredentials,
  missing,
  type Refused,
  refused,
  searchKeys
} from "../../../../../scripts/vitest/refusals.ts"
import { isTried } from "../../../../../scripts/vitest/runs.ts"
import { type Endpoint, endpoints, pathOf } from "../support/endpoints.ts"
import {
  type Answer,
  basic,
  bearer,
  enrol,
  referenceUrl,
  type Service,
  startWithCheckpoint
} from "../support/harness.ts"
import { byDraft, byStandard, keyOf, makeKey, type Signing, type SigningKey } from "../support/signing.ts"

/** The credentials that a caller sends. */
interface Shown {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

/** The service with an expired token and the keys of signing callers; each request finds the initial state. */
type World = Omit<Service, "expired"> & {
  readonly expired: string
  readonly reset: Effect.Effect<void>
  readonly keys: Readonly<Record<string, SigningKey>>
}

/** The signed parts of a request. */
type Sending = Pick<Signing, "body" | "method" | "path">

/** A caller and the facts that the rules use: this states them again instead of reading them from the service. */
interface Asker {
  readonly title: string
  readonly show: (service: World, request: Sending) => Effect.Effect<Shown>
  /** How invalid credentials are answered. */
  readonly invalid?: Refused
  readonly facts: CallerFacts
  readonly sudo?: { readonly name: string; readonly facts: CallerFacts | undefined }
  /** The name of the acting user. */
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

const factsOf: Readonly<Record<keyof typeof users, CallerFacts>> = {
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
  facts: factsOf[name],
  show: () => Effect.succeed({ headers: basic(name) })
})

const holding = (name: Name, ...scopes: ReadonlyArray<ScopeWord>): Asker => ({
  title: `${name} with a token of ${scopes.join(", ")}`,
  name,
  facts: withToken(factsOf[name], scopes),
  show: ({ mint }) => Effect.map(mint(name, scopes), (token) => ({ headers: bearer(token) }))
})

/** A caller with a token of an application or a session: the rules treat it like a personal token (I2). */
const through = (kind: "oauth2" | "session", name: Name, ...scopes: ReadonlyArray<ScopeWord>): Asker => ({
  title: `${name} through a token of the kind ${kind}, of ${scopes.join(", ")}`,
  name,
  facts: withToken(factsOf[name], scopes),
  show: ({ mintOf }) =>
    Effect.map(mintOf(kind, name, scopes), (token) => ({
      headers: kind === "session" ? bearer(token) : basic("anything", token)
    }))
})

/** A caller who signs the request: the rules treat it like a token with all scopes (I2). */
const signing = (name: Name, scheme: "draft" | "RFC 9421"): Asker => ({
  title: `${name}, who signs by ${scheme}`,
  name,
  facts: withToken(factsOf[name], ["all"]),
  show: ({ keys }, request) => {
    const signed = { ...request, key: keys[name] as SigningKey }
    return Effect.succeed({ headers: scheme === "draft" ? byDraft(signed) : byStandard(signed) })
  }
})

const failing = (title: string, invalid: Refused, show: Asker["show"]): Asker => ({
  title,
  invalid,
  facts: anonymous,
  show
})

const actingAs = (asker: Asker, name: string, place: "query" | "header"): Asker => {
  const target = factsOf[name as Name]
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
    show: (service, request) =>
      Effect.map(asker.show(service, request), (shown) =>
        place === "query"
          ? { ...shown, query: `sudo=${name}` }
          : { ...shown, headers: { ...shown.headers, sudo: name } }
      )
  }
}

const nobody: Asker = { title: "nobody", facts: anonymous, show: () => Effect.succeed({}) }

const askers: ReadonlyArray<Asker> = [
  nobody,
  failing("a wrong password", invalidCredentials, () => Effect.succeed({ headers: basic("bob", "wrong") })),
  failing("an unknown name", invalidCredentials, () => Effect.succeed({ headers: basic("nobody") })),
  failing("no token at all", invalidCredentials, () => Effect.succeed({ headers: bearer("nonsense") })),
  failing("an unknown token", invalidCredentials, () => Effect.succeed({ headers: bearer(`slp_${"a".repeat(40)}`) })),
  failing("an expired token", invalidCredentials, ({ expired }) => Effect.succeed({ headers: bearer(expired) })),
  failing("a second factor without its code", invalidCode, () => Effect.succeed({ headers: basic("tof") })),
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

const signers = ["bob", "ann", "ina"] as const

/**
 * Callers with application tokens, sessions and signatures. They run on one site only, since they differ nowhere else.
 */
const guests: ReadonlyArray<Asker> = [
  through("oauth2", "bob", "all"),
  through("oauth2", "bob", "read:user"),
  through("oauth2", "bob", "write:repository", "public-only"),
  through("oauth2", "ann", "all"),
  through("oauth2", "ina", "all"),
  through("session", "bob", "all"),
  through("session", "ann", "all"),
  through("session", "pro", "all"),
  ...signers.flatMap((name) => [signing(name, "draft"), signing(name, "RFC 9421")]),
  failing("an unknown key", invalidCredentials, (_, request) =>
    Effect.succeed({ headers: byStandard({ ...request, key: makeKey() }) })
  ),
  failing("an expired session", invalidCredentials, () => Effect.succeed({ headers: bearer(`slp_${"b".repeat(40)}`) }))
]

/**
 * Returns the status before the body is read, by a second statement of the specification; undefined when the request
 * goes on.
 */
const expected = (
  endpoint: Endpoint,
  asker: Asker,
  switches: SwitchFacts,
  target: keyof typeof users | undefined
): Refused | undefined => {
  if (asker.invalid !== undefined) return asker.invalid
  // A caller who must change their password may do only that.
  const mustChangePassword = asker.facts.mustChangePassword && endpoint.action !== "account.password.set"
  // These lead to a sign-in, so a closed site answers them.
  const isOpen = ["account.create", "account.password-reset.create", "account.password-reset.finish"].includes(
    endpoint.action
  )
  const strictSignIn = switches.strictSignIn && !isOpen
  const entered = { ...switches, ...asker.facts, mustChangePassword, strictSignIn, sudo: asker.sudo !== undefined }
  const stopped = entering.find(([, stops]) => stops(entered))?.[0]
  if (stopped !== undefined) return { status: 403, message: stopped }
  if (asker.sudo !== undefined && asker.sudo.facts === undefined) return missing
  const facts = asker.sudo?.facts ?? asker.facts
  const acting = asker.sudo?.name ?? asker.name
  const about: UserFacts =
    target === undefined
      ? missingUserFacts({ facts, userId: undefined }, switches)
      : {
          ...switches,
          ...facts,
          self: acting === target,
          userIsOrganization: false,
          belongsToUser: false,
          tied: false,
          blocked: false,
          userVisibility: (users[target] as { visibility?: UserFacts["userVisibility"] }).visibility ?? "public"
        }
  const judged = endpoint.on === "site" ? { ...switches, ...facts } : about
  return refused(actions[endpoint.action], { ...judged })
}

const installedSite = "a default site"

const sites: Readonly<Record<string, Partial<SwitchFacts>>> = {
  [installedSite]: {},
  "a closed site": { strictSignIn: true },
  "a site with federation, without a users page and a reference": {
    federation: true,
    usersPage: false,
    apiReference: false
  },
  "a site with code search, sign-in for searches and confirmed addresses": {
    codeSearch: true,
    exploreNeedsSignIn: true,
    confirmationRequired: true
  }
}

/** The statuses of allowed requests: results of the use case, or invalid input. */
const goesOn = [200, 201, 204, 302, 404, 409, 422, 501]

const judge = (answer: Answer, refusal: Refused | undefined, what: string) => {
  if (refusal === undefined) {
    expect(goesOn, `${what}: ${answer.text}`).toContain(answer.status)
    return
  }
  expect({ what, status: answer.status, body: answer.json }).toEqual({
    what,
    status: refusal.status,
    body: { message: refusal.message, url: referenceUrl, ...searchKeys(what, refusal.message) }
  })
  expect(answer.headers.has("www-authenticate"), what).toBe(refusal.status === 401)
}

/** Returns a function that creates a token once and then returns it. */
const remembered = <Of extends ReadonlyArray<unknown>>(make: (...of: Of) => Effect.Effect<string>) => {
  const made = new Map<string, string>()
  return (...of: Of) => {
    const key = JSON.stringify(of)
    const known = made.get(key)
    return known === undefined
      ? Effect.tap(make(...of), (text) => Effect.sync(() => made.set(key, text)))
      : Effect.succeed(known)
  }
}

for (const [title, switches] of Object.entries(sites)) {
  const all: SwitchFacts = { ...newSiteSwitches, ...switches }
  const asking = title === installedSite ? [...askers, ...guests] : askers

  class Api extends Context.Service<Api, World>()(`test/matrix/${title}`) {
    static readonly layer = Layer.effect(
      Api,
      Effect.gen(function* () {
        const service = yield* startWithCheckpoint({ switches })
        for (const [name, set] of Object.entries(users)) yield* service.user(name, set)
        const expired = yield* service.expired("bob")
        yield* enrol(service, "tof")
        const keys = yield* Effect.forEach(signers, (name) =>
          Effect.map(keyOf(service, name, "ann"), (key) => [name, key] as const)
        )
        const world = {
          ...service,
          mint: remembered(service.mint),
          mintOf: remembered(service.mintOf),
          expired,
          keys: Object.fromEntries(keys),
          reset: Effect.void
        }
        // Tokens are created before the first request, so that they outlast requests that delete tokens.
        yield* Effect.forEach(asking, ({ show }) => show(world, { method: "GET", path: "/" }))
        return { ...world, reset: yield* service.checkpoint }
      })
    )
  }

  // With the defaults, every caller calls each route, about changing users; on other sites an eighth of them. A long
  // run has all.
  const shareOf = (users: number) => (title === installedSite ? users : 8)

  layer(Api.layer, { excludeTestServices: true })(title, (it) => {
    for (const [turn, endpoint] of endpoints.entries()) {
      const { method, on, path } = endpoint
      // `things.test.ts` covers the others.
      if (on !== "site" && on !== "user") continue
      const targets = on === "site" ? [undefined] : (["bob", "lim", "pia", undefined] as const)
      it.effect(`${method} ${path} answers each caller by the rules`, () =>
        Effect.gen(function* () {
          const service = yield* Api
          for (const [at, asker] of asking.entries()) {
            for (const [which, target] of targets.entries()) {
              if (!isTried(shareOf(targets.length), turn, at, which)) continue
              const parts = { username: target ?? "nobody-there", target: "bob", id: "0" }
              const path = pathOf(endpoint, parts)
              const body = endpoint.hasBody ? { body: "{" } : {}
              const { headers = {}, query = "" } = yield* asker.show(service, { method, path, ...body })
              const address = `${path}${query === "" ? "" : `?${query}`}`
              const answer = yield* service.send(method, address, {
                headers,
                ...(endpoint.hasBody ? { raw: "{" } : {})
              })
              judge(answer, expected(endpoint, asker, all, target), `${asker.title}: ${method} ${address}`)
              yield* service.reset
            }
          }
        })
      )
    }
  })
}
