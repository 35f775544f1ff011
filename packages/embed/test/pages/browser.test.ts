import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { defaultSite } from "@slipway/domain/forge/base"
import { createForge, type Forge } from "@slipway/embed"
import type { AxeResults } from "axe-core"
import { type Browser, chromium } from "playwright-core"
import { password, writeFile } from "./support/site.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** The pages that only administrators see. */
const adminAddresses = ["users", "users/new", "users/ann", "organizations", "emails", "hooks", "hooks/new"]
  .concat(["runners", "tasks", "notices", "unadopted", "audit", "config"])
  .map((name) => `/admin/${name}`)
  .concat("/admin")

/** All pages are checked here: add the address of yours, and whether only signed-in users see it. */
const addresses = [
  "/",
  "/explore/repos",
  "/explore/users",
  "/explore/organizations",
  "/explore/code",
  "/explore/code?q=name",
  "/explore/code?q=%3D%3E",
  "/ann/site/search?q=%22name%20that%20is%22",
  "/ann",
  "/acme",
  "/ann/site",
  "/ann/site/src/branch/main/src",
  "/ann/site/src/branch/main/src/app.ts",
  "/ann/site/src/branch/main/docs/guide.md",
  "/ann/site/src/branch/main/dot.png",
  "/ann/site/commits/branch/main",
  "/ann/site/commit/HEAD",
  "/ann/empty",
  "/ann/site/issues",
  "/ann/site/issues?state=closed&q=nothing",
  "/ann/site/issues/new",
  "/ann/site/issues/1",
  "/ann/site/pulls",
  "/ann/site/pulls/2",
  "/ann/site/pulls/2/files",
  "/ann/site/labels",
  "/ann/site/milestones",
  "/ann/site/milestones/new",
  "/ann/site/releases",
  "/ann/site/deployments",
  "/ann/site/releases/tag/v1.0",
  "/ann/site/releases/new",
  "/ann/site/branches",
  "/ann/site/tags",
  "/ann/site/compare",
  "/ann/site/compare/main...fix",
  "/ann/site/pulls/2/commits",
  "/ann/site/pulls/2/checks",
  "/ann/site/pulls/2/files?path=src/fix.ts&line=R1",
  "/ann/site/issues/1?edit=issue",
  "/ann/site/blame/branch/main/src/app.ts",
  "/ann/site/find/main?q=app",
  "/ann/site/_new/main",
  "/ann/site/_edit/main/src/app.ts",
  "/ann/site/_delete/main/src/app.ts",
  "/ann/site/_upload/main",
  "/ann/site/activity",
  "/ann/site/stars",
  "/ann/site/watchers",
  "/ann/site/forks",
  "/ann/site/fork",
  "/ann/site/wiki",
  "/ann/site/wiki?action=_new",
  "/ann/-/activity",
  "/ann/-/stars",
  "/ann/-/followers",
  "/ann/-/following",
  "/ann/-/packages",
  "/ann/-/packages/generic/tool",
  "/ann/-/packages/generic/tool/1.0",
  "/ann/site/packages",
  "/ann/site/actions",
  "/ann/site/actions?workflow=ci.yml",
  "/ann/site/actions/runs/1",
  "/ann/site/actions/runs/1/jobs/1",
  "/issues",
  "/pulls",
  "/milestones",
  "/notifications",
  "/search?q=site",
  "/ann/site/graph",
  "/org/create",
  "/org/acme/members",
  "/org/acme/members?access=bob",
  "/org/acme/teams",
  "/org/acme/teams/new",
  "/org/acme/teams/builders",
  "/org/acme/settings",
  "/org/acme/settings/labels",
  "/org/acme/settings/labels?edit=LABEL",
  "/org/acme/settings/hooks",
  "/org/acme/settings/hooks/new",
  "/org/acme/settings/hooks/ORGHOOK",
  "/org/acme/settings/actions/secrets",
  "/org/acme/settings/actions/variables",
  "/org/acme/settings/actions/runners",
  "/org/acme/settings/blocked_users",
  "/org/acme/settings/audit",
  "/repo/create",
  "/ann/site/settings",
  "/ann/site/settings/access",
  "/ann/site/settings/access?user=bob&action=git.push",
  "/ann/site/settings/collaboration",
  "/ann/site/settings/branches",
  "/ann/site/settings/branches/edit?rule_name=main",
  "/ann/site/settings/tags",
  "/ann/site/settings/mirrors",
  "/ann/site/settings/deployments",
  "/ann/site/settings/environments",
  "/ann/site/settings/environments/edit?name=production",
  "/ann/site/settings/actions/secrets",
  "/ann/site/settings/actions/variables",
  "/ann/site/settings/actions/runners",
  "/ann/site/settings/keys",
  "/ann/site/settings/hooks",
  "/ann/site/settings/hooks/new",
  "/ann/site/settings/hooks/HOOK",
  "/ann/site/settings/hooks/HOOK/deliveries/DELIVERY",
  "/user/settings",
  "/user/settings/account",
  "/user/settings/security",
  "/user/settings/applications",
  "/user/settings/applications?tokens=yes",
  "/user/settings/applications/oauth2",
  "/user/settings/keys",
  "/user/settings/notifications",
  "/user/settings/organization",
  "/user/settings/repos",
  "/user/settings/packages",
  "/user/settings/actions/variables",
  "/user/settings/actions/runners",
  "/user/settings/hooks",
  "/user/settings/hooks/new",
  "/user/settings/hooks/OWNHOOK",
  "/user/settings/blocked_users",
  "/user/login",
  "/user/logout",
  "/user/sign_up",
  "/nobody"
]

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

describe("the pages in Chromium", () => {
  let forge: Forge
  let server: Server
  let browser: Browser | undefined
  let base: string
  let head: string
  let ids: Readonly<Record<string, string>>
  const opened = (): Browser => {
    if (browser === undefined) throw new Error("Chromium did not start")
    return browser
  }

  beforeAll(async () => {
    server = createServer()
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    forge = await createForge({
      administrator: { name: "root", email: "root@example.com", password },
      site: {
        accounts: { ...defaultSite.accounts, registration: "on" },
        switches: { ...defaultSite.switches, codeSearch: true }
      },
      url: base
    })
    server.on("request", forge.listener())
    await forge.actAs("root").admin.user.create({
      body: { username: "ann", email: "ann@example.com", password, must_change_password: false }
    })
    const ann = forge.actAs("ann")
    await ann.organization.create({ body: { username: "acme", full_name: "Acme", description: "Makes everything" } })
    await ann.account.repository.create({
      body: { name: "site", description: "The site", auto_init: true, default_branch: "main" }
    })
    await ann.account.repository.create({ body: { name: "empty" } })
    await writeFile(
      forge,
      "site",
      "src/app.ts",
      'export const name = "a name that is rather long, so that it does not fit"\n'
    )
    await writeFile(forge, "site", "docs/guide.md", "# Guide\n\n[app](../src/app.ts)\n\n> [!NOTE]\n> A note\n")
    await writeFile(forge, "site", "dot.png", Buffer.from(dot, "base64"))
    const params = { username: "ann", reponame: "site" }
    await ann.repository.topic.replace({ params, body: { topics: ["typescript"] } })
    const label = await ann.label.create({ params, body: { name: "bug", color: "#cc0000", description: "A defect" } })
    const milestone = await ann.milestone.create({ params, body: { title: "v1", due_on: "2030-12-31T00:00:00Z" } })
    const { number: index } = await ann.issue.create({
      params,
      body: {
        title: "The page is empty",
        body: "Open `/` and **wait**.",
        labels: [label.id],
        assignees: ["ann"],
        milestone: milestone.id
      }
    })
    await ann.issue.comment.create({
      params: { ...params, index: String(index) },
      body: { body: "Seen in `v1` as well." }
    })
    await ann.repository.branch.create({ params, body: { new_branch_name: "fix" } })
    await ann.repository.contents.create({
      params: { ...params, "*": "src/fix.ts" },
      body: {
        content: Buffer.from("export const fixed = true\n").toString("base64") as never,
        message: "Fix",
        branch: "fix"
      }
    })
    await writeFile(
      forge,
      "site",
      ".gitea/workflows/ci.yml",
      "name: CI\non: push\njobs:\n  build: { runs-on: linux, steps: [{ run: make }] }\n"
    )
    await ann.pull.create({ params, body: { title: "Fix it", head: "fix", base: "main", body: `Fixes #${index}` } })
    await ann.repository["branch-protection"].create({ params, body: { rule_name: "main", required_approvals: 1 } })
    await ann.repository.environment.set({
      params: { ...params, environment: "production" },
      body: { wait_timer: 5, deployment_branch_policy: { protected_branches: false, custom_branch_policies: true } }
    })
    await ann.repository.environment.policy.create({
      params: { ...params, environment: "production" },
      body: { name: "release/*" }
    })
    await forge.actAs("root").pull.review.create({
      params: { ...params, index: "2" },
      body: {
        event: "REQUEST_CHANGES",
        body: "Add a test\n\n- [ ] one\n- [x] two",
        comments: [{ path: "src/fix.ts", body: "Why?", new_position: 1 }]
      }
    })
    await ann.repository.release.create({
      params,
      body: { tag_name: "v1.0", name: "One", body: "First release", target_commitish: "main" }
    })
    await forge.actAs("root").admin.user.create({
      body: { username: "bob", email: "bob@example.com", password, must_change_password: false }
    })
    await ann.repository.collaborator.add({ params: { ...params, collaborator: "bob" }, body: { permission: "read" } })
    const team = await ann.organization.team.create({
      params: { org: "acme" },
      body: { name: "builders", description: "Builds", units_map: { "repo.code": "write", "repo.issues": "read" } }
    })
    await ann.organization.repository.create({ params: { org: "acme" }, body: { name: "tool", private: true } })
    await ann.team.member.add({ params: { id: String(team.id), username: "bob" } })
    await ann.team.repository.add({ params: { id: String(team.id), org: "acme", repo: "tool" } })
    const upload = await fetch(`${base}/api/packages/ann/generic/tool/1.0/tool-of-a-rather-long-name.zip`, {
      method: "PUT",
      headers: { authorization: `Basic ${Buffer.from(`ann:${password}`).toString("base64")}` },
      body: "bytes"
    })
    expect(upload.status).toBe(201)
    await ann.package.link({ params: { username: "ann", type: "generic", name: "tool", repo_name: "site" } })
    const hook = await ann.repository.hook.create({
      params,
      body: { type: "gitea", config: { url: "https://hooks.invalid/in", content_type: "json" }, events: ["push"] }
    })
    await ann.repository.hook.test({ params: { ...params, id: String(hook.id) } })
    const [delivery] = await ann.repository.hook.delivery.list({ params: { ...params, id: String(hook.id) } })
    ids = { HOOK: String(hook.id), DELIVERY: String(delivery?.id) }
    const own = {
      type: "gitea",
      config: { url: "https://hooks.invalid/in" },
      events: ["push"],
      active: false
    } as const
    const ofOrganization = await ann.organization.hook.create({ params: { org: "acme" }, body: own })
    const ofUser = await ann.account.hook.create({ body: own })
    const ofLabel = await ann.organization.label.create({
      params: { org: "acme" },
      body: { name: "kind/bug", color: "#cc0000" }
    })
    await forge.actAs("root").admin.user.create({
      body: { username: "mallory", email: "mallory@example.com", password, must_change_password: false }
    })
    await ann.account.block.add({ params: { username: "mallory" } })
    ids = { ...ids, ORGHOOK: String(ofOrganization.id), OWNHOOK: String(ofUser.id), LABEL: String(ofLabel.id) }
    const [commit] = await ann.repository.commit.list({ params, query: { limit: 1 } })
    head = commit?.sha ?? ""
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    server.closeAllConnections()
    server.close()
    await forge.dispose()
  })

  for (const [who, colorScheme] of [
    ["anonymous", "light"],
    ["ann", "dark"],
    ["root", "dark"]
  ] as const) {
    it(`have no accessibility violation, console error or sideways scrolling at 375 px (${who}, ${colorScheme})`, async () => {
      const context = await opened().newContext({ colorScheme, viewport: { width: 375, height: 800 } })
      const page = await context.newPage()
      const problems: Array<string> = []
      page.on("console", (message) => {
        // A page with the status 404 is logged by the browser itself.
        if (message.type() === "error" && !message.text().includes("404")) problems.push(message.text())
      })
      page.on("pageerror", (error) => problems.push(error.message))
      if (who !== "anonymous") {
        await page.goto(`${base}/user/login`)
        await page.getByLabel("Username or email").fill(who)
        await page.getByLabel("Password").fill(password)
        await page.getByRole("button", { name: "Sign in" }).click()
        await page.getByText("Your repositories").waitFor()
      }
      for (const address of who === "root" ? adminAddresses : addresses) {
        const at = address
          .replace("HEAD", head)
          .replace(/LABEL|ORGHOOK|OWNHOOK|HOOK|DELIVERY/g, (name) => ids[name] ?? "")
        await page.goto(`${base}${at}`)
        const overflow = await page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        if (overflow !== 0) problems.push(`${at} scrolls sideways by ${overflow} px`)
        // The debugger's evaluation is no script of the page: its CSP stays in force.
        await page.evaluate(axe)
        const { violations } = (await page.evaluate("axe.run()")) as AxeResults
        for (const { id, nodes } of violations)
          problems.push(`${at} ${id}: ${nodes.map((node) => node.html).join(" ")}`)
      }
      expect(problems).toEqual([])
      await context.close()
    }, 300_000)
  }

  it("work without JavaScript: a team change with its preview, and a new token", async () => {
    const context = await opened().newContext({ javaScriptEnabled: false, viewport: { width: 375, height: 800 } })
    const page = await context.newPage()
    await page.goto(`${base}/user/login?redirect_to=%2Forg%2Facme%2Fteams`)
    await page.getByLabel("Username or email").fill("ann")
    await page.getByLabel("Password").fill(password)
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "builders" }).click()
    const form = page.locator("#edit")
    await form.getByRole("radio", { name: "Code: Read" }).check()
    await form.getByRole("button", { name: "Preview changes" }).click()
    expect(await page.getByText("Code: Write → Read").count()).toBe(1)
    await form.getByRole("button", { name: "Save changes" }).click()
    expect(await page.getByText("Preview of your change").count()).toBe(0)
    expect(await form.getByRole("radio", { name: "Code: Read" }).isChecked()).toBe(true)
    await page.goto(`${base}/user/settings/applications`)
    await page.getByLabel("Token name").fill("laptop")
    await page.getByLabel("Repositories", { exact: true }).selectOption({ label: "Read and write" })
    await page.getByLabel("Password").fill(password)
    await page.getByRole("button", { name: "Generate token" }).click()
    expect(await page.getByLabel("Your new token").first().isVisible()).toBe(true)
    await context.close()
  }, 60_000)

  it("work without JavaScript: sign-in, a file and sign-out by keyboard and links", async () => {
    const context = await opened().newContext({ javaScriptEnabled: false, viewport: { width: 375, height: 800 } })
    const page = await context.newPage()
    await page.goto(`${base}/user/login?redirect_to=%2Fann%2Fsite`)
    await page.getByLabel("Username or email").fill("ann")
    await page.getByLabel("Password").fill(password)
    await page.keyboard.press("Enter")
    await page.waitForURL(`${base}/ann/site`)
    await page.getByRole("link", { name: "src", exact: true }).click()
    await page.getByRole("link", { name: "app.ts", exact: true }).click()
    expect(await page.getByText("export").count()).toBe(1)
    await page.locator(".menu.right > summary").click()
    await page.getByRole("button", { name: "Sign out" }).click()
    expect(await page.getByRole("link", { name: "Sign in" }).count()).toBe(1)
    await context.close()
  }, 60_000)

  it("work without JavaScript: a proposed file, a review of its lines and a resolved conversation", async () => {
    const context = await opened().newContext({ javaScriptEnabled: false, viewport: { width: 1200, height: 900 } })
    const page = await context.newPage()
    const press = (name: string) => page.getByRole("button", { name, exact: true }).first().click()
    const follow = (name: string) => page.getByRole("link", { name, exact: true }).first().click()
    await page.goto(`${base}/user/login?redirect_to=%2Fann%2Fsite`)
    await page.getByLabel("Username or email").fill("ann")
    await page.getByLabel("Password").fill(password)
    await press("Sign in")
    await follow("New file")
    await page.getByLabel("File name").fill("notes.txt")
    await page.getByLabel("Content").fill("one\ntwo\n")
    await page.getByLabel("Commit to").selectOption("new")
    await page.getByLabel("Name of the new branch").fill("notes")
    await press("Commit changes")
    await page.getByLabel("Title").fill("Add notes")
    await press("Create pull request")
    await page.waitForURL(`${base}/ann/site/pulls/3`)
    await page.goto(`${base}/ann/site/pulls/3/files`)
    await follow("Comment on line 2 of notes.txt")
    await page.locator("#comment-form").getByLabel("Comment").fill("Three?")
    await page.locator("#comment-form").getByRole("button", { name: "Start review" }).click()
    expect(await page.getByText("Your review has 1 pending comment.").count()).toBe(1)
    await press("Submit review")
    await press("Resolve conversation")
    expect(await page.getByText("Resolved by ann").count()).toBe(1)
    await page.goto(`${base}/ann/site`)
    await press("Star")
    expect(await page.getByRole("button", { name: "Unstar", exact: true }).count()).toBe(1)
    await context.close()
  }, 120_000)

  it("add the new lines of a running job to its page, and its state at the end", async () => {
    const params = { username: "ann", reponame: "site" }
    const registration = await fetch(`${base}/api/v1/repos/ann/site/actions/runners/registration-token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`ann:${password}`)}` }
    })
    const { token } = await registration.json()
    const call = async (method: string, message: object, headers: Record<string, string> = {}) => {
      const response = await fetch(`${base}/api/actions/runner.v1.RunnerService/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(message)
      })
      expect([method, response.status]).toEqual([method, 200])
      return response.json()
    }
    const { runner } = await call("Register", { token, name: "box", labels: ["linux:host"], version: "1.0" })
    const by = { "x-runner-uuid": runner.uuid, "x-runner-token": runner.token }
    // A job of the background worker creates the run.
    const fetchTask = async () => {
      const found: Array<{ readonly id: string }> = []
      const fetched = async () => found.push(...[(await call("FetchTask", {}, by)).task].filter((task) => task))
      await expect.poll(fetched, { timeout: 20_000, interval: 200 }).toBe(1)
      return found[0] ?? { id: "" }
    }
    const task = await fetchTask()
    const time = "2030-01-01T00:00:00Z"
    const log = (index: number, content: string) =>
      call("UpdateLog", { taskId: task.id, index: String(index), rows: [{ time, content }], noMore: false }, by)
    await log(0, "compiling <b>")
    const runOf = async ({ id }: { readonly id: string }) =>
      (await forge.actAs("ann").repository.actions.job.read({ params: { ...params, job_id: String(id) } })).run_id
    const run = await runOf(task)
    const context = await opened().newContext()
    const page = await context.newPage()
    await page.goto(`${base}/ann/site/actions/runs/${run}/jobs/${task.id}`)
    const lines = page.locator("#log tbody tr")
    expect(await lines.allTextContents()).toEqual([expect.stringContaining("compiling <b>")])
    await page.evaluate("window.isSamePage = true")
    await log(1, "linking")
    await page.getByText("linking").waitFor({ timeout: 20_000 })
    expect(await lines.count()).toBe(2)
    const finish = ({ id }: { readonly id: string }) =>
      call("UpdateTask", { state: { id, result: "RESULT_SUCCESS", startedAt: time, stoppedAt: time, steps: [] } }, by)
    await finish(task)
    await page.locator("#job-state").getByText("Success").waitFor({ timeout: 20_000 })
    expect(await page.evaluate("window.isSamePage")).toBe(true)
    expect([await lines.count(), await page.getByText("This page updates itself.").count()]).toEqual([2, 0])
    // The header and the buttons are up to date too.
    expect(await page.locator("#run-state").textContent()).toContain("Success")
    expect(await page.getByRole("button", { name: "Rerun" }).count()).toBe(0)
    // A job can end without lines: its page and the page of its run stop to update themselves.
    await forge.actAs("ann").repository.actions.run.rerun({ params: { ...params, run: String(run) } })
    const silent = await fetchTask()
    const silentRun = `${base}/ann/site/actions/runs/${await runOf(silent)}`
    const ofRun = await context.newPage()
    await ofRun.goto(silentRun)
    await page.goto(`${silentRun}/jobs/${silent.id}`)
    expect(await page.getByText("This page updates itself.").count()).toBe(1)
    expect(await ofRun.locator("#run-state").textContent()).not.toContain("Success")
    await finish(silent)
    await page.locator("#log").getByText("The job has no log yet.").waitFor({ timeout: 20_000 })
    expect(await page.locator("#job-state").textContent()).toContain("Success")
    expect(await page.getByText("This page updates itself.").count()).toBe(0)
    await ofRun.locator("#run-state").getByText("Success").waitFor({ timeout: 20_000 })
    expect(await ofRun.getByText("This page updates itself.").count()).toBe(0)
    await context.close()
  }, 90_000)
})
