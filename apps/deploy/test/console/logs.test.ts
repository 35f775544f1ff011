import { readFileSync } from "node:fs"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { create, deploy, endOf, logOf, onPodman } from "../containers.ts"
import { send } from "../support.ts"
import { openBrowser, password } from "./support.ts"

const { podman, world } = onPodman("file")

let base: string
let application: string
let browser: Browser
beforeAll(async () => {
  base = (await world({ DEPLOY_ADMIN_USERNAME: "ann", DEPLOY_ADMIN_PASSWORD: password })).base
  const image = podman().image
  application = await create(base, "dockerfile", {
    name: "talker",
    dockerfile: `FROM ${image}
CMD ["sh", "-c", "echo ready; mkdir /www; echo one > /www/index.html; exec httpd -f -p 8080 -h /www"]
`
  })
  const deployment = await deploy(base, application)
  expect((await endOf(base, deployment)).status, await logOf(base, deployment)).toBe("finished")
  browser = await openBrowser()
}, 240_000)
afterAll(() => browser?.close())

const signedIn = async (path: string, javaScriptEnabled: boolean): Promise<Page> => {
  const page = await (await browser.newContext({ javaScriptEnabled })).newPage()
  await page.goto(`${base}/login?next=${encodeURIComponent(path)}`)
  await page.getByLabel("Name").fill("ann")
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  return page
}

/** Makes the container write a line. */
const say = async (text: string): Promise<void> => {
  const task = {
    name: text,
    command: `sh -c 'echo "said ${text}" > /proc/1/fd/1; echo done ${text}'`,
    frequency: "daily"
  }
  const path = `${base}/api/v1/applications/${application}/scheduled-tasks`
  const { uuid } = (await (await send("POST", path, task)).json()) as { readonly uuid: string }
  expect((await send("POST", `${path}/${uuid}/execute`)).status).toBe(200)
}

it("follows the log of a container without a reload, shows only searched lines, and downloads them", async () => {
  const page = await signedIn(`/applications/${application}/logs`, true)
  const log = page.getByRole("region", { name: "Logs" })
  await log.getByText("ready").waitFor()
  await page.getByText("This page updates itself.").waitFor()
  await say("hello")
  await log.getByText("said hello").waitFor()
  await page.getByLabel("Search").fill("SAID")
  await page.getByRole("button", { name: "Show" }).click()
  await log.getByText("said hello").waitFor()
  expect(await log.getByText("ready").count()).toBe(0)
  await page.getByText("This page updates itself.").waitFor()
  await say("again")
  await log.getByText("said again").waitFor()
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download" }).click()
  ])
  expect(download.suggestedFilename()).toBe("talker.log")
  const lines = readFileSync(await download.path(), "utf8")
    .trimEnd()
    .split("\n")
  expect(lines.map((line) => line.split(" ").slice(2).join(" "))).toEqual(["said hello", "said again"])
  await page.context().close()
}, 120_000)

it("shows the log, the containers to choose and a link to newer lines without JavaScript", async () => {
  const page = await signedIn(`/applications/${application}/logs`, false)
  await page.getByRole("region", { name: "Logs" }).getByText("ready").waitFor()
  expect(await page.getByRole("link", { name: "Refresh" }).count()).toBe(1)
  const containers = await page.getByLabel("Container").locator("option").allTextContents()
  expect(containers).toHaveLength(2)
  await page.getByLabel("Container").selectOption(containers[1] ?? "")
  await page.getByRole("button", { name: "Show" }).click()
  await page.getByRole("region", { name: "Logs" }).getByText("ready").waitFor()
  expect(new URL(page.url()).searchParams.get("container")).toBe(containers[1])
  await page.context().close()
}, 60_000)

it("runs a task in the container, and shows its output", async () => {
  const page = await signedIn(`/applications/${application}/tasks`, true)
  await page.locator("#add").getByLabel("Name").fill("greet")
  await page.locator("#add").getByLabel("Command").fill("echo good morning")
  await page.locator("#add").getByLabel("Schedule", { exact: true }).fill("daily")
  await page.getByRole("button", { name: "Add task" }).click()
  await page.getByRole("button", { name: "Run now greet" }).click()
  await page.locator("#runs").getByText("good morning").waitFor()
  expect(await page.locator("#runs .badge").allTextContents()).toEqual(["success"])
  await page.context().close()
}, 60_000)

it("tries the health check of the settings without JavaScript", async () => {
  const page = await signedIn(`/applications/${application}/settings`, false)
  const result = page.locator("#try").getByRole("status")
  await page.getByRole("button", { name: "Try now" }).click()
  expect(await result.locator(".badge").allTextContents()).toEqual(["healthy"])
  expect(await result.locator("pre").textContent()).toBe("one\n")
  await page.locator("#health").getByLabel("Path").fill("/missing")
  await page.locator("#health").getByRole("button", { name: "Save changes" }).click()
  await page.getByRole("button", { name: "Try now" }).click()
  expect(await result.locator(".badge").allTextContents()).toEqual(["unhealthy"])
  expect(await result.getByText("responded with 404 instead of 200").count()).toBe(1)
  await page.context().close()
}, 60_000)

it("sends no line to a visitor without a session", async () => {
  const answer = await fetch(`${base}/applications/${application}/logs/stream`, { redirect: "manual" })
  expect([answer.status, new URL(answer.headers.get("location") ?? "", base).pathname]).toEqual([303, "/login"])
})
