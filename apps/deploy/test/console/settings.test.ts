import { fieldNames } from "@slipway/domain/deploy/apps"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { endServices, newDirectory, placesAt, send, start } from "../support.ts"
import { openBrowser, password, settingsInMemory } from "./support.ts"

/** The fields of applications that the settings do not have, with the place where they are set. */
const elsewhere: Readonly<Record<string, string>> = {
  project_uuid: "the environment",
  environment_name: "the environment",
  environment_uuid: "the environment",
  server_uuid: "the destinations",
  destination_uuid: "the destinations",
  forge_app_uuid: "the creation",
  private_key_uuid: "the creation",
  instant_deploy: "the button Deploy",
  force_domain_override: "the message about a domain conflict",
  is_preview_deployments_enabled: "the previews",
  preview_url_template: "the previews",
  manual_webhook_secret_forgeA: "the webhooks",
  manual_webhook_secret_forgeB: "the webhooks",
  manual_webhook_secret_forgeC: "the webhooks",
  manual_webhook_secret_forgeD: "the webhooks",
  is_preserve_repository_enabled: "nowhere: it has no effect",
  static_image: "nowhere: it has one value"
}

describe("the settings of an application", () => {
  let base: string
  let browser: Browser
  let applications: Readonly<Record<string, string>>

  beforeAll(async () => {
    base = await start(newDirectory(), settingsInMemory).listening()
    const places = await placesAt(base)
    const create = async (variant: string, fields: object) => {
      const answer = await send("POST", `${base}/api/v1/applications/${variant}`, { ...places, ...fields })
      expect(answer.status, await answer.clone().text()).toBe(201)
      return ((await answer.json()) as { readonly uuid: string }).uuid
    }
    const git = { git_repository: "https://git.test/acme/site", git_branch: "main", ports_exposes: "80" }
    applications = {
      git: await create("public", { ...git, build_pack: "dockerfile", domains: "https://one.test" }),
      compose: await create("public", { ...git, build_pack: "dockercompose" }),
      text: await create("dockerfile", { dockerfile: "FROM nginx" }),
      image: await create("dockerimage", { docker_registry_image_name: "nginx" })
    }
    browser = await openBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await endServices()
  })

  const signedIn = async (): Promise<[BrowserContext, Page]> => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${base}/login`)
    await page.getByLabel("Name").fill("ann")
    await page.getByLabel("Password").fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
    return [context, page]
  }

  const read = async (uuid = "") => (await send("GET", `${base}/api/v1/applications/${uuid}`)).json()

  it("contain every field of the API that has an effect", async () => {
    const [context, page] = await signedIn()
    const shown = new Set<string>()
    for (const uuid of Object.values(applications)) {
      await page.goto(`${base}/applications/${uuid}/settings`)
      for (const field of await page.locator("main [name]").all()) shown.add((await field.getAttribute("name")) ?? "")
    }
    const missing = fieldNames.filter((name) => !shown.has(name) && elsewhere[name] === undefined)
    expect(missing).toEqual([])
    expect(Object.keys(elsewhere).filter((name) => shown.has(name))).toEqual([])
    await context.close()
  }, 60_000)

  it("store texts, choices, lists and a password that is never shown", async () => {
    const [context, page] = await signedIn()
    const { git = "" } = applications
    await page.goto(`${base}/applications/${git}/settings`)
    const network = page.locator("#network")
    await network.getByLabel("Redirect between www and the bare domain").selectOption("non-www")
    await network.getByLabel("Domains that search engines must not index").fill("https://one.test\n")
    await network.getByLabel("Compress responses").check()
    await network.getByRole("button", { name: "Save changes" }).click()
    const health = page.locator("#health")
    await health.getByLabel("Text that the response must contain").fill("ready")
    await health.getByLabel("Protocol").selectOption("https")
    await health.getByRole("button", { name: "Save changes" }).click()
    const auth = page.locator("#auth")
    await auth.getByLabel("Require a username and a password").check()
    await auth.getByLabel("Username", { exact: true }).fill("guest")
    await auth.getByLabel("Password", { exact: true }).fill("s3cret-p4ssword")
    await auth.getByRole("button", { name: "Save changes" }).click()
    expect(await read(git)).toMatchObject({
      redirect: "non-www",
      noindex_domains: ["https://one.test"],
      is_gzip_enabled: true,
      health_check_response_text: "ready",
      health_check_scheme: "https",
      is_http_basic_auth_enabled: true,
      http_basic_auth_username: "guest"
    })
    expect(await page.content()).not.toContain("s3cret-p4ssword")
    await network.getByLabel("Redirect between www and the bare domain").selectOption("")
    await network.getByRole("button", { name: "Save changes" }).click()
    await health.getByLabel("Text that the response must contain").fill("")
    await health.getByRole("button", { name: "Save changes" }).click()
    expect(await read(git)).toMatchObject({ redirect: null, health_check_response_text: null })
    await context.close()
  }, 60_000)

  it("add one domain to the others, and keep a rejected one in the form", async () => {
    const [context, page] = await signedIn()
    const { git = "", image = "" } = applications
    await page.goto(`${base}/applications/${git}/settings`)
    const form = page.locator("#domain")
    const add = async (domain: string) => {
      await form.getByLabel("New domain").fill(domain)
      await form.getByRole("button", { name: "Add domain" }).click()
    }
    await add("not a domain")
    expect(await form.getByLabel("New domain").inputValue()).toBe("not a domain")
    await add("https://two.test")
    expect((await read(git)).fqdn).toBe("https://one.test,https://two.test")
    await page.goto(`${base}/applications/${image}/settings`)
    await add("https://two.test")
    expect(await form.getByText("https://two.test belongs to").first().isVisible()).toBe(true)
    await form.getByLabel("Proceed anyway").check()
    await form.getByRole("button", { name: "Add domain" }).click()
    expect((await read(image)).fqdn).toContain("https://two.test")
    await context.close()
  }, 60_000)

  it("store the domain of each service of a compose file", async () => {
    const [context, page] = await signedIn()
    const { compose = "" } = applications
    await page.goto(`${base}/applications/${compose}/settings`)
    const network = page.locator("#network")
    await network.getByLabel("Domains of the services").fill("web=https://web.test\napi=https://api.test")
    await network.getByRole("button", { name: "Save changes" }).click()
    expect((await read(compose)).docker_compose_domains).toEqual([
      { name: "web", domain: "https://web.test" },
      { name: "api", domain: "https://api.test" }
    ])
    await context.close()
  }, 60_000)
})
