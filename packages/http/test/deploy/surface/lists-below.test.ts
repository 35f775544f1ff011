import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { runs, seed } from "../../../../../scripts/vitest/runs.ts"
import { endpoints } from "../support/endpoints.ts"
import { type Service, start, stores } from "../support/harness.ts"
import { makeAccount, makeTeam } from "../support/members.ts"
import {
  type Caller,
  dice,
  hasRole,
  listed,
  type Planted,
  plantTeam,
  type Role,
  type Row,
  randomCaller,
  readers,
  statusOf
} from "../support/randomWorlds.ts"

/**
 * Lists below one resource. They decide only by that resource: a caller gets all rows, or the status of a read of the
 * resource. So each row is listed exactly if a read of it is allowed.
 */

/** The lists of the resources that `worlds.test.ts` compares with single reads, and of what belongs to no team. */
const elsewhere: Readonly<Record<string, string>> = {
  ...Object.fromEntries(listed.map((list) => [`/${list}`, "random worlds of members"])),
  "/resources": "random worlds of members",
  "/github-apps": "the rows of /forge-apps",
  "/github-apps/{github_app_id}/repositories": "rows of a git host",
  "/github-apps/{github_app_id}/repositories/{owner}/{repo}/branches": "rows of a git host",
  "/forge-connections": "the rows of /forge-apps of connected forges",
  "/service-templates": "the same for every caller",
  "/services/{uuid}/storages/{storage_uuid}/restores": "the decision of applications; workers add storages of services",
  "/security/host-keys": "only for owners of the root team",
  "/accounts": "only for owners of the root team",
  "/applications/{uuid}/deployers": "only with the capability `members`: deployers.test.ts",
  "/projects/{uuid}/environments/{environment}/deployers": "only with the capability `members`: deployers.test.ts",
  "/access/objects": "the decisions of /access/check: objects.test.ts",
  "/access/subjects": "only with the capability `members`: subjects.test.ts",
  "/account/sessions": "rows of the account",
  "/account/tokens": "rows of the account",
  "/invitations": "rows of the account",
  "/teams": "the teams of the account"
}

/** The parent of a list: a resource of a random world, an environment, or the team of the token. */
type Parent = Row["list"] | "environments" | "team"

/** The parents of lists, with the beginnings of their paths; `{project}` is the project of an environment. */
const parents: ReadonlyArray<readonly [Parent, string]> = [
  ["applications", "/applications/{}"],
  ["applications", "/deployments/applications/{}"],
  ["databases", "/databases/{}"],
  ["services", "/services/{}"],
  ["environments", "/projects/{project}/environments/{}/"],
  ["projects", "/projects/{}"],
  ["servers", "/servers/{}"],
  ["team", "/teams/{}"],
  ["team", "/team/"],
  ["team", "/roles"],
  ["team", "/grants"],
  ["team", "/audit"]
]

const below = endpoints
  .filter(({ method, summary }) => method === "GET" && summary.startsWith("List "))
  .map(({ template }) => template.replace("/api/v1", ""))
  .filter((template) => elsewhere[template] === undefined)

/** The lists without a uuid here: workers and git hosts add their rows, and hosts have none. */
const byWorkers = [
  "/servers/{uuid}/docker-cleanup/executions",
  "/applications/{uuid}/rollback-images",
  "/applications/{uuid}/scheduled-tasks/{task_uuid}/executions",
  "/applications/{uuid}/previews",
  "/applications/{uuid}/webhook-deliveries",
  "/servers/{uuid}/domains",
  "/services/{uuid}/storages",
  "/services/{uuid}/scheduled-tasks/{task_uuid}/executions",
  "/databases/{uuid}/backups/{scheduled_backup_uuid}/executions",
  "/databases/{uuid}/restores",
  "/applications/{uuid}/storages/{storage_uuid}/restores",
  "/databases/{uuid}/storages/{storage_uuid}/restores"
]

/** The rows of lists of a team that only its administrators see, and the rows that every member sees. */
const administrators: ReadonlyArray<Role> = ["admin", "owner", "watcher"]
const ofAdministrators = ["/grants", "/audit", "/teams/{id}/invitations"]
const ofMembers = ["/roles", "/team/members", "/teams/{id}/members", "/teams/{id}/groups"]

/** Returns the status of a list below a resource, written from the description of roles. */
const statusBelow = (caller: Caller, template: string, parent: Row): number => {
  if (parent.list !== ("team" as never)) {
    const status = statusOf(caller, parent)
    const isChosen = template === "/servers/{uuid}/destinations"
    // Developers of a project read the servers of the team, but not what runs on them.
    return status === 200 && parent.list === "servers" && !isChosen && !hasRole(caller, parent, readers) ? 403 : status
  }
  if (!["read", "root"].includes(caller.ability)) return 403
  if (!caller.isMember || caller.team !== parent.team) return 404
  if (ofMembers.includes(template)) return 200
  if (caller.projects !== null) return 403
  return hasRole(caller, parent, ofAdministrators.includes(template) ? administrators : readers) ? 200 : 403
}

/** Returns the uuids in an answer, in order. */
const uuidsIn = (json: unknown): ReadonlyArray<string> =>
  typeof json === "object" && json !== null
    ? Object.entries(json).flatMap(([key, value]) =>
        typeof value === "string" ? (/(^|_)uuid$/.test(key) ? [value] : []) : uuidsIn(value)
      )
    : []

/** Creates rows below the resources of a team; returns the names of a path's second parameters. */
const plantBelow = Effect.fnUntraced(function* (service: Service, { rows, team }: Planted, token: string) {
  const { ask } = service
  const as = { token }
  const post = (path: string, body: object) => ask(201, "POST", path, body, as)
  const parts = new Map<string, string>()
  const task = { name: "task", command: "true", frequency: "daily" }
  for (const { list, uuid } of rows) {
    const path = `/${list}/${uuid}`
    const isDatabase = list === "databases"
    if (list === "applications" || list === "services" || isDatabase) {
      yield* post(`${path}/envs`, { key: "KEY", value: "1" })
      yield* post(`${path}/tags`, { tag_name: `below-${team}` })
    }
    if (list === "applications" || list === "services") {
      parts.set(`${uuid} task_uuid`, (yield* post(`${path}/scheduled-tasks`, task)).uuid)
    }
    if (list === "applications" || isDatabase) {
      const storage = yield* post(`${path}/storages`, { type: "persistent", name: "extra", mount_path: "/extra" })
      parts.set(`${uuid} storage_uuid`, storage.uuid)
    }
    if (isDatabase) {
      parts.set(`${uuid} scheduled_backup_uuid`, (yield* post(`${path}/backups`, { frequency: "daily" })).uuid)
    }
    if (list === "projects" || list === "servers") yield* post(`${path}/envs`, { key: "KEY", value: "1" })
  }
  const { uuid: account } = yield* makeAccount(service, "invited")
  yield* post(`/teams/${team}/invitations`, { account_uuid: account, place_type: "team", role: "viewer" })
  yield* post(`/teams/${team}/groups`, { name: "group" })
  yield* post("/team/envs", { key: "KEY", value: "1" })
  return parts
})

/** Returns the parents of a list in a team, each with the path of the list. */
const pathsOf = (
  template: string,
  {
    environments,
    parts,
    rows,
    team
  }: Planted & {
    readonly environments: ReadonlyArray<Row>
    readonly parts: ReadonlyMap<string, string>
  }
): ReadonlyArray<readonly [Row, string]> => {
  const plain = template.replace(/\{(uuid|project_uuid|server_uuid|id)\}/, "{}")
  const environment = template.includes("{environment}")
  const found = parents.find(([parent, prefix]) => (environment ? parent === "environments" : plain.startsWith(prefix)))
  if (found === undefined) throw new Error(`${template}: no parent is known`)
  const [parent] = found
  if (parent === "team") {
    const whole = { list: "team" as never, uuid: String(team), team, places: [] }
    return [[whole, plain.replace("{}", String(team))]]
  }
  const own = parent === "environments" ? environments : rows.filter(({ list }) => list === parent)
  return own.map((row) => {
    const path = environment
      ? template.replace("{project_uuid}", row.places[0] ?? "").replace("{environment}", row.uuid)
      : plain.replace("{}", row.uuid)
    return [row, path.replace(/\{(\w+)\}/, (_, name) => parts.get(`${row.uuid} ${name}`) ?? "nowhere")] as const
  })
}

for (const [name, layer] of [
  ["memory", stores.memory],
  ["embedded PostgreSQL", stores["embedded PostgreSQL"]]
] as const) {
  it.live(
    `lists below a resource decide only by that resource: ${name}`,
    () =>
      Effect.gen(function* () {
        const statuses = new Map<number, number>()
        const filled = new Set<string>()
        for (let from = seed; from < seed + (name === "memory" ? runs(2) : runs(1)); from += 1) {
          const fall = dice(from)
          const service = yield* start(layer)
          const teams: Array<
            Planted & {
              readonly owner: string
              readonly environments: ReadonlyArray<Row>
              readonly parts: ReadonlyMap<string, string>
            }
          > = []
          for (const each of ["root", "one"]) {
            const { id, token } = each === "root" ? { id: 0, token: service.root } : yield* makeTeam(service, each)
            const planted = yield* plantTeam(service, id, token, fall)
            const parts = yield* plantBelow(service, planted, token)
            const environments = planted.rows
              .filter(({ list }) => list === "databases")
              .map(({ places: [project = "", uuid = ""], team }) => ({
                list: "environments" as never,
                uuid,
                team,
                places: [project, uuid]
              }))
            for (const { places, uuid } of environments) {
              const path = `/projects/${places[0]}/environments/${uuid}/envs`
              yield* service.ask(201, "POST", path, { key: "KEY", value: "1" }, { token })
            }
            teams.push({ ...planted, owner: token, environments, parts })
          }
          const lists = yield* Effect.forEach(teams, (team) =>
            Effect.forEach(
              below.flatMap((template) =>
                pathsOf(template, team).map(([parent, path]) => ({ template, parent, path }))
              ),
              ({ parent, path, template }) =>
                Effect.map(service.ask(200, "GET", path, undefined, { token: team.owner }), (json) => {
                  const uuids = uuidsIn(json)
                  if (uuids.length > 0) filled.add(template)
                  return { template, parent, path, uuids }
                })
            )
          )
          for (let left = 8; left > 0; left -= 1) {
            const caller = yield* randomCaller(service, teams, fall)
            for (const { parent, path, template, uuids } of lists.flat()) {
              // Such a list is that of the team of the token.
              if (!template.includes("{") && caller.team !== parent.team) continue
              const about = `world ${from}: ${path} of ${caller.text}`
              const { json, status } = yield* service.send("GET", `/api/v1${path}`, { token: caller.token })
              expect({ about, status }).toEqual({ about, status: statusBelow(caller, template, parent) })
              statuses.set(status, (statuses.get(status) ?? 0) + 1)
              // Other callers join the team and get grants.
              if (status === 200 && parent.list !== ("team" as never)) {
                expect({ about, uuids: uuidsIn(json) }).toEqual({ about, uuids })
              }
            }
          }
        }
        expect([...statuses.keys()].sort()).toEqual([200, 403, 404])
        for (const status of [200, 403, 404]) expect(statuses.get(status)).toBeGreaterThan(50)
        expect(below.filter((template) => !filled.has(template))).toEqual(byWorkers)
      }).pipe(Effect.scoped),
    120_000
  )
}
