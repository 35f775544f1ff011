import { FirstStart } from "@slipway/deploy"
import { Sessions } from "@slipway/deploy/identity"
import { AccountStore, type AccountUuid, type IdentityUuid } from "@slipway/domain/deploy/identity"
import { Effect, Layer, Redacted } from "effect"
import { browserOf } from "../../support/browser.ts"
import { outsideService, type ProviderClaims } from "../../support/outsideService.ts"
import { type Service, type StartOptions, start, stores } from "./harness.ts"

/** The password of the root account, and of accounts that tests create. */
export const password = "correct horse battery"

/** Returns a browser of a service that is reached at an address. */
export const browse = (service: Service, rootUrl: string) =>
  browserOf(
    {
      fetch: (method, path, sent) =>
        Effect.flatMap(service.fetch(method, path, sent), (response) =>
          Effect.map(
            Effect.promise(() => response.text()),
            (text) => ({ status: response.status, headers: response.headers, text })
          )
        )
    },
    rootUrl
  )

let identities = 0

/** Begins a session of an account, which gets an identity at a provider as well; returns the text of the session. */
export const signInAs = (service: Service, uuid: string) =>
  service.within(
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const account = yield* accounts.find(uuid as AccountUuid)
      if (account === undefined) return yield* Effect.die(new Error("there is no such account"))
      identities++
      yield* accounts.link({
        uuid: `identity${String(identities).padStart(16, "0")}` as IdentityUuid,
        accountUuid: account.uuid,
        issuer: "https://login.example.com",
        subject: `subject ${identities}`,
        createdAt: account.createdAt
      })
      return Redacted.value((yield* Sessions.begin(account, { agent: "Browser", address: "192.0.2.1" })).plain)
    })
  )

/** The options of a service with accounts. */
export interface PeopleOptions extends StartOptions {
  readonly store?: keyof typeof stores
  readonly issuer?: string
  /** Whether a provider is configured, or only one in the store can sign users in. */
  readonly isConnected?: boolean
}

/** Starts a service with the root account `root`; its browsers sign in with a password or at a simulated provider. */
export const startWithPeople = Effect.fnUntraced(function* ({
  isConnected = true,
  issuer = "https://login.example.com",
  rootUrl = "http://deploy.test",
  store = "memory"
}: PeopleOptions = {}) {
  const provider = outsideService({ issuer, profile: true, clientId: "deploy" })
  const service = yield* start(stores[store], Layer.empty, {
    rootUrl,
    withAccount: false,
    outside: isConnected ? provider.layer : provider.connector
  })
  const prepared = yield* service.within(FirstStart.prepareRoot({ name: "root", password: Redacted.make(password) }))
  const open = () => browse(service, rootUrl)
  const create = (name: string, more: Record<string, unknown> = {}) =>
    service.ask(201, "POST", "/accounts", { name, password, ...more })

  /** Signs in with a password, and returns the browser with the last page. */
  const signIn = Effect.fnUntraced(function* (name: string, secret = password, next?: string) {
    const browser = open()
    const query = next === undefined ? "" : `?${new URLSearchParams({ next })}`
    const page = yield* browser.fill(yield* browser.go("GET", `/login${query}`), { name, password: secret })
    return { browser, page }
  })

  /** Begins a sign-in at the provider. */
  const goThere = Effect.fnUntraced(function* (from?: ReturnType<typeof open>, next = "/account") {
    const browser = from ?? open()
    const sent = yield* browser.go("GET", `/auth/oidc?${new URLSearchParams({ next })}`)
    return { browser, address: sent.headers.get("location") ?? "" }
  })

  /** Signs in at the provider, and returns the browser with the last page. */
  const come = Effect.fnUntraced(function* (said: ProviderClaims, more: Record<string, string> = {}) {
    const { address, browser } = yield* goThere()
    return { browser, page: yield* browser.go("GET", provider.come(address, said, more)) }
  })

  /** Returns the text of the session of a browser, as its cookie contains it. */
  const sessionIn = ({ cookies }: ReturnType<typeof open>): string =>
    cookies.get("slipway_deploy_session") ?? cookies.get("__Host-slipway_deploy_session") ?? ""

  return { service, provider, prepared, open, create, signIn, goThere, come, sessionIn, rootUrl }
})
