import { Effect } from "effect"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { json, onPodman, requestPage, visit, type World } from "../containers.ts"
import { endForges, startForge, type TestForge } from "../forges.ts"
import { eventually, send } from "../support.ts"
import { openBrowser, password } from "./support.ts"

const { containersOf, podman, world } = onPodman("file")
const domain = "flow.test"

let browser: Browser
let forge: TestForge
let platform: World

/** Starts a forge with a repository, and a platform that it is connected to and that people sign in to through it. */
beforeAll(async () => {
  forge = await startForge()
  platform = await world()
  await forge.ask("POST", "/user/repos", { name: "site" })
  const dockerfile = `FROM ${podman().image}
EXPOSE 8080
CMD ["sh", "-c", "mkdir /www; echo \${GREETING:-one} > /www/index.html; echo serving; exec httpd -f -p 8080 -h /www"]
`
  await forge.ask("POST", "/repos/ann/site/contents/Dockerfile", { content: btoa(dockerfile), message: "Add the page" })
  const client = await forge.ask("POST", "/user/applications/oauth2", {
    name: "Platform",
    redirect_uris: [`${platform.base}/auth/oidc/callback`]
  })
  const { sha1 } = await forge.ask("POST", "/users/ann/tokens", { name: "deploy", scopes: ["all"] })
  const connected = await send("POST", `${platform.base}/api/v1/forge-connections`, {
    url: forge.url,
    name: "our forge",
    token: sha1,
    platform_url: platform.base,
    ssh_port: null,
    client_id: client.client_id,
    client_secret: client.client_secret,
    grant_owner: true
  })
  expect(connected.status, await connected.clone().text()).toBe(201)
  browser = await openBrowser()
}, 240_000)

afterAll(async () => {
  await browser?.close()
  await endForges()
})

/** Sends requests to the application until the returned function is called, which returns the distinct responses. */
const load = (): (() => Promise<ReadonlyArray<string>>) => {
  const answers = new Set<string>()
  let isLoading = true
  const loading = (async () => {
    const open: Array<Promise<unknown>> = []
    while (isLoading) {
      open.push(requestPage(platform.port, domain).then(({ body, status }) => answers.add(`${status} ${body}`)))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await Promise.all(open)
  })()
  return async () => {
    isLoading = false
    await loading
    return [...answers].toSorted()
  }
}

/** Waits on the page of a deployment, without a reload, until it shows a status. */
const watchUntil = async (page: Page, status: string): Promise<void> => {
  await page.waitForURL(/\/deployments\//)
  await page.getByRole("main").getByText(status, { exact: true }).first().waitFor({ timeout: 120_000 })
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()
const follow = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).click()

it("goes from the sign-in at the forge to the deletion of an application, with a live log, a redeployment without a failed request, a rollback and an explained health check", async () => {
  const { base, port } = platform
  const page = await (await browser.newContext()).newPage()
  const problems: Array<string> = []
  page.on("pageerror", (error) => problems.push(error.message))

  await page.goto(`${base}/`)
  await page.getByRole("link", { name: /^Sign in with / }).click()
  expect(new URL(page.url()).origin).toBe(forge.url)
  await page.getByLabel("Name or email address").fill("ann")
  await page.getByLabel("Password").fill(password)
  await press(page, "Sign in")
  await press(page, "Agree")
  expect(new URL(page.url()).origin).toBe(base)

  await page.goto(`${base}/`)
  await page.getByRole("link", { name: "New project" }).first().click()
  await page.getByLabel("Name").fill("Shop")
  await press(page, "Create project")
  await page.getByRole("heading", { level: 1, name: "Shop" }).waitFor()
  await page.getByRole("link", { name: "production" }).first().click()
  await page.getByRole("link", { name: "New resource" }).first().click()
  await follow(page, "From a repository of a connected forge")
  await follow(page, "ann/site")
  await press(page, "Check repository")
  await page.getByText("Branch main: a Dockerfile was found. The Dockerfile exposes the port 8080.").waitFor()
  await page.getByLabel("Name").fill("site")
  await page.getByLabel("Domains").fill(`http://${domain}`)
  await page.getByLabel("Deploy it immediately").uncheck()
  await press(page, "Create application")
  await page.getByRole("heading", { level: 1, name: "site" }).waitFor()
  const application = new URL(page.url()).pathname
  const uuid = application.split("/")[2] ?? ""

  const setHealthPath = async (path: string) => {
    await page.goto(`${base}${application}/settings`)
    const health = page.locator("#health")
    await health.getByLabel("Check the health before a release receives requests").check()
    await health.getByLabel("Path").fill(path)
    await health.getByLabel("Seconds between checks").fill("1")
    await health.getByLabel("Attempts").fill("2")
    await health.getByLabel("Seconds before the first check").fill("0")
    await health.getByRole("button", { name: "Save changes" }).click()
    await page.waitForLoadState()
  }
  await setHealthPath("/")

  await page.goto(`${base}${application}`)
  await press(page, "Deploy")
  await watchUntil(page, "finished")
  expect(await page.locator(".log").textContent()).toContain("EXPOSE 8080")
  expect(await visit(port, domain)).toEqual({ status: 200, body: "one" })

  await page.goto(`${base}${application}/variables`)
  const add = page.locator("#add")
  await add.getByLabel("Key").fill("GREETING")
  await add.getByLabel("Value", { exact: true }).fill("hello")
  await add.getByRole("button", { name: "Add variable" }).click()
  await page.getByRole("heading", { name: "GREETING" }).waitFor()
  const end = load()
  await page.goto(`${base}${application}`)
  await press(page, "Redeploy")
  await watchUntil(page, "finished")
  await eventually(async () => (await visit(port, domain)).body === "hello")
  expect(await end()).toEqual(["200 hello", "200 one"])

  await page.goto(`${base}${application}`)
  await page
    .getByRole("button", { name: /^Roll back/ })
    .first()
    .click()
  await watchUntil(page, "finished")
  await eventually(async () => (await visit(port, domain)).body === "one")

  await setHealthPath("/missing")
  await press(page, "Try now")
  await page.getByText(/404/).first().waitFor()
  await page.goto(`${base}${application}`)
  await press(page, "Redeploy")
  await watchUntil(page, "failed")
  expect(await page.locator(".alert.bad").textContent()).toMatch(/404/)
  expect(await visit(port, domain)).toEqual({ status: 200, body: "one" })

  await page.goto(`${base}${application}/settings`)
  const danger = page.locator("#delete")
  await danger.getByRole("textbox").fill("site")
  await danger.getByRole("button", { name: "Delete application" }).click()
  await eventually(async () => {
    const deletions = await json<ReadonlyArray<{ status: string; left: ReadonlyArray<unknown> }>>(
      send("GET", `${base}/api/v1/deletions`)
    )
    return deletions.length > 0 && deletions.every(({ left, status }) => status === "finished" && left.length === 0)
  })
  expect((await page.goto(`${base}${application}`))?.status()).toBe(404)
  expect(await containersOf(uuid)).toEqual([])
  expect((await visit(port, domain)).status).toBe(404)
  for (const of of ["images", "volume", "network"]) {
    const listed = of === "images" ? ["images", "--format", "{{.Repository}}"] : [of, "ls", "--format", "{{.Name}}"]
    expect(await Effect.runPromise(podman().podman(...listed))).not.toContain(uuid)
  }
  expect(problems).toEqual([])
}, 600_000)
