// @effect-diagnostics missingLayerContext:off
import { expect, layer } from "@effect/vitest"
import { actions } from "@slipway/domain/deploy/entry"
import { Context, Effect, Layer } from "effect"
import { type Endpoint, endpoints } from "../support/endpoints.ts"
import { start } from "../support/harness.ts"
import { makeAccount, makeMember, makeTeam, type RoleOn, tokenOf } from "../support/members.ts"
import { plantParts } from "../support/parts.ts"
import { makeWorld } from "../support/world.ts"

const roles = ["viewer", "deployer", "developer", "admin", "owner"] as const
type Role = (typeof roles)[number]
type PlaceType = NonNullable<RoleOn["type"]>

/** Who asks: a member of the team with one role on one place, the owner of another team, or an account without a team. */
type Asker =
  | { readonly relation: "own"; readonly role: Role; readonly place: PlaceType }
  | { readonly relation: "none" | "other" }

const atLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)

/** The places above a resource of a path, and the resource itself; undefined for paths without a tested resource. */
const chainOf = (template: string): ReadonlyArray<PlaceType> | undefined => {
  const path = template.replace("/api/v1", "")
  const inEnvironment = ["team", "project", "environment"] as const
  if (/^\/(deployments\/)?applications\/\{uuid\}/.test(path)) return [...inEnvironment, "application"]
  if (/^\/(deployments|webhook-deliveries)\/\{uuid\}/.test(path)) return [...inEnvironment, "application"]
  if (path.startsWith("/databases/{uuid}")) return [...inEnvironment, "database"]
  if (path.startsWith("/services/{uuid}")) return [...inEnvironment, "service"]
  if (/^\/projects\/\{\w+\}\/(environments\/)?\{environment\}/.test(path)) return inEnvironment
  if (/^\/projects\/\{\w+\}/.test(path)) return ["team", "project"]
  return path.includes("{") ? ["team"] : undefined
}

const deploys = /\/(start|stop|(?<!\/proxy\/)restart|rollback|backups\/run|health-check|execute|cancel|approve|reject)$/

/** The least role on a place that covers the resource, from the description of roles; null if any member may. */
const leastFor = ({ method, template }: Endpoint): Role | null => {
  const path = template.replace("/api/v1", "")
  const isRead = method === "GET" && !path.endsWith("/validate")
  if (path.startsWith("/roles/")) return isRead ? null : "admin"
  if (/^\/(grants|invitations)\//.test(path)) return path.endsWith("/accept") ? null : "admin"
  if (path.startsWith("/tokens/")) return "owner"
  // Only owners of the root team change connections.
  if (path.startsWith("/forge-connections/")) return isRead ? "viewer" : "owner"
  if (path.startsWith("/teams/")) {
    if (path.includes("/groups")) return isRead ? null : "admin"
    if (path.endsWith("/invitations") || path.includes("/members/")) return "admin"
    return isRead ? null : "owner"
  }
  if (
    /^\/(servers|security|forge-apps|github-apps|gitlab-apps|registries|s3-storages|destinations)\//.test(path) &&
    !path.includes("/envs")
  ) {
    // Addresses of receivers often contain a token, and an export contains all secrets.
    return isRead && !/\/(log-drains|export)$/.test(path) ? "viewer" : "admin"
  }
  if (path.startsWith("/tags/") && isRead) return null
  // The list shows the grants of members, and a shell shows the secrets of its container.
  if (/\/(deployers|terminal)$/.test(path)) return "admin"
  if (deploys.test(path)) return "deployer"
  return isRead || path.endsWith("/logs") ? "viewer" : "developer"
}

/** Reads that developers of any project need in order to choose a server, a key or a git host. */
const isChosen = ({ method, template }: Endpoint): boolean =>
  method === "GET" &&
  /^\/api\/v1\/(servers|security\/keys|forge-apps|forge-connections|github-apps|gitlab-apps|registries|s3-storages|destinations)\/\{\w+\}(\/proxy|\/destinations|\/docker-cleanup|\/sentinel|\/repositories.*)?$/.test(
    template
  )

/** The status of a request with an unknown parameter: 400 shows that it was authorized. */
const wanted = (endpoint: Endpoint, asker: Asker, chain: ReadonlyArray<PlaceType>, isProtected: boolean): number => {
  const { method, template } = endpoint
  // Owners of the root team add members without an invitation.
  const isDirect = method === "POST" && template.endsWith("/{id}/members")
  // An invitation exists for every account, so that the invited one finds it.
  if (template === "/api/v1/invitations/{invitation}/accept") return 400
  if (asker.relation !== "own") return 404
  const { place, role } = asker
  // Only owners of the root team see accounts.
  if (template.startsWith("/api/v1/accounts/")) return place === "team" && role === "owner" ? 400 : 404
  if (isDirect) return place === "team" && role === "owner" ? 400 : 403
  const least = leastFor(endpoint)
  if (least === null) return 400
  if (isChosen(endpoint) && atLeast(role, "developer")) return 400
  if (!chain.includes(place) || !atLeast(role, least)) return 403
  if (!isProtected) return 400
  if (template.endsWith("/credentials")) return atLeast(role, "admin") ? 400 : 403
  const isHere = place !== "team" && place !== "project"
  // The deployment of an application or a service waits for an approval.
  if (/^\/api\/v1\/(applications|services)\/\{uuid\}\/(start|restart|rollback)$/.test(template)) return 400
  if (/^\/api\/v1\/services\/\{uuid\}\/\w+\/\{\w+\}\/(start|restart)$/.test(template)) return 400
  const writesTask = method === "PATCH" || (method === "POST" && template.endsWith("/scheduled-tasks"))
  const runs = least === "deployer" || (writesTask && template.includes("/scheduled-tasks"))
  return runs && !isHere && !atLeast(role, "admin") ? 403 : 400
}

/** The status of a request to a path without a resource. */
const wantedOnPlatform = ({ method, template }: Endpoint, asker: Asker): number => {
  const path = template.replace("/api/v1", "")
  const isOther = asker.relation === "other"
  const has = (least: Role) =>
    isOther || (asker.relation === "own" && asker.place === "team" && atLeast(asker.role, least))
  const edits = isOther || (asker.relation === "own" && atLeast(asker.role, "developer"))
  const owns = asker.relation === "own" && asker.place === "team" && asker.role === "owner"
  const allow = (isAllowed: boolean) => (isAllowed ? 400 : 403)
  const ofTeam = (isAllowed: boolean) => (asker.relation === "none" ? 404 : allow(isAllowed))
  if (/^\/(settings|(mcp\/)?(enable|disable)|security\/host-keys(\/\{address\})?)$/.test(path)) return allow(owns)
  if (path.startsWith("/notifications/")) return allow(has("admin"))
  if (path === "/accounts") return allow(owns)
  // Every asker has an account, and none is a session.
  const isOfSession = /^\/account\/(password|tokens|sessions|identities)/.test(path)
  if (isOfSession && method !== "GET") return 403
  if (path.startsWith("/account")) return 400
  if (path === "/teams" && method === "POST") return allow(owns)
  if (path === "/forge-connections" && method === "POST") return allow(owns)
  if (path === "/team" || path === "/team/members") return ofTeam(true)
  if (path === "/team/envs") return ofTeam(has(method === "GET" ? "viewer" : "developer"))
  if (path === "/roles" && method === "GET") return ofTeam(true)
  if (/^\/(roles|grants|access\/(preview|subjects(\/stream)?)|audit)$/.test(path)) return ofTeam(has("admin"))
  if (path === "/tokens") return method === "POST" ? 403 : allow(has("owner"))
  if (path === "/access/check" || path === "/deploy" || method === "GET") return 400
  if (path === "/projects") return allow(has("developer"))
  if (
    /^\/(servers|servers\/import|security\/keys|forge-apps|github-apps|gitlab-apps|registries|s3-storages)$/.test(path)
  )
    return allow(has("admin"))
  return allow(edits)
}

/**
 * The actions that an endpoint decides within: their resource, the least role, and whether a protected environment needs
 * an administrator, or a role on the environment or the resource itself.
 */
const withinEndpoints: Readonly<
  Record<string, { on: PlaceType; least: Role; whenProtected: "administrator" | "here" | "same" }>
> = {
  "application.secrets": { on: "application", least: "developer", whenProtected: "administrator" },
  "database.restore": { on: "database", least: "developer", whenProtected: "same" },
  "environment.protect": { on: "environment", least: "admin", whenProtected: "same" },
  "resource.create": { on: "environment", least: "developer", whenProtected: "same" },
  "resource.move": { on: "environment", least: "developer", whenProtected: "here" },
  "service.secrets": { on: "service", least: "developer", whenProtected: "administrator" }
}

const nameOf = (asker: Asker): string => (asker.relation === "own" ? `${asker.role} on ${asker.place}` : asker.relation)

const plant = Effect.gen(function* () {
  const service = yield* start()
  const { ask, environment, project, server } = service
  const world = yield* makeWorld(service)
  const account = yield* makeAccount(service, "someone")
  const { uuid: storage } = yield* ask(201, "POST", "/s3-storages", {
    name: "backups",
    endpoint: "https://s3.example.com",
    region: "eu-north-7",
    bucket: "backups",
    key: "key",
    secret: "secret"
  })
  const gitlab = yield* ask(201, "POST", "/gitlab-apps", { name: "gitlab", html_url: "https://gitlab.example" })
  const login = { registry: "registry.example", username: "robot", password: "password" }
  const { uuid: registry } = yield* ask(201, "POST", "/registries", login)
  const tag: string = (yield* ask(201, "POST", "/tags", { name: "tag" })).uuid
  const [{ uuid: destination }] = yield* ask(200, "GET", `/servers/${server}/destinations`)
  const where = { project_uuid: project, environment_name: "production", server_uuid: server }
  const compose = JSON.stringify({ services: { app: { image: "nginx" }, db: { image: "postgres" } } })
  const application = yield* world.create("dockerimage")
  const database: string = (yield* ask(201, "POST", "/databases/redis", where)).uuid
  const service_ = yield* ask(201, "POST", "/services", { ...where, docker_compose_raw: btoa(compose) })
  const places: Readonly<Record<PlaceType, string | undefined>> = {
    team: undefined,
    project,
    environment,
    application,
    database,
    service: service_.uuid
  }
  const askers: Array<readonly [Asker, string]> = []
  for (const place of Object.keys(places) as ReadonlyArray<PlaceType>) {
    for (const role of roles) {
      const on: RoleOn = places[place] === undefined ? { role } : { role, type: place, uuid: places[place] }
      const { token } = yield* makeMember(service, role, [on])
      askers.push([{ relation: "own", role, place }, token])
    }
  }
  askers.push([{ relation: "other" }, (yield* makeTeam(service, "other")).token])
  askers.push([{ relation: "none" }, yield* tokenOf(service, (yield* makeAccount(service, "unknown")).uuid)])
  const parts = yield* plantParts(service, {
    application,
    database,
    destination,
    project,
    server,
    service: service_.uuid
  })
  const paths = {
    "/deployments": parts.deployment,
    "/deletions": parts.deletion,
    "/webhook-deliveries": parts.delivery,
    "/forge-connections": parts.connection,
    "/tokens": parts.token,
    "/servers": server,
    "/security/keys": world.key,
    "/forge-apps": world.forgeApp,
    "/gitlab-apps": gitlab.uuid,
    "/registries": registry,
    "/s3-storages": storage,
    "/accounts": account.uuid,
    "/projects": project
  }
  const uuidIn = (template: string): string => {
    const [, start = ""] = /^\/api\/v1((?:\/security)?\/[\w-]+)/.exec(template) ?? []
    if (template.includes("applications/{uuid}")) return application
    if (start === "/databases") return database
    return start === "/services" ? service_.uuid : (paths[start as keyof typeof paths] ?? "nowhere")
  }
  const pathOf = ({ template }: Endpoint): string =>
    template
      .replace("{uuid}", uuidIn(template))
      .replace("{project_uuid}", project)
      .replace("{server_uuid}", server)
      .replace("{environment}", "production")
      .replace("{destination}", destination)
      .replace(/^(\/api\/v1\/tags\/)\{tag\}/, `$1${tag}`)
      .replace("{id}", "0")
      .replace("{account}", "unknown")
      .replace("{github_app_id}", world.forgeApp)
      .replace("{gitlab_app_id}", gitlab.uuid)
      .replace(/\{(group|role|grant|invitation)\}/, (_, name) => parts.people[name] ?? "nowhere")
      .replace(/\{(\w+)\}/g, (_, name) => parts.of(template, name) ?? "nowhere")
  return { askers, pathOf, places, service }
})

/** A service with one resource of each type, and a token of each caller. */
class World extends Context.Service<World, Effect.Success<typeof plant>>()("test/roles/World") {
  static readonly layer = Layer.effect(World, plant)
}

layer(World.layer, { excludeTestServices: true, timeout: 60_000 })("every endpoint, role, place and relation", (it) => {
  it.effect(
    "is answered as the description of the roles says",
    () =>
      Effect.gen(function* () {
        const { askers, pathOf, service } = yield* World
        const { ask, environment, project, send } = service
        let [asked, authorized] = [0, 0]
        const request = Effect.fnUntraced(function* (endpoint: Endpoint, asker: Asker, token: string, status: number) {
          const answer = yield* send(endpoint.method, `${pathOf(endpoint)}?nonsense=1`, {
            token,
            ...(endpoint.hasBody ? { raw: "{", headers: { "content-type": "application/json" } } : {})
          })
          const told = `${endpoint.method} ${endpoint.template} as ${nameOf(asker)}: ${answer.text.slice(0, 200)}`
          expect(answer.status, told).toBe(status)
          asked++
          if (status === 400) authorized++
        })
        for (const isProtected of [false, true]) {
          yield* ask(200, "PATCH", `/projects/${project}/environments/${environment}`, { is_protected: isProtected })
          for (const endpoint of endpoints) {
            // The address and the parts of an account name no resource.
            const isPlatform = /^\/api\/v1\/(account\/|security\/host-keys|[^{]*$)/.test(endpoint.template)
            const chain = chainOf(endpoint.template)
            // A protected environment changes nothing for the resources outside of it.
            if (isProtected && !chain?.includes("environment")) continue
            for (const [asker, token] of askers) {
              const status = isPlatform
                ? wantedOnPlatform(endpoint, asker)
                : wanted(endpoint, asker, chain ?? [], isProtected)
              yield* request(endpoint, asker, token, status)
            }
          }
        }
        expect(asked).toBeGreaterThan(12_000)
        expect(authorized).toBeGreaterThan(4_000)
      }),
    180_000
  )

  it.effect(
    "decides the actions within endpoints as the description of the roles says",
    () =>
      Effect.gen(function* () {
        const { askers, places, service } = yield* World
        const { ask, environment, project, send } = service
        expect(Object.keys(actions).filter((name) => endpoints.every(({ action }) => action !== name))).toEqual(
          [
            ...Object.keys(withinEndpoints),
            // A session links identities.
            "account.identity.link",
            "notification.secrets"
          ].sort((one, other) => Object.keys(actions).indexOf(one) - Object.keys(actions).indexOf(other))
        )
        const chain = ["team", "project", "environment"] as const
        for (const isProtected of [false, true]) {
          yield* ask(200, "PATCH", `/projects/${project}/environments/${environment}`, { is_protected: isProtected })
          for (const [asker, token] of askers) {
            const checks = Object.entries(withinEndpoints).map(([action, { on }]) => ({ action, object: places[on] }))
            const { json } = yield* send("POST", "/api/v1/access/check", { token, body: { checks } })
            const wanted = Object.entries(withinEndpoints).map(([action, { least, on, whenProtected }]) => {
              if (asker.relation !== "own") return [action, 404]
              const { place, role } = asker
              if (![...chain, on].includes(place) || !atLeast(role, least)) return [action, 403]
              const isHere = place !== "team" && place !== "project"
              const needsMore = isProtected && whenProtected !== "same" && !(whenProtected === "here" && isHere)
              return [action, needsMore && !atLeast(role, "admin") ? 403 : 200]
            })
            const answers = json.map(({ action, status }: { action: string; status: number }) => [action, status])
            expect({ asker: nameOf(asker), isProtected, answers }).toEqual({
              asker: nameOf(asker),
              isProtected,
              answers: wanted
            })
          }
        }
      }),
    60_000
  )
})
