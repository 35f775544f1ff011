import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { ServiceProcesses } from "@slipway/http/testing"
import { type Configuration, Provider } from "oidc-provider"
import { afterEach, expect, test } from "vitest"
import { introduction } from "../../../scripts/introduce.ts"
import { endServices, newDirectory, send, start, token } from "./support.ts"

const forges = new ServiceProcesses(join(import.meta.dirname, "..", "..", "forge", "src", "main.ts"))
const servers: Array<Server> = []

afterEach(async () => {
  await Promise.all([endServices(), forges.end()])
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

const password = "correct horse battery"

interface Seen {
  readonly status: number
  readonly text: string
  readonly at: string
}

/** A browser without scripts: it follows redirects, and sends the cookies of a host to all of its ports. */
const openBrowser = () => {
  const cookies = new Map<string, string>()
  const go = async (address: string, form?: Record<string, string>): Promise<Seen> => {
    const response = await fetch(address, {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(60_000),
      headers: {
        cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
        accept: "text/html",
        ...(form === undefined ? {} : { origin: new URL(address).origin })
      },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) })
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";")
      const at = pair.indexOf("=")
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
      if (value === "") cookies.delete(name)
      else cookies.set(name, value)
    }
    const to = response.headers.get("location")
    const text = await response.text()
    return to === null ? { status: response.status, text, at: address } : go(new URL(to, address).href)
  }
  const fill = ({ at, text }: Seen, filled: Record<string, string>) => {
    const form = /<form[^>]*action="([^"]*)"([\s\S]*?)<\/form>/.exec(text)
    const hidden = [...(form?.[2] ?? "").matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
    const fields = Object.fromEntries(hidden.map(([, name, value]) => [name ?? "", value ?? ""]))
    return go(new URL(form?.[1] ?? at, at).href, { ...fields, ...filled })
  }
  return { cookies, go, fill }
}

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

test("an independent OpenID Connect provider signs people in", async () => {
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

test("the forge signs its people in after the introduction of both services, without a setting", async () => {
  const directory = newDirectory()
  const administrator = { FORGE_ADMIN_USERNAME: "ann", FORGE_ADMIN_PASSWORD: password }
  const platform = { DEPLOY_DATABASE_URL: "memory:", DEPLOY_TOKEN: token }
  const [forge, base] = await Promise.all([
    forges.start(forges.directory(), { ...administrator, FORGE_DATABASE_URL: "memory:" }).listening(),
    start(directory, platform).listening()
  ])
  const without = openBrowser()
  expect((await without.go(`${base}/login`)).text).not.toContain("/auth/oidc")
  const environment = {
    ...administrator,
    ...platform,
    FORGE_PORT: new URL(forge).port,
    DEPLOY_PORT: new URL(base).port
  }
  const planned = introduction(environment, newDirectory())
  expect(await planned?.run(new AbortController().signal)).toBe(`connected to ${forge} as ann`)
  const connections = await (await send("GET", `${base}/api/v1/forge-connections`)).text()
  expect(connections).toMatch(/"client_id":"[a-z0-9]{24}"/)
  expect(connections).not.toContain("slo_")

  const browser = openBrowser()
  const login = await browser.go(`${base}/login`)
  const link = /<a href="([^"]*)">Sign in with forge<\/a>/.exec(login.text)?.[1] ?? ""
  const asked = await browser.go(new URL(link, base).href)
  expect(new URL(asked.at).origin).toBe(forge)
  const consent = await browser.fill(asked, { name: "ann", password })
  expect(consent.text).toContain("Slipway deploy")
  const back = await browser.fill(consent, { answer: "agree" })
  expect([back.at, back.status]).toEqual([`${base}/account`, 200])
  const session = browser.cookies.get("slipway_deploy_session")
  const account = await me(base, session)
  expect(account).toMatchObject({ name: "ann", is_root: false })
  expect(account.identities?.map(({ issuer }) => new URL(issuer).origin)).toEqual([forge])

  expect((await browser.go(new URL(link, base).href)).at).toBe(`${base}/account`)

  // Disabling the account ends its session, and the forge does not sign it in again.
  const [, second] = (await (await send("GET", `${base}/api/v1/accounts`)).json()) as ReadonlyArray<{ uuid: string }>
  const disabled = await send("PATCH", `${base}/api/v1/accounts/${second?.uuid}`, { is_disabled: true })
  expect(disabled.status).toBe(200)
  expect((await send("GET", `${base}/api/v1/account`, undefined, session)).status).toBe(401)
  const refused = await browser.go(new URL(link, base).href)
  expect([refused.status, refused.text.includes("this account is disabled")]).toEqual([403, true])
}, 240_000)
