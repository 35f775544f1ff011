import { NodeCrypto } from "@effect/platform-node"
import type { Vault } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import type { ScopeWord, SwitchFacts } from "@slipway/domain/forge/access"
import { defaultSite, OwnerName, type Site, type SiteSettings } from "@slipway/domain/forge/base"
import {
  GitBusy,
  type GitReader,
  type GitRepositories,
  GitTransport,
  type GitWriter,
  type UnadoptedRepositories
} from "@slipway/domain/forge/code"
import type { Markdown } from "@slipway/domain/forge/collaboration"
import {
  accessTokens,
  EmailAddress,
  hashOf,
  makeTokenText,
  noJob,
  type Settings,
  SignInStore,
  type Standing,
  type TokenKind,
  type User,
  UserStore
} from "@slipway/domain/forge/identity"
import { layerBackground } from "@slipway/forge/background"
import { Entry } from "@slipway/forge/entry"
import { AccessTokens, AdminUsers, layerVerification } from "@slipway/forge/identity"
import { routerConfig } from "@slipway/http/server"
import { gitRoutes, layerHookPayloads, lfsRoutes, PublicUrl, layer as routes } from "@slipway/http/server/forge"
import { layerMarkdown } from "@slipway/markdown"
import {
  blobStore,
  Checkpoint,
  gitReader,
  gitRepositories,
  gitWriter,
  layerWithCheckpoint,
  layer as memory,
  unadoptedRepositories
} from "@slipway/memory/forge"
import { layerOpenIdProvider } from "@slipway/openid"
import { layerRequestSignatures, layerSignatureChecker } from "@slipway/signatures"
import { layerPublicKeyReader } from "@slipway/ssh/forge"
import { codeFor, testEnv } from "@slipway/testkit/forge"
import { ByteSize, Context, DateTime, Effect, Layer, Logger, Redacted } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServer } from "effect/http"
import { IpNetwork } from "effect/net"

/** A request of a test; `body` is sent as JSON, `raw` as it is (a stream at its own pace). */
export interface Sent {
  readonly body?: unknown
  readonly raw?: string | Uint8Array | ReadableStream<Uint8Array>
  readonly headers?: Readonly<Record<string, string>>
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

/** A response with a body that may be binary. */
export interface BytesAnswer extends Answer {
  readonly bytes: Uint8Array
}

/** The maximum body size of the service under test, in bytes. */
export const largestBody = 64 * 1024

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Returns the one-time code of a secret at a step. */
export const codeOf = (secret: string, step: number): string => codeFor(Redacted.make(secret), step)

/** Returns the current step of one-time codes, which lasts 30 seconds. */
export const step = (): number => Math.floor(Date.now() / 30_000)

/** The address of the service under test, and of its reference. */
export const rootUrl = "https://forge.test"
export const referenceUrl = `${rootUrl}/docs`

/** The password of all test users. */
export const password = "correct horse battery"

/** Returns the header `Authorization` for a name and a password. */
export const basic = (name: string, secret: string = password) => ({
  authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`
})

/** Returns the header `Authorization` for an access token. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** The settings of a site under test that differ from the defaults. */
export interface Chosen {
  readonly store?: Layer.Layer<Stores>
  /** Git; in memory by default. */
  readonly git?: Layer.Layer<GitRepositories>
  readonly objects?: Layer.Layer<GitReader | GitWriter>
  /** Unadopted repositories; none by default. */
  readonly unadopted?: Layer.Layer<UnadoptedRepositories>
  /** Serves git clients; rejects them by default. */
  readonly clients?: Layer.Layer<GitTransport>
  /** Signs commits that the site creates. */
  readonly signer?: Layer.Layer<never>
  /** An external sign-in provider, or a mail server. */
  readonly outside?: Layer.Layer<never, never, Markdown | SiteSettings | Stores | Vault>
  /** Traces requests, or replaces the clock. */
  readonly tracer?: Layer.Layer<never>
  /** The address of the listener, for links outside a request. */
  readonly listenerUrl?: string
  /** The public address of the site; the tests' address by default, or none. */
  readonly publicUrl?: string
  readonly switches?: Partial<SwitchFacts>
  readonly site?: Partial<Site>
}

let addresses = 0

/** Starts the whole service in this process on a store. */
export const start = Effect.fnUntraced(function* ({
  clients,
  git,
  listenerUrl,
  objects,
  outside,
  publicUrl = rootUrl,
  signer,
  site,
  store,
  switches,
  tracer,
  unadopted
}: Chosen = {}) {
  const logged: Array<string> = []
  const logger = Logger.make(({ message, cause }) => {
    logged.push([message].flat().map(String).join(" "), String(cause))
  })
  const settings = testEnv({
    host: "forge.test",
    switches: { ...defaultSite.switches, ...switches },
    // Test requests have no address: this allows each to state one.
    signIn: { ...defaultSite.signIn, trustedProxies: [IpNetwork.fromStringUnsafe("0.0.0.0/32")] },
    ...site
  }).pipe(Layer.provide(tracer ?? Layer.empty), Layer.merge(NodeCrypto.layerDigest))
  const platform = yield* Layer.build(
    Layer.provideMerge(
      Layer.provideMerge(
        layerBackground,
        Layer.mergeAll(layerHookPayloads, layerOpenIdProvider, outside ?? Layer.empty)
      ),
      Layer.mergeAll(
        store ?? memory,
        settings,
        layerMarkdown(),
        Layer.provide(blobStore, settings),
        PublicUrl.layer(publicUrl, undefined, undefined, listenerUrl),
        layerPublicKeyReader,
        layerSignatureChecker,
        layerRequestSignatures,
        git ?? gitRepositories,
        unadopted ?? unadoptedRepositories,
        objects ?? Layer.merge(gitReader, gitWriter)
      ).pipe((stored) => Layer.provideMerge(layerVerification, Layer.provideMerge(stored, signer ?? Layer.empty)))
    )
  )
  const web = HttpRouter.toWebHandler(
    Layer.mergeAll(routes, gitRoutes, lfsRoutes).pipe(
      Layer.provideMerge(clients ?? Layer.succeed(GitTransport, { serve: () => new GitBusy({ seconds: 1 }) })),
      Layer.provideMerge(Layer.succeedContext(platform)),
      Layer.provideMerge(HttpServer.layerServices),
      Layer.provideMerge(Layer.merge(Logger.layer([logger]), tracer ?? Layer.empty))
    ),
    { routerConfig, disableLogger: true }
  )
  yield* Effect.addFinalizer(() => Effect.promise(web.dispose))
  const limits = Context.make(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(largestBody))

  // Tests compare responses, which then differ only in the request id.
  const sameId = "request-of-a-test"

  /** Sends a request to any path, from a new client address unless it states one; does not read the response. */
  const open = (method: string, path: string, { body, headers = {}, raw }: Sent = {}): Effect.Effect<Response> =>
    Effect.promise(() => {
      const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
      addresses += 1
      const address = `2001:db8:${(addresses >> 16).toString(16)}:${(addresses & 0xffff).toString(16)}::1`
      return web.handler(
        new Request(`${rootUrl}${path}`, {
          method,
          headers: {
            "x-forwarded-for": address,
            "x-request-id": sameId,
            "content-type": "application/json",
            ...headers
          },
          ...(sent === undefined ? {} : { body: sent, duplex: "half" })
        } as RequestInit),
        limits
      )
    })
  /** Sends a request to any path, and reads the response. */
  const fetch = (method: string, path: string, sent: Sent = {}): Effect.Effect<BytesAnswer> =>
    Effect.flatMap(open(method, path, sent), (response) =>
      Effect.promise(async () => {
        const bytes = new Uint8Array(await response.arrayBuffer())
        const text = new TextDecoder().decode(bytes)
        return { status: response.status, headers: response.headers, text, bytes, json: parsed(text) }
      })
    )
  /** Sends a request to the API. */
  const send = (method: string, path: string, sent: Sent = {}) => fetch(method, `/api/v1${path}`, sent)
  /** Sends a request to the API, requires its status, and returns the parsed body. */
  const ask = (status: number, method: string, path: string, sent: Sent = {}) =>
    Effect.flatMap(send(method, path, sent), (answer) =>
      answer.status === status
        ? Effect.succeed(answer.json)
        : Effect.die(new Error(`${method} ${path} answered ${answer.status}, not ${status}: ${answer.text}`))
    )

  const within = <A, E>(effect: Effect.Effect<A, E, typeof platform extends Context.Context<infer R> ? R : never>) =>
    Effect.provideContext(effect, platform)

  const known: Array<User> = []
  /** Creates a user with the shared password. */
  const user = (name: string, set: Partial<Settings & Standing> = {}, email = `${name}@example.com`) =>
    within(
      AdminUsers.create(Entry.system("admin.user.create"), {
        mustChangePassword: false,
        ...set,
        name: OwnerName.make(name),
        email: EmailAddress.make(email),
        password
      })
    ).pipe(
      Effect.tap((made) => Effect.sync(() => known.push(made))),
      Effect.orDie
    )

  let tokens = 0
  /** Creates a token for a user, and returns its text. */
  const mint = (name: string, scopes: ReadonlyArray<ScopeWord>, expiresAt: string | null = null) =>
    within(
      AccessTokens.createFor(Entry.system("admin.user.edit"), name, { name: `token ${tokens++}`, scopes, expiresAt })
    ).pipe(
      Effect.map(({ plain }) => Redacted.value(plain)),
      Effect.orDie
    )

  /** Creates an OAuth2 or session token for a user, and returns its text. */
  const mintOf = (kind: TokenKind, name: string, scopes: ReadonlyArray<ScopeWord>) =>
    within(
      Effect.gen(function* () {
        const found = yield* (yield* UserStore).named(name)
        if (found === undefined) return yield* Effect.die(new Error(`${name} is nobody`))
        const text = yield* makeTokenText
        yield* (yield* accessTokens.store).insert({
          userId: found.user.id,
          kind,
          applicationId: null,
          grant: null,
          origin: {},
          ...noJob,
          name: `${kind} ${tokens++}`,
          scopes,
          lastEight: text.slice(-8),
          expiresAt: null,
          lastUsedAt: null,
          createdAt: DateTime.formatIso(yield* DateTime.now),
          hash: yield* hashOf(text)
        })
        return text
      })
    ).pipe(Effect.orDie)

  /** Resets failed sign-ins, so that tests are not rate-limited. */
  const forgiveAll = within(
    Effect.gen(function* () {
      const at = DateTime.formatIso(yield* DateTime.now)
      const forgive = ["account:nobody", ...known.map(({ name }) => `account:${name}`)]
      const [first] = known
      if (first === undefined) return
      yield* (yield* SignInStore).succeed({ userId: first.id, at, code: { _tag: "None" }, forgive })
    })
  )

  /** Creates an expired token for a user. */
  const expired = (name: string) =>
    within(
      Effect.gen(function* () {
        const made = { name: `token ${tokens++}`, scopes: ["all"], expiresAt: null } as const
        const { plain, token } = yield* AccessTokens.createFor(Entry.system("admin.user.edit"), name, made)
        const store = yield* accessTokens.store
        yield* store.patch({ userId: token.userId }, token.id, { expiresAt: "2020-01-01T00:00:00.000Z" })
        return Redacted.value(plain)
      })
    ).pipe(Effect.orDie)

  return {
    open,
    fetch,
    send,
    ask,
    within,
    user,
    mint,
    mintOf,
    expired,
    forgiveAll,
    logged: logged as ReadonlyArray<string>
  }
})

/** The service under test. */
export type Service = Effect.Success<ReturnType<typeof start>>

/** Enables the second factor of a user with the previous code, and returns its secret and recovery codes. */
export const enrol = Effect.fnUntraced(function* (api: Service, name: string) {
  const { secret } = yield* api.ask(201, "POST", "/user/second_factor", { headers: basic(name) })
  const confirming = Effect.suspend(() =>
    api.send("POST", "/user/second_factor/confirm", {
      headers: basic(name),
      body: { code: codeOf(secret, step() - 1) }
    })
  )
  // Retries once, in case a step ended meanwhile.
  const { json, status } = yield* Effect.repeat(confirming, { until: ({ status }) => status === 200, times: 1 })
  if (status !== 200) return yield* Effect.die(new Error(`the second factor of ${name} wasn't turned on: ${status}`))
  return { secret: secret as string, recoveryCodes: json.recovery_codes as ReadonlyArray<string> }
})

/**
 * Starts the service on stores in memory, with a checkpoint: it saves their content and returns an effect that restores
 * it.
 */
export const startWithCheckpoint = Effect.fnUntraced(function* (chosen: Omit<Chosen, "store"> = {}) {
  const stores = yield* Layer.build(layerWithCheckpoint)
  const service = yield* start({ ...chosen, store: Layer.succeedContext(stores) })
  return { ...service, checkpoint: Context.get(stores, Checkpoint).take }
})
