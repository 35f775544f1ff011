import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { endServices, newDirectory, send, start } from "../support.ts"
import { openBrowser, password, settingsInMemory } from "./support.ts"

describe("pages about people and access", () => {
  let base: string
  let browser: Browser

  beforeAll(async () => {
    const service = start(newDirectory(), settingsInMemory)
    base = await service.listening()
    await send("POST", `${base}/api/v1/accounts`, { name: "bob", password })
    browser = await openBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await endServices()
  })

  const signedIn = async (name: string, next: string): Promise<[BrowserContext, Page]> => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${base}/login?next=${encodeURIComponent(next)}`)
    await page.getByLabel("Name").fill(name)
    await page.getByLabel("Password").fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
    return [context, page]
  }

  const memberNames = async (): Promise<ReadonlyArray<string>> => {
    const members = await (await send("GET", `${base}/api/v1/teams/0/members`)).json()
    return (members as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
  }

  it("invites an account, which accepts once and may then not invite others", async () => {
    const [owner, page] = await signedIn("ann", "/teams/0")
    const form = page.locator("#invite")
    await form.getByLabel("Account").selectOption("bob")
    await form.getByLabel("Role").selectOption("viewer")
    await form.getByRole("button", { name: "Invite member" }).click()
    const open = page.getByRole("listitem").filter({ hasText: "viewer" })
    expect(await open.getByRole("heading").textContent()).toBe("bob")
    expect(await memberNames()).toEqual([])

    const [guest, own] = await signedIn("bob", "/teams")
    await own.getByRole("button", { name: "Accept" }).click()
    await own.getByRole("heading", { level: 2, name: "Slipway" }).waitFor()
    expect(await memberNames()).toEqual(["bob"])
    expect(await own.getByRole("button", { name: "Invite member" }).count()).toBe(0)
    expect(await own.getByText("Open invitations").count()).toBe(0)
    await own.goto(`${base}/teams`)
    expect(await own.getByRole("button", { name: "Accept" }).count()).toBe(0)

    await page.goto(`${base}/teams/0`)
    await page.getByRole("button", { name: "Remove bob" }).click()
    expect(await memberNames()).toEqual([])
    await guest.close()
    await owner.close()
  }, 120_000)

  it("creates a group, adds a member, grants the group a role, and deletes it", async () => {
    const accounts = await (await send("GET", `${base}/api/v1/accounts`)).json()
    const bob = (accounts as ReadonlyArray<{ name: string; uuid: string }>).find(({ name }) => name === "bob")?.uuid
    await send("POST", `${base}/api/v1/teams/0/members`, { account_uuid: bob })
    const groups = async () => (await send("GET", `${base}/api/v1/teams/0/groups`)).json()
    const [context, page] = await signedIn("ann", "/teams/0")
    await page.getByRole("link", { name: "Groups" }).click()
    await page.locator("#create").getByLabel("Name").fill("Operations")
    await page.locator("#create").getByRole("button", { name: "Create group" }).click()
    await page.locator("#add").getByLabel("Group").selectOption("Operations")
    await page.locator("#add").getByLabel("Account").selectOption("bob")
    await page.locator("#add").getByRole("button", { name: "Add to group" }).click()
    await page.getByRole("button", { name: "Remove bob, Operations" }).waitFor()
    expect(await groups()).toMatchObject([{ name: "Operations", members: [bob] }])
    await page.goto(`${base}/grants`)
    await page.locator("#add").getByLabel("Account").selectOption("Group: Operations")
    await page.locator("#add").getByLabel("Role").selectOption("viewer")
    await page.locator("#add").getByLabel("Place").selectOption("The whole team")
    await page.locator("#add").getByRole("button", { name: "Grant role" }).click()
    await page.getByRole("heading", { name: "Group: Operations" }).waitFor()
    await page.goto(`${base}/teams/0/groups`)
    await page.getByRole("button", { name: "Delete group Operations" }).click()
    await page.getByText("The team has no groups.").waitFor()
    expect(await groups()).toEqual([])
    await send("DELETE", `${base}/api/v1/teams/0/members/${bob}`)
    await context.close()
  }, 120_000)

  it("offers members and groups to an administrator who may not list accounts", async () => {
    const accounts = await (await send("GET", `${base}/api/v1/accounts`)).json()
    const bob = (accounts as ReadonlyArray<{ name: string; uuid: string }>).find(({ name }) => name === "bob")?.uuid
    await send("POST", `${base}/api/v1/teams/0/members`, { account_uuid: bob })
    await send("POST", `${base}/api/v1/grants`, { account_uuid: bob, place_type: "team", role: "admin" })
    const group = await (await send("POST", `${base}/api/v1/teams/0/groups`, { name: "Support" })).json()
    const [context, page] = await signedIn("bob", "/grants")
    const account = page.locator("#add").getByLabel("Account")
    expect(await account.locator("option").allTextContents()).toEqual(["bob", "Group: Support"])
    await account.selectOption("Group: Support")
    await page.locator("#add").getByLabel("Role").selectOption("viewer")
    await page.locator("#add").getByLabel("Place").selectOption("The whole team")
    await page.locator("#add").getByRole("button", { name: "Grant role" }).click()
    await page.getByRole("heading", { name: "Group: Support" }).waitFor()
    expect(await page.getByRole("heading", { name: "bob" }).count()).toBe(1)
    await send("DELETE", `${base}/api/v1/teams/0/groups/${group.uuid}`)
    await send("DELETE", `${base}/api/v1/teams/0/members/${bob}`)
    await context.close()
  }, 120_000)

  it("shows a deployment that waits for an approval, to members who may approve it with a button", async () => {
    const ask = async (method: string, path: string, body?: unknown, credential?: string) =>
      (await send(method, `${base}/api/v1${path}`, body, credential)).json()
    const accounts = (await ask("GET", "/accounts")) as ReadonlyArray<{ name: string; uuid: string }>
    const bob = accounts.find(({ name }) => name === "bob")?.uuid
    const project = (await ask("POST", "/projects", { name: "guarded" })).uuid
    const { environments } = await ask("GET", `/projects/${project}`)
    await ask("PATCH", `/projects/${project}/environments/${environments[0].uuid}`, { is_protected: true })
    const [server] = await ask("GET", "/servers")
    const place = { project_uuid: project, environment_name: "production", server_uuid: server.uuid }
    const image = { ...place, docker_registry_image_name: "nginx" }
    const application = (await ask("POST", "/applications/dockerimage", image)).uuid
    await ask("POST", "/teams/0/members", { account_uuid: bob })
    const grant = { account_uuid: bob, place_type: "project", place_uuid: project, role: "developer" }
    await ask("POST", "/grants", grant)
    const [guest, own] = await signedIn("bob", "/teams")
    const session = (await guest.cookies()).find(({ name }) => name === "slipway_deploy_session")?.value
    const { deployment_uuid: uuid } = await ask("POST", `/applications/${application}/start`, undefined, session)
    const address = `${base}/applications/${application}/deployments/${uuid}`
    await own.goto(address)
    await own.getByText("waits for an approval until").waitFor()
    expect(await own.getByRole("button", { name: "Approve" }).count()).toBe(0)
    await guest.close()
    const [context, page] = await signedIn("ann", `/applications/${application}/deployments/${uuid}`)
    expect((await ask("GET", `/deployments/${uuid}`)).approval_until).not.toBeNull()
    await page.getByRole("button", { name: "Approve" }).click()
    await page.getByRole("heading", { level: 2 }).first().waitFor()
    expect((await ask("GET", `/deployments/${uuid}`)).approval_until).toBeNull()
    expect(await page.getByText("waits for an approval until").count()).toBe(0)
    // The dashboard and the service link to the deployment of a service, which has the same page.
    const compose = JSON.stringify({ services: { wiki: { image: "nginx" } } })
    const service = (await ask("POST", "/services", { ...place, name: "wiki", docker_compose_raw: compose })).uuid
    const requested = await ask("POST", `/services/${service}/start`, undefined, session)
    const path = `/services/${service}/deployments/${requested.deployment_uuid}`
    for (const address of ["/", `/services/${service}`]) {
      await page.goto(`${base}${address}`)
      await page.locator(`a[href="${path}"]`).click()
      await page.getByText("waits for an approval until").waitFor()
    }
    await page.getByRole("button", { name: "Reject" }).click()
    await page.getByText("rejected").waitFor()
    expect(new URL(page.url()).pathname).toBe(path)
    expect((await ask("GET", `/deployments/${requested.deployment_uuid}`)).status).toBe("cancelled")
    await ask("DELETE", `/teams/0/members/${bob}`)
    await context.close()
  }, 120_000)

  it("lists deploy permissions with their reasons, to members that may read them", async () => {
    const ask = async (method: string, path: string, body?: unknown) =>
      (await send(method, `${base}/api/v1${path}`, body)).json()
    const bob = (await ask("GET", "/accounts")).find(({ name }: { readonly name: string }) => name === "bob").uuid
    const project = (await ask("POST", "/projects", { name: "listed" })).uuid
    const [server] = await ask("GET", "/servers")
    const place = { project_uuid: project, environment_name: "production", server_uuid: server.uuid }
    const application = (
      await ask("POST", "/applications/dockerimage", { ...place, docker_registry_image_name: "nginx" })
    ).uuid
    await ask("POST", "/teams/0/members", { account_uuid: bob })
    const grant = { account_uuid: bob, place_type: "project", place_uuid: project, role: "deployer" }
    await ask("POST", "/grants", grant)
    const [context, page] = await signedIn("ann", `/applications/${application}`)
    await page.getByRole("link", { name: "Deploy permissions" }).click()
    const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "bob" }) })
    expect(await row.locator(".badge").textContent()).toBe("may deploy")
    expect(await row.getByText("deployer · Project").count()).toBe(1)
    await row.getByText("Why?").click()
    expect(await row.getByText("role-operate", { exact: true }).isVisible()).toBe(true)
    const owner = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "ann" }) })
    expect(await owner.getByText("administers the instance").count()).toBe(1)
    await page.goto(`${base}/projects/${project}/environments/production`)
    await page.getByRole("button", { name: "Protect environment" }).click()
    await page.getByText("protected", { exact: true }).waitFor()
    await page.getByRole("link", { name: "Deploy permissions" }).click()
    expect(await row.locator(".badge").textContent()).toBe("needs an approval")
    await context.close()
    // A deployer does not see the grants of others.
    const [guest, own] = await signedIn("bob", `/projects/${project}/environments/production`)
    expect(await own.getByRole("button", { name: "Protect environment" }).count()).toBe(0)
    expect(await own.getByRole("button", { name: "Remove protection" }).count()).toBe(0)
    expect(await own.getByRole("link", { name: "Deploy permissions" }).count()).toBe(0)
    await own.goto(`${base}/applications/${application}`)
    expect(await own.getByRole("link", { name: "Deploy permissions" }).count()).toBe(0)
    expect((await own.goto(`${base}/applications/${application}/deployers`))?.status()).toBe(403)
    await guest.close()
    await ask("DELETE", `/teams/0/members/${bob}`)
  }, 120_000)

  it("shows the text of a new token once, and revokes the token", async () => {
    const [context, page] = await signedIn("ann", "/tokens")
    const form = page.locator("#create")
    await form.getByLabel("Name").fill("ci")
    await form.getByLabel("Ability").selectOption("read")
    await form.getByRole("button", { name: "Create token" }).click()
    const text = await page.getByLabel("New token").inputValue()
    expect((await send("GET", `${base}/api/v1/projects`, undefined, text)).status).toBe(200)
    await page.goto(`${base}/tokens`)
    expect(await page.content()).not.toContain(text)
    await page.getByRole("button", { name: "Revoke ci" }).click()
    await page.getByText("Your account has no tokens.").waitFor()
    expect((await send("GET", `${base}/api/v1/projects`, undefined, text)).status).toBe(401)
    await context.close()
  }, 120_000)

  it("previews a grant without a change, grants it, revokes it, and shows both in the audit log", async () => {
    const accounts = (await (await send("GET", `${base}/api/v1/accounts`)).json()) as ReadonlyArray<{
      readonly name: string
      readonly uuid: string
    }>
    const bob = accounts.find(({ name }) => name === "bob")?.uuid
    await send("POST", `${base}/api/v1/teams/0/members`, { account_uuid: bob })
    const grants = async () => {
      const all = await (await send("GET", `${base}/api/v1/grants`)).json()
      return (all as ReadonlyArray<Readonly<Record<string, unknown>>>)
        .filter(({ account_uuid: account }) => account === bob)
        .map(({ place_type: type, role }) => [type, role])
    }
    const [context, page] = await signedIn("ann", "/grants")
    const form = page.locator("#add")
    await form.getByLabel("Account").selectOption("bob")
    await form.getByLabel("Role").selectOption("viewer")
    await form.getByLabel("Place").selectOption("The whole team")
    await form.getByRole("button", { name: "Preview" }).click()
    expect(await page.getByRole("status").getByText("application.read", { exact: true }).count()).toBe(1)
    expect(await page.getByRole("status").getByText("application.update", { exact: true }).count()).toBe(0)
    expect(await grants()).toEqual([])
    await form.getByRole("button", { name: "Grant role" }).click()
    const granted = page.getByRole("listitem").filter({ hasText: "viewer · The whole team" })
    expect(await granted.getByRole("heading").textContent()).toBe("bob")
    expect(await grants()).toEqual([["team", "viewer"]])

    // A viewer of the team is refused the list of grants and the audit log.
    const [guest, own] = await signedIn("bob", "/teams")
    const tabs = own.getByRole("navigation", { name: "Pages about people and access" }).getByRole("link")
    expect((await tabs.allTextContents()).map((each) => each.trim())).toEqual(["Teams", "Roles", "Tokens"])
    for (const address of ["/grants", "/audit"]) expect((await own.goto(`${base}${address}`))?.status()).toBe(403)
    await guest.close()

    await page.getByRole("button", { name: "Revoke bob, viewer" }).click()
    await page.getByRole("heading", { level: 2, name: "Grants" }).waitFor()
    expect(await grants()).toEqual([])
    await page.goto(`${base}/audit`)
    const actions = await page.getByRole("listitem").getByRole("heading").allTextContents()
    expect(actions).toContain("grant.create")
    expect(actions).toContain("grant.delete")
    await page.goto(`${base}/audit?outcome=denied`)
    const badges = await page.locator("main .badge").allTextContents()
    expect([...new Set(badges)]).toEqual(["denied"])
    await context.close()
  }, 120_000)

  it("creates and deletes a role of the team", async () => {
    const custom = async () => {
      const roles = await (await send("GET", `${base}/api/v1/roles`)).json()
      return (roles as ReadonlyArray<Readonly<Record<string, unknown>>>)
        .filter(({ uuid }) => uuid !== null)
        .map(({ capabilities, name }) => [name, capabilities])
    }
    const [context, page] = await signedIn("ann", "/roles")
    const form = page.locator("#create")
    await form.getByLabel("Name").fill("viewer")
    await form.getByRole("button", { name: "Create role" }).click()
    expect(await form.getByRole("alert").count()).toBe(1)
    expect(await custom()).toEqual([])
    await form.getByLabel("Name").fill("restarter")
    await form.getByLabel("read resources without their secrets").check()
    await form.getByLabel("deploy, restart, stop").check()
    await form.getByRole("button", { name: "Create role" }).click()
    expect(await custom()).toEqual([["restarter", ["view", "operate"]]])
    await page.getByRole("button", { name: "Remove restarter" }).click()
    expect(await custom()).toEqual([])
    await context.close()
  }, 120_000)
})
