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

const send = (method: string, address: string, body?: unknown, bearer = token): Promise<Response> =>
  fetch(address, {
    method,
    signal: AbortSignal.timeout(60_000),
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

interface Rotated {
  readonly uuid: string
  readonly client_since: string | null
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

test("users of the forge can sign in to the platform after both services are connected, without a setting", async () => {
  const administrator = { FORGE_ADMIN_USERNAME: "ann", FORGE_ADMIN_PASSWORD: password }
  const platform = { DEPLOY_DATABASE_URL: "memory:", DEPLOY_TOKEN: token }
  const [forge, base] = await Promise.all([
    forges.start(forges.directory(), { ...administrator, FORGE_DATABASE_URL: "memory:" }).listening(),
    platforms.start(platforms.directory(), platform).listening()
  ])
  const without = openBrowser()
  expect((await without.go(`${base}/login`)).text).not.toContain("/auth/oidc")
  const environment = {
    ...administrator,
    ...platform,
    FORGE_PORT: new URL(forge).port,
    DEPLOY_PORT: new URL(base).port
  }
  const planned = introduction(environment, forges.directory())
  expect(await planned?.run(new AbortController().signal)).toBe(`connected to ${forge} as ann`)
  const connections = await (await send("GET", `${base}/api/v1/forge-connections`)).text()
  expect(connections).toMatch(/"client_id":"[a-z0-9]{24}"/)
  expect(connections).not.toContain("slo_")
  // Before the first sign-in: the administrator of the forge owns the root team, and the audit log says why.
  const grants = await (await send("GET", `${base}/api/v1/grants`)).json()
  expect(grants).toMatchObject([{ place_type: "team", role: "owner" }])
  expect(await (await send("GET", `${base}/api/v1/audit`)).text()).toContain(
    `granted owner on team 0 to ann, the user 1 of ${forge}`
  )

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
  expect(account.identities?.map(({ issuer, subject }) => [issuer, subject])).toEqual([[forge, "1"]])
  expect((await send("POST", `${base}/api/v1/projects`, { name: "shop" }, session)).status).toBe(201)
  const [grant] = grants as ReadonlyArray<{ readonly uuid: string }>
  expect((await send("DELETE", `${base}/api/v1/grants/${grant?.uuid}`)).status).toBe(200)
  expect((await send("POST", `${base}/api/v1/projects`, { name: "more" }, session)).status).toBe(403)

  expect((await browser.go(new URL(link, base).href)).at).toBe(`${base}/account`)

  // The rotation of the token is followed by that of the secret of the OAuth2 client; people sign in as before.
  const [connection] = (await (await send("GET", `${base}/api/v1/forge-connections`)).json()) as ReadonlyArray<Rotated>
  const one = `${base}/api/v1/forge-connections/${connection?.uuid}`
  expect((await send("POST", `${one}/rotate`)).status).toBe(200)
  await expect
    .poll(async () => ((await (await send("GET", one)).json()) as Rotated).client_since, { timeout: 60_000 })
    .not.toBe(connection?.client_since)
  expect((await browser.go(new URL(link, base).href)).at).toBe(`${base}/account`)

  // Disabling the account ends its session, and the forge does not sign it in again.
  const [, second] = (await (await send("GET", `${base}/api/v1/accounts`)).json()) as ReadonlyArray<{ uuid: string }>
  const disabled = await send("PATCH", `${base}/api/v1/accounts/${second?.uuid}`, { is_disabled: true })
  expect(disabled.status).toBe(200)
  expect((await send("GET", `${base}/api/v1/account`, undefined, session)).status).toBe(401)
  const refused = await browser.go(new URL(link, base).href)
  expect([refused.status, refused.text.includes("this account is disabled")]).toEqual([403, true])
}, 240_000)
