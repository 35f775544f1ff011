import crypto, { randomBytes } from "node:crypto"
import type { Stores } from "@slipway/domain/forge"
import { OwnerName, type Site, SiteSettings } from "@slipway/domain/forge/base"
import { EmailAddress } from "@slipway/domain/forge/identity"
import { FirstStart } from "@slipway/forge"
import { Jobs, layerBackground } from "@slipway/forge/background"
import { Authenticator, InvalidCredentials } from "@slipway/forge/entry"
import { layerVerification } from "@slipway/forge/identity"
import { layerGitTransport } from "@slipway/git/forge"
import { layerCryptography } from "@slipway/http/node"
import { routerConfig } from "@slipway/http/server"
import { gitRoutes, layerHookTelling, lfsRoutes, PublicUrl, layer as routes } from "@slipway/http/server/forge"
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
import { directoryOf, type GitOption, layerGit } from "./git.ts"
import { contextOf, type From, type Handler, withAddress } from "./handler.ts"
import { listenerOf } from "./listener.ts"
import { type Methods, methodsOf } from "./methods.ts"
import { layerPages } from "./pages.ts"
import { layerRoutes, type OwnRoute } from "./routes.ts"
import { layerServices } from "./services.ts"

/** The options of a forge; each has a default that needs no setup. */
export interface ForgeOptions {
  /** The address of the forge as callers know it. */
  readonly url?: string
  /** The stores; memory, which is gone with the process, where it is left out. */
  readonly store?: Layer.Layer<Stores, unknown>
  /** Custom adapters, which replace those in memory. */
  readonly ports?: Layer.Layer<never, unknown>
  /** Where git repositories are kept, for clients of git; in memory, where only the API reaches them, if it is left out. */
  readonly git?: GitOption
  /** The settings of the operator, including custom rules. */
  readonly site?: Partial<Site>
  /** The 32 bytes that secrets are sealed with; made up, so that nothing outlasts the process, where they are left out. */
  readonly secretKey?: Uint8Array
  /** The first administrator; generated if the site has no administrator. */
  readonly administrator?: { readonly name: string; readonly email: string; readonly password: string }
  /** Finds out who sends a request: a user's name, nothing where the forge is to look, and an error for what isn't valid. */
  readonly callerOf?: (headers: Headers) => string | undefined | Promise<string | undefined>
  /** Custom routes about custom resource types, behind the same guard as those of the forge. */
  readonly routes?: ReadonlyArray<OwnRoute>
  /** The largest body that is read, in mebibytes. */
  readonly largestBody?: number
  /** Whether the web interface is served next to the API; true by default. */
  readonly pages?: boolean
}

/** A caller authenticated by a session token, like the browser of that session. */
export interface SessionCaller {
  readonly session: string
}

/** A whole forge within a program. */
export interface Forge {
  /** Answers requests; `from` says what the host program knows of them. */
  readonly handler: Handler
  /** Makes a listener for Node's own server; it passes on the user whom the host program has signed in. */
  readonly listener: ReturnType<typeof listenerOf>
  /** Does as a user what they may do; a refusal is a thrown `ForgeError`. */
  readonly actAs: {
    (who: string | SessionCaller, options?: { readonly errors?: "thrown" }): Methods<"thrown">
    (who: string | SessionCaller, options: { readonly errors: "values" }): Methods<"values">
  }
  /** Does what may be done without a sign-in. */
  readonly anonymous: Methods<"thrown">
  /** Ends the forge and lets go of what it holds. */
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

/** Throws where Node lacks what passwords are hashed with. */
const needArgon2 = () => {
  if (typeof crypto.argon2 === "function") return
  throw new Error(
    `a forge needs Node 24.7 or later, which hashes passwords with Argon2id; this is Node ${process.versions.node}`
  )
}

/** Makes a whole forge within this program, on stores in memory unless others are given. */
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
    Layer.mergeAll(layerHookTelling, layerOpenIdProvider, layerVerification),
    Layer.merge(base, ports)
  )
  const identity = callerOf === undefined ? Layer.empty : authenticator(callerOf)
  const runtime = begun.adopt(
    ManagedRuntime.make(Layer.provideMerge(layerBackground, Layer.merge(whole, identity))),
    (made) => made.dispose()
  )
  const first = FirstStart.prepare({
    name: OwnerName.make(administrator.name),
    email: EmailAddress.make(administrator.email),
    password: Redacted.make(administrator.password)
  })
  await runtime.runPromise(first)
  // Routes of git find the transport when a request comes, so that it has to be among the services of all routes.
  const served =
    directory === undefined
      ? routes
      : Layer.provideMerge(Layer.mergeAll(routes, gitRoutes, lfsRoutes), layerGitTransport(directory))
  const worker = Layer.effectDiscard(Effect.forkScoped(Jobs.worker()))
  const api = Layer.mergeAll(served, layerRoutes(own), worker)
  const web = HttpRouter.toWebHandler(
    (pages ? Layer.provideMerge(layerPages, api) : api).pipe(
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
