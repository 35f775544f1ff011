import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { openBrowser } from "@slipway/http/testing"
import { type Configuration, Provider } from "oidc-provider"
import { afterEach, expect, test } from "vitest"
import { endServices, newDirectory, send, start, token } from "../support.ts"

const servers: Array<Server> = []

afterEach(async () => {
  await endServices()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

const password = "correct horse battery"

const me = async (base: string, session = "") => {
  const response = await send("GET", `${base}/api/v1/account`, undefined, session)
  return (await response.json()) as {
    readonly name?: string
    readonly email?: string | null
    readonly is_root?: boolean
    readonly identities?: ReadonlyArray<{ readonly issuer: string; readonly subject: string }>
  }
}

test("the root account signs in with its chosen password, and with the generated one that the start prints once", async () => {
  const chosen = start(newDirectory(), {
    DEPLOY_DATABASE_URL: "memory:",
    DEPLOY_TOKEN: token,
    DEPLOY_ADMIN_USERNAME: "ann",
    DEPLOY_ADMIN_PASSWORD: password
  })
  const directory = newDirectory()
  const generating = start(directory, { DEPLOY_DATABASE_URL: "file:data" })
  const bases = await Promise.all([chosen.listening(), generating.listening()])
  expect(chosen.stdout + chosen.stderr).not.toContain(password)
  const [, printed = ""] =
    /created the root account slipway and prints its password once:\n\n {2}([A-Za-z0-9]{40})\n/.exec(
      generating.stdout
    ) ?? []
  for (const [base = "", name, secret] of [
    [bases[0], "ann", password],
    [bases[1], "slipway", printed]
  ] as const) {
    const browser = openBrowser()
    const page = await browser.fill(await browser.go(`${base}/login`), { name, password: secret })
    expect([page.at, page.status]).toEqual([`${base}/account`, 200])
    expect((await me(base, browser.cookies.get("slipway_deploy_session"))).name).toBe(name)
    expect((await fetch(`${base}/api/v1/account`)).status).toBe(401)
  }
  expect(await generating.stop()).toBe(0)
  const again = start(directory, { DEPLOY_DATABASE_URL: "file:data" })
  await again.listening()
  expect(again.stdout).not.toContain("password")
}, 180_000)

test("users can sign in with an independent OpenID Connect provider", async () => {
  let provider: Provider | undefined
  const server = createServer((request, response) => void provider?.callback()(request, response))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const base = await start(newDirectory(), {
    DEPLOY_DATABASE_URL: "memory:",
    DEPLOY_TOKEN: token,
    DEPLOY_OIDC_ISSUER: issuer,
    DEPLOY_OIDC_CLIENT_ID: "platform",
    DEPLOY_OIDC_CLIENT_SECRET: "a secret of the test",
    DEPLOY_OIDC_NAME: "Company"
  }).listening()
  const configuration: Configuration = {
    clients: [
      {
        client_id: "platform",
        client_secret: "a secret of the test",
        redirect_uris: [`${base}/auth/oidc/callback`]
      }
    ],
    claims: { openid: ["sub"], profile: ["preferred_username"], email: ["email"] },
    cookies: { keys: ["a key of the test"] },
    pkce: { required: () => true },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, preferred_username: `${accountId} at work`, email: `${accountId}@example.com` })
    })
  }
  provider = new Provider(issuer, configuration)

  const signIn = async (login: string) => {
    const browser = openBrowser()
    const page = await browser.go(`${base}/login`)
    const link = /<a href="([^"]*)">Sign in with Company<\/a>/.exec(page.text)?.[1] ?? ""
    const asked = await browser.go(new URL(link, base).href)
    expect(asked.at.startsWith(`${issuer}/interaction/`)).toBe(true)
    const consent = await browser.fill(asked, { login, password: "any" })
    const back = await browser.fill(consent, {})
    return { back, account: await me(base, browser.cookies.get("slipway_deploy_session")) }
  }
  const first = await signIn("ann")
  expect([first.back.at, first.back.status]).toEqual([`${base}/account`, 200])
  expect(first.account).toMatchObject({
    name: "ann-at-work",
    email: "ann@example.com",
    is_root: false,
    identities: [{ issuer, subject: "ann" }]
  })
  expect((await signIn("ann")).account).toMatchObject({ name: "ann-at-work" })
  expect((await signIn("bob")).account).toMatchObject({ name: "bob-at-work" })
  const accounts = await (await send("GET", `${base}/api/v1/accounts`)).json()
  expect((accounts as ReadonlyArray<{ name: string }>).map(({ name }) => name)).toEqual([
    "slipway",
    "ann-at-work",
    "bob-at-work"
  ])
}, 180_000)
