// @effect-diagnostics missingLayerContext:off
import { expect, it, layer } from "@effect/vitest"
import type { Ability } from "@slipway/domain/deploy/access"
import { rowOf } from "@slipway/domain/deploy/entry"
import { TokenStore } from "@slipway/domain/deploy/identity"
import { access, DeployApi, EndpointAction, EndpointSignature, signedEndpoint } from "@slipway/http/api/deploy"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { granted, layerEveryEndpointGuarded } from "../../../src/server/deploy/base/guard.ts"
import { type Endpoint, endpoints, signedEndpoints } from "../support/endpoints.ts"
import { type Service, start } from "../support/harness.ts"

class Api extends Context.Service<Api, Service>()("test/access/Api") {
  static readonly layer = Layer.effect(Api, start())
}

const json = { "content-type": "application/json" }

// A second statement of the decision "Bearer tokens": it does not read the tables that the service uses.
const abilities = ["read", "read:sensitive", "write", "deploy", "root"] as const

/** Requests that start, stop or execute something. */
const deploys =
  /^(GET|POST) \/api\/v1\/deploy$|^POST .*\/(start|stop|(?<!\/proxy\/)restart|rollback|cancel|approve|reject|execute|backups\/run|health-check)$/

/** Returns the abilities that allow a token to call an endpoint. */
const enoughFor = ({ method, template }: Endpoint): ReadonlyArray<Ability> => {
  const request = `${method} ${template}`
  if (["GET /api/v1/version", "GET /api/v1/token"].includes(request)) return abilities
  // The tokens of this test belong to no account.
  if (/^\/api\/v1\/account(?:\/|$)/.test(template)) return []
  if (template.startsWith("/api/v1/accounts")) return ["root"]
  // Owners of the root team create teams; an invitation needs only an administrator of the team.
  if (["POST /api/v1/teams", "POST /api/v1/teams/{id}/members"].includes(request)) return ["root"]
  if (request === "POST /api/v1/access/check") return ["read", "read:sensitive", "root"]
  if (/^POST \/api\/v1\/(mcp\/)?(en|dis)able$/.test(request)) return ["root"]
  if (template.startsWith("/api/v1/tokens") || request === "PATCH /api/v1/settings") return ["root"]
  // A connection lets outbound requests reach a private address.
  if (template.startsWith("/api/v1/forge-connections") && method !== "GET") return ["root"]
  if (template.endsWith("/terminal")) return ["root"]
  if (/\/credentials$/.test(template) || /^GET \S+\/export$/.test(request)) return ["read:sensitive", "root"]
  if (deploys.test(request)) return ["deploy", "root"]
  // Logs are read with POST too.
  if (/^POST \S*\/services\/.*\/logs$/.test(request)) return ["read", "read:sensitive", "root"]
  // Validating a server writes its state.
  if (method !== "GET" || template.endsWith("/validate")) return ["write", "root"]
  return ["read", "read:sensitive", "root"]
}

layer(Api.layer, { excludeTestServices: true })("every endpoint", (it) => {
  it.effect("I1: declares an action", () =>
    Effect.sync(() => {
      expect(endpoints.filter(({ action }) => action === undefined)).toEqual([])
      expect(endpoints.length).toBeGreaterThan(50)
    })
  )

  it.effect("loads and authorizes the resource that its path names, or the platform", () =>
    Effect.sync(() => {
      // A host key is known only by its address. Without a number, paths of teams lead to the team of the caller.
      const ofTeam = [
        "access.subjects",
        "access.watch",
        "grant.create",
        "grant.list",
        "role.create",
        "role.list",
        "team.audit",
        "team.member.list"
      ]
      const ofCaller = ["hostKey.forget", "sharedVariable.create", "sharedVariable.list", "team.read"]
      // The parts of the caller's account: one of another account is missing.
      const ofAccount = ["account.identity.unlink", "account.session.end", "account.token.revoke"]
      const own = [...ofTeam, ...ofCaller, ...ofAccount]
      const wrong = endpoints.flatMap(({ action, name, template }) =>
        action === undefined || own.includes(action) || template.includes("{") === (rowOf(action).on !== "platform")
          ? []
          : [`${name}: ${action}`]
      )
      expect(wrong).toEqual([])
    })
  )

  it.effect("rejects a missing, wrong, expired or revoked token before any other check (401)", () =>
    Effect.gen(function* () {
      const { ask, dump, mint, root, send, within } = yield* Api
      const revoked = yield* mint("root")
      yield* ask(200, "DELETE", `/tokens/${revoked.uuid}`)
      const { text: expired, ...row } = yield* mint("root")
      const past = { ...row, expiresAt: "2020-01-01T00:00:00.000Z" }
      yield* within(Effect.flatMap(TokenStore, (store) => store.replace(past)))
      const before = yield* dump
      const secret = root.slice(root.indexOf("|") + 1)
      const credentials: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        "no token": {},
        "a wrong token": { authorization: "Bearer 1|wrong" },
        "the secret without its number": { authorization: `Bearer ${secret}` },
        "the secret with another number": { authorization: `Bearer 99|${secret}` },
        "a token in another scheme": { authorization: `Basic ${btoa(`root:${root}`)}` },
        "an empty token": { authorization: "Bearer " },
        "an expired token": { authorization: `Bearer ${expired}` },
        "a revoked token": { authorization: `Bearer ${revoked.text}` }
      }
      for (const { hasBody, method, path } of endpoints) {
        for (const [which, headers] of Object.entries(credentials)) {
          const answer = yield* send(method, path, {
            token: undefined,
            headers: { ...json, ...headers },
            ...(hasBody ? { raw: "{" } : {})
          })
          expect([answer.status, answer.json], `${method} ${path} with ${which}`).toEqual([
            401,
            { message: "Unauthenticated." }
          ])
          expect(answer.headers.get("www-authenticate")).toBe("Bearer")
        }
      }
      expect(yield* dump).toEqual(before)
    })
  )

  it.effect("I1: accepts no token where a signature is required; every wrong signature gets the same 401", () =>
    Effect.gen(function* () {
      const { dump, root, send } = yield* Api
      expect(signedEndpoints.map(({ action, template }) => [action, template])).toEqual([
        [undefined, "/api/v1/applications/{uuid}/webhooks/{provider}"]
      ])
      const before = yield* dump
      for (const provider of ["github", "gitlab", "bitbucket", "gitea"]) {
        for (const token of [undefined, root]) {
          const path = `/api/v1/applications/nowhere/webhooks/${provider}`
          const answer = yield* send("POST", path, { token, headers: json, raw: "{" })
          expect([answer.status, answer.json], provider).toEqual([401, { message: "Unauthenticated." }])
        }
      }
      expect(yield* dump).toEqual(before)
    })
  )

  const asks = (held: Ability) =>
    Effect.gen(function* () {
      const { dump, mint, send } = yield* Api
      const { text: token } = yield* mint(held)
      const before = yield* dump
      for (const endpoint of endpoints) {
        const { action, hasBody, method, path, template } = endpoint
        // An unknown parameter lets no request switch the API.
        const switches = /^\/api\/v1\/(mcp\/)?(en|dis)able$/.test(path)
        const sent = switches ? `${path}?nonsense=1` : path
        const answer = yield* send(method, sent, { token, headers: json, ...(hasBody ? { raw: "{" } : {}) })
        const said = `${method} ${path} (${action}) with ${held}: ${answer.text.slice(0, 200)}`
        if (!enoughFor(endpoint).includes(held)) {
          expect(answer.status, said).toBe(403)
          expect(Object.keys(answer.json), said).toEqual(["message"])
        } else if (template.includes("{")) expect(answer.status, said).toBe(404)
        // The query names the applications to deploy or the action to decide; disabled channels send no tests.
        else {
          const asks = [
            "/deploy",
            "/test",
            "/explain",
            "/access/objects",
            "/access/subjects",
            "/access/subjects/stream"
          ]
          const isWrong = hasBody || switches || asks.some((end) => path.endsWith(end))
          expect(answer.status, said).toBe(isWrong ? 400 : 200)
        }
      }
      expect(yield* dump).toEqual(before)
    })

  for (const held of abilities) {
    it.effect(
      `checks the abilities of \`${held}\` (403), then that the resource exists (404), then the body (400)`,
      () => asks(held)
    )
  }

  it.effect("reports only the failed rule and the action of the endpoint", () =>
    Effect.gen(function* () {
      const { mint, send } = yield* Api
      const { text: token } = yield* mint("read")
      const answer = yield* send("POST", "/api/v1/projects", { token, body: { name: "x" } })
      expect(answer.json).toEqual({
        message: "This token may not do this (project.create): tokens with `write` or `root` may."
      })
    })
  )
})

const starting = (endpoint: HttpApiEndpoint.Constraint) =>
  Effect.map(
    Effect.exit(
      Effect.scoped(Layer.build(layerEveryEndpointGuarded(DeployApi.add(HttpApiGroup.make("probe").add(endpoint)))))
    ),
    (exit) => (Exit.isSuccess(exit) ? "started" : Cause.pretty(exit.cause).split("\n")[0])
  )

it.live("I1: an API with an endpoint without an action, or without its guard, does not start", () =>
  Effect.gen(function* () {
    const probe = HttpApiEndpoint.get("probe", "/probe")
    expect(yield* starting(probe.pipe(access("project.list")))).toBe("started")
    expect(yield* starting(probe)).toContain("probe.probe declares no action")
    expect(yield* starting(probe.annotate(EndpointAction, "project.list"))).toContain("probe.probe has no guard")
    expect(yield* starting(probe.pipe(signedEndpoint))).toBe("started")
    expect(yield* starting(probe.annotate(EndpointSignature, "application"))).toContain("probe.probe has no guard")
    expect(yield* starting(probe.pipe(signedEndpoint, access("project.list")))).toContain(
      "probe.probe declares two guards"
    )
  })
)

class Probe extends HttpApi.make("deploy").add(
  HttpApiGroup.make("probe").add(HttpApiEndpoint.get("probe", "/probe").pipe(access("project.list")))
) {}

const asking = <A extends "project.list" | "project.create">(action: A) =>
  HttpApiBuilder.group(Probe, "probe", (group) => group.handle("probe", () => Effect.asVoid(granted(action))))

it.effect("a handler that requires another action than its endpoint declares does not compile", () =>
  Effect.sync(() => {
    const right = asking("project.list")
    const wrong = asking("project.create")
    /** Accepts the handlers that the endpoint's guard can serve. */
    const served = <R extends Layer.Services<typeof right>>(
      handlers: Layer.Layer<HttpApiGroup.Service<"deploy", "probe">, never, R>
    ) => handlers
    expect(served(right)).toBe(right)
    // @ts-expect-error the endpoint's guard proves project.list, nothing else
    // @effect-diagnostics-next-line missingLayerContext:off
    expect(served(wrong)).toBe(wrong)
  })
)
