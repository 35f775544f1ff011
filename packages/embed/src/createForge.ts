import crypto, { randomBytes } from "node:crypto"
import type { Stores } from "@slipway/domain/forge"
import { OwnerName, type Site, SiteSettings } from "@slipway/domain/forge/base"
import { EmailAddress } from "@slipway/domain/forge/identity"
import { FirstStart } from "@slipway/forge"
import { Jobs, layerBackground } from "@slipway/forge/background"
import { Authenticator, InvalidCredentials } from "@slipway/forge/entry"
import { layerVerification } from "@slipway/forge/identity"
import { HookWork } from "@slipway/forge/integrations"
import { layerGitTransport } from "@slipway/git/forge"
import { layerCryptography } from "@slipway/http/node"
import { routerConfig } from "@slipway/http/server"
import { gitRoutes, layerHookPayloads, lfsRoutes, PublicUrl, layer as routes } from "@slipway/http/server/forge"
import {
  blobStore,
  gitReader,
  gitRepositories,
  gitWriter,
  layer as memory,
  unadoptedRepositories
} from "@slipway/memory/forge"
import { layerOpenIdProvider } from "@slipway/openid"
import { ByteSize, Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServer } from "effect/http"
import { layerErrorPages } from "./errorPages.ts"
import { directoryOf, type GitOption, layerGit } from "./git.ts"
import { contextOf, type From, type Handler, withAddress } from "./handler.ts"
import { listenerOf } from "./listener.ts"
import { type Methods, methodsOf } from "./methods.ts"
import { layerPages } from "./pages.ts"
import { layerRoutes, type OwnRoute } from "./routes.ts"
import { layerServices } from "./services.ts"

/**
 * The options of an embedded code hosting service (a forge). All are optional, and none of the defaults needs any
 * setup.
 */
export interface ForgeOptions {
  /** The public base URL of the forge. */
  readonly url?: string
  /** The database stores. By default, data is in memory and lost when the process exits. */
  readonly store?: Layer.Layer<Stores, unknown>
  /** Adapters that replace the built-in ones, which work in memory. */
  readonly ports?: Layer.Layer<never, unknown>
  /**
   * Where git repositories are stored. By default they are in memory, where only the API can access them; git clients
   * need one of the other options.
   */
  readonly git?: GitOption
  /** The site settings of the operator, including custom access rules. */
  readonly site?: Partial<Site>
  /**
   * The key that encrypts stored secrets, 32 bytes. By default a new key is generated, so that stored secrets cannot be
   * read after a restart.
   */
  readonly secretKey?: Uint8Array
  /**
   * The account of the first administrator, created if the site has none. By default, name and password are generated.
   */
  readonly administrator?: { readonly name: string; readonly email: string; readonly password: string }
  /**
   * Authenticates a request by its headers: returns the user's name, or `undefined` to let the forge check the
   * request's own credentials. Throws for invalid credentials.
   */
  readonly callerOf?: (headers: Headers) => string | undefined | Promise<string | undefined>
  /** Custom routes for custom resource types; each request is authorized like a request to the built-in API. */
  readonly routes?: ReadonlyArray<OwnRoute>
  /** The maximum size of a request body, in mebibytes. */
  readonly largestBody?: number
  /** Whether the web interface is served in addition to the API; true by default. */
  readonly pages?: boolean
}

/** A caller that is identified by a session token, as a signed-in browser is. */
export interface SessionCaller {
  readonly session: string
}

/** A code hosting service that runs within the host program. */
export interface Forge {
  /**
   * Handles an HTTP request. `from` contains what the host program knows about the request, such as the client address.
   */
  readonly handler: Handler
  /**
   * Creates a request listener for an HTTP server of Node.js. The optional function returns the user that the host
   * program has authenticated.
   */
  readonly listener: ReturnType<typeof listenerOf>
  /**
   * Returns the API methods of a user, limited by the user's permissions. By default, a rejected or failed call throws
   * `ForgeError`.
   */
  readonly actAs: {
    (who: string | SessionCaller, options?: { readonly errors?: "thrown" }): Methods<"thrown">
    (who: string | SessionCaller, options: { readonly errors: "values" }): Methods<"values">
  }
  /** The API methods of an anonymous caller. */
  readonly anonymous: Methods<"thrown">
  /** Stops the forge, and releases its resources, such as database connections and temporary folders. */
  readonly dispose: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

const memoryGit = Layer.mergeAll(gitRepositories, gitReader, gitWriter, unadoptedRepositories)

const headersOf = (headers: Readonly<Record<string, string | undefined>> = {}): Headers => {
  const known = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return new Headers(known)
}

const authenticator = (callerOf: NonNullable<ForgeOptions["callerOf"]>) =>
  Layer.succeed(Authenticator, {
    callerOf: ({ headers }) =>
      Effect.tryPromise({
        try: async () => callerOf(headersOf(headers)),
        catch: () => new InvalidCredentials({ because: "credentials" })
      })
  })

/** Throws if this Node.js version has no Argon2id, which password hashing needs. */
const needArgon2 = () => {
  if (typeof crypto.argon2 === "function") return
  throw new Error(
    `a forge needs Node 24.7 or later, which hashes passwords with Argon2id; this is Node ${process.versions.node}`
  )
}

/** Creates a code hosting service within this program. By default, all data is in memory. */
export const createForge = async ({
  administrator = {
    name: "administrator",
    email: "administrator@localhost.example",
    password: randomBytes(24).toString("base64")
  },
  callerOf,
  git,
  largestBody = 4,
  pages = true,
  ports = Layer.empty,
  routes: own = [],
  secretKey = new Uint8Array(randomBytes(32)),
  site = {},
  store = memory,
  url = "http://localhost"
}: ForgeOptions = {}): Promise<Forge> => {
  needArgon2()
  await using begun = new AsyncDisposableStack()
  const directory = git === undefined ? undefined : await directoryOf(git, begun)
  const { hostname, origin } = new URL(url)
  const settings = SiteSettings.layer({ host: hostname, rootUrl: origin, ...site })
  const base = Layer.mergeAll(
    store,
    settings,
    PublicUrl.layer(origin),
    layerServices(Redacted.make(secretKey)),
    Layer.provide(blobStore, layerCryptography),
    directory === undefined ? memoryGit : layerGit(directory)
  )
  const whole = Layer.provideMerge(
    Layer.mergeAll(layerHookPayloads, layerOpenIdProvider, layerVerification),
    Layer.merge(base, ports)
  )
  const identity = callerOf === undefined ? Layer.empty : authenticator(callerOf)
  const runtime = begun.adopt(
    ManagedRuntime.make(Layer.provideMerge(layerBackground, Layer.merge(whole, identity))),
    (service) => service.dispose()
  )
  const first = FirstStart.prepare({
    name: OwnerName.make(administrator.name),
    email: EmailAddress.make(administrator.email),
    password: Redacted.make(administrator.password)
  })
  await runtime.runPromise(first)
  // Git routes look up the transport at each request, so it has to be among the services of all routes.
  const served =
    directory === undefined
      ? routes
      : Layer.provideMerge(Layer.mergeAll(routes, gitRoutes, lfsRoutes), layerGitTransport(directory))
  // Webhooks stay unsent unless `ports` has a sender, but their worker also starts the workflows of an event.
  const worker = Layer.effectDiscard(
    Effect.all([Effect.forkScoped(Jobs.worker()), Effect.forkScoped(HookWork.worker())])
  )
  const api = Layer.mergeAll(served, layerRoutes(own), worker)
  const web = HttpRouter.toWebHandler(
    (pages ? Layer.provideMerge(layerPages, Layer.provideMerge(api, layerErrorPages)) : api).pipe(
      Layer.provideMerge(Layer.succeedContext(await runtime.context())),
      Layer.provideMerge(HttpServer.layerServices)
    ),
    { routerConfig, disableLogger: true, middleware: withAddress }
  )
  begun.defer(web.dispose)
  const held = begun.move()
  const dispose = () => held.disposeAsync()
  const limits = Context.make(HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(largestBody))
  const handler: Handler = (request, from = {}) => web.handler(request, Context.merge(limits, contextOf(from)) as never)
  const methods = <Failing extends "thrown" | "values">(from: From, failing: Failing, session?: string) =>
    methodsOf(
      ({ body, method, path }) =>
        handler(
          new Request(`${origin}${path}`, {
            method,
            headers: {
              ...(body === undefined ? {} : { "content-type": "application/json" }),
              ...(session === undefined ? {} : { authorization: `Bearer ${session}` })
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          }),
          from
        ),
      failing
    )
  return {
    handler,
    listener: listenerOf(handler, origin),
    actAs: ((who: string | SessionCaller, { errors = "thrown" }: { readonly errors?: "thrown" | "values" } = {}) =>
      typeof who === "string" ? methods({ user: who }, errors) : methods({}, errors, who.session)) as Forge["actAs"],
    anonymous: methods({}, "thrown"),
    dispose,
    [Symbol.asyncDispose]: dispose
  }
}
