import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { endForges, startForge } from "../forges.ts"
import { createAt, endServices, newDirectory, placesAt, send, start } from "../support.ts"
import { openBrowser, password, settingsInMemory } from "./support.ts"

describe("the pages that create a resource", () => {
  let base: string
  let forge: string
  let browser: Browser
  let pages: string

  beforeAll(async () => {
    const running = start(newDirectory(), {
      ...settingsInMemory,
      DEPLOY_ALLOW_PRIVATE_ADDRESSES: "true"
    })
    base = await running.listening()
    const { project_uuid: project, server_uuid: server } = await placesAt(base)
    pages = `${base}/projects/${project}/environments/production/new`
    await send("PATCH", `${base}/api/v1/servers/${server}`, { wildcard_domain: "apps.test" })
    browser = await openBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await endForges()
    await endServices()
  })

  const signedIn = async (name = "ann"): Promise<[BrowserContext, Page]> => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${base}/login`)
    await page.getByLabel("Name").fill(name)
    await page.getByLabel("Password").fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
    return [context, page]
  }

  const read = async (path: string) => (await send("GET", `${base}/api/v1${path}`)).json()

  /** Reads the resource of the open page from the API. */
  const shown = async (page: Page) => read(new URL(page.url()).pathname)

  it("list the sources, and show the generated domain of each", async () => {
    const [context, page] = await signedIn()
    await page.goto(pages)
    expect(await page.locator("ul.rows h3").allTextContents()).toEqual([
      "From a repository of a connected forge",
      "From a public Git repository",
      "From a private Git repository with a deploy key",
      "From the text of a Dockerfile",
      "From a Docker image",
      "From a compose file",
      "One-click service",
      "Database"
    ])
    await page.getByRole("link", { name: "From a public Git repository" }).click()
    expect(await page.getByText("a generated domain: http://<id>.apps.test").isVisible()).toBe(true)
    await context.close()
  }, 60_000)

  it("build the text of a Dockerfile, with the port that it exposes", async () => {
    const [context, page] = await signedIn()
    await page.goto(`${pages}/dockerfile`)
    const form = page.locator("#dockerfile")
    await form.getByLabel("Dockerfile").fill("RUN true")
    await form.getByLabel("Name").fill("from-text")
    await form.getByLabel("Deploy it immediately").uncheck()
    await form.getByRole("button", { name: "Create application" }).click()
    // A rejected form keeps its values.
    expect(await form.getByText("Must be a Dockerfile with a FROM instruction").first().isVisible()).toBe(true)
    expect(await form.getByLabel("Name").inputValue()).toBe("from-text")
    expect(await form.getByLabel("Deploy it immediately").isChecked()).toBe(false)
    await form.getByLabel("Dockerfile").fill("FROM nginx\nEXPOSE 8080/tcp")
    await form.getByRole("button", { name: "Create application" }).click()
    await page.getByRole("heading", { level: 1, name: "from-text" }).waitFor()
    const application = await shown(page)
    expect(application).toMatchObject({ dockerfile: "FROM nginx\nEXPOSE 8080/tcp", ports_exposes: "8080" })
    expect(application.fqdn).toBe(`http://${application.uuid}.apps.test`)
    await context.close()
  }, 60_000)

  it("generate a deploy key, show its public half, and read the repository with it", async () => {
    const [context, page] = await signedIn()
    await page.goto(`${pages}/key`)
    expect(await page.locator("#key").count()).toBe(0)
    await page.getByLabel("Name").fill("site key")
    await page.getByRole("button", { name: "Create key" }).click()
    const [key] = await read("/security/keys")
    expect(key.public_key).toMatch(/^ssh-ed25519 [A-Za-z0-9+/=]+$/)
    expect(await page.getByLabel("Public key").inputValue()).toBe(key.public_key)
    const form = page.locator("#key")
    await form.getByLabel("Git repository").fill("not a repository")
    await form.getByLabel("Deploy it immediately").uncheck()
    await form.getByRole("button", { name: "Create application" }).click()
    expect(await form.getByLabel("Git repository").inputValue()).toBe("not a repository")
    expect(await page.getByLabel("Public key").inputValue()).toBe(key.public_key)
    await form.getByLabel("Git repository").fill("git@git.test:acme/site.git")
    // The unreachable repository is a message at its field.
    await form.getByRole("button", { name: "Create application" }).click()
    expect(await form.getByText(/^Cannot read the repository: /).isVisible()).toBe(true)
    await form.getByLabel("Build pack").selectOption("static")
    await form.getByLabel("Branch").fill("main")
    await form.getByRole("button", { name: "Create application" }).click()
    await page.getByRole("heading", { level: 1 }).waitFor()
    expect(await shown(page)).toMatchObject({ private_key_uuid: key.uuid, build_pack: "static", git_branch: "main" })
    await context.close()
  }, 60_000)

  it("create a service from an uploaded compose file, and show a rejected file as text", async () => {
    const [context, page] = await signedIn()
    await page.goto(`${pages}/compose`)
    const form = page.locator("#compose")
    const upload = async (text: string) => {
      const file = { name: "compose.yaml", mimeType: "application/yaml", buffer: Buffer.from(text) }
      await form.getByLabel("Upload a compose file").setInputFiles(file)
      await form.getByRole("button", { name: "Create service" }).click()
    }
    await form.getByLabel("Name").fill("shop")
    await form.getByLabel("Deploy it immediately").uncheck()
    await upload("services: [")
    expect(await page.getByRole("alert").count()).toBe(1)
    expect(await form.getByLabel("Compose file", { exact: true }).inputValue()).toBe("services: [")
    const domains = form.getByLabel("Domains")
    await domains.fill("shop=https://shop.test")
    await upload("services:\n  web:\n    image: nginx\n")
    expect(await form.getByText("There is no service `shop` in the compose file").first().isVisible()).toBe(true)
    expect(await domains.getAttribute("aria-invalid")).toBe("true")
    await domains.fill("web=https://shop.test")
    await upload("services:\n  web:\n    image: nginx\n")
    await page.getByRole("heading", { level: 1, name: "shop" }).waitFor()
    const service = await shown(page)
    expect(service.docker_compose_raw).toBe("services:\n  web:\n    image: nginx\n")
    expect(service.applications).toMatchObject([{ name: "web", fqdn: "https://shop.test" }])
    await context.close()
  }, 60_000)

  it("run an image by its digest, and show problems of the reference at its field", async () => {
    const [context, page] = await signedIn()
    await page.goto(`${pages}/image`)
    const form = page.locator("#image")
    await form.getByLabel("Image").fill("Not an image:1")
    await form.getByLabel("Deploy it immediately").uncheck()
    await form.getByRole("button", { name: "Create application" }).click()
    expect(await form.getByLabel("Image").getAttribute("aria-invalid")).toBe("true")
    const reference = `nginx:1.27@sha256:${"0".repeat(64)}`
    await form.getByLabel("Image").fill(reference)
    await form.getByRole("button", { name: "Create application" }).click()
    await page.getByRole("heading", { level: 1 }).waitFor()
    expect((await shown(page)).docker_registry_image_name).toBe(reference)
    await context.close()
  }, 60_000)

  it("name the resource with the domain, and take the domain over only after a confirmation", async () => {
    const [context, page] = await signedIn()
    const holder = await (await createAt(base, { name: "old", domains: "https://taken.test" })).json()
    await page.goto(`${pages}/image`)
    const form = page.locator("#image")
    await form.getByLabel("Image").fill("nginx:1.27")
    await form.getByLabel("Name").fill("new")
    await form.getByLabel("Deploy it immediately").uncheck()
    // An invalid domain is no conflict.
    await form.getByLabel("Domains").fill("not a domain")
    await form.getByRole("button", { name: "Create application" }).click()
    expect(await form.getByLabel("Proceed anyway").count()).toBe(0)
    await form.getByLabel("Domains").fill("https://taken.test")
    await form.getByRole("button", { name: "Create application" }).click()
    expect(await form.getByRole("link", { name: "old" }).getAttribute("href")).toBe(`/applications/${holder.uuid}`)
    await form.getByLabel("Proceed anyway").check()
    await form.getByRole("button", { name: "Create application" }).click()
    await page.getByRole("heading", { level: 1, name: "new" }).waitFor()
    expect((await shown(page)).fqdn).toBe("https://taken.test")
    await context.close()
  }, 60_000)

  it("choose a repository of a connected forge and its branch, and detect the build pack and the port", async () => {
    const started = await startForge()
    forge = started.url
    const ask = (path: string, body: unknown) => started.ask("POST", path, body)
    for (const name of ["site", "other"]) await ask("/user/repos", { name })
    const content = Buffer.from("FROM nginx\nEXPOSE 3333\n").toString("base64")
    await ask("/repos/ann/site/contents/Dockerfile", { content, message: "Add", branch: "main" })
    const compose = Buffer.from("services:\n  web:\n    image: nginx\n").toString("base64")
    await ask("/repos/ann/site/contents/web/compose.yaml", { content: compose, message: "Add", branch: "main" })
    await ask("/repos/ann/site/branches", { new_branch_name: "next", old_branch_name: "main" })
    const { sha1 } = await ask("/users/ann/tokens", { name: "deploy", scopes: ["all"] })
    const [context, page] = await signedIn()
    await page.goto(`${pages}/forge`)
    expect(await page.getByText("No forge is connected.").isVisible()).toBe(true)
    const connection = { url: forge, token: sha1, platform_url: base, ssh_port: null }
    expect((await send("POST", `${base}/api/v1/forge-connections`, connection)).status).toBe(201)
    await page.reload()
    await page.getByLabel("Search repositories").fill("SIT")
    await page.getByRole("button", { name: "Search" }).click()
    expect(await page.locator("ul.rows h3").allTextContents()).toEqual(["ann/site"])
    await page.getByRole("link", { name: "ann/site" }).click()
    const form = page.locator("#forge")
    expect(await form.getByLabel("Branch").locator("option").allTextContents()).toEqual(["main", "next"])
    await form.getByLabel("Branch").selectOption("next")
    await form.getByRole("button", { name: "Check repository" }).click()
    expect(await page.getByRole("status").textContent()).toMatch(/^Branch next: a Dockerfile was found\./)
    await form.getByLabel("Deploy it immediately").uncheck()
    await form.getByLabel("Domains").fill("not a domain")
    await form.getByRole("button", { name: "Create application" }).click()
    expect(await form.getByLabel("Branch").inputValue()).toBe("next")
    await form.getByLabel("Domains").fill("")
    await form.getByRole("button", { name: "Create application" }).click()
    await page.getByRole("heading", { level: 1 }).waitFor()
    expect(await shown(page)).toMatchObject({ git_branch: "next", build_pack: "dockerfile", ports_exposes: "3333" })
    await context.close()
  }, 120_000)

  it("check a public repository, and create the application with what the files show", async () => {
    const [context, page] = await signedIn()
    await page.goto(`${pages}/git`)
    const form = page.locator("#git")
    const check = async () => form.getByRole("button", { name: "Check repository" }).click()
    await form.getByLabel("Deploy it immediately").uncheck()
    await form.getByLabel("Git repository").fill(`${forge}/ann/nothing.git`)
    await check()
    expect(await form.getByText("Cannot read the repository: ").textContent()).toBe(
      "Cannot read the repository: the repository requires credentials."
    )
    await form.getByLabel("Git repository").fill(`${forge}/ann/site.git`)
    await form.getByLabel("Name").fill("public site")
    await check()
    expect(await page.getByRole("status").textContent()).toBe(
      "Branch main: a Dockerfile was found. The Dockerfile exposes the port 3333."
    )
    expect(await form.getByLabel("Branch").inputValue()).toBe("main")
    expect(await form.getByLabel("Ports").inputValue()).toBe("3333")
    expect(await form.getByLabel("Name").inputValue()).toBe("public site")
    expect(await form.getByLabel("Deploy it immediately").isChecked()).toBe(false)
    await form.getByRole("button", { name: "Create application" }).click()
    await page.getByRole("heading", { level: 1, name: "public site" }).waitFor()
    expect(await shown(page)).toMatchObject({ git_branch: "main", build_pack: "dockerfile", ports_exposes: "3333" })
    // Without a check, creating the application detects the same.
    await page.goto(`${pages}/git`)
    await form.getByLabel("Git repository").fill(`${forge}/ann/site.git`)
    await form.getByLabel("Base directory").fill("/web")
    await form.getByLabel("Deploy it immediately").uncheck()
    await form.getByRole("button", { name: "Create application" }).click()
    await page.getByRole("heading", { level: 1 }).waitFor()
    expect(await shown(page)).toMatchObject({
      git_branch: "main",
      build_pack: "dockercompose",
      docker_compose_location: "/compose.yaml"
    })
    // An empty repository shows no type of project.
    await page.goto(`${pages}/git`)
    await form.getByLabel("Git repository").fill(`${forge}/ann/other.git`)
    await form.getByRole("button", { name: "Create application" }).click()
    expect(await form.locator("#error-git_repository").textContent()).toMatch(/no default branch/)
    await context.close()
  }, 120_000)

  it("offer no form to an account that may not create resources there", async () => {
    const { uuid } = await (await send("POST", `${base}/api/v1/accounts`, { name: "bob", password })).json()
    await send("POST", `${base}/api/v1/teams/0/members`, { account_uuid: uuid })
    await send("POST", `${base}/api/v1/grants`, { account_uuid: uuid, place_type: "team", role: "viewer" })
    const [context, page] = await signedIn("bob")
    for (const path of ["", "/image", "/key", "/compose"]) {
      await page.goto(`${pages}${path}`)
      expect(await page.getByText("Your account may not create applications yet.").isVisible()).toBe(true)
      expect(await page.locator("main form").count()).toBe(0)
    }
    await context.close()
  }, 60_000)
})
