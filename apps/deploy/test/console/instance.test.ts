import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createAt, endServices, newDirectory, send, start } from "../support.ts"
import { openBrowser, password, settingsInMemory } from "./support.ts"

describe("the pages of the instance and its accounts", () => {
  let base: string
  let browser: Browser

  beforeAll(async () => {
    const running = start(newDirectory(), settingsInMemory)
    base = await running.listening()
    browser = await openBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await endServices()
  })

  const signIn = async (page: Page, name: string, secret = password): Promise<void> => {
    await page.goto(`${base}/login`)
    await page.getByLabel("Name").fill(name)
    await page.getByLabel("Password").fill(secret)
    await page.getByRole("button", { name: "Sign in" }).click()
  }

  const opened = async (): Promise<[BrowserContext, Page]> => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    return [context, await context.newPage()]
  }

  const settings = async () => (await send("GET", `${base}/api/v1/settings`)).json()

  it("change every setting of the instance, and name the resource that has an address", async () => {
    await createAt(base, { name: "web", domains: "https://taken.test" })
    const [context, page] = await opened()
    await signIn(page, "ann")
    await page.goto(`${base}/settings`)
    const addresses = page.locator("#addresses")
    const field = addresses.getByLabel("Addresses of the platform")
    await field.fill("https://taken.test")
    await addresses.getByRole("button", { name: "Save changes" }).click()
    expect(await addresses.getByText("taken.test belongs to web").first().isVisible()).toBe(true)
    expect(await field.inputValue()).toBe("https://taken.test")
    await field.fill("https://deploy.test")
    await addresses.getByRole("button", { name: "Save changes" }).click()
    await page.getByRole("button", { name: "Enable MCP" }).click()
    await page.getByRole("button", { name: "Disable MCP" }).waitFor()
    expect(await settings()).toMatchObject({
      instance_domains: "https://deploy.test",
      is_api_enabled: true,
      is_mcp_server_enabled: true
    })
    await page.getByRole("button", { name: "Disable API" }).click()
    await page.getByRole("button", { name: "Enable API" }).waitFor()
    expect((await send("GET", `${base}/api/v1/settings`)).status).toBe(403)
    await page.getByRole("button", { name: "Enable API" }).click()
    await page.getByRole("button", { name: "Disable API" }).waitFor()
    expect((await settings()).is_api_enabled).toBe(true)
    await context.close()
  }, 60_000)

  it("create an account, reset its password, and disable it", async () => {
    const [context, page] = await opened()
    await signIn(page, "ann")
    await page.goto(`${base}/accounts`)
    const create = page.locator("#create")
    await create.getByLabel("Name").fill("bob")
    await create.getByLabel("Email address").fill("bob@example.com")
    await create.getByLabel("Password").fill("short")
    await create.getByRole("button", { name: "Create account" }).click()
    expect(await page.getByRole("alert").count()).toBe(1)
    expect(await create.getByLabel("Email address").inputValue()).toBe("bob@example.com")
    await create.getByLabel("Password").fill(password)
    await create.getByRole("button", { name: "Create account" }).click()
    await page.getByRole("heading", { level: 2, name: "bob" }).waitFor()
    const account = async () => (await send("GET", `${base}/api/v1${new URL(page.url()).pathname}`)).json()
    expect(await account()).toMatchObject({ name: "bob", email: "bob@example.com", is_root: false })

    const reset = page.locator("#password")
    await reset.getByLabel("Password").fill("another horse battery")
    await reset.getByRole("button", { name: "Reset password" }).click()
    const [guest, own] = await opened()
    await signIn(own, "bob", "another horse battery")
    await own.getByRole("button", { name: "Sign out" }).first().waitFor({ state: "attached" })
    for (const path of ["/accounts", "/settings"]) expect((await own.goto(`${base}${path}`))?.status()).toBe(403)

    await page.locator("#save").getByLabel("Disable account").check()
    await page.locator("#save").getByRole("button", { name: "Save changes" }).click()
    await page.locator(".badge", { hasText: "disabled" }).waitFor()
    expect(await account()).toMatchObject({ is_disabled: true, email: "bob@example.com" })
    await own.goto(`${base}/projects`)
    expect(new URL(own.url()).pathname).toBe("/login")
    await guest.close()
    await context.close()
  }, 60_000)
})
