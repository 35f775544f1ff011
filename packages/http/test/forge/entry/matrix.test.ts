import { expect, layer } from "@effect/vitest"
import {
  actions,
  anonymous,
  type CallerFacts,
  installed,
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

/** What a caller sends to say who they are. */
interface Shown {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

/** The service with a token that expired, and the keys of those who sign requests; each request finds it as it was at first. */
type World = Omit<Service, "expired"> & {
  readonly expired: string
  readonly reset: Effect.Effect<void>
  readonly keys: Readonly<Record<string, SigningKey>>
}

/** What is sent, as far as it is signed. */
type Sending = Pick<Signing, "body" | "method" | "path">

/** Somebody who asks, with what the rules know of them: the facts are said here once more, not taken from the service. */
interface Asker {
  readonly title: string
  readonly show: (service: World, request: Sending) => Effect.Effect<Shown>
  /** What becomes of the credentials, when they are not valid. */
  readonly invalid?: Refused
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

/** Somebody through a token of a program or of a browser: the rules take it for one of their own (I2). */
const through = (kind: "oauth2" | "session", name: Name, ...scopes: ReadonlyArray<ScopeWord>): Asker => ({
  title: `${name} through a token of the kind ${kind}, of ${scopes.join(", ")}`,
  name,
  facts: withToken(factsOf[name], scopes),
  show: ({ mintOf }) =>
    Effect.map(mintOf(kind, name, scopes), (token) => ({
      headers: kind === "session" ? bearer(token) : basic("anything", token)
    }))
})

/** Somebody who signs the request: the rules take it for a token that reaches all (I2). */
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
 * Those who come through a program or a browser, and those who sign. They are walked on one site alone, since nothing
 * else tells them apart.
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
  failing("a key that nobody has", invalidCredentials, (_, request) =>
    Effect.succeed({ headers: byStandard({ ...request, key: makeKey() }) })
  ),
  failing("a session that has expired", invalidCredentials, () =>
    Effect.succeed({ headers: bearer(`slp_${"b".repeat(40)}`) })
  )
]

/** Returns what is answered before the body is read, as the specification is read once more; nothing when the request goes on. */
const expected = (
  endpoint: Endpoint,
  asker: Asker,
  switches: SwitchFacts,
  target: keyof typeof users | undefined
): Refused | undefined => {
  if (asker.invalid !== undefined) return asker.invalid
  // Whoever has to change their password before all else may do that.
  const mustChangePassword = asker.facts.mustChangePassword && endpoint.action !== "account.password.set"
  const entered = { ...switches, ...asker.facts, mustChangePassword, sudo: asker.sudo !== undefined }
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

const installedSite = "a site as it is installed"

const sites: Readonly<Record<string, Partial<SwitchFacts>>> = {
  [installedSite]: {},
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

/** Returns what makes a token once, and then gives the same one. */
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
  const all: SwitchFacts = { ...installed, ...switches }
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
        // Tokens are made before the first request, and so outlast those that delete them.
        yield* Effect.forEach(asking, ({ show }) => show(world, { method: "GET", path: "/" }))
        return { ...world, reset: yield* service.checkpoint }
      })
    )
  }

  // As installed, everybody asks for each route, about one of the users, on the next route about another; elsewhere an
  // eighth asks. A run of many cases has all.
  const shareOf = (users: number) => (title === installedSite ? users : 8)

  layer(Api.layer, { excludeTestServices: true })(title, (it) => {
    for (const [turn, endpoint] of endpoints.entries()) {
      const { method, on, path } = endpoint
      // `things.test.ts` walks the others.
      if (on !== "site" && on !== "user") continue
      const targets = on === "site" ? [undefined] : (["bob", "lim", "pia", undefined] as const)
      it.effect(`${method} ${path} answers each caller as the rules say`, () =>
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
