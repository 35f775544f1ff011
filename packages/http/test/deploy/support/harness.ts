import { generateKeyPairSync } from "node:crypto"
import { FirstStart } from "@slipway/deploy"
import { Accounts, Sessions, Tokens } from "@slipway/deploy/identity"
import type { Stores } from "@slipway/domain/deploy"
import type { Ability } from "@slipway/domain/deploy/access"
import { SettingsStore } from "@slipway/domain/deploy/administration"
import { DomainStore, parseDomains } from "@slipway/domain/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { layerPathMatcher } from "@slipway/git/deploy"
import { routerConfig } from "@slipway/http/server"
import { layer as routes, SignInSite } from "@slipway/http/server/deploy"
import { adapters, layer as memory } from "@slipway/memory/deploy"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/deploy"
import { layerKeyReader } from "@slipway/ssh"
import { testLayer, testPasswords } from "@slipway/testkit"
import { kinds } from "@slipway/testkit/deploy"
import { ByteSize, Context, Effect, Layer, Logger, Predicate, Redacted } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServer } from "effect/http"

/** The stores that the API is tested on. */
export const stores = {
  memory,
  "embedded PostgreSQL": Layer.provide(
    layerStores,
    Layer.orDie(Database.layerInMemory({ schema: "deploy", migrations }))
  )
} as const satisfies Record<string, Layer.Layer<Stores>>

/** A request of a test; `body` is sent as JSON, `raw` as it is. */
export interface Sent {
  readonly token?: string | undefined
  readonly body?: unknown
  readonly raw?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  readonly headers?: Record<string, string>
}

/** A response; `json` is undefined if the body isn't JSON. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // BOUNDARY: tests look into answers of every shape, and each assertion says which it expects.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly json: any
}

/** The largest body, in bytes, that the service under test reads. */
export const largestBody = 2 * 1024 * 1024

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Returns a new private SSH key. */
export const newKey = (): string =>
  generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "sec1", format: "pem" }
  }).privateKey

/** The options of a service under test. */
export interface StartOptions {
  /** The provider of sign-in. */
  readonly outside?: Layer.Layer<never>
  /** Whether to create a root account; its session is the credential of requests to `/account` without a token. */
  readonly withAccount?: boolean
  /** The origin at which browsers reach the service. */
  readonly rootUrl?: string
}

/** Starts the whole service in this process on a store, after its first start, with tokens of every kind. */
export const start = Effect.fnUntraced(function* (
  store: Layer.Layer<Stores> = memory,
  tracer: Layer.Layer<never> = Layer.empty,
  { outside = Layer.empty, rootUrl = "http://deploy.test", withAccount = true }: StartOptions = {}
) {
  const logged: Array<string> = []
  const logger = Logger.make(({ message, cause }) => {
    logged.push([message].flat().map(String).join(" "), String(cause))
  })
  const platform = yield* Layer.build(
    Layer.mergeAll(store, adapters, Layer.provideMerge(testPasswords, testLayer), layerKeyReader, layerPathMatcher)
  )
  const web = HttpRouter.toWebHandler(
    routes.pipe(
      Layer.provideMerge(Layer.succeedContext(platform)),
      Layer.provideMerge(HttpServer.layerServices),
      Layer.provideMerge(Layer.merge(outside, Layer.succeed(SignInSite, { rootUrl, trustedProxies: [] }))),
      Layer.provideMerge(Layer.merge(Logger.layer([logger]), tracer))
    ),
    { routerConfig, disableLogger: true }
  )
  yield* Effect.addFinalizer(() => Effect.promise(web.dispose))
  const limits = Context.make(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(largestBody))

  const fetch = (method: string, path: string, { token, body, raw, headers = {} }: Sent = {}) =>
    Effect.promise(() =>
      web.handler(
        new Request(`${rootUrl}${path}`, {
          method,
          headers: {
            host: new URL(rootUrl).host,
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...headers
          },
          ...(raw !== undefined
            ? { body: raw, duplex: "half" }
            : body === undefined
              ? {}
              : { body: JSON.stringify(body) })
        } as RequestInit),
        limits
      )
    )

  const within = <A, E>(effect: Effect.Effect<A, E, typeof platform extends Context.Context<infer R> ? R : never>) =>
    Effect.provideContext(effect, platform)
  const prepared = yield* within(FirstStart.prepare(undefined))
  if (prepared?.token === undefined || prepared.environment === undefined) {
    return yield* Effect.die(new Error("the store was not empty"))
  }
  const root = Redacted.value(prepared.token)
  const session = withAccount
    ? yield* within(
        Effect.gen(function* () {
          const input = { name: "owner", email: null, isRoot: true, password: undefined }
          const account = yield* Accounts.create(system("account.create"), input)
          return Redacted.value((yield* Sessions.begin(account, { agent: "", address: "127.0.0.1" })).plain)
        })
      ).pipe(Effect.orDie)
    : root
  const credentialFor = (path: string) => (/^\/api\/v1\/account(?:[/?]|$)/.test(path) ? session : root)

  /** Creates a token with the given abilities. */
  const mint = (...held: ReadonlyArray<Ability>) =>
    within(Tokens.create(system("token.create"), { name: held.join(), abilities: held, expiresAt: null })).pipe(
      Effect.map(({ plain, token }) => ({ text: Redacted.value(plain), ...token })),
      Effect.orDie
    )

  /** Sends a request; as root unless another token is given. */
  const send = (method: string, path: string, sent: Sent = {}): Effect.Effect<Answer> =>
    Effect.gen(function* () {
      const response = yield* fetch(method, path, { token: credentialFor(path), ...sent })
      const text = yield* Effect.promise(() => response.text())
      return { status: response.status, headers: response.headers, text, json: parsed(text) }
    })
  /** Sends a request to the API, requires its status, and returns the parsed body. */
  const ask = (status: number, method: string, path: string, body?: unknown, sent: Sent = {}) =>
    Effect.flatMap(send(method, `/api/v1${path}`, { ...sent, ...(body === undefined ? {} : { body }) }), (answer) =>
      answer.status === status
        ? Effect.succeed(answer.json)
        : Effect.die(new Error(`${method} ${path} answered ${answer.status}, not ${status}: ${answer.text}`))
    )

  return {
    fetch,
    send,
    ask,
    within,
    mint,
    root,
    project: prepared.project.uuid as string,
    environment: prepared.environment.uuid as string,
    server: prepared.server.uuid as string,
    /** All log output. */
    logged: logged as ReadonlyArray<string>,
    /** The content of the store, except the times of last use of tokens. */
    dump: within(
      Effect.gen(function* () {
        const rows: Record<string, unknown> = {}
        for (const [kind, { store }] of Object.entries(kinds)) {
          const all = yield* (yield* store).list({ limit: 100_000 })
          rows[kind] = all.map(({ lastUsedAt: _, ...row }: Record<string, unknown>) => row)
        }
        const lists = JSON.stringify(rows).match(/https?:\/\/[^",\s]+/g) ?? []
        const keys = [...new Set(lists.flatMap((list) => parseDomains(list).addresses.map(({ key }) => key)))]
        const claims = yield* (yield* DomainStore).claims(keys)
        return { ...rows, claims, settings: yield* (yield* SettingsStore).read }
      })
    )
  }
})

/** The service under test. */
export type Service = Effect.Success<ReturnType<typeof start>>

/** The names of all fields with errors, in order. */
export const wrongFields = (answer: Answer): ReadonlyArray<string> =>
  Predicate.isObject(answer.json?.errors) ? Object.keys(answer.json.errors).sort() : []
