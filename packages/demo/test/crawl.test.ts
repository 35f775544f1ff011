import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { pageTable } from "@slipway/web"
import type { AxeResults } from "axe-core"
import { type Browser, type BrowserContext, chromium } from "playwright-core"
import { type ServedDemo, serveDemo } from "../src/start.ts"
import { addressesIn, readAddresses } from "./support/apiAnswers.ts"
import { crawl, type Visited } from "./support/crawl.ts"
import { type Visitor, visitorOf } from "./support/visitor.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** The callers of the crawl, from the least to the most permissions. */
const callers = ["anonymous", "wren", "mara", "root"] as const

/** The beginning of the crawl, and pages that users reach by a form. */
const starts = [
  "/",
  "/brightwater/gauge",
  "/user/logout",
  "/search?q=gauge",
  "/explore/code?q=gauge",
  "/brightwater/gauge/search?q=gauge",
  "/brightwater/gauge/compare/v1.0.0...main"
]

/**
 * Pages that no link leads to: the demo world sends no email, which has the links of the first two, and no event was
 * delivered to the webhooks of other owners than repositories.
 */
const unlinked = [
  "/user/forgot_password",
  "/user/recover_account",
  "/:owner/:repo/blame/commit/*",
  "/admin/hooks/:id/deliveries/:delivery",
  "/org/:org/settings/hooks/:id/deliveries/:delivery",
  "/user/settings/hooks/:id/deliveries/:delivery"
]

describe("the pages of the demo world", () => {
  let demo: ServedDemo
  const visitors = new Map<string, Visitor>()
  const crawled = new Map<string, ReadonlyArray<Visited>>()
  const visitorFor = (who: string): Visitor => {
    const visitor = visitors.get(who)
    if (visitor === undefined) throw new Error(`${who} has not signed in`)
    return visitor
  }

  beforeAll(async () => {
    demo = await serveDemo(0)
    const handler = (request: Request) => demo.forge.handler(request)
    for (const who of callers)
      visitors.set(who, await visitorOf(handler, demo.url, who === "anonymous" ? undefined : who))
  })
  afterAll(() => demo?.close())

  for (const who of callers) {
    it(`link only to addresses that answer, for ${who}`, async () => {
      const visited = await crawl(visitorFor(who), demo.url, starts)
      crawled.set(who, visited)
      const isBroken = ({ status, to }: Visited) =>
        // A link of a signed-in user leads to no sign-in page.
        ![200, 302, 303, 307].includes(status) || (who !== "anonymous" && to?.includes("/user/login") === true)
      expect(visited.filter(isBroken).map(({ address, from, status }) => `${status} ${address} on ${from}`)).toEqual([])
      expect(visited.length).toBeGreaterThan(200)
    }, 300_000)
  }

  it("can all be reached by links", () => {
    const reached = new Set([...crawled.values()].flat().flatMap(({ kind, status }) => (status === 200 ? [kind] : [])))
    expect(pageTable.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual(unlinked)
  })

  it("exist for every `html_url`, `diff_url` and `patch_url` of the API", async () => {
    const { forge, send } = demo.people.mara
    const [head] = await forge.repository.commit.list({ params: { username: "brightwater", reponame: "gauge" } })
    const addresses = readAddresses({
      username: ["brightwater", "mara"],
      reponame: ["gauge", "notes"],
      org: ["brightwater"],
      index: [1, 8, 9, 12],
      id: [1, 2, 3, 4],
      sha: [head?.sha ?? ""],
      "*": ["README.md", "main", "v1.1.0"],
      run: [1, 2],
      job_id: [1, 2],
      type: ["generic"],
      name: ["gauge", "main"],
      version: ["1.1.0"],
      tag: ["v1.1.0"],
      pageName: ["Home"],
      workflow_id: ["ci.yml"],
      ref: ["main"],
      team: ["backend"],
      collaborator: ["wren"]
    })
    const found = new Map<string, string>()
    for (const address of addresses) {
      const response = await send("GET", address).catch(() => undefined)
      if (response?.headers.get("content-type")?.startsWith("application/json") !== true) await response?.body?.cancel()
      else for (const url of addressesIn(await response.json())) found.set(url, address)
    }
    expect(found.size).toBeGreaterThan(100)
    const broken: Array<string> = []
    for (const [url, from] of found) {
      const status = url.startsWith(`${demo.url}/`)
        ? (await visitorFor("mara").go(url.slice(demo.url.length))).status
        : "another site"
      if (status !== 200) broken.push(`${status} ${url} in ${from}`)
    }
    expect(broken).toEqual([])
  })

  describe("in Chromium", () => {
    let browser: Browser | undefined
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
    })
    afterAll(() => browser?.close())

    /** Opens one page of each kind, the one with the most content, and returns its problems. */
    const problemsFor = async (who: string, kinds: (visited: ReadonlyArray<Visited>) => ReadonlyArray<Visited>) => {
      if (browser === undefined) throw new Error("Chromium did not start")
      const context: BrowserContext = await browser.newContext({
        colorScheme: "light",
        viewport: { width: 375, height: 800 }
      })
      await context.addCookies(
        [...visitorFor(who).cookies].map(([name, value]) => ({ name, value, url: demo.url, sameSite: "Lax" }))
      )
      const page = await context.newPage()
      const problems: Array<string> = []
      let at = ""
      // A violated content security policy is logged as an error too.
      page.on("console", (message) => {
        if (message.type() === "error") problems.push(`${at}: ${message.text()}`)
      })
      page.on("pageerror", (error) => problems.push(`${at}: ${error.message}`))
      const runAxe = async (rules?: ReadonlyArray<string>) => {
        const options = rules === undefined ? "" : JSON.stringify({ runOnly: rules })
        const { violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResults
        for (const { id, nodes } of violations)
          problems.push(`${at} ${id}: ${nodes.map((node) => node.html).join(" ")}`)
      }
      const chosen = kinds(crawled.get(who) ?? [])
      for (const { address } of chosen) {
        at = address
        await page.emulateMedia({ colorScheme: "light" })
        await page.goto(`${demo.url}${address}`)
        const overflow = await page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        if (overflow !== 0) problems.push(`${at} scrolls sideways by ${overflow} px`)
        const broken = await page.evaluate(
          "[...document.images].filter((image) => image.complete && image.naturalWidth === 0).map(({ src }) => src)"
        )
        for (const image of broken as ReadonlyArray<string>) problems.push(`${at} shows a broken image: ${image}`)
        await page.evaluate(axe)
        await runAxe()
        await page.emulateMedia({ colorScheme: "dark" })
        await runAxe(["color-contrast", "link-in-text-block"])
      }
      await context.close()
      return { problems, count: chosen.length }
    }

    /** Returns the page with the most content of each kind, without the kinds of others. */
    const richest = (visited: ReadonlyArray<Visited>, without: ReadonlySet<string> = new Set()) => {
      const best = new Map<string, Visited>()
      for (const each of visited) {
        if (each.status !== 200 || !each.type.startsWith("text/html")) continue
        if (each.kind.startsWith("no page") || without.has(each.kind)) continue
        if (each.text.length > (best.get(each.kind)?.text.length ?? 0)) best.set(each.kind, each)
      }
      return [...best.values()]
    }
    const kindsOf = (who: string) => new Set(richest(crawled.get(who) ?? []).map(({ kind }) => kind))

    for (const [who, least, without] of [
      ["mara", 60, []],
      ["root", 10, ["mara"]],
      ["anonymous", 30, []]
    ] as const) {
      it(`have no console error, violation or sideways scrolling, in light and dark, for ${who}`, async () => {
        const known = new Set(without.flatMap((other) => [...kindsOf(other)]))
        const { count, problems } = await problemsFor(who, (visited) => richest(visited, known))
        expect(problems).toEqual([])
        expect(count).toBeGreaterThan(least)
      }, 400_000)
    }
  })
})
