import { pagePaths } from "@slipway/console"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createAt, endServices, newDirectory, placesAt, send, start } from "../support.ts"
import { password, settingsInMemory } from "./support.ts"

/** A prefix of the names of all planted resources. No page may contain the name of a resource that is hidden. */
const planted = "planted-"

/** The callers: a role on a place, the owner of another team, an account without a team, and the root account. */
const callers = [
  ...(["viewer", "deployer", "developer", "admin", "owner"] as const).map((role) => ({ role, place: "team" as const })),
  ...(["project", "environment", "application", "database", "service"] as const).flatMap((place) =>
    (["viewer", "admin"] as const).map((role) => ({ role, place }))
  ),
  { role: "developer", place: "project" } as const,
  { role: "developer", place: "application" } as const,
  { role: "admin", place: "otherProject" } as const,
  { role: "owner", place: "otherTeam" } as const,
  { role: "none", place: "noTeam" } as const,
  { role: "none", place: "member" } as const
]

type Caller = (typeof callers)[number]

const nameOf = ({ place, role }: Caller): string => `${role}-${place}`

/** The pages without data that is hidden from an account: the dashboard, lists with only visible rows, and forms. */
const open: ReadonlyArray<string> = [
  "/",
  "/deploy",
  "/projects",
  "/projects/new",
  "/servers",
  "/servers/new",
  "/teams",
  "/tokens",
  "/keys",
  "/keys/new",
  "/sources",
  "/sources/connections/new",
  "/sources/github/new",
  "/sources/gitlab/new",
  "/registries",
  "/registries/new",
  "/storages",
  "/storages/new"
]

/** The API paths with the data of pages that have another path than the API. */
const reads: Readonly<Record<string, string>> = {
  "/accounts": "/accounts",
  "/accounts/:account": "/accounts/:account",
  "/applications/:application/deployers": "/applications/:application/deployers",
  "/applications/:application/tasks/:task": "/applications/:application/scheduled-tasks/:task/executions",
  "/applications/:application/deployments/:deployment": "/deployments/:deployment",
  "/audit": "/audit",
  "/deployments/:deployment": "/deployments/:deployment",
  "/grants": "/grants",
  "/keys/:uuid": "/security/keys/:uuid",
  "/notifications": "/notifications/email",
  "/notifications/:channel": "/notifications/email",
  "/projects/:project/environments/:environment/deployers": "/projects/:project/environments/:environment/deployers",
  "/projects/:project/environments/:environment/variables": "/projects/:project/environments/:environment/envs",
  "/projects/:project/variables": "/projects/:project/envs",
  "/registries/:uuid": "/registries/:uuid",
  "/roles": "/roles",
  "/servers/:server/metrics": "/servers/:server/metrics",
  "/servers/:server/proxy": "/servers/:server/proxy/status",
  "/servers/:server/variables": "/servers/:server/envs",
  "/services/:service/deployments/:deployment": "/deployments/:deployment",
  "/settings": "/settings",
  "/sources/connections/:uuid": "/forge-connections/:uuid",
  "/sources/github/:uuid": "/forge-apps/:uuid",
  "/sources/gitlab/:uuid": "/gitlab-apps/:uuid",
  "/storages/:uuid": "/s3-storages/:uuid",
  "/teams/:team/groups": "/teams/:team/groups",
  "/variables": "/team/envs"
}

/** Returns the API path with the data of a page: by default that of the resource at the beginning of the page's path. */
const readOf = (path: string): string | undefined => {
  if (open.includes(path)) return undefined
  if (path in reads) return reads[path]
  const [whole] =
    /^\/projects\/:project\/environments\/:environment|^\/(applications|databases|services|servers|projects|teams)\/:\w+/.exec(
      path
    ) ?? []
  if (whole === undefined) throw new Error(`no API path is known for the page ${path}: add it to the table`)
  return whole
}

/** Offers of pages: the page, a text by which its form or link is recognized, the action, and the name of its object. */
const offers: ReadonlyArray<readonly [page: string, text: string, action: string, object?: string]> = [
  ["/", 'href="/projects/new"', "project.create"],
  ["/projects", 'href="/projects/new"', "project.create"],
  ["/projects/new", 'action="/projects/new"', "project.create"],
  ["/projects/:project", 'value="environment"', "environment.create", "project"],
  ["/projects/:project", 'value="save"', "project.update", "project"],
  ["/projects/:project", 'value="delete"', "project.delete", "project"],
  ["/projects/:project/variables", 'value="add"', "sharedVariable.create", "project"],
  ["/projects/:project/environments/:environment", 'production/new"', "resource.create", "environmentUuid"],
  ["/projects/:project/environments/:environment", 'value="protect"', "environment.protect", "environmentUuid"],
  ["/projects/:project/environments/:environment/new", "/new/image", "resource.create", "environmentUuid"],
  ["/projects/:project/environments/:environment/new/image", 'id="image"', "resource.create", "environmentUuid"],
  ["/applications/:application", 'value="deploy"', "application.deploy.request", "application"],
  ["/applications/:application/settings", 'value="general"', "application.update", "application"],
  ["/applications/:application/settings", 'value="delete"', "application.delete", "application"],
  ["/applications/:application/variables", 'value="add"', "application.update", "application"],
  ["/applications/:application/previews", 'value="settings"', "application.update", "application"],
  ["/databases/:database", 'value="start"', "database.deploy", "database"],
  ["/databases/:database/settings", 'value="save"', "database.update", "database"],
  ["/databases/:database/settings", 'value="delete"', "database.delete", "database"],
  ["/databases/:database/backups", 'value="add"', "database.backup.create", "database"],
  ["/services/:service", 'value="start"', "service.deploy.request", "service"],
  ["/services/:service/settings", 'value="save"', "service.update", "service"],
  ["/services/:service/settings", 'value="delete"', "service.delete", "service"],
  ["/servers", 'href="/servers/new"', "server.create"],
  ["/servers/:server", 'value="test"', "server.validate", "server"],
  ["/servers/:server", 'value="clean"', "server.cleanup.run", "server"],
  ["/servers/:server", 'value="save"', "server.update", "server"],
  ["/servers/:server", 'value="delete"', "server.delete", "server"],
  ["/servers/:server/metrics", 'value="on"', "server.update", "server"],
  ["/teams", 'value="create"', "team.create"],
  ["/roles", 'value="create"', "role.create"],
  ["/grants", 'value="add"', "grant.create"],
  ["/keys", 'href="/keys/new"', "key.create"],
  ["/registries", 'href="/registries/new"', "registry.create"],
  ["/storages", 'href="/storages/new"', "s3Storage.create"],
  ["/sources", 'href="/sources/github/new"', "forgeApp.create"],
  ["/sources", 'href="/sources/connections/new"', "forgeConnection.create"],
  ["/variables", 'value="add"', "sharedVariable.create"],
  ["/accounts", 'value="create"', "account.create"],
  ["/settings", 'value="addresses"', "settings.update"]
]

/** The lists of the API; their answers contain the names of everything that a caller sees. */
const lists = [
  "/projects",
  "/resources",
  "/servers",
  "/security/keys",
  "/forge-apps",
  "/forge-connections",
  "/gitlab-apps",
  "/registries",
  "/s3-storages",
  "/teams",
  "/team/members",
  "/accounts",
  "/roles",
  "/grants",
  "/audit",
  "/team/envs",
  "/tags",
  "/deployments"
]

describe("the pages of the console", () => {
  let base: string
  /** The values of the parameters in the paths of pages. */
  let values: Readonly<Record<string, string>>
  const sessions = new Map<string, string>()
  /** The names of all planted resources, each with the API path that reads it. */
  const names = new Map<string, string>()

  const json = async (method: string, path: string, body?: unknown, bearer?: string) => {
    const response = await send(method, `${base}/api/v1${path}`, body, bearer)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }

  const plant = async (path: string, name: string, body: object, read = path): Promise<string> => {
    const made = await json("POST", path, { name: `${planted}${name}`, ...body })
    names.set(`${planted}${name}`, `${read}/${made.uuid}`)
    return made.uuid
  }

  /** Signs in as a browser without scripts does, and returns the session. */
  const signIn = async (name: string): Promise<string> => {
    const form = await fetch(`${base}/login`)
    const [cookie = ""] = (form.headers.get("set-cookie") ?? "").split(";")
    const [, field = "", value = ""] = /type="hidden" name="(\w+)" value="([^"]+)"/.exec(await form.text()) ?? []
    const response = await fetch(`${base}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie, origin: base },
      body: new URLSearchParams({ [field]: value, next: "/", name, password })
    })
    const [, session] = /slipway_deploy_session=([^;]+)/.exec(response.headers.get("set-cookie") ?? "") ?? []
    if (session === undefined) throw new Error(`${name} could not sign in: ${response.status}`)
    return session
  }

  const makeAccount = async (name: string): Promise<string> =>
    (await json("POST", "/accounts", { name, password })).uuid as string

  const makeCaller = async (caller: Caller, places: Readonly<Record<string, string>>): Promise<void> => {
    const { place, role } = caller
    const name = nameOf(caller)
    const account = await makeAccount(name)
    if (place === "otherTeam") {
      const { id } = await json("POST", "/teams", { name: "Other" })
      const invited = { account_uuid: account, place_type: "team", role: "owner" }
      const { uuid } = await json("POST", `/teams/${id}/invitations`, invited)
      sessions.set(name, await signIn(name))
      await json("POST", `/invitations/${uuid}/accept`, {}, sessions.get(name))
    } else if (place !== "noTeam") {
      await json("POST", "/teams/0/members", { account_uuid: account })
      const type = place === "otherProject" ? "project" : place
      const body = { account_uuid: account, place_type: type, place_uuid: places[place] ?? null, role }
      if (place !== "member") await json("POST", "/grants", body)
    }
    sessions.set(name, await signIn(name))
  }

  beforeAll(async () => {
    const running = start(newDirectory(), settingsInMemory)
    base = await running.listening()
    const { server_uuid } = await placesAt(base)
    const project = await plant("/projects", "project", {})
    const otherProject = await plant("/projects", "other-project", {})
    const places = { project_uuid: project, environment_name: "production", server_uuid }
    const { uuid: environment } = await json("GET", `/projects/${project}/production`)
    const created = await createAt(base, { ...places, name: `${planted}application` })
    const { uuid: application } = await created.json()
    names.set(`${planted}application`, `/applications/${application}`)
    const other = { ...places, project_uuid: otherProject }
    const { uuid: otherApplication } = await (
      await createAt(base, { ...other, name: `${planted}other-application` })
    ).json()
    names.set(`${planted}other-application`, `/applications/${otherApplication}`)
    const database = await plant("/databases/redis", "database", places, "/databases")
    const compose = { ...places, docker_compose_raw: "services:\n  web:\n    image: nginx\n" }
    const service = await plant("/services", "service", compose)
    const key = await plant("/security/keys", "key", {})
    const storage = { endpoint: "https://s3.test", bucket: "b", region: "r", key: "k", secret: "s" }
    const app = { html_url: "https://github.test", app_id: 1, installation_id: 2, client_id: "x", client_secret: "y" }
    const task = await json("POST", `/applications/${application}/scheduled-tasks`, {
      name: `${planted}task`,
      command: "true",
      frequency: "daily"
    })
    names.set(`${planted}task`, `/applications/${application}/scheduled-tasks`)
    for (const [name, path] of [
      ["team", "/team/envs"],
      ["project", `/projects/${project}/envs`],
      ["environment", `/projects/${project}/environments/production/envs`],
      ["server", `/servers/${server_uuid}/envs`]
    ] as const) {
      await json("POST", path, { key: `PLANTED_${name}`, value: "x" })
      names.set(`PLANTED_${name}`, path)
    }
    const deployment = await json("POST", `/applications/${application}/start`, {})
    const ofService = await json("POST", `/services/${service}/start`, {})
    values = {
      environmentUuid: environment,
      project,
      environment: "production",
      application,
      database,
      service,
      task: task.uuid,
      server: server_uuid ?? "",
      team: "0",
      channel: "email",
      account: await makeAccount(`${planted}account`),
      deployment: deployment.deployment_uuid,
      "/services/deployment": ofService.deployment_uuid,
      "/keys": key,
      "/registries": await plant("/registries", "registry", { registry: "r.test", username: "u", password: "p" }),
      "/storages": await plant("/s3-storages", "storage", storage),
      "/sources/github": await plant("/forge-apps", "github", { ...app, private_key_uuid: key }),
      "/sources/gitlab": await plant("/gitlab-apps", "gitlab", { html_url: "https://gitlab.test" })
    }
    names.set(`${planted}account`, `/accounts/${values.account}`)
    const uuids = { project, otherProject, environment, application, database, service }
    for (const caller of callers) await makeCaller(caller, uuids)
    sessions.set("ann", await signIn("ann"))
  }, 300_000)

  afterAll(endServices)

  /** Replaces the parameters in the path of a page; undefined if the test has no such resource. */
  const filled = (page: string, path: string): string | undefined => {
    const [, parent = ""] = /^(.*)\/:uuid/.exec(page) ?? []
    const own = page.startsWith("/services/") ? { deployment: values["/services/deployment"] ?? "" } : {}
    const known: Readonly<Record<string, string | undefined>> = { ...values, uuid: values[parent], ...own }
    let isKnown = true
    const address = path.replaceAll(/:(\w+)/g, (_, name: string) => {
      isKnown &&= known[name] !== undefined
      return known[name] ?? ""
    })
    return isKnown ? address : undefined
  }

  const ask = async (name: string, path: string): Promise<Response> =>
    send("GET", `${base}/api/v1${path}`, undefined, sessions.get(name))

  const visit = async (name: string | undefined, path: string): Promise<Response> =>
    fetch(`${base}${path}`, {
      redirect: "manual",
      headers: {
        accept: "text/html",
        ...(name === undefined ? {} : { cookie: `slipway_deploy_session=${sessions.get(name)}` })
      }
    })

  /** A page with data that only some callers see; a connection to a forge needs a forge. */
  const pages = () =>
    pagePaths.flatMap((path) => {
      const address = path === "/sources/connections/:uuid" ? undefined : filled(path, path)
      // A stream never ends; the page with its log has the same decisions.
      return address === undefined || path.endsWith("/stream") ? [] : [{ path, address }]
    })

  it("are all in the matrix, except a connection to a forge and the stream of a log", () => {
    const tested = new Set(pages().map(({ path }) => path))
    expect(pagePaths.filter((path) => !tested.has(path))).toEqual([
      "/applications/:application/logs/stream",
      "/sources/connections/:uuid"
    ])
  })

  it("redirect visitors without a session to the sign-in page", async () => {
    for (const { address, path } of pages()) {
      const response = await visit(undefined, address)
      expect([path, response.status, response.headers.get("location")]).toEqual([
        path,
        303,
        `/login?${new URLSearchParams({ next: address })}`
      ])
    }
  }, 120_000)

  for (const name of [...callers.map(nameOf), "ann"]) {
    it(`answer ${name} like the API, offer only what it allows, and contain no name that it hides`, async () => {
      const wanted: Array<string> = []
      const found: Array<string> = []
      const leaked: Array<string> = []
      const shown = new Map<string, string>()
      let visible = ""
      for (const list of lists) visible += await (await ask(name, list)).text()
      for (const [planted, path] of names) if ((await ask(name, path)).ok) visible += planted
      const hidden = [...names.keys()].filter((each) => !visible.includes(each))
      for (const { address, path } of pages()) {
        const read = readOf(path)
        const api = read === undefined ? 200 : (await ask(name, filled(path, read) ?? "")).status
        const response = await visit(name, address)
        // A redirect leads to a page of the same resource; a server that cannot be reached is shown as such.
        const status = response.status === 303 || response.status === 502 ? 200 : response.status
        wanted.push(`${path} ${api}`)
        found.push(`${path} ${status}`)
        const text = await response.text()
        if (response.status === 200) shown.set(path, text)
        for (const each of hidden) if (text.includes(each)) leaked.push(`${path}: ${each}`)
      }
      expect(found).toEqual(wanted)
      expect(leaked).toEqual([])
      const ofShown = offers.filter(([page]) => shown.has(page))
      const checks = ofShown.map(([, , action, object]) => ({
        action,
        ...(object === undefined ? {} : { object: values[object] })
      }))
      const decisions = await json("POST", "/access/check", { checks }, sessions.get(name))
      const offered = ofShown.map(([page, text]) => [page, text, shown.get(page)?.includes(text)])
      expect(offered).toEqual(ofShown.map(([page, text], at) => [page, text, decisions[at].allowed]))
    }, 120_000)
  }
})
