import { readdirSync, readFileSync } from "node:fs"
import { request } from "node:http"
import { createRequire } from "node:module"
import type { AxeResults } from "axe-core"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { create, deploy, endOf, logOf, onPodman } from "../containers.ts"
import { eventually, send, token } from "../support.ts"
import { openBrowser, password } from "./support.ts"

const { podman, world } = onPodman("file")
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

let base: string
let application: string
let server: string
let browser: Browser
beforeAll(async () => {
  base = (await world({ DEPLOY_ADMIN_USERNAME: "ann", DEPLOY_ADMIN_PASSWORD: password })).base
  const [{ uuid }] = await (await send("GET", `${base}/api/v1/servers`)).json()
  server = uuid
  application = await create(base, "dockerfile", {
    name: "shelled",
    dockerfile: `FROM ${podman().image}
CMD ["sh", "-c", "mkdir /www; echo one > /www/index.html; exec httpd -f -p 8080 -h /www"]
`
  })
  const deployment = await deploy(base, application)
  expect((await endOf(base, deployment)).status, await logOf(base, deployment)).toBe("finished")
  browser = await openBrowser()
}, 240_000)
afterAll(() => browser?.close())

const enable = async (isEnabled: boolean) =>
  expect((await send("PATCH", `${base}/api/v1/servers/${server}`, { is_terminal_enabled: isEnabled })).status).toBe(201)

const signedIn = async (
  path: string,
  options: Parameters<Browser["newContext"]>[0] = {}
): Promise<readonly [Page, BrowserContext, Array<string>]> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const problems: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text())
  })
  page.on("pageerror", (error) => problems.push(error.message))
  await page.goto(`${base}/login?next=${encodeURIComponent(path)}`)
  await page.getByLabel("Name").fill("ann")
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  return [page, context, problems]
}

const rows = (page: Page) => page.locator(".xterm-rows")

const typeLine = async (page: Page, line: string) => {
  await page.keyboard.type(line)
  await page.keyboard.press("Enter")
}

/** Returns whether a program with an argument runs on this machine. */
const runs = (argument: string): boolean =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(argument)
      } catch {
        // It exited in between.
        return false
      }
    })

const auditOf = async (action: string): Promise<ReadonlyArray<string>> => {
  const records = await (await send("GET", `${base}/api/v1/audit?outcome=done`)).json()
  return (records as ReadonlyArray<{ readonly action: string; readonly detail: string }>)
    .filter((each) => each.action === action)
    .map(({ detail }) => detail.replace(/in \S+/, "in …").replace(/\d+ s/, "… s"))
    .toReversed()
}

it("opens a shell in the browser, with a strict content security policy, and audits it", async () => {
  const [page, context, problems] = await signedIn(`/servers/${server}`)
  expect(await page.goto(`${base}/applications/${application}/terminal`)).not.toBeNull()
  await page.getByText("Terminals are disabled on the server of this resource.").waitFor()
  await page.goto(`${base}/servers/${server}`)
  await page.getByLabel("Allow terminals in the containers of this server").check()
  await page.locator("#save").getByRole("button", { name: "Save changes" }).click()
  const response = await page.goto(`${base}/applications/${application}/terminal`)
  expect(response?.headers()["content-security-policy"]).toContain("style-src 'self'; script-src 'self'")
  await page.getByRole("button", { name: "Open terminal" }).click()
  await page.getByRole("status").getByText("Connected.").waitFor()
  await typeLine(page, "echo hi-$((40+2))")
  await rows(page).getByText("hi-42", { exact: true }).waitFor()
  // The styles of xterm.js apply: each row has the height of its text.
  const height = await rows(page)
    .locator("> div")
    .first()
    .evaluate((row) => row.getBoundingClientRect().height)
  expect(height).toBeGreaterThan(10)
  expect(height).toBeLessThan(30)
  const bottom = (selector: string) =>
    page.locator(selector).evaluate((element) => element.getBoundingClientRect().bottom)
  expect(await bottom(".xterm-screen")).toBeLessThan(await bottom("[data-screen]"))
  // More output than the browser confirms.
  await typeLine(page, "head -c 600000 /dev/zero | tr '\\0' x; echo; echo all-$((1+1))")
  await rows(page).getByText("all-2", { exact: true }).waitFor({ timeout: 60_000 })
  await page.keyboard.press("F6")
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Close terminal")
  await page.evaluate(axe)
  const { violations } = (await page.evaluate("axe.run()")) as AxeResults
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
  await page.getByRole("button", { name: "Close terminal" }).click()
  await page.getByRole("button", { name: "Open terminal" }).click()
  await page.getByRole("status").getByText("Connected.").waitFor()
  await typeLine(page, "exit")
  await page.getByRole("status").getByText("The shell exited.").waitFor()
  expect(problems).toEqual([])
  await eventually(async () => (await auditOf("application.terminal")).length === 4)
  expect(await auditOf("application.terminal")).toEqual([
    "opened a terminal in …",
    "closed the terminal in … after … s (disconnected)",
    "opened a terminal in …",
    "closed the terminal in … after … s (exited)"
  ])
  expect(await auditOf("server.update")).toEqual(["enabled terminals"])
  await context.close()
}, 120_000)

it("closes an open shell within seconds after an administrator disables terminals", async () => {
  await enable(true)
  const [page, context] = await signedIn(`/applications/${application}/terminal`)
  await page.getByRole("button", { name: "Open terminal" }).click()
  await page.getByRole("status").getByText("Connected.").waitFor()
  await typeLine(page, "sleep 7654321")
  await eventually(async () => runs("7654321"))
  await enable(false)
  await page.getByText("Closed because an administrator disabled terminals on the server.").waitFor({ timeout: 15_000 })
  await eventually(async () => !runs("7654321"), 15_000)
  await context.close()
}, 60_000)

it("closes an open shell within seconds after its session ends", async () => {
  await enable(true)
  const [page, context] = await signedIn(`/applications/${application}/terminal`)
  await page.getByRole("button", { name: "Open terminal" }).click()
  await page.getByRole("status").getByText("Connected.").waitFor()
  const other = await context.newPage()
  await other.goto(`${base}/account`)
  await other.getByRole("button", { name: "Sign out everywhere" }).click()
  await page.getByText("Closed because your permission ended.").waitFor({ timeout: 15_000 })
  await context.close()
}, 60_000)

it("says without JavaScript what the terminal needs", async () => {
  await enable(true)
  const [page, context] = await signedIn(`/applications/${application}/terminal`, { javaScriptEnabled: false })
  await page.getByText("The terminal needs JavaScript.").waitFor()
  expect(await page.getByRole("button", { name: "Open terminal" }).count()).toBe(0)
  await context.close()
}, 60_000)

it("refuses a WebSocket of another site, without a session, with a token, and of a hidden application", async () => {
  await enable(true)
  const [page, context] = await signedIn("/account")
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ")
  /** Returns the status of a refused handshake, or the code and the reason of the close frame. */
  const connect = (headers: Record<string, string>, uuid = application) =>
    new Promise<string>((resolve) => {
      const handshake = {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA=="
      }
      const asked = request(`${base}/terminal/applications/${uuid}?container=none`, {
        headers: { ...handshake, ...headers }
      })
      asked.on("response", ({ statusCode }) => resolve(String(statusCode)))
      asked.on("upgrade", (_, socket, head) => {
        let frame = head
        socket.on("data", (bytes: Buffer) => {
          frame = Buffer.concat([frame, bytes])
        })
        socket.on("close", () => resolve(`${frame.readUInt16BE(2)} ${frame.toString("utf8", 4, 2 + (frame[1] ?? 0))}`))
        setTimeout(() => socket.destroy(), 2_000)
      })
      asked.end()
    })
  const origin = base
  expect(await connect({ cookie, origin: "https://evil.example" })).toBe("403")
  expect(await connect({ cookie })).toBe("403")
  expect(await connect({ origin })).toBe("401")
  expect(await connect({ origin, authorization: `Bearer ${token}` })).toBe("401")
  expect(await connect({ origin, cookie }, "aaaaaaaaaaaaaaaaaaaaaaaa")).toBe("404")
  expect(await connect({ origin, cookie })).toBe("4001 No container `none` runs: reload the page.")
  await enable(false)
  expect(await connect({ origin, cookie })).toMatch(/^4001 Terminals are disabled on the server/)
  const plain = await fetch(`${base}/terminal/applications/${application}`, { headers: { cookie, origin } })
  expect(plain.status).toBe(426)
  await page.close()
  await context.close()
}, 60_000)

it("draws the use of the containers of an application", async () => {
  const sampling = { is_metrics_enabled: true, sentinel_metrics_refresh_rate_seconds: 5 }
  expect((await send("PATCH", `${base}/api/v1/servers/${server}/sentinel`, sampling)).status).toBe(200)
  const metrics = `${base}/api/v1/applications/${application}/metrics`
  await eventually(async () => (await (await send("GET", metrics)).json()).points.length >= 2)
  const [page, context, problems] = await signedIn(`/applications/${application}/metrics`)
  for (const name of ["CPU", "Memory", "Received"]) await page.getByRole("img", { name }).waitFor()
  expect(await page.locator("svg polyline").count()).toBeGreaterThan(1)
  expect(await page.locator("ul.rows li h3").allTextContents()).toHaveLength(1)
  await page.getByRole("link", { name: "7 days" }).click()
  expect(new URL(page.url()).search).toBe("?hours=168")
  expect(problems).toEqual([])
  await context.close()
}, 90_000)
