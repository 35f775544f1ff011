import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { ServiceProcesses } from "@slipway/http/testing"
import type { AxeResults } from "axe-core"
import { type Browser, chromium } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
const deploy = new ServiceProcesses(join(import.meta.dirname, "..", "..", "deploy", "src", "main.ts"))

const services = {
  forge: { base: "", pages: ["/docs/groups/repositories", "/docs/groups/pulls", "/docs/schemas/Repository"] },
  deploy: { base: "", pages: ["/docs/groups/applications", "/docs/groups/databases", "/docs/schemas/Application"] }
}
let browser: Browser

beforeAll(async () => {
  ;[services.forge.base, services.deploy.base, browser] = await Promise.all([
    forge.start(forge.directory(), { FORGE_DATABASE_URL: "memory:", FORGE_ADMIN_USERNAME: "ann" }).listening(),
    deploy.start(deploy.directory(), { DEPLOY_DATABASE_URL: "memory:" }).listening(),
    chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
  ])
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([forge.end(), deploy.end()])
})

/** Returns the console errors, axe violations and sideways scrolling of pages. */
const problemsOf = async (base: string, pages: ReadonlyArray<string>, colorScheme: "light" | "dark") => {
  const context = await browser.newContext({ colorScheme, viewport: { width: 375, height: 800 } })
  const page = await context.newPage()
  const problems: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text())
  })
  for (const address of pages) {
    await page.goto(`${base}${address}`)
    const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if (overflow !== 0) problems.push(`${address} scrolls sideways by ${overflow} px`)
    await page.evaluate(`for (const each of document.querySelectorAll("details")) each.open = true`)
    await page.evaluate(axe)
    const { violations } = (await page.evaluate("axe.run()")) as AxeResults
    for (const { id, nodes } of violations)
      problems.push(`${address} ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`)
  }
  await context.close()
  return problems
}

describe.each(["forge", "deploy"] as const)("the reference of %s", (name) => {
  for (const colorScheme of ["light", "dark"] as const) {
    it(`has no accessibility violation and no sideways scrolling on a phone, in the ${colorScheme} scheme`, async () => {
      const { base, pages } = services[name]
      const common = ["/", "/docs", "/docs/search?q=key", "/docs/groups/missing"]
      expect(await problemsOf(base, [...common, ...pages], colorScheme)).toEqual([
        // The browser itself reports the status of the missing page.
        "Failed to load resource: the server responded with a status of 404 (Not Found)"
      ])
    }, 120_000)
  }

  it("is readable without JavaScript, and links the first page of the service", async () => {
    const { base, pages } = services[name]
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${base}/docs`)
    await page.getByLabel("Search operations").fill("healthless")
    await page.getByRole("button", { name: "Search" }).click()
    expect(await page.getByRole("status").innerText()).toBe(
      "No operation contains “healthless”. Search for parts of a path, such as keys, or choose a group."
    )
    await page.goto(`${base}${pages[0]}`)
    expect(await page.getByRole("heading", { name: "Responses" }).first().isVisible()).toBe(true)
    expect(await page.getByText("Try it").first().isVisible()).toBe(false)
    await context.close()
  })
})
