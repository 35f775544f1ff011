import { join } from "node:path"
import { openBrowser, ServiceProcesses } from "@slipway/http/testing"
import { afterEach, expect, test } from "vitest"
import { introduction } from "../introduce.ts"

const mainOf = (app: string) => join(import.meta.dirname, "..", "..", "apps", app, "src", "main.ts")
const forges = new ServiceProcesses(mainOf("forge"))
const platforms = new ServiceProcesses(mainOf("deploy"))

afterEach(() => Promise.all([forges.end(), platforms.end()]).then(() => undefined))

const password = "correct horse battery"
const token = "chosen-by-the-test"
const basic = `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`

const send = async (method: string, address: string, body?: unknown, authorization = `Bearer ${token}`) => {
  const response = await fetch(address, {
    method,
    signal: AbortSignal.timeout(60_000),
    headers: { authorization, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  // BOUNDARY: the tests below state the fields that they read.
  return { status: response.status, json: (await response.json()) as never }
}

test("a link on the forge's page and one confirmation create an application on the platform", async () => {
  const administrator = { FORGE_ADMIN_USERNAME: "ann", FORGE_ADMIN_PASSWORD: password }
  const platform = { DEPLOY_DATABASE_URL: "memory:", DEPLOY_TOKEN: token }
  const base = await platforms
    .start(platforms.directory(), {
      ...platform,
      DEPLOY_ADMIN_USERNAME: "olga",
      DEPLOY_ADMIN_PASSWORD: password,
      // No engine answers here: the deployment fails, and the application stays.
      DEPLOY_ENGINE_SOCKET: "/nowhere/engine.sock"
    })
    .listening()
  const ports = { DEPLOY_PORT: new URL(base).port }
  // The settings of a start name the platform to the forge.
  const planned = introduction({ ...administrator, ...platform, ...ports, FORGE_PORT: "3000" }, forges.directory())
  expect(planned?.settings.forge).toMatchObject({ FORGE_DEPLOY_URL: base })
  const forge = await forges
    .start(forges.directory(), { ...administrator, FORGE_DATABASE_URL: "memory:", ...planned?.settings.forge })
    .listening()
  const connecting = introduction(
    { ...administrator, ...platform, ...ports, FORGE_PORT: new URL(forge).port },
    forges.directory()
  )
  expect(await connecting?.run(new AbortController().signal)).toBe(`connected to ${forge} as ann`)
  const repository = { name: "site", auto_init: true, default_branch: "main" }
  expect((await send("POST", `${forge}/api/v1/user/repos`, repository, basic)).status).toBe(201)
  const page = { content: Buffer.from("<h1>hello</h1>").toString("base64") }
  expect((await send("POST", `${forge}/api/v1/repos/ann/site/contents/index.html`, page, basic)).status).toBe(201)

  const person = openBrowser()
  const start = await person.go(`${forge}/user/login`)
  await person.fill(start, { user_name: "ann", password }, "/user/login")
  for (const path of ["/ann/site/deployments", "/ann/site/settings/deployments"]) {
    const { text } = await person.go(`${forge}${path}`)
    expect(text).toContain(`href="${base}/deploy?repository=ann%2Fsite"`)
    expect(text).toContain("Deploy this repository")
  }
  // A visitor who cannot change the settings gets no button.
  expect((await openBrowser().go(`${forge}/ann/site/deployments`)).text).not.toContain("Deploy this repository")

  const operator = openBrowser()
  const login = await operator.go(`${base}/deploy?repository=ann%2Fsite`)
  expect(new URL(login.at).pathname).toBe("/login")
  const offered = await operator.fill(login, { name: "olga", password })
  expect(offered.at).toBe(`${base}/deploy?repository=ann%2Fsite`)
  expect(offered.text).toContain('value="ann/site"')
  const created = await operator.fill(offered, { git_repository: "ann/site" }, "/deploy")
  expect(new URL(created.at).pathname).toMatch(/^\/applications\/[a-z0-9]{24}$/)
  const uuid = new URL(created.at).pathname.split("/")[2]
  expect((await send("GET", `${base}/api/v1/applications/${uuid}`)).json).toMatchObject({
    git_repository: `${forge}/ann/site.git`,
    git_branch: "main",
    build_pack: "static"
  })
  const deployments = (await send("GET", `${base}/api/v1/deployments/applications/${uuid}`)).json as {
    readonly count: number
  }
  expect(deployments.count).toBe(1)

  // A second project needs a choice, and a missing repository names the field.
  const { json: project } = await send("POST", `${base}/api/v1/projects`, { name: "other" })
  const again = await operator.go(`${base}/deploy?repository=ann%2Fsite`)
  expect(again.text).toContain("Applications of this repository")
  const asked = await operator.fill(again, { git_repository: "ann/site" }, "/deploy")
  expect(asked.text).toContain("Several resources fit.")
  const { uuid: project_uuid } = project as { readonly uuid: string }
  const chosen = await operator.fill(asked, { git_repository: "ann/site", project_uuid }, "/deploy")
  const second = new URL(chosen.at).pathname.split("/")[2]
  expect((await send("GET", `${base}/api/v1/applications/${second}`)).json).toMatchObject({ project_uuid })
  const missing = await operator.go(`${base}/deploy?repository=ann%2Fnone`)
  expect((await operator.fill(missing, { git_repository: "ann/none", project_uuid }, "/deploy")).text).toContain(
    "has no repository `ann/none`"
  )
}, 240_000)
