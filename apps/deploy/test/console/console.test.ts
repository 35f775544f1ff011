import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { AxeResults } from "axe-core"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createAt, endServices, newDirectory, placesAt, send, start, token } from "../support.ts"
import { openBrowser, password, settingsInMemory } from "./support.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

describe("the console", () => {
  let base: string
  let browser: Browser
  let project: string
  let server: string
  let application: string
  let database: string
  let service: string
  let storage: string

  beforeAll(async () => {
    const running = start(newDirectory(), settingsInMemory)
    base = await running.listening()
    const places = await placesAt(base)
    project = places.project_uuid ?? ""
    server = places.server_uuid ?? ""
    const created = await createAt(base, { name: "web", domains: "http://web.test" })
    application = ((await created.json()) as { readonly uuid: string }).uuid
    const made = await send("POST", `${base}/api/v1/databases/redis`, places)
    database = ((await made.json()) as { readonly uuid: string }).uuid
    await send("POST", `${base}/api/v1/databases/${database}/backups`, { frequency: "daily" })
    const uuidOf = async (path: string, body: object) =>
      ((await (await send("POST", `${base}/api/v1${path}`, body)).json()) as { readonly uuid: string }).uuid
    const compose = "services:\n  web:\n    image: nginx\n"
    service = await uuidOf("/services", { ...places, docker_compose_raw: btoa(compose) })
    const [part] = (
      (await (await send("GET", `${base}/api/v1/services/${service}`)).json()) as {
        readonly applications: ReadonlyArray<{ readonly uuid: string }>
      }
    ).applications
    const volume = { type: "persistent", name: "uploads", mount_path: "/data", resource_uuid: part?.uuid }
    await send("POST", `${base}/api/v1/services/${service}/storages`, volume)
    const bucket = { endpoint: "https://s3.test", bucket: "b", region: "r", key: "k", secret: "s" }
    storage = await uuidOf("/s3-storages", { name: "offsite", ...bucket })
    browser = await openBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await endServices()
  })

  const signIn = async (page: Page, next = "/"): Promise<void> => {
    await page.goto(`${base}/login?next=${encodeURIComponent(next)}`)
    await page.getByLabel("Name").fill("ann")
    await page.getByLabel("Password").fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
  }

  const opened = async (options: Parameters<Browser["newContext"]>[0] = {}): Promise<[BrowserContext, Page]> => {
    const context = await browser.newContext({ viewport: { width: 375, height: 800 }, ...options })
    return [context, await context.newPage()]
  }

  it("sends visitors without a session to the sign-in page, and shows them nothing", async () => {
    const addresses = ["/", "/projects", `/projects/${project}`, `/applications/${application}`, "/servers"]
    for (const address of addresses) {
      const response = await fetch(`${base}${address}`, { redirect: "manual", headers: { accept: "text/html" } })
      expect([response.status, response.headers.get("location")]).toEqual([
        303,
        `/login?${new URLSearchParams({ next: address })}`
      ])
      expect(await response.text()).not.toContain("web")
    }
  })

  it("treats a token of the instance in the cookie of sessions as signed out", async () => {
    const response = await fetch(`${base}/projects`, {
      redirect: "manual",
      headers: { accept: "text/html", cookie: `slipway_deploy_session=${token}` }
    })
    expect([response.status, response.headers.get("location")]).toEqual([303, "/login?next=%2Fprojects"])
  })

  it("treats a token of an account in the cookie of sessions as signed out", async () => {
    const [context, page] = await opened({ javaScriptEnabled: false })
    await signIn(page)
    const cookie = (await context.cookies()).find(({ name }) => name === "slipway_deploy_session")
    const asSession = { authorization: `Bearer ${cookie?.value}`, "content-type": "application/json" }
    const made = await fetch(`${base}/api/v1/account/tokens`, {
      method: "POST",
      headers: asSession,
      body: JSON.stringify({ name: "planted", abilities: ["root"] })
    })
    expect(made.status).toBe(201)
    const planted = ((await made.json()) as { readonly token: string }).token
    const response = await fetch(`${base}/projects`, {
      redirect: "manual",
      headers: { accept: "text/html", cookie: `slipway_deploy_session=${planted}` }
    })
    expect([response.status, response.headers.get("location")]).toEqual([303, "/login?next=%2Fprojects"])
    await context.close()
  })

  it("creates, changes and deletes a project and an application without JavaScript", async () => {
    const [context, page] = await opened({ javaScriptEnabled: false })
    await signIn(page)
    await page.getByRole("link", { name: "New project" }).click()
    await page.getByLabel("Name").fill("shop")
    await page.getByRole("button", { name: "Create project" }).click()
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("shop")
    await page.getByRole("link", { name: "production" }).click()
    await page.getByRole("link", { name: "New resource" }).first().click()
    await page.getByRole("link", { name: "From a Docker image" }).click()
    const form = page.locator("#image")
    await form.getByLabel("Image").fill("nginx:1.27")
    await form.getByLabel("Name").fill("front")
    await form.getByLabel("Domains").fill("http://web.test")
    await form.getByLabel("Deploy it immediately").uncheck()
    await form.getByRole("button", { name: "Create application" }).click()
    // The holder of the domain is named, and nothing is created until the conflict is confirmed.
    expect(await form.getByText("web.test belongs to web").first().isVisible()).toBe(true)
    expect(await form.getByLabel("Image").inputValue()).toBe("nginx:1.27")
    await form.getByLabel("Domains").fill("http://front.test")
    await form.getByRole("button", { name: "Create application" }).click()
    await page.getByRole("heading", { level: 1, name: "front" }).waitFor()
    const uuid = new URL(page.url()).pathname.split("/")[2] ?? ""

    await page.getByRole("link", { name: "Variables" }).click()
    const bulk = page.locator("#bulk")
    await bulk.getByLabel("Variables").fill("MODE=fast\nwithout an equals sign")
    await bulk.getByRole("button", { name: "Save changes" }).click()
    expect(await bulk.getByText("Line 2 must have the form KEY=value.").first().isVisible()).toBe(true)
    await bulk.getByLabel("Variables").fill("MODE=fast")
    await bulk.getByRole("button", { name: "Save changes" }).click()
    const variables = (await (await send("GET", `${base}/api/v1/applications/${uuid}/envs`)).json()) as ReadonlyArray<{
      readonly key: string
      readonly value: string
    }>
    expect(variables.map(({ key, value }) => [key, value])).toEqual([["MODE", "fast"]])

    await page.getByRole("link", { name: "Settings" }).click()
    await page.locator("#general").getByLabel("Description").fill("The front")
    await page.locator("#general").getByRole("button", { name: "Save changes" }).click()
    const shown = (await (await send("GET", `${base}/api/v1/applications/${uuid}`)).json()) as Record<string, unknown>
    expect([shown.description, shown.name]).toEqual(["The front", "front"])
    await page.locator("#delete").getByLabel("Type front to confirm").fill("back")
    await page.getByRole("button", { name: "Delete application" }).click()
    expect(await page.locator("#delete").getByText("must be front").first().isVisible()).toBe(true)
    await page.locator("#delete").getByLabel("Type front to confirm").fill("front")
    await page.getByRole("button", { name: "Delete application" }).click()
    await page.getByRole("heading", { level: 1, name: "production" }).waitFor()
    expect((await send("GET", `${base}/api/v1/applications/${uuid}`)).status).toBe(404)
    await context.close()
  }, 120_000)

  it("enables and disables the metrics of a server without JavaScript", async () => {
    const [context, page] = await opened({ javaScriptEnabled: false })
    await signIn(page, `/servers/${server}`)
    await page.getByRole("link", { name: "Metrics" }).click()
    expect(await page.getByText("Metrics of this server are disabled.").isVisible()).toBe(true)
    await page.getByRole("button", { name: "Enable metrics" }).click()
    await page.getByText("There are no samples in this period.").waitFor()
    const settings = async () =>
      ((await (await send("GET", `${base}/api/v1/servers/${server}/sentinel`)).json()) as Record<string, unknown>)
        .is_metrics_enabled
    expect(await settings()).toBe(true)
    await page.getByRole("link", { name: "24 h" }).click()
    expect(new URL(page.url()).search).toBe("?hours=24")
    await page.getByRole("button", { name: "Disable metrics" }).click()
    await page.getByText("Metrics of this server are disabled.").waitFor()
    expect(await settings()).toBe(false)
    await context.close()
  }, 60_000)

  it("copies backups of a database to S3, and backs up a storage of a service, without JavaScript", async () => {
    const [context, page] = await opened({ javaScriptEnabled: false })
    await signIn(page, `/databases/${database}/backups`)
    const form = page.locator("#change")
    await form.getByLabel("Copy to S3 storage").selectOption("offsite")
    await form.getByLabel("Number of backups to keep in S3").fill("12")
    await form.getByLabel("Keep no copy on the server").check()
    await form.getByRole("button", { name: "Save changes" }).click()
    await page.getByText("only in offsite").waitFor()
    const [schedule] = await (await send("GET", `${base}/api/v1/databases/${database}/backups`)).json()
    expect(schedule).toMatchObject({
      frequency: "daily",
      enabled: true,
      save_s3: true,
      s3_storage_uuid: storage,
      disable_local_backup: true,
      database_backup_retention_amount_s3: 12
    })
    // The select field has at most 100 storages. Saving the form keeps a storage that is not among them.
    const bucket = { endpoint: "https://s3.test", bucket: "b", region: "r", key: "k", secret: "s" }
    for (let number = 100; number <= 200; number += 1) {
      await send("POST", `${base}/api/v1/s3-storages`, { name: `more-${number}`, ...bucket })
    }
    const rows = `${base}/api/v1/s3-storages?per_page=100`
    const [other] = await (await send("GET", `${rows}&page=2`)).json()
    const own = `${base}/api/v1/databases/${database}/backups/${schedule.uuid}`
    await send("PATCH", own, { s3_storage_uuid: other.uuid })
    await page.reload()
    await form.getByLabel("Number of backups to keep in S3").fill("13")
    await form.getByRole("button", { name: "Save changes" }).click()
    expect((await (await send("GET", `${base}/api/v1/databases/${database}/backups`)).json())[0]).toMatchObject({
      s3_storage_uuid: other.uuid,
      database_backup_retention_amount_s3: 13
    })
    await form.getByLabel("Schedule, such as").fill("sometimes")
    await form.getByRole("button", { name: "Save changes" }).click()
    expect(await form.getByRole("alert").count()).toBe(1)
    expect(await form.getByLabel("Schedule, such as").inputValue()).toBe("sometimes")

    await page.goto(`${base}/services/${service}/backups`)
    await page.getByText("No backup schedule.").waitFor()
    const save = page.locator("#save")
    await save.getByLabel("Schedule, such as").fill("0 3 * * *")
    await save.getByRole("button", { name: "Save schedule" }).click()
    await page.getByText("No backup yet.").waitFor()
    const [{ uuid: volume }] = (await (await send("GET", `${base}/api/v1/services/${service}/storages`)).json())
      .persistent_storages
    const path = `${base}/api/v1/services/${service}/storages/${volume}/backups`
    expect(await (await send("GET", path)).json()).toMatchObject({
      frequency: "0 3 * * *",
      s3_storage_uuid: storage,
      retention_amount_s3: 7
    })
    await page.getByRole("button", { name: "Back up now" }).click()
    await page.getByRole("list", { name: "Latest backups" }).waitFor()
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ")
    const german = await fetch(page.url(), { headers: { cookie, "accept-language": "de" } })
    expect(await german.text()).toMatch(/<span class="badge \w+">(läuft|fehlgeschlagen)<\/span>/)
    await page.getByRole("button", { name: "Remove schedule" }).click()
    await page.getByText("No backup schedule.").waitFor()
    expect((await send("GET", path)).status).toBe(404)
    await context.close()
  }, 60_000)

  it("edits variables of a service as text after a preview of the changes, without JavaScript", async () => {
    const [context, page] = await opened({ javaScriptEnabled: false })
    await signIn(page, `/services/${service}/variables`)
    const add = page.locator("#add")
    await add.getByLabel("Key").fill("MODE")
    await add.getByLabel("Value", { exact: true }).fill("slow")
    await add.getByRole("button", { name: "Add variable" }).click()
    await add.getByLabel("Key").fill("HIDDEN")
    await add.getByLabel("Value", { exact: true }).fill("secret")
    await add.getByLabel("Show the value only once").check()
    await add.getByRole("button", { name: "Add variable" }).click()
    expect(await page.getByText("secret", { exact: true }).count()).toBe(0)
    const bulk = page.locator("#bulk")
    expect(await bulk.getByLabel("Variables").inputValue()).toBe("MODE=slow")
    await bulk.getByLabel("Variables").fill("MODE=fast\nHIDDEN=other\nNEW=1")
    await bulk.getByRole("button", { name: "Preview changes" }).click()
    expect(await bulk.getByRole("status").locator("li").allInnerTexts()).toEqual([
      "changed\nMODE\nslow fast",
      "changed\nHIDDEN\nhidden other",
      "new\nNEW\n1"
    ])
    const stored = async () =>
      (
        (await (await send("GET", `${base}/api/v1/services/${service}/envs`)).json()) as ReadonlyArray<{
          readonly key: string
          readonly value: string | null
        }>
      ).map(({ key, value }) => [key, value])
    expect(await stored()).toEqual(expect.arrayContaining([["MODE", "slow"]]))
    await bulk.getByRole("button", { name: "Save changes" }).click()
    await page.getByRole("heading", { name: "NEW" }).waitFor()
    expect(await stored()).toEqual(
      expect.arrayContaining([
        ["MODE", "fast"],
        ["HIDDEN", null],
        ["NEW", "1"]
      ])
    )
    await page.getByRole("button", { name: "Remove NEW" }).click()
    expect(await page.getByRole("heading", { name: "NEW" }).count()).toBe(0)
    await context.close()
  }, 60_000)

  it("shows the credentials of a database only on demand, and audits it, without JavaScript", async () => {
    const shown = await (await send("GET", `${base}/api/v1/databases/${database}`)).json()
    const [context, page] = await opened({ javaScriptEnabled: false })
    await signIn(page, `/databases/${database}`)
    expect(await page.content()).not.toContain(shown.redis_password)
    await page.getByRole("button", { name: "Show credentials" }).click()
    expect(await page.content()).toContain(shown.internal_db_url)
    const records = await (await send("GET", `${base}/api/v1/audit?limit=1`)).json()
    expect(records).toMatchObject([
      { action: "database.secrets", object: database, detail: "revealed the credentials" }
    ])
    await page.goto(`${base}/databases/${database}`)
    expect(await page.content()).not.toContain(shown.redis_password)
    await context.close()
  }, 60_000)

  it("lists the next steps of a new instance, each with its page", async () => {
    const [context, page] = await opened({ javaScriptEnabled: false })
    await signIn(page)
    const steps = page.locator("section", { has: page.getByRole("heading", { name: "First steps" }) })
    expect((await steps.locator(".badge").allTextContents()).slice(0, 4)).toEqual(["open", "done", "open", "done"])
    const domain = steps.getByRole("link", { name: "A server has a wildcard domain" })
    expect(await domain.getAttribute("href")).toBe(`/servers/${server}`)
    await context.close()
  }, 60_000)

  it("lists the applications of the repository to deploy, also for its name in another case", async () => {
    for (const [name, repository] of [
      ["site", "acme/site"],
      ["other", "other-acme/site"]
    ] as const) {
      const body = {
        ...(await placesAt(base)),
        name,
        git_repository: `https://forge.test/${repository}.git`,
        git_branch: "main",
        build_pack: "static",
        ports_exposes: "80"
      }
      expect((await send("POST", `${base}/api/v1/applications/public`, body)).status).toBe(201)
    }
    const [context, page] = await opened({ javaScriptEnabled: false })
    await signIn(page)
    await page.goto(`${base}/deploy?repository=Acme%2FSite`)
    expect(await page.locator("ul.rows h3").allTextContents()).toEqual(["site"])
    // The form rejects a text that is too long for the name of a repository.
    const long = await page.goto(`${base}/deploy?repository=${"x".repeat(2049)}`)
    expect([long?.status(), await page.locator("ul.rows h3").count()]).toEqual([200, 0])
    await context.close()
  }, 60_000)

  it("answers an unknown resource with the page of a missing address, and rejects a form of another site", async () => {
    const [context, page] = await opened()
    await signIn(page)
    const missing = await page.goto(`${base}/applications/aaaaaaaaaaaaaaaaaaaaaaaa`)
    expect(missing?.status()).toBe(404)
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Page not found")
    const [{ value = "" } = {}] = (await context.cookies()).filter(({ name }) => name === "slipway_deploy_session")
    const forged = await fetch(`${base}/applications/${application}`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: `slipway_deploy_session=${value}`, accept: "text/html" },
      body: new URLSearchParams({ do: "stop" })
    })
    expect(forged.status).toBe(403)
    // The API does not accept the cookie.
    const api = await fetch(`${base}/api/v1/projects`, { headers: { cookie: `slipway_deploy_session=${value}` } })
    expect(api.status).toBe(401)
    await context.close()
  }, 60_000)

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has no accessibility violation, console error or sideways scrolling at 375 px (${colorScheme})`, async () => {
      const [context, page] = await opened({ colorScheme })
      const problems: Array<string> = []
      page.on("console", (message) => {
        if (message.type() === "error") problems.push(message.text())
      })
      page.on("pageerror", (error) => problems.push(error.message))
      await signIn(page)
      const addresses = [
        "/",
        "/projects",
        "/projects/new",
        `/projects/${project}`,
        `/projects/${project}/environments/production`,
        `/projects/${project}/environments/production/new`,
        ...["forge", "git", "key", "dockerfile", "image", "compose", "service", "database"].map(
          (source) => `/projects/${project}/environments/production/new/${source}`
        ),
        "/deploy?repository=acme%2Fsite",
        `/applications/${application}`,
        `/applications/${application}/deployments`,
        `/applications/${application}/variables`,
        `/applications/${application}/settings`,
        `/applications/${application}/metrics`,
        `/applications/${application}/terminal`,
        `/databases/${database}`,
        `/databases/${database}/metrics`,
        `/services/${service}/variables`,
        `/services/${service}/terminal`,
        `/databases/${database}/backups`,
        "/servers",
        "/servers/new",
        `/servers/${server}`,
        `/servers/${server}/metrics`,
        "/teams",
        "/teams/0",
        "/roles",
        "/grants",
        "/tokens",
        "/audit",
        "/keys",
        "/keys/new",
        "/sources",
        "/sources/connections/new",
        "/sources/github/new",
        "/sources/gitlab/new",
        "/registries",
        "/registries/new",
        "/storages",
        "/storages/new",
        `/storages/${storage}`,
        "/notifications",
        "/notifications/email",
        "/notifications/telegram",
        "/variables",
        `/projects/${project}/variables`,
        "/accounts",
        "/settings",
        `/services/${service}/backups`,
        `/applications/${application}/deployers`,
        `/projects/${project}/environments/production/deployers`
      ]
      for (const address of addresses) {
        await page.goto(`${base}${address}`)
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
    }, 300_000)
  }
})
