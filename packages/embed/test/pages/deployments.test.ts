import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password } from "./support/site.ts"

const params = { username: "ann", reponame: "site" }
const at = "/ann/site/deployments"

describe("the page of deployments", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
    const bob = await forge.actAs("root").admin.user.create({
      body: { username: "bob", email: "bob@example.com", password, must_change_password: false }
    })
    await forge.actAs("ann").account.repository.create({
      body: { name: "site", auto_init: true, default_branch: "main" }
    })
    await forge.actAs("ann").repository.environment.set({
      params: { ...params, environment: "production" },
      body: { reviewers: [{ type: "User", id: bob.id }] }
    })
  })
  afterAll(() => forge.dispose())

  const signedIn = async (name: string) => {
    const browser = openBrowser(forge)
    await browser.signIn(name)
    return browser
  }
  const deploy = (environment: string) =>
    forge.actAs("ann").repository.deployment.create({ params, body: { ref: "main", environment } })
  const approvalOf = async (id: number) =>
    (await forge.actAs("ann").repository.deployment.read({ params: { ...params, id: String(id) } })).approval.state

  it("lists deployments, and lets only reviewers approve them", async () => {
    expect((await openBrowser(forge).go(at)).text).toContain("No deployments.")
    const { id } = await deploy("production")
    await deploy("staging & more")
    const bob = await signedIn("bob")
    const waiting = await bob.go(at)
    expect(waiting.text).toContain("Waiting for approval")
    expect(waiting.text).toContain("staging &amp; more")
    expect(waiting.text.split("Approve and deploy").length - 1).toBe(1)
    for (const reader of [openBrowser(forge), await signedIn("ann")]) {
      const { text } = await reader.go(at)
      expect([text.includes("Waiting for approval"), text.includes("Approve and deploy")]).toEqual([true, false])
    }
    expect((await bob.fill(at, at, { state: "approved", deployment: String(id) })).to).toBe(at)
    expect(await approvalOf(id)).toBe("approved")
    expect((await bob.go(at)).text).not.toContain("Approve and deploy")
  })

  it("shows that the platform is disconnected after its token is revoked", async () => {
    const disconnected = "The deployment platform is disconnected"
    const token = await forge.actAs("ann").user.token.create({
      params: { username: "ann" },
      body: { name: "platform", scopes: ["write:repository"] }
    })
    const sent = await forge.handler(
      new Request("http://localhost/api/v1/repos/ann/site/deployments", {
        method: "POST",
        headers: { authorization: `token ${token.sha1}`, "content-type": "application/json" },
        body: JSON.stringify({ ref: "main", environment: "staging" })
      })
    )
    expect(sent.status).toBe(201)
    const bob = await signedIn("bob")
    expect((await bob.go(at)).text).not.toContain(disconnected)
    // A rotation of the token disconnects nothing, neither for older deployments nor for those of its successor.
    const send = (path: string, text: string, body?: object) =>
      forge.handler(
        new Request(`http://localhost/api/v1${path}`, {
          method: "POST",
          headers: { authorization: `token ${text}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      )
    const { sha1: successor } = (await (await send("/token/rotation", token.sha1)).json()) as { sha1: string }
    await send("/repos/ann/site/deployments", successor, { ref: "main", environment: "staging" })
    expect((await send("/token/rotation/confirm", successor)).status).toBe(204)
    expect((await send("/repos/ann/site/deployments", token.sha1, { ref: "main" })).status).toBe(401)
    const listed = await forge.actAs("ann").repository.deployment.list({ params, query: { environment: "staging" } })
    expect([listed.length, listed.every(({ connected }) => connected)]).toEqual([2, true])
    expect((await bob.go(at)).text).not.toContain(disconnected)
    await forge.actAs("ann").user.token.delete({ params: { username: "ann", id: String(token.id) } })
    expect((await bob.go(at)).text).toContain(disconnected)
  })

  it("shows in the settings what is deployed: the newest deployment of each environment, with its links", async () => {
    const settings = "/ann/site/settings/deployments"
    const statusOf = async (environment: string, transient: boolean, body: object) => {
      const { id } = await forge.actAs("ann").repository.deployment.create({
        params,
        body: { ref: "main", environment, transient_environment: transient }
      })
      const status = {
        environment_url: `https://${environment}.example/`,
        log_url: "https://deploy.example/d1",
        ...body
      }
      await forge.actAs("ann").repository.deployment.status.create({
        params: { ...params, id: String(id) },
        body: { state: "success", ...status }
      })
    }
    await statusOf("docs", false, { state: "failure", environment_url: "" })
    await statusOf("docs", false, {})
    await statusOf("open-preview", true, {})
    await statusOf("closed-preview", true, { state: "inactive" })
    const ann = await signedIn("ann")
    const { text } = await ann.go(settings)
    const names = [...text.matchAll(/<h3>([\w-]+)<\/h3>/g)].map(([, name]) => name)
    expect(names.slice(0, 2)).toEqual(["open-preview", "docs"])
    expect(names).not.toContain("closed-preview")
    expect(text).toContain('<a href="https://docs.example/" rel="noreferrer">Page</a>')
    expect(text).toContain('<a href="https://deploy.example/d1" rel="noreferrer">Log</a>')
    expect(text).toContain('href="/ann/site/deployments"')
    // The site has no platform to link to.
    expect(text).not.toContain("Deploy this repository")
    const bob = await signedIn("bob")
    expect((await bob.go(settings)).status).toBe(403)
    expect((await openBrowser(forge).go(settings)).to).toContain("/user/login")
  })

  it("rejects a deployment, and shows why a second review is refused", async () => {
    const { id } = await deploy("production")
    const bob = await signedIn("bob")
    const { text } = await bob.go(at)
    expect(text).toContain("Approve and deploy")
    expect((await bob.fill(at, at, { state: "rejected", deployment: String(id) })).to).toBe(at)
    expect(await approvalOf(id)).toBe("rejected")
    expect((await bob.go(at)).text).toContain("Rejected")
    await deploy("production")
    const again = await bob.fill(at, at, { state: "approved", deployment: String(id) })
    expect(again.status).toBe(409)
    expect(again.text).toContain("the deployment was already reviewed")
  })
})
