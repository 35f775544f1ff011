import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { defaultSite } from "@slipway/domain/forge/base"
import { createForge, type Forge } from "@slipway/embed"
import { type Need, type PageRow, pageTable } from "@slipway/web"
import { password } from "../src/clients.ts"
import { type Visitor, visitorOf } from "./support/visitor.ts"

const url = "https://forge.example"
const administrator = { name: "root", email: "root@example.com", password }

/** The classes of callers; the owner's name is that of the user and of the organizations' owner. */
const callers = ["anonymous", "stranger", "reader", "writer", "ann", "root"] as const
type Caller = (typeof callers)[number]

/** The visibilities of a repository: public, private, without its units, of organizations, and missing. */
const repositories = [
  "ann/open",
  "ann/closed",
  "ann/plain",
  "limited/open",
  "hidden/open",
  "hidden/closed",
  "ann/nowhere",
  "nobody/nowhere"
] as const
const organizations = ["acme", "limited", "hidden", "nobody"] as const
const owners = ["ann", "shy", ...organizations] as const

/** The rest of an address with `*`, by the beginning of its path. */
const rests: Readonly<Record<string, string>> = {
  "src/branch": "main/README.md",
  "src/tag": "v1/README.md",
  "src/commit": "SHA/README.md",
  "commits/branch": "main",
  "commits/tag": "v1",
  "commits/commit": "SHA",
  compare: "main...topic",
  "blame/branch": "main/README.md",
  "blame/tag": "v1/README.md",
  "blame/commit": "SHA/README.md",
  find: "main",
  _new: "main",
  _edit: "main/README.md",
  _delete: "main/README.md",
  _upload: "main",
  "releases/tag": "v1"
}

/** An address of a page, with the resources of its path. */
interface Case {
  readonly address: string
  readonly of: string
}

/** Pages of settings that this forge does not have: it sends no email. */
const switchedOff = new Set(["/user/forgot_password", "/user/recover_account"])

/** Pages of a resource that this world lacks: no event was delivered to a webhook of these owners. */
const withoutResource = new Set(
  ["/admin/hooks", "/org/:org/settings/hooks", "/user/settings/hooks"].map((path) => `${path}/:id/deliveries/:delivery`)
)

const hookBody = {
  type: "gitea" as const,
  config: { url: "https://hooks.invalid/in", content_type: "json" as const },
  events: ["push"] as const
}

describe("pages decide as the API does (I2, I3)", () => {
  let forge: Forge
  const visitors = new Map<Caller, Visitor>()
  const teams = new Map<string, number>()
  const heads = new Map<string, string>()
  const hooks = new Map<string, { hook: string; delivery: string }>()

  const makeRepository = async (owner: string, name: string, options: { readonly private?: boolean } = {}) => {
    const ann = forge.actAs("ann")
    const params = { username: owner, reponame: name }
    const body = { name, auto_init: true, default_branch: "main", ...options }
    if (owner === "ann") await ann.account.repository.create({ body })
    else await ann.organization.repository.create({ params: { org: owner }, body })
    const write = (path: string, text: string, branch: string) =>
      ann.repository.contents.create({
        params: { ...params, "*": path },
        // The API takes base64, which the method's types do not state.
        body: { content: btoa(text) as never, message: `Add ${path}`, branch }
      })
    await write(
      ".gitea/workflows/ci.yml",
      "on: push\njobs:\n  build: { runs-on: linux, steps: [{ run: make }] }\n",
      "main"
    )
    await ann.issue.create({ params, body: { title: "One" } })
    await ann.repository.branch.create({ params, body: { new_branch_name: "topic" } })
    await write("a.txt", "a\n", "topic")
    await ann.pull.create({ params, body: { title: "Two", head: "topic", base: "main" } })
    await ann.repository.release.create({ params, body: { tag_name: "v1", target_commitish: "main" } })
    await ann.repository.wiki.page.create({ params, body: { title: "Home", content_base64: btoa("Hello") as never } })
    const [commit] = await ann.repository.commit.list({ params, query: { limit: 1 } })
    heads.set(`${owner}/${name}`, commit?.sha ?? "")
    const hook = await ann.repository.hook.create({
      params,
      body: hookBody
    })
    await ann.repository.hook.test({ params: { ...params, id: String(hook.id) } })
    const [delivery] = await ann.repository.hook.delivery.list({ params: { ...params, id: String(hook.id) } })
    hooks.set(`${owner}/${name}`, { hook: String(hook.id), delivery: String(delivery?.id) })
    for (const [user, permission] of [
      ["reader", "read"],
      ["writer", "write"]
    ] as const)
      await ann.repository.collaborator.add({ params: { ...params, collaborator: user }, body: { permission } })
  }

  beforeAll(async () => {
    const accounts = { ...defaultSite.accounts, registration: "on" } as const
    const switches = { ...defaultSite.switches, codeSearch: true }
    forge = await createForge({ administrator, site: { accounts, switches }, url })
    for (const username of ["ann", "stranger", "reader", "writer", "shy"])
      await forge.actAs("root").admin.user.create({
        body: {
          username,
          email: `${username}@example.com`,
          password,
          must_change_password: false,
          visibility: username === "shy" ? "private" : "public"
        }
      })
    const ann = forge.actAs("ann")
    for (const [username, visibility] of [
      ["acme", "public"],
      ["limited", "limited"],
      ["hidden", "private"]
    ] as const) {
      await ann.organization.create({ body: { username, visibility } })
      const { id } = await ann.organization.team.create({
        params: { org: username },
        body: { name: "builders", units_map: { "repo.code": "read" } }
      })
      teams.set(username, id)
      const hook = await ann.organization.hook.create({
        params: { org: username },
        body: { ...hookBody, active: false }
      })
      hooks.set(username, { hook: String(hook.id), delivery: "9999" })
    }
    const siteHook = await forge.actAs("root").admin.hook.create({ body: { ...hookBody, active: false } })
    hooks.set("site", { hook: String(siteHook.id), delivery: "9999" })
    for (const who of callers.filter((each) => each !== "anonymous")) {
      const hook = await forge.actAs(who).account.hook.create({ body: { ...hookBody, active: false } })
      hooks.set(`self ${who}`, { hook: String(hook.id), delivery: "9999" })
    }
    await makeRepository("ann", "open")
    await makeRepository("ann", "closed", { private: true })
    await makeRepository("ann", "plain")
    await makeRepository("limited", "open")
    await makeRepository("hidden", "open")
    await makeRepository("hidden", "closed", { private: true })
    await ann.team.member.add({ params: { id: String(teams.get("acme")), username: "reader" } })
    for (const owner of ["ann", "shy", ...organizations.slice(0, 3)]) {
      const authorization = `Basic ${Buffer.from(`${owner === "shy" ? "shy" : "ann"}:${password}`).toString("base64")}`
      const sent = { method: "PUT", headers: { authorization }, body: "bytes" }
      const { status } = await forge.handler(new Request(`${url}/api/packages/${owner}/generic/tool/1/a`, sent))
      expect(status).toBe(201)
    }
    for (let at = 0; at < 600; at++) {
      const runs = await ann.repository.actions.run.list({ params: { username: "hidden", reponame: "closed" } })
      if (runs.length > 0) break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await ann.repository.edit({
      params: { username: "ann", reponame: "plain" },
      body: { has_wiki: false, has_issues: false, has_pull_requests: false, has_actions: false, has_releases: false }
    })
    for (const who of callers)
      visitors.set(
        who,
        await visitorOf((request) => forge.handler(request), url, who === "anonymous" ? undefined : who)
      )
  })
  afterAll(() => forge?.dispose())

  const runOf = new Map<string, { readonly run: number; readonly job: number }>()

  /** Returns the addresses of a page, one for each visibility of its resource. */
  const casesOf = (who: Caller, { path }: PageRow): ReadonlyArray<Case> => {
    const scopes: ReadonlyArray<string> = path.startsWith("/:owner/:repo")
      ? repositories
      : path.startsWith("/:owner")
        ? owners
        : path.startsWith("/org/:org")
          ? organizations
          : ["site"]
    return scopes.map((of) => {
      const [owner = "", name = ""] = of.split("/")
      const hookOwner = path.startsWith("/user/settings") ? `self ${who}` : of
      const { hook = "1", delivery = "1" } = hooks.get(hookOwner) ?? {}
      const { run = 1, job = 1 } = runOf.get(of) ?? {}
      const below = path.replace("/:owner/:repo/", "").replace("/*", "")
      const address = path
        .replace(":owner", owner)
        .replace(":repo", name)
        .replace(":org", of)
        .replace(":team", "builders")
        .replace(":index", path.includes("/issues/") ? "1" : "2")
        .replace(":sha", heads.get(of) ?? "0".repeat(40))
        .replace(":page", "Home")
        .replace(":run", String(run))
        .replace(":job", String(job))
        .replace(":id", hook)
        .replace(":delivery", delivery)
        .replace(":type/:name", "generic/tool")
        .replace(":version", "1")
        .replace(":name", "ann")
        .replace("*", (rests[below] ?? "main").replace("SHA", heads.get(of) ?? "0".repeat(40)))
      return { of, address: address === "/:owner" ? `/${of}` : address }
    })
  }

  const resourceOf = (on: Need[1], of: string): string => {
    switch (on) {
      case "issue":
        return `issue:${of}#1`
      case "pull":
        return `pull:${of}#2`
      case "repo":
        return `repo:${of}`
      case "packages":
        return `packages:${of.split("/")[0] ?? ""}`
      case "owner":
        return owners.some((each) => each === of && !["ann", "shy"].includes(of)) ? `org:${of}` : `user:${of}`
      case "org":
        return `org:${of}`
      case "team":
        return `team:${teams.get(of) ?? 9_999}`
      default:
        return "site"
    }
  }

  const check = async (who: Caller, needs: ReadonlyArray<Need>, of: string): Promise<ReadonlyArray<number>> => {
    const checks = needs.map(([action, on]) => {
      const isOrganization = on === "owner" && resourceOf(on, of).startsWith("org:")
      return { action: isOrganization ? "organization.read" : action, resource: resourceOf(on, of) }
    })
    if (checks.length === 0) return []
    const caller = who === "anonymous" ? forge.anonymous : forge.actAs(who)
    return (await caller.access.check({ body: { checks } })).map(({ status }) => status)
  }

  it("every page names the actions that decide access to it", () => {
    expect(pageTable.filter(({ needs }) => needs === undefined).map(({ path }) => path)).toEqual([])
  })

  for (const who of callers) {
    it(`every page is served or refused to ${who} as its actions decide, at every visibility`, async () => {
      for (const of of repositories) {
        const [username = "", reponame = ""] = of.split("/")
        const found = await forge
          .actAs("root")
          .repository.actions.run.list({ params: { username, reponame } })
          .catch(() => [])
        const run = found.at(-1)
        if (run === undefined) continue
        const [job] = await forge
          .actAs("root")
          .repository.actions.run.job.list({ params: { username, reponame, run: String(run.id) } })
        runOf.set(of, { run: run.id, job: job?.id ?? 0 })
      }
      const visitor = visitors.get(who)
      const wrong: Array<string> = []
      const seen = new Map<number, number>()
      for (const row of pageTable) {
        for (const { address, of } of casesOf(who, row)) {
          const statuses = await check(who, row.needs ?? [], of)
          const allowed = withoutResource.has(row.path) ? 404 : 200
          const decided = switchedOff.has(row.path) ? 404 : (statuses.find((status) => status !== 200) ?? allowed)
          const isSent = who === "anonymous" && (row.signIn === true || decided === 401)
          const expected = isSent ? 303 : decided
          const first = await visitor?.go(address)
          // The list of the wiki leads to its first page, and the sign-in page of a signed-in user to the start page.
          const isMoved = first?.status === 303 && first.to?.startsWith("/user/login") === false
          const shown = isMoved ? await visitor?.go(first.to ?? "") : first
          seen.set(expected, (seen.get(expected) ?? 0) + 1)
          if (shown?.status !== expected)
            wrong.push(`${address}: ${shown?.status}, not ${expected} (${statuses.join(" ")})`)
        }
      }
      expect(wrong).toEqual([])
      expect(seen.get(200)).toBeGreaterThan(10)
      expect(seen.get(404)).toBeGreaterThan(10)
    }, 300_000)
  }
})
