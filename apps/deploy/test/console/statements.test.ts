// @effect-diagnostics missingLayerContext:off
import { expect, it } from "@effect/vitest"
import { createConsole } from "@slipway/console"
import { FirstStart } from "@slipway/deploy"
import { Accounts, Sessions } from "@slipway/deploy/identity"
import { system } from "@slipway/domain/deploy/entry"
import { layerPathMatcher } from "@slipway/git/deploy"
import { routerConfig } from "@slipway/http/server"
import { layer as routes, SignInSite } from "@slipway/http/server/deploy"
import { adapters } from "@slipway/memory/deploy"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/deploy"
import { statementTracer } from "@slipway/sql/testing"
import { layerKeyReader } from "@slipway/ssh"
import { testLayer, testPasswords } from "@slipway/testkit"
import { type Context, Effect, Layer, Redacted, Tracer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"

const rootUrl = "http://deploy.test"

const stores = Layer.provide(layerStores, Layer.orDie(Database.layerInMemory({ schema: "deploy", migrations })))

/** Starts the console and the API in this process on PostgreSQL, with a session of an administrator. */
const start = Effect.gen(function* () {
  const { statements, tracer } = statementTracer()
  const platform = yield* Layer.build(
    Layer.mergeAll(stores, adapters, Layer.provideMerge(testPasswords, testLayer), layerKeyReader, layerPathMatcher)
  )
  const within = <A, E>(effect: Effect.Effect<A, E, typeof platform extends Context.Context<infer R> ? R : never>) =>
    Effect.provideContext(effect, platform)
  const web = HttpRouter.toWebHandler(
    routes.pipe(
      Layer.provideMerge(Layer.succeedContext(platform)),
      Layer.provideMerge(HttpServer.layerServices),
      Layer.provideMerge(Layer.succeed(SignInSite, { rootUrl, trustedProxies: [] })),
      Layer.provideMerge(Layer.succeed(Tracer.Tracer, tracer))
    ),
    { routerConfig, disableLogger: true }
  )
  yield* Effect.addFinalizer(() => Effect.promise(web.dispose))
  const prepared = yield* within(FirstStart.prepare(undefined))
  const session = yield* within(
    Effect.gen(function* () {
      const input = { name: "owner", email: null, isRoot: true, password: undefined }
      const account = yield* Accounts.create(system("account.create"), input)
      return Redacted.value((yield* Sessions.begin(account, { agent: "", address: "127.0.0.1" })).plain)
    })
  ).pipe(Effect.orDie)
  const send = (request: Request) => web.handler(request)
  const site = createConsole()
  /** Renders a page, and returns its status and how many statements it sends. */
  const visit = (path: string) =>
    Effect.promise(async () => {
      const before = statements.length
      const request = new Request(`${rootUrl}${path}`, { headers: { cookie: `slipway_deploy_session=${session}` } })
      const response = await site.answer(request, { rootUrl, send }, false)
      await response?.text()
      return { status: response?.status ?? 0, statements: statements.length - before }
    })
  /** Sends a request to the API, and returns the parsed body. */
  const ask = <A>(method: string, path: string, body?: unknown) =>
    Effect.promise(async () => {
      const headers = { authorization: `Bearer ${session}`, "content-type": "application/json" }
      const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const response = await send(new Request(`${rootUrl}/api/v1${path}`, request))
      const text = await response.text()
      expect(response.ok, `${method} ${path}: ${text}`).toBe(true)
      return JSON.parse(text) as A
    })
  return { ask, visit, project: prepared?.project.uuid ?? "", server: prepared?.server.uuid ?? "" }
})

/** The most statements of a page: each API request reads the session, its resource and its data. */
const most = 25

/** The most statements of pages that need more. */
const above: Readonly<Record<string, number>> = {
  "/": 27,
  "/applications/…": 33,
  "/applications/…/destinations": 30,
  "/applications/…/logs": 35,
  "/services/…": 30,
  "/services/…/backups": 30,
  "/services/…/logs": 30,
  "/grants": 36
}

it.live(
  "the pages of the console stay within their budget of SQL statements",
  () =>
    Effect.gen(function* () {
      const { ask, project, server, visit } = yield* start
      const places = { project_uuid: project, environment_name: "production", server_uuid: server }
      const made = (path: string, body: object) => ask<{ uuid: string }>("POST", path, { ...places, ...body })
      const application = yield* made("/applications/dockerimage", { docker_registry_image_name: "nginx" })
      const database = yield* made("/databases/redis", {})
      const compose = btoa("services:\n  web:\n    image: nginx\n")
      const service = yield* made("/services", { docker_compose_raw: compose })
      for (const key of ["A", "B", "C"]) {
        yield* ask("POST", `/applications/${application.uuid}/envs`, { key, value: "1" })
        yield* ask("POST", `/services/${service.uuid}/envs`, { key, value: "1" })
        yield* ask("POST", `/projects/${project}/envs`, { key, value: "1" })
      }
      const environment = `/projects/${project}/environments/production`
      const pages = [
        "/",
        "/projects",
        `/projects/${project}`,
        environment,
        ...["/variables", "/variables?edit=x"].map((path) => `/projects/${project}${path}`),
        `${environment}/variables`,
        `${environment}/deployers`,
        "/variables",
        `/servers/${server}/variables`,
        ...["", "/git", "/forge", "/key", "/dockerfile", "/image", "/compose", "/service", "/database"].map(
          (path) => `${environment}/new${path}`
        ),
        ...[
          "",
          "/deployments",
          "/previews",
          "/destinations",
          "/variables",
          "/storages",
          "/tasks",
          "/logs",
          "/metrics",
          "/terminal",
          "/settings",
          "/deployers"
        ].map((path) => `/applications/${application.uuid}${path}`),
        ...["", "/backups", "/logs", "/metrics", "/terminal", "/settings"].map(
          (path) => `/databases/${database.uuid}${path}`
        ),
        ...["", "/variables", "/backups", "/logs", "/metrics", "/terminal", "/settings"].map(
          (path) => `/services/${service.uuid}${path}`
        ),
        "/servers",
        `/servers/${server}`,
        `/servers/${server}/metrics`,
        "/settings",
        "/accounts",
        "/tokens",
        "/teams",
        "/grants",
        "/audit"
      ]
      const over: Array<string> = []
      for (const path of pages) {
        yield* visit(path)
        const { statements, status } = yield* visit(path)
        const shown = path.replace(/[a-z0-9]{24}/g, "…")
        if (status !== 200) over.push(`${shown}: status ${status}`)
        if (statements > (above[shown] ?? most)) over.push(`${shown}: ${statements} statements`)
      }
      expect(over).toEqual([])
    }).pipe(Effect.scoped),
  120_000
)
