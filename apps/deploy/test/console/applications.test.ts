import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { AxeResults } from "axe-core"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createAt, endServices, newDirectory, placesAt, send, start } from "../support.ts"
import { openBrowser, password, settingsInMemory } from "./support.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const secret = "a long random text"

describe("pages of applications", () => {
  let base: string
  let browser: Browser
  let fromGit: string
  let fromImage: string

  beforeAll(async () => {
    const service = start(newDirectory(), settingsInMemory)
    base = await service.listening()
    const places = await placesAt(base)
    const created = await send("POST", `${base}/api/v1/applications/public`, {
      ...places,
      name: "shop",
      git_repository: "https://forge.test/acme/shop.git",
      git_branch: "main",
      build_pack: "dockerfile",
      ports_exposes: "80",
      domains: "http://shop.test"
    })
    fromGit = ((await created.json()) as { readonly uuid: string }).uuid
    fromImage = ((await (await createAt(base, { name: "cache" })).json()) as { readonly uuid: string }).uuid
    const account = await (await send("POST", `${base}/api/v1/accounts`, { name: "bob", password })).json()
    await send("POST", `${base}/api/v1/teams/0/members`, { account_uuid: account.uuid })
    await send("POST", `${base}/api/v1/grants`, { account_uuid: account.uuid, place_type: "team", role: "viewer" })
    browser = await openBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await endServices()
  })

  const signedIn = async (
    name: string,
    path: string,
    options: Parameters<Browser["newContext"]>[0] = { javaScriptEnabled: false }
  ): Promise<[BrowserContext, Page]> => {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    await page.goto(`${base}/login?next=${encodeURIComponent(path)}`)
    await page.getByLabel("Name").fill(name)
    await page.getByLabel("Password").fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
    return [context, page]
  }

  const ask = async (path: string) => (await send("GET", `${base}/api/v1/applications/${fromGit}${path}`)).json()

  const push = (address: string, event: string, body: unknown, delivery: string): Promise<Response> => {
    const text = JSON.stringify(body)
    return fetch(address, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-github-event": event,
        "x-github-delivery": delivery,
        "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`
      },
      body: text
    })
  }

  it("adds a destination on another server, and removes it", async () => {
    const key = await (await send("POST", `${base}/api/v1/security/keys`, { name: "second" })).json()
    const facts = { name: "second", ip: "10.0.0.9", private_key_uuid: key.uuid }
    const server = await (await send("POST", `${base}/api/v1/servers`, facts)).json()
    const [context, page] = await signedIn("ann", `/applications/${fromImage}/destinations`)
    expect(await page.getByText("Own destination").count()).toBe(1)
    const add = page.locator("#add")
    await add.getByLabel("Destination").selectOption({ label: "second · slipway" })
    await add.getByRole("button", { name: "Add destination" }).click()
    await page.getByRole("link", { name: "second", exact: true }).waitFor()
    expect(await page.getByText("Additional destination: logs and state").count()).toBe(1)
    expect(await page.locator("#add").count()).toBe(0)
    const listed = await (await send("GET", `${base}/api/v1/applications/${fromImage}/destinations`)).json()
    expect(listed[1]).toMatchObject({ server_uuid: server.uuid, is_additional: true })
    await page.getByRole("button", { name: "Remove destination" }).click()
    await page.locator("#add").waitFor()
    expect((await (await send("GET", `${base}/api/v1/applications/${fromImage}/destinations`)).json()).length).toBe(1)
    await context.close()
    const [other, seen] = await signedIn("bob", `/applications/${fromImage}/destinations`)
    expect(await seen.getByText("Own destination").count()).toBe(1)
    expect(await seen.locator("#add").count()).toBe(0)
    await other.close()
  })

  it("enables previews with an address, and starts the preview of a pull request and removes it", async () => {
    const [context, page] = await signedIn("ann", `/applications/${fromGit}/previews`)
    expect(await page.getByText("Previews are disabled.").count()).toBe(1)
    expect(await page.getByRole("button", { name: "Deploy a pull request" }).count()).toBe(0)
    const settings = page.locator("#settings")
    await settings.getByLabel("Deploy previews of pull requests").check()
    await settings.getByLabel("Address of a preview").fill("no placeholder")
    await settings.getByRole("button", { name: "Save changes" }).click()
    expect(await settings.getByText("Must contain").first().isVisible()).toBe(true)
    expect((await ask("")).is_preview_deployments_enabled).toBe(false)
    await settings.getByLabel("Address of a preview").fill("pr-{{pr_id}}.{{domain}}")
    await settings.getByRole("button", { name: "Save changes" }).click()
    await page.getByText("A pull request into the branch of the application starts one.").waitFor()

    await page.locator("#start").getByLabel("Number of the pull request").fill("7")
    await page.getByRole("button", { name: "Deploy a pull request" }).click()
    await page.getByRole("heading", { level: 1, name: "shop-pr-7" }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/applications\/[a-z0-9]{24}\/deployments\/[a-z0-9]{24}$/)
    await page.goto(`${base}/applications/${fromGit}/previews`)
    expect(await page.getByRole("link", { name: "pr-7.shop.test" }).count()).toBe(1)
    await page.getByRole("button", { name: "Remove preview Pull request 7" }).click()
    await page.getByText("A pull request into the branch of the application starts one.").waitFor()
    expect(await ask("/previews")).toEqual([])
    await context.close()
  }, 60_000)

  it("starts the preview of an image with its tag, and keeps a rejected tag in the form", async () => {
    const [context, page] = await signedIn("ann", `/applications/${fromImage}/previews`)
    const settings = page.locator("#settings")
    await settings.getByLabel("Deploy previews of pull requests").check()
    await settings.getByRole("button", { name: "Save changes" }).click()
    await page.getByText("Each preview runs another tag of the image").waitFor()
    const form = page.locator("#start")
    await form.getByLabel("Number of the pull request").fill("9")
    await form.getByLabel("Tag of the image").fill("not:a tag")
    await form.getByRole("button", { name: "Deploy a pull request" }).click()
    expect(await form.getByLabel("Tag of the image").inputValue()).toBe("not:a tag")
    expect(await form.getByLabel("Tag of the image").getAttribute("aria-invalid")).toBe("true")
    await form.getByLabel("Tag of the image").fill("pr-9")
    await form.getByRole("button", { name: "Deploy a pull request" }).click()
    await page.getByRole("heading", { level: 1, name: "cache-pr-9" }).waitFor()
    const preview = new URL(page.url()).pathname.split("/")[2]
    const stored = await (await send("GET", `${base}/api/v1/applications/${preview}`)).json()
    expect(stored.docker_registry_image_tag).toBe("pr-9")
    await context.close()
  }, 60_000)

  it("offers a preview that waits for an approval to a developer of a protected environment", async () => {
    const api = `${base}/api/v1`
    const { project_uuid: project } = await placesAt(base)
    const application = { ...(await placesAt(base)), name: "guarded", environment_name: "guarded" }
    await send("POST", `${api}/projects/${project}/environments`, { name: "guarded" })
    await send("PATCH", `${api}/projects/${project}/environments/guarded`, { is_protected: true })
    const made = await createAt(base, { ...application, is_preview_deployments_enabled: true })
    const { uuid } = (await made.json()) as { readonly uuid: string }
    const account = await (await send("POST", `${api}/accounts`, { name: "dev", password })).json()
    await send("POST", `${api}/teams/0/members`, { account_uuid: account.uuid })
    const grant = { account_uuid: account.uuid, place_type: "project", place_uuid: project, role: "developer" }
    expect((await send("POST", `${api}/grants`, grant)).status).toBe(201)
    const [context, page] = await signedIn("dev", `/applications/${uuid}/previews`)
    const form = page.locator("#start")
    await form.getByLabel("Number of the pull request").fill("4")
    await form.getByLabel("Tag of the image").fill("pr-4")
    await form.getByRole("button", { name: "Deploy a pull request" }).click()
    await page.getByText("waiting for an approval to run the tag `pr-4`").waitFor()
    await send("DELETE", `${api}/applications/${uuid}`)
    await context.close()
  }, 60_000)

  it("adds, runs, changes and removes a scheduled task", async () => {
    const [context, page] = await signedIn("ann", `/applications/${fromGit}/tasks`, {})
    const form = page.locator("#add")
    await form.getByLabel("Name").fill("clean")
    await form.getByLabel("Command").fill("node clean.js")
    await form.getByLabel("Schedule", { exact: true }).fill("now and then")
    await form.getByRole("button", { name: "Add task" }).click()
    expect(await form.getByRole("alert").count()).toBe(1)
    expect(await form.getByLabel("Command").inputValue()).toBe("node clean.js")
    expect(await ask("/scheduled-tasks")).toEqual([])
    await form.getByLabel("Schedule", { exact: true }).fill("daily")
    await form.getByRole("button", { name: "Add task" }).click()
    await page.getByRole("heading", { level: 2, name: "clean" }).waitFor()
    expect(await page.getByText("The task did not run yet.").count()).toBe(1)
    await page.getByRole("button", { name: "Run now clean" }).click()
    // The page shows the end of the run by itself.
    await page.getByText("the application is not running").waitFor()
    expect(await page.locator("#runs .badge").allTextContents()).toEqual(["failed"])
    await page.locator("#edit").getByLabel("Run on schedule").uncheck()
    await page.locator("#edit").getByLabel("Timeout in seconds").fill("60")
    await page.locator("#edit").getByRole("button", { name: "Save changes" }).click()
    await page.getByText("paused").waitFor()
    expect(await ask("/scheduled-tasks")).toMatchObject([
      { name: "clean", command: "node clean.js", frequency: "daily", timeout: 60, enabled: false, container: null }
    ])
    await page.getByRole("button", { name: "Remove task" }).click()
    await page.getByText("No tasks.").waitFor()
    expect(await ask("/scheduled-tasks")).toEqual([])
    await context.close()
  }, 60_000)

  it("stores the secret of webhooks without showing it, and lists received webhooks with their reasons", async () => {
    const [context, page] = await signedIn("ann", `/applications/${fromGit}/webhooks`)
    expect(await page.getByText("No secret is stored, so webhooks are rejected.").count()).toBe(4)
    await page.getByRole("button", { name: "Save changes" }).click()
    expect(await page.getByRole("alert").getByText("Enter at least one secret.").count()).toBe(1)
    await page.getByLabel("Secret of GitHub").fill(secret)
    await page.getByRole("button", { name: "Save changes" }).click()
    await page.getByText("A secret is stored.").waitFor()
    expect(await page.content()).not.toContain(secret)
    const address = await page.getByLabel("Address for GitHub").inputValue()
    expect(address).toBe(`${base}/api/v1/applications/${fromGit}/webhooks/github`)

    const commit = "5d41402a".repeat(5)
    expect((await push(address, "ping", {}, "first")).status).toBe(200)
    const pushed = { ref: "refs/heads/main", before: "0".repeat(40), after: commit }
    expect((await push(address, "push", pushed, "second")).status).toBe(200)
    await page.reload()
    const received = page.getByRole("region", { name: "Received webhooks" }).or(page.locator("main"))
    const rows = received.locator("ul.rows > li")
    expect(await rows.locator(".badge").allTextContents()).toEqual(["deployed", "ignored"])
    expect(await rows.nth(1).getByText("It is a ping.").count()).toBe(1)
    await rows.nth(0).getByRole("link").click()
    await page.getByRole("heading", { level: 1, name: "shop" }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`^/applications/${fromGit}/deployments/`))
    await context.close()
  }, 60_000)

  it("adds, changes and removes storages and tags", async () => {
    const [context, page] = await signedIn("ann", `/applications/${fromGit}/storages`)
    await page.locator("#volume").getByLabel("Name").fill("data")
    await page.locator("#volume").getByLabel("Path in the containers").fill("relative")
    await page.locator("#volume").getByRole("button", { name: "Add volume" }).click()
    expect(await page.locator("#volume").getByRole("alert").count()).toBe(1)
    await page.locator("#volume").getByLabel("Path in the containers").fill("/data")
    await page.locator("#volume").getByRole("button", { name: "Add volume" }).click()
    await page.getByRole("heading", { name: "/data" }).waitFor()
    await page.locator("#file").getByLabel("Path of the file in the containers").fill("/etc/shop.conf")
    await page.locator("#file").getByLabel("Content").fill("a = 1\nb = 2\n")
    await page.locator("#file").getByRole("button", { name: "Add file" }).click()
    await page.getByRole("heading", { name: "/etc/shop.conf" }).waitFor()
    await page.getByRole("listitem").filter({ hasText: "/etc/shop.conf" }).getByRole("link", { name: "Edit" }).click()
    expect(await page.locator("#edit").getByLabel("Content").inputValue()).toBe("a = 1\nb = 2\n")
    // The page shows a rejected form again, with its text.
    await page.locator("#edit").getByLabel("Path in the containers").fill("relative")
    await page.locator("#edit").getByLabel("Content").fill("a = 2\n")
    await page.locator("#edit").getByRole("button", { name: "Save changes" }).click()
    expect(await page.locator("#edit").getByRole("alert").count()).toBe(1)
    expect(await page.locator("#edit").getByLabel("Content").inputValue()).toBe("a = 2\n")
    await page.locator("#edit").getByLabel("Path in the containers").fill("/etc/shop.conf")
    await page.locator("#edit").getByLabel("Content").fill("a = 3\n")
    await page.locator("#edit").getByRole("button", { name: "Save changes" }).click()
    await page.locator("#edit").waitFor({ state: "detached" })
    expect(await ask("/storages")).toMatchObject({
      persistent_storages: [{ name: "data", mount_path: "/data", host_path: null }],
      file_storages: [{ mount_path: "/etc/shop.conf", content: "a = 3\n" }]
    })
    await page.getByRole("link", { name: "Edit /etc/shop.conf" }).click()
    await page.locator("#edit").getByLabel("Content").fill("")
    await page.locator("#edit").getByRole("button", { name: "Save changes" }).click()
    await page.locator("#edit").waitFor({ state: "detached" })
    expect(await ask("/storages")).toMatchObject({ file_storages: [{ mount_path: "/etc/shop.conf", content: "" }] })
    await page.getByRole("button", { name: "Remove /data" }).click()
    await page.getByText("No volumes.").waitFor()
    await page.getByRole("button", { name: "Remove /etc/shop.conf" }).click()
    await page.getByText("No files.").waitFor()

    await page.goto(`${base}/applications/${fromGit}/settings`)
    await page.locator("#tag").getByLabel("Tag").fill("nightly")
    await page.locator("#tag").getByRole("button", { name: "Add tag" }).click()
    await page.getByRole("button", { name: "Remove nightly" }).waitFor()
    expect(await ask("/tags")).toMatchObject([{ name: "nightly" }])
    await page.getByRole("button", { name: "Remove nightly" }).click()
    await page.getByText("No tags.").waitFor()
    expect(await ask("/tags")).toEqual([])
    await context.close()
  }, 60_000)

  it("offers viewers no change, and shows applications from images no webhooks", async () => {
    const task = { name: "clean", command: "true", frequency: "daily" }
    const made = await send("POST", `${base}/api/v1/applications/${fromGit}/scheduled-tasks`, task)
    const { uuid } = (await made.json()) as { readonly uuid: string }
    const [context, page] = await signedIn("bob", `/applications/${fromGit}/tasks/${uuid}`)
    const addresses = [`tasks/${uuid}`, "tasks", "previews", "webhooks", "storages"]
    for (const address of addresses) {
      const response = await page.goto(`${base}/applications/${fromGit}/${address}`)
      expect([address, response?.status(), await page.locator("main form").count()]).toEqual([address, 200, 0])
    }
    await page.goto(`${base}/applications/${fromGit}/settings`)
    for (const name of ["Try now", "Add tag"]) expect(await page.getByRole("button", { name }).count()).toBe(0)
    await page.goto(`${base}/applications/${fromImage}/storages`)
    const tabs = page.getByRole("navigation", { name: "Application" }).getByRole("link")
    expect((await tabs.allTextContents()).map((each) => each.trim())).toEqual([
      "Overview",
      "Deployments",
      "Previews",
      "Destinations",
      "Variables",
      "Storage",
      "Tasks",
      "Logs",
      "Metrics",
      "Settings"
    ])
    await send("DELETE", `${base}/api/v1/applications/${fromGit}/scheduled-tasks/${uuid}`)
    await context.close()
  }, 60_000)

  it("shows the filter of logs and the reason when the server does not answer", async () => {
    const [context, page] = await signedIn("ann", `/applications/${fromGit}/logs`)
    expect(await page.locator("main .alert.bad").count()).toBe(1)
    await page.getByLabel("Search").fill("error")
    await page.getByRole("button", { name: "Show" }).click()
    expect(new URL(page.url()).search).toBe("?search=error&container=&lines=500")
    expect(await page.getByLabel("Search").inputValue()).toBe("error")
    await context.close()
  }, 60_000)

  it("removes the message about an unreachable server when lines of a log arrive again", async () => {
    const page = await browser.newPage()
    await page.setContent(`<div data-stream="/stream" data-search="error"><p data-live-note="following">Refresh</p>
<div class="log"><table><tbody></tbody></table></div></div>`)
    await page.evaluate(`globalThis.EventSource = class extends EventTarget {
      constructor() { super(); globalThis.stream = this }
    }`)
    await page.addScriptTag({
      path: createRequire(import.meta.url).resolve("../../../../packages/web/src/assets/slipway.js")
    })
    const noteAfter = (event: string, data: object) =>
      page.evaluate(
        `stream.dispatchEvent(new MessageEvent("${event}", { data: ${JSON.stringify(JSON.stringify(data))} })), document.querySelector("[data-live-note]").textContent`
      )
    const line = { at: "2026-01-01T00:00:00Z", text: "ready" }
    expect(await noteAfter("open", {})).toBe("following")
    expect(await noteAfter("unreachable", { message: "no answer" })).toBe("no answer")
    expect(await noteAfter("message", line)).toBe("following")
    expect(await noteAfter("lost", { container: "web", message: "lines lost" })).toBe("lines lost")
    expect(await noteAfter("message", line)).toBe("following")
    await page.close()
  }, 60_000)

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has no accessibility violation or sideways scrolling at 375 px (${colorScheme})`, async () => {
      const task = { name: "clean", command: "true", frequency: "daily" }
      const made = await send("POST", `${base}/api/v1/applications/${fromGit}/scheduled-tasks`, task)
      const { uuid } = (await made.json()) as { readonly uuid: string }
      const storage = { type: "persistent", name: `data-${colorScheme}`, mount_path: `/data/${colorScheme}` }
      const stored = await send("POST", `${base}/api/v1/applications/${fromGit}/storages`, storage)
      const volume = ((await stored.json()) as { readonly uuid: string }).uuid
      const options = { colorScheme, viewport: { width: 375, height: 800 } }
      const [context, page] = await signedIn("ann", "/", options)
      const problems: Array<string> = []
      for (const address of [
        "previews",
        "tasks",
        `tasks/${uuid}`,
        "webhooks",
        "storages",
        `storages?edit=${volume}`,
        "logs",
        "settings"
      ]) {
        await page.goto(`${base}/applications/${fromGit}/${address}`)
        const overflow = await page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        if (overflow !== 0) problems.push(`${address} scrolls sideways by ${overflow} px`)
        await page.evaluate(axe)
        const { violations } = (await page.evaluate("axe.run()")) as AxeResults
        for (const { id, nodes } of violations)
          problems.push(`${address} ${id}: ${nodes.map((node) => node.html).join(" ")}`)
      }
      expect(problems).toEqual([])
      await context.close()
    }, 120_000)
  }
})
