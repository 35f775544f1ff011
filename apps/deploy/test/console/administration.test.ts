import { execFileSync } from "node:child_process"
import { generateKeyPairSync } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { endServices, newDirectory, send, start } from "../support.ts"
import { openBrowser, password, settingsInMemory } from "./support.ts"

describe("pages of administration", () => {
  let base: string
  let browser: Browser

  beforeAll(async () => {
    const service = start(newDirectory(), {
      ...settingsInMemory,
      DEPLOY_ALLOW_PRIVATE_ADDRESSES: "true"
    })
    base = await service.listening()
    browser = await openBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await endServices()
  })

  const ask = async (method: string, path: string, body?: unknown) =>
    (await send(method, `${base}/api/v1${path}`, body)).json()

  const signedIn = async (name: string, next: string): Promise<[BrowserContext, Page]> => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${base}/login?next=${encodeURIComponent(next)}`)
    await page.getByLabel("Name").fill(name)
    await page.getByLabel("Password").fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
    return [context, page]
  }

  const newKey = (): string => {
    const file = join(newDirectory(), "key")
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file])
    return readFileSync(file, "utf8")
  }

  it("adds a key, never shows its private half, names its users, and deletes it when it is unused", async () => {
    const [context, page] = await signedIn("ann", "/keys")
    await page.getByText("No key is stored.").waitFor()
    await page.getByRole("link", { name: "Add key" }).click()
    const secret = newKey()
    await page.getByLabel("Name").fill("deploy")
    await page.getByLabel("Private key").fill("not a key")
    await page.getByRole("button", { name: "Add key" }).click()
    await page.getByRole("alert").waitFor()
    expect(await page.getByLabel("Name").inputValue()).toBe("deploy")
    expect(await page.getByLabel("Private key").inputValue()).toBe("")
    await page.getByLabel("Private key").fill(secret)
    await page.getByRole("button", { name: "Add key" }).click()
    await page.getByRole("link", { name: "deploy", exact: true }).click()
    expect(await page.content()).not.toContain("PRIVATE KEY")
    expect(await page.locator("pre").textContent()).toMatch(/^ssh-ed25519 /)
    await page.getByText("No server, app or application that you can see uses this key.").waitFor()
    const uuid = new URL(page.url()).pathname.split("/")[2] ?? ""
    const server = await ask("POST", "/servers", { name: "far", ip: "192.0.2.7", private_key_uuid: uuid })
    await page.reload()
    expect(await page.getByRole("link", { name: "far" }).getAttribute("href")).toBe(`/servers/${server.uuid}`)
    // A change of the name leaves the private half unchanged.
    const before = await ask("GET", `/security/keys/${uuid}`)
    await page.locator("#save").getByLabel("Name").fill("servers")
    await page.getByRole("button", { name: "Save changes" }).click()
    await page.getByRole("heading", { level: 2, name: "servers" }).waitFor()
    expect(await ask("GET", `/security/keys/${uuid}`)).toMatchObject({
      name: "servers",
      public_key: before.public_key
    })
    const remove = async () => {
      await page.locator("#delete").getByLabel("Type servers to confirm").fill("servers")
      await page.getByRole("button", { name: "Delete key" }).click()
    }
    await remove()
    await page.getByRole("alert").waitFor()
    await ask("DELETE", `/servers/${server.uuid}`)
    await remove()
    await page.getByText("No key is stored.").waitFor()
    expect(await ask("GET", "/security/keys")).toEqual([])
    await context.close()
  }, 120_000)

  it("adds, changes and deletes a registry; an empty password keeps the stored one", async () => {
    const [context, page] = await signedIn("ann", "/registries/new")
    await page.getByLabel("Name", { exact: true }).fill("own")
    await page.getByLabel("Registry", { exact: true }).fill("registry.test")
    await page.getByLabel("User name").fill("robot")
    await page.getByLabel("Password").fill("hidden-password")
    await page.getByRole("button", { name: "Add registry" }).click()
    await page.getByRole("link", { name: "own" }).click()
    expect(await page.content()).not.toContain("hidden-password")
    await page.getByLabel("User name").fill("ci")
    await page.getByRole("button", { name: "Save changes" }).click()
    const [stored] = await ask("GET", "/registries")
    expect(stored).toMatchObject({ name: "own", registry: "registry.test", username: "ci" })
    await page.locator("#delete").getByLabel("Type own to confirm").fill("own")
    await page.getByRole("button", { name: "Delete registry" }).click()
    await page.getByText("No credentials are stored.").waitFor()
    await context.close()
  }, 120_000)

  it("adds an S3 storage, shows the result of a failed test, and deletes it", async () => {
    const refusing = createServer((_, response) => response.writeHead(403).end())
    await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve))
    const [context, page] = await signedIn("ann", "/storages/new")
    await page.getByLabel("Name", { exact: true }).fill("offsite")
    await page.getByLabel("Endpoint").fill(`http://127.0.0.1:${(refusing.address() as AddressInfo).port}`)
    await page.getByLabel("Bucket").fill("backups")
    await page.getByLabel("Access key").fill("hidden-access")
    await page.getByLabel("Secret key").fill("hidden-secret")
    await page.getByRole("button", { name: "Add S3 storage" }).click()
    await page.getByRole("link", { name: "offsite" }).click()
    expect(await page.content()).not.toMatch(/hidden-(access|secret)/)
    await page.getByRole("button", { name: "Test connection" }).click()
    await page.getByRole("status").getByText("The connection failed:").waitFor()
    expect((await ask("GET", "/s3-storages"))[0]).toMatchObject({ name: "offsite", is_usable: false })
    await page.locator("#delete").getByLabel("Type offsite to confirm").fill("offsite")
    await page.getByRole("button", { name: "Delete S3 storage" }).click()
    await page.getByText("No S3 storage is stored.").waitFor()
    await context.close()
    refusing.close()
  }, 120_000)

  it("adds, changes and deletes a GitHub app and a GitLab app", async () => {
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" })
    const key = (await ask("POST", "/security/keys", { name: "app", private_key: rsa.toString() })).uuid
    const [context, page] = await signedIn("ann", "/sources")
    await page.getByRole("link", { name: "Add GitHub app" }).click()
    await page.getByLabel("Name", { exact: true }).fill("acme")
    await page.getByLabel("App id").fill("12")
    await page.getByLabel("Installation id").fill("34")
    await page.getByLabel("Client id").fill("Iv1.a")
    await page.getByLabel("Client secret").fill("hidden-client")
    await page.getByLabel("Webhook secret").fill("hidden-hook")
    await page.getByLabel("Private key").selectOption("app")
    await page.getByRole("button", { name: "Add GitHub app" }).click()
    await page.getByRole("link", { name: "acme" }).click()
    expect(await page.content()).not.toMatch(/hidden-(client|hook)/)
    await page.getByLabel("Organization").fill("acme-inc")
    await page.getByRole("button", { name: "Save changes" }).click()
    expect((await ask("GET", "/github-apps"))[0]).toMatchObject({
      name: "acme",
      organization: "acme-inc",
      app_id: 12,
      private_key_uuid: key
    })
    await page.locator("#delete").getByLabel("Type acme to confirm").fill("acme")
    await page.getByRole("button", { name: "Delete GitHub app" }).click()
    await page.getByText("No GitHub app is stored.").waitFor()

    await page.getByRole("link", { name: "Add GitLab app" }).click()
    await page.getByLabel("Name", { exact: true }).fill("lab")
    await page.getByLabel("Web address").fill("https://gitlab.test")
    await page.getByRole("button", { name: "Add GitLab app" }).click()
    await page.getByRole("link", { name: "lab", exact: true }).click()
    await page.getByLabel("Groups").fill("tools")
    await page.getByRole("button", { name: "Save changes" }).click()
    expect((await ask("GET", "/gitlab-apps"))[0]).toMatchObject({
      html_url: "https://gitlab.test",
      group_name: "tools"
    })
    expect((await page.goto(`${base}/sources/gitlab/aaaaaaaaaaaaaaaaaaaaaaaa`))?.status()).toBe(404)
    await page.goBack()
    await page.locator("#delete").getByLabel("Type lab to confirm").fill("lab")
    await page.getByRole("button", { name: "Delete GitLab app" }).click()
    await page.getByText("No GitLab app is stored.").waitFor()
    await ask("DELETE", `/security/keys/${key}`)
    await context.close()
  }, 120_000)

  it("stores a webhook channel with its events, sends a test, and shows why a test failed", async () => {
    const received: Array<unknown> = []
    let status = 204
    const receiver = createServer((request, response) => {
      let text = ""
      request.on("data", (piece) => {
        text += piece
      })
      request.on("end", () => {
        received.push(JSON.parse(text))
        response.writeHead(status).end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hidden-path`
    const [context, page] = await signedIn("ann", "/notifications")
    await page.getByRole("link", { name: "Webhook" }).click()
    const form = page.locator("#save")
    await form.getByLabel("Send to a webhook").check()
    await form.getByRole("button", { name: "Save changes" }).click()
    // The URL is missing: the message is at its field, and nothing is stored.
    expect(await form.getByRole("alert").count()).toBe(1)
    expect((await ask("GET", "/notifications/webhook")).webhook_enabled).toBe(false)
    await form.getByLabel("URL").fill(url)
    await form.getByLabel("Secret that signs requests").fill("hidden-secret")
    await form.getByLabel("backup finished").check()
    await form.getByLabel("deployment failed").uncheck()
    await form.getByRole("button", { name: "Save changes" }).click()
    await page.getByRole("button", { name: "Send test" }).waitFor()
    expect(await page.content()).not.toMatch(/hidden-(path|secret)/)
    expect(await ask("GET", "/notifications/webhook")).toMatchObject({
      webhook_enabled: true,
      webhook_url: url,
      webhook_secret: "hidden-secret",
      backup_success_webhook_notifications: true,
      deployment_failure_webhook_notifications: false,
      backup_failure_webhook_notifications: true
    })
    await page.getByRole("button", { name: "Send test" }).click()
    await page.getByRole("status").getByText("Test notification sent.").waitFor()
    expect(received).toMatchObject([{ success: true, event: "test" }])
    status = 500
    await page.getByRole("button", { name: "Send test" }).click()
    expect(await page.getByRole("alert").textContent()).toContain("500")
    await form.getByLabel("Remove the stored value").check()
    await form.getByRole("button", { name: "Save changes" }).click()
    expect(await ask("GET", "/notifications/webhook")).toMatchObject({ webhook_url: url, webhook_secret: null })
    expect((await page.goto(`${base}/notifications/pigeon`))?.status()).toBe(404)
    await context.close()
    receiver.close()
  }, 120_000)

  it("offers members only the changes that their roles permit", async () => {
    await ask("POST", "/accounts", { name: "bob", password })
    const bob = (await ask("GET", "/accounts")).find(({ name }: { readonly name: string }) => name === "bob").uuid
    await ask("POST", "/teams/0/members", { account_uuid: bob })
    await ask("POST", "/grants", { account_uuid: bob, place_type: "team", role: "viewer" })
    const { uuid } = await ask("POST", "/registries", { registry: "r.test", username: "u", password: "p" })
    const [context, page] = await signedIn("bob", "/registries")
    expect(await page.getByRole("link", { name: "Add registry" }).count()).toBe(0)
    const tabs = page.getByRole("navigation", { name: "Pages of administration" }).getByRole("link")
    expect((await tabs.allTextContents()).map((each) => each.trim())).toEqual([
      "SSH keys",
      "Sources",
      "Registries",
      "S3 storages",
      "Shared variables"
    ])
    await page.goto(`${base}/registries/${uuid}`)
    await page.getByRole("heading", { level: 2, name: "r.test" }).waitFor()
    expect(await page.locator("#save").count()).toBe(0)
    expect(await page.locator("#delete").count()).toBe(0)
    await page.goto(`${base}/registries/new`)
    await page.getByText("Your account lacks the role admin on the team").waitFor()
    expect((await page.goto(`${base}/notifications`))?.status()).toBe(403)
    const admin = { account_uuid: bob, place_type: "team", role: "admin" }
    await ask("POST", "/grants", admin)
    await page.goto(`${base}/registries/${uuid}`)
    expect(await page.locator("#save").count()).toBe(1)
    expect(await page.locator("#delete").count()).toBe(1)
    await context.close()
  }, 120_000)
})
