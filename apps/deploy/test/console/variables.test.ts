import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { endServices, newDirectory, placesAt, send, start } from "../support.ts"
import { openBrowser, password, settingsInMemory } from "./support.ts"

describe("the pages of shared variables", () => {
  let base: string
  let browser: Browser
  let paths: Readonly<Record<"team" | "project" | "environment" | "server", readonly [page: string, api: string]>>

  beforeAll(async () => {
    const running = start(newDirectory(), settingsInMemory)
    base = await running.listening()
    const { project_uuid: project, server_uuid: server } = await placesAt(base)
    const environment = `/projects/${project}/environments/production`
    paths = {
      team: ["/variables", "/team/envs"],
      project: [`/projects/${project}/variables`, `/projects/${project}/envs`],
      environment: [`${environment}/variables`, `${environment}/envs`],
      server: [`/servers/${server}/variables`, `/servers/${server}/envs`]
    }
    browser = await openBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await endServices()
  })

  const signedIn = async (name: string): Promise<[BrowserContext, Page]> => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${base}/login`)
    await page.getByLabel("Name").fill(name)
    await page.getByLabel("Password").fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
    return [context, page]
  }

  const keys = async (path: string) =>
    ((await (await send("GET", `${base}/api/v1${path}`)).json()) as ReadonlyArray<{ key: string }>).map(
      ({ key }) => key
    )

  it("add, change and remove a variable of a team, a project, an environment and a server", async () => {
    const [context, page] = await signedIn("ann")
    for (const [scope, [path, api]] of Object.entries(paths)) {
      await page.goto(`${base}${path}`)
      const add = page.locator("#add")
      await add.getByLabel("Key").fill("not a name")
      await add.getByLabel("Value").fill("s3cret")
      await add.getByLabel("Comment").fill("The log level")
      await add.getByRole("button", { name: "Add variable" }).click()
      expect(await page.getByRole("alert").count()).toBe(1)
      expect(await add.getByLabel("Comment").inputValue()).toBe("The log level")
      await add.getByLabel("Key").fill("LEVEL")
      await add.getByLabel("Value").fill("s3cret")
      await add.getByRole("button", { name: "Add variable" }).click()
      await page.getByText(`{{${scope}.LEVEL}}`).first().waitFor()
      expect(await page.content()).not.toContain("s3cret")
      await page.getByRole("link", { name: "Edit LEVEL" }).click()
      await page.locator("#edit").getByLabel("Comment").fill("The level")
      await page.locator("#edit").getByRole("button", { name: "Save changes" }).click()
      expect(await (await send("GET", `${base}/api/v1${api}`)).json()).toMatchObject([
        { key: "LEVEL", comment: "The level", is_literal: false }
      ])
      await page.getByRole("button", { name: "Remove LEVEL" }).click()
      await page.getByText("No shared variables.").waitFor()
      expect(await keys(api)).toEqual([])
    }
    await context.close()
  }, 120_000)

  it("show the changes of a text without values, and apply them after a confirmation", async () => {
    const [path, api] = paths.project
    for (const key of ["KEPT", "CHANGED", "GONE"]) await send("POST", `${base}/api/v1${api}`, { key, value: "old" })
    const [context, page] = await signedIn("ann")
    await page.goto(`${base}${path}`)
    const text = page.locator("#bulk").getByLabel("Shared variables")
    const preview = page.getByRole("button", { name: "Preview changes" })
    expect(await text.inputValue()).toBe("KEPT\nCHANGED\nGONE\n")
    await text.fill("KEPT\nNEW")
    await preview.click()
    expect(await page.getByText("Line 2 names a new variable and needs a value: KEY=value.").first().isVisible()).toBe(
      true
    )
    await text.fill("# comment\nKEPT\nCHANGED=t0p=1\nNEW=s3cret")
    await preview.click()
    const rows = page.locator("#apply tr")
    expect(await rows.allTextContents()).toEqual(["+NEWadded", "~CHANGEDnew value", "-GONEremoved"])
    expect(await keys(api)).toEqual(["KEPT", "CHANGED", "GONE"])
    // A variable that was added after the preview stays.
    await send("POST", `${base}/api/v1${api}`, { key: "LATER", value: "old" })
    await page.getByRole("button", { name: "Apply changes" }).click()
    await page.getByText("{{project.NEW}}").first().waitFor()
    expect(await keys(api)).toEqual(["KEPT", "CHANGED", "LATER", "NEW"])
    await context.close()
  }, 60_000)

  it("offer no change to a viewer, who sees the names", async () => {
    await send("POST", `${base}/api/v1${paths.team[1]}`, { key: "SHARED", value: "old" })
    const { uuid } = await (await send("POST", `${base}/api/v1/accounts`, { name: "bob", password })).json()
    await send("POST", `${base}/api/v1/teams/0/members`, { account_uuid: uuid })
    await send("POST", `${base}/api/v1/grants`, { account_uuid: uuid, place_type: "team", role: "viewer" })
    const [context, page] = await signedIn("bob")
    await page.goto(`${base}/variables`)
    expect(await page.getByText("{{team.SHARED}}").first().isVisible()).toBe(true)
    expect(await page.locator("main form").count()).toBe(0)
    await context.close()
  }, 60_000)
})
