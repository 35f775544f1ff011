import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { AxeResults } from "axe-core"
import { type Browser, chromium } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { writePlayground } from "../site.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

describe("the page of the playground", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-playground-"))
  let browser: Browser | undefined
  beforeAll(async () => {
    await writePlayground(folder)
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true })
  })

  it("works as static files: decides, explains, shares by link and imports, and is accessible at 375 px", async () => {
    const page = await browser?.newPage({ viewport: { width: 375, height: 800 }, colorScheme: "light" })
    if (page === undefined) throw new Error("Chromium did not start")
    const problems: Array<string> = []
    // A violated content security policy is logged as an error too.
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text())
    })
    page.on("pageerror", (error) => problems.push(error.message))
    const check = async () => {
      expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(0)
      await page.evaluate(axe)
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme })
        // Otherwise axe requests the style sheets again, which the policy of the page blocks.
        const { violations } = (await page.evaluate("axe.run({ preload: false })")) as AxeResults
        for (const { id, nodes } of violations) problems.push(`${id}: ${nodes.map(({ html }) => html).join(" ")}`)
      }
    }
    await page.goto(pathToFileURL(join(folder, "playground.html")).href)
    const cells = () => page.locator("#matrix td button").allTextContents()
    expect(await cells()).toEqual(["✓", "✓", "✓", "✗", "✓", "✗", "✗", "✗"])
    await page.getByLabel("edit, ann opens her old report: denied").click()
    expect(await page.locator("#explanation p").textContent()).toBe("ann opens her old report: edit is denied")
    expect(await page.locator("#explanation svg title").textContent()).toBe("ann opens her old report: edit is denied")
    expect(await page.locator("#explanation li").allTextContents()).toEqual([
      "read passes: rule owner: owner; the caller owns the document",
      "edit fails: rule archived: archived; the document is archived"
    ])
    await check()

    await page.locator("#world").fill("dee: shared\n")
    expect(await cells()).toEqual(["✓", "✗"])
    await page.getByLabel("read, dee: allowed").click()
    expect(await page.locator("#explanation text").allTextContents()).toEqual([
      "✓ read",
      "rule shared: shared",
      "the document is shared with the",
      "caller",
      "allowed"
    ])
    await page.getByRole("button", { name: "Put the texts into the address" }).click()
    const shared = page.url()
    await page.locator("#rules").fill("action read\n  allow nobody: <b>")
    expect(await page.locator("#rule-problems li").allTextContents()).toEqual([
      "Line 2: the fact `<b>` is not declared"
    ])
    await page.goto("about:blank")
    await page.goto(shared)
    expect(await page.locator("#world").inputValue()).toBe("dee: shared\n")
    expect(await cells()).toEqual(["✓", "✗"])

    await page
      .locator("#import")
      .fill(
        'permit (principal, action == Action::"view", resource);\npermit (principal == ?principal, action, resource);'
      )
    await page.getByRole("button", { name: "Import Cedar policies" }).click()
    expect(await cells()).toEqual(["✓"])
    expect(await page.locator("#import-count").textContent()).toBe("Not translated from Cedar: 1")
    expect(await page.locator("#import-problems li").allTextContents()).toEqual([
      "Line 2: a template has no translation: write a policy for each link"
    ])
    await page.locator("#import").fill("type user\ntype note\n  relations\n    define owner: [user]")
    await page.getByRole("button", { name: "Import an OpenFGA model" }).click()
    expect(await cells()).toEqual(["✗", "✓"])
    expect(await page.locator("#import-count").textContent()).toBe("Every part of the OpenFGA text is translated.")
    await check()
    expect(problems).toEqual([])
  }, 60_000)
})
