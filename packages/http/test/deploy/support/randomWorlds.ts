import { TokenStore } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { newKey, type Service } from "./harness.ts"
import { join, makeAccount, tokenOf } from "./members.ts"

/** Makes a pseudorandom number generator with a seed. */
export const dice = (seed: number) => {
  let state = seed >>> 0
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
  const of = <A>(choices: readonly [A, ...ReadonlyArray<A>]): A => choices[below(choices.length)] as A
  return { below, of }
}
export type Dice = ReturnType<typeof dice>

/** A role of a grant of a random world. */
export type Role = "viewer" | "deployer" | "developer" | "admin" | "owner" | "watcher" | "editor"
type PlaceType = "team" | "project" | "environment" | "application" | "database" | "service"

/** The roles that read resources, and the roles that change them; `watcher` and `editor` are custom roles. */
export const readers: ReadonlyArray<Role> = ["viewer", "deployer", "developer", "admin", "owner", "watcher"]
const editors: ReadonlyArray<Role> = ["developer", "admin", "owner", "editor"]
const custom = { watcher: ["view", "members"], editor: ["edit"] } as const

/** The lists of resources of teams, by path. */
export const listed = [
  "projects",
  "applications",
  "databases",
  "services",
  "deployments",
  "deletions",
  "servers",
  "destinations",
  "security/keys",
  "forge-apps",
  "gitlab-apps",
  "registries",
  "s3-storages",
  "tags",
  "tokens"
] as const
export type List = (typeof listed)[number]

/** A resource of a random world. */
export interface Row {
  readonly list: List
  readonly uuid: string
  readonly team: number
  /** The uuids of the resource and of the places above it, without the team. */
  readonly places: ReadonlyArray<string>
}

interface Grant {
  readonly team: number
  readonly role: Role
  readonly type: PlaceType
  readonly uuid: string | null
}

/** A member of random teams with random grants, and a token of it. */
export interface Caller {
  readonly text: string
  readonly team: number
  readonly isMember: boolean
  readonly grants: ReadonlyArray<Grant>
  readonly projects: ReadonlyArray<string> | null
  readonly ability: string
}

/** Returns whether one of some roles of a caller covers a row. */
export const hasRole = (caller: Caller, row: Row, roles: ReadonlyArray<Role>): boolean =>
  caller.grants.some(
    (grant) =>
      grant.team === row.team &&
      roles.includes(grant.role) &&
      (grant.type === "team" || row.places.includes(grant.uuid ?? ""))
  )

/** The resources that everyone who places resources of the team can read. */
const chosen: ReadonlyArray<List> = [
  "servers",
  "destinations",
  "security/keys",
  "forge-apps",
  "gitlab-apps",
  "registries",
  "s3-storages"
]

/** Returns the status of a read of a row: 200, 403 inside the team, 404 outside of it. */
export const statusOf = (caller: Caller, row: Row): number => {
  if (row.list === "tokens" ? caller.ability !== "root" : !["read", "root"].includes(caller.ability)) return 403
  // A token acts in one team, and as long as its account is a member.
  if (!caller.isMember || caller.team !== row.team) return 404
  if (row.list === "tags") return 200
  const isWithin = caller.projects === null || caller.projects.includes(row.places[0] ?? "")
  if (!isWithin) return 403
  if (row.list === "tokens") return hasRole(caller, row, ["owner"]) ? 200 : 403
  if (hasRole(caller, row, readers)) return 200
  const edits = caller.grants.some(({ role, team }) => team === row.team && editors.includes(role))
  return chosen.includes(row.list) && edits ? 200 : 403
}

const compose = JSON.stringify({ services: { web: { image: "nginx" }, db: { image: "postgres" } } })

/** Creates the resources of a team: two projects with two environments each. */
export const plantTeam = Effect.fnUntraced(function* (service: Service, team: number, owner: string, { below }: Dice) {
  const { ask } = service
  const rows: Array<Row> = []
  const as = { token: owner }
  const post = (path: string, body: object) =>
    Effect.map(ask(201, "POST", path, body, as), ({ uuid }: { uuid: string }) => uuid)
  const add = (list: List, uuid: string, ...places: ReadonlyArray<string>) => {
    rows.push({ list, uuid, team, places: [...places, uuid] })
    return uuid
  }
  for (const [name, capabilities] of Object.entries(custom)) yield* post("/roles", { name, capabilities })
  const server = add("servers", yield* post("/servers", { name: `server ${team}`, ip: `10.0.${team}.1` }))
  for (const { uuid } of yield* ask(200, "GET", `/servers/${server}/destinations`, undefined, as)) {
    add("destinations", uuid)
  }
  add("destinations", yield* post(`/servers/${server}/destinations`, { network: `net-${team}` }))
  const key = add("security/keys", yield* post("/security/keys", { private_key: newKey() }))
  const app = { html_url: "https://forge.example", app_id: 7, installation_id: 8, client_id: "c", client_secret: "s" }
  add("forge-apps", yield* post("/forge-apps", { name: "forge", ...app, private_key_uuid: key }))
  add("gitlab-apps", yield* post("/gitlab-apps", { name: "gitlab", html_url: "https://gitlab.example" }))
  const login = { registry: `registry-${team}.example`, username: "robot", password: "password" }
  add("registries", yield* post("/registries", login))
  const bucket = { endpoint: "https://s3.example", bucket: "b", region: "auto", key: "k", secret: "s" }
  add("s3-storages", yield* post("/s3-storages", { name: "x", ...bucket }))
  const holder = yield* makeAccount(service, "holder")
  const held = yield* tokenOf(service, holder.uuid, { abilities: ["read"], team })
  add("tokens", (yield* ask(200, "GET", "/token", undefined, { token: held })).uuid)
  const destination = rows.find(({ list }) => list === "destinations")?.uuid
  const places: Array<readonly [PlaceType, string]> = []
  let count = 0
  for (const name of ["shop", "blog"]) {
    const project = add("projects", yield* post("/projects", { name }))
    places.push(["project", project])
    yield* post(`/projects/${project}/environments`, { name: "staging", is_protected: below(2) === 0 })
    const { environments } = yield* ask(200, "GET", `/projects/${project}`, undefined, as)
    for (const environment of environments as ReadonlyArray<{ uuid: string; name: string }>) {
      const above = [project, environment.uuid]
      const where = { project_uuid: project, environment_uuid: environment.uuid, server_uuid: server }
      const placed = { ...where, destination_uuid: destination }
      places.push(["environment", environment.uuid])
      const image = { ...placed, docker_registry_image_name: "nginx", autogenerate_domain: false }
      const application = yield* post("/applications/dockerimage", image)
      const {
        deployments: [queued]
      } = yield* ask(200, "POST", `/deploy?uuid=${application}`, undefined, as)
      count += 1
      if (count === 4) {
        // The deployment of a deleted application belongs to the team of its server.
        yield* ask(200, "DELETE", `/applications/${application}`, undefined, as)
        rows.push({ list: "deployments", uuid: queued.deployment_uuid, team, places: [] })
      } else {
        add("applications", application, ...above)
        places.push(["application", application])
        add("deployments", queued.deployment_uuid, ...above, application)
        if (count === 1) yield* post(`/applications/${application}/tags`, { tag_name: `tag-${team}` })
      }
      const database = add("databases", yield* post("/databases/postgresql", { ...placed, name: "data" }), ...above)
      const service = { ...placed, name: "stack", docker_compose_raw: compose }
      places.push(["database", database], ["service", add("services", yield* post("/services", service), ...above)])
    }
  }
  return { rows, places, team, projects: places.filter(([type]) => type === "project").map(([, uuid]) => uuid) }
})

/** The resources of a team of a random world. */
export type Planted = Effect.Success<ReturnType<typeof plantTeam>>

/** Creates an account with random grants in random teams, and a token of it. */
export const randomCaller = Effect.fnUntraced(function* (
  service: Service,
  teams: ReadonlyArray<Planted & { readonly owner: string }>,
  { below, of }: Dice
) {
  const account = yield* makeAccount(service, "caller")
  const [first, ...others] = teams
  if (first === undefined) return yield* Effect.die(new Error("there is no team"))
  const home = of([first, ...others])
  const grants: Array<Grant> = []
  const joined = new Set(below(8) === 0 ? [] : [home])
  if (below(3) === 0) joined.add(of([first, ...others]))
  for (const { owner, places, team } of joined) {
    yield* join(service, account.uuid, team)
    for (let left = 1 + below(4); left > 0; left -= 1) {
      const role: Role = of<Role>(["viewer", "viewer", "deployer", "developer", "admin", "owner", "watcher", "editor"])
      const [type, uuid] = below(5) === 0 ? (["team", null] as const) : of(places as never as [Planted["places"][0]])
      const as = { token: owner }
      const member = { account_uuid: account.uuid }
      let recipient: Readonly<Record<string, string>> = member
      if (below(3) === 0) {
        const groups = `/teams/${team}/groups`
        const group = (yield* service.ask(201, "POST", groups, { name: `${account.uuid} ${left}` }, as)).uuid
        yield* service.ask(201, "POST", `${groups}/${group}/members`, member, as)
        recipient = { group_uuid: group }
      }
      yield* service.ask(201, "POST", "/grants", { ...recipient, place_type: type, place_uuid: uuid, role }, as)
      grants.push({ team, role, type, uuid })
    }
  }
  const ability = of(["read", "read", "read", "read", "root", "root", "root", "write"] as const)
  const token = yield* tokenOf(service, account.uuid, { abilities: [ability], team: home.team })
  const projects = below(6) === 0 ? [home.projects[below(2)] ?? ""] : null
  const { uuid } = yield* service.ask(200, "GET", "/token", undefined, { token })
  yield* service.within(
    Effect.gen(function* () {
      const tokens = yield* TokenStore
      const row = yield* tokens.find(uuid)
      if (row !== undefined) yield* tokens.replace({ ...row, projects: projects as never })
    })
  )
  const held = { team: home.team, isMember: joined.has(home), grants, projects, ability }
  return { ...held, text: JSON.stringify(held), token }
})
