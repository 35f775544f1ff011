import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Chromium, openChromium, ServiceProcesses } from "@slipway/http/testing"
import * as client from "openid-client"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { tryReading } from "./support/reference.ts"

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
const deploy = new ServiceProcesses(join(import.meta.dirname, "..", "..", "deploy", "src", "main.ts"))
const password = "correct horse battery"
const settings = { FORGE_ADMIN_USERNAME: "ann", FORGE_ADMIN_PASSWORD: password, FORGE_DATABASE_URL: "memory:" }
const deployToken = "chosen-by-the-test"
const basic = { authorization: `Basic ${Buffer.from(`ann:${password}`).toString("base64")}` }

/** A third-party application: it receives the redirected browser. */
const program = createServer((_, response) => response.end("Welcome to the program"))
let directory = ""
let chromium: Chromium
let base = ""
let deployBase = ""
let callback = ""

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "slipway-openid-"))
  await new Promise<void>((resolve) => program.listen(0, "127.0.0.1", resolve))
  callback = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`
  const platform = { DEPLOY_DATABASE_URL: "memory:", DEPLOY_TOKEN: deployToken }
  ;[base, deployBase, chromium] = await Promise.all([
    forge.start(directory, settings).listening(),
    deploy.start(deploy.directory(), platform).listening(),
    openChromium(directory)
  ])
})
afterAll(async () => {
  program.close()
  await chromium.end()
  await Promise.all([forge.end(), deploy.end()])
  await rm(directory, { recursive: true, force: true, maxRetries: 5 })
})

/** Creates a token for ann. */
const forgeToken = async (name: string, scopes = ["read:user"]) => {
  const made = await fetch(`${base}/api/v1/users/ann/tokens`, {
    method: "POST",
    headers: { ...basic, "content-type": "application/json" },
    body: JSON.stringify({ name, scopes })
  })
  return ((await made.json()) as { readonly sha1: string }).sha1
}

/** A browser without scripts: it keeps cookies, and follows redirects within the service. */
const browserAt = () => {
  const cookies = new Map<string, string>()
  const go = async (path: string, form?: Record<string, string>): Promise<{ text: string; at: string }> => {
    const response = await fetch(new URL(path, base), {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; "), accept: "text/html" },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) })
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=")
      cookies.set(name, value)
    }
    const to = new URL(response.headers.get("location") ?? path, new URL(path, base))
    const stays = response.headers.has("location") && to.origin === base
    return stays ? go(to.href) : { text: await response.text(), at: to.href }
  }
  const fill = ({ at, text }: { text: string; at: string }, filled: Record<string, string>) => {
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
    return go(new URL(/action="([^"]*)"/.exec(text)?.[1] ?? at, base).href, {
      ...Object.fromEntries(hidden.map(([, name, value]) => [name ?? "", value ?? ""])),
      ...filled
    })
  }
  return { go, fill }
}

const application = async (set: { readonly confidential_client?: boolean } = {}) => {
  const made = (await (
    await fetch(`${base}/api/v1/user/applications/oauth2`, {
      method: "POST",
      headers: { ...basic, "content-type": "application/json" },
      body: JSON.stringify({ name: "App", redirect_uris: [callback], ...set })
    })
  ).json()) as { readonly client_id: string; readonly client_secret: string }
  const configured = (secret = made.client_secret) =>
    client.discovery(
      new URL(base),
      made.client_id,
      undefined,
      set.confidential_client === false ? client.None() : client.ClientSecretBasic(secret),
      { execute: [client.allowInsecureRequests] }
    )
  return { ...made, configured, config: await configured() }
}

const begin = async (config: client.Configuration, parameters: Record<string, string> = {}) => {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: "openid read:user",
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    state: expectedState,
    nonce: expectedNonce,
    ...parameters
  })
  return { address, checks: { pkceCodeVerifier, expectedState, expectedNonce } }
}

/** Signs ann in, agrees to the consent, and returns the address that she is redirected to. */
const agree = async (address: URL) => {
  const { fill, go } = browserAt()
  const consent = await fill(await go(address.href), { name: "ann", password })
  return new URL((await fill(consent, { answer: "agree" })).at)
}

const signIn = async (config: client.Configuration) => {
  const { address, checks } = await begin(config)
  const sent = await agree(address)
  return { sent, checks, tokens: await client.authorizationCodeGrant(config, sent, checks) }
}

const me = async (token: string) => {
  const response = await fetch(`${base}/api/v1/user`, { headers: { authorization: `Bearer ${token}` } })
  return [response.status, ((await response.json()) as { readonly login?: string }).login]
}

const refusal = async (asked: Promise<unknown>): Promise<string> => {
  try {
    await asked
    return "no error"
  } catch (problem) {
    const { error, code } = problem as { readonly error?: string; readonly code?: string }
    return error ?? code ?? String(problem)
  }
}

/** Returns the status and the error of an authorization request. */
const asked = async (address: URL) => {
  const response = await fetch(address, { redirect: "manual" })
  const to = response.headers.get("location")
  return [response.status, to === null ? null : new URL(to, base).searchParams.get("error")]
}

describe("OpenID Connect on the real process, with an independent client library", () => {
  test("signs a user in on pages without scripts, in Chromium", async () => {
    const { config } = await application()
    const { address, checks } = await begin(config)
    await chromium.send("Emulation.setScriptExecutionDisabled", { value: true })
    await chromium.go(address.href)
    expect(await chromium.text()).toContain("Sign in to continue to App.")
    await chromium.type("[name=name]", "ann")
    await chromium.type("[name=password]", "not the password")
    await chromium.click("button")
    expect(await chromium.text()).toContain("The name or the password is wrong.")
    await chromium.type("[name=password]", password)
    await chromium.click("button")
    expect(await chromium.text()).toContain("Let App act for you?")
    await chromium.click("[value=agree]")
    expect(await chromium.text()).toBe("Welcome to the program")
    const sent = new URL(String(await chromium.evaluate("location.href")))
    const tokens = await client.authorizationCodeGrant(config, sent, checks)
    expect([tokens.claims()?.iss, ...(await me(tokens.access_token))]).toEqual([base, 200, "ann"])
    await chromium.go(`${base}/user/settings/security`)
    expect(await chromium.text()).toContain("You are signed in as ann.")
    // The API accepts no cookie, so that the explorer uses a token.
    await chromium.send("Emulation.setScriptExecutionDisabled", { value: false })
    await chromium.go(`${base}/explore#user=ann&resource=user%3Aann&action=user.read`)
    const explorerToken = JSON.stringify(await forgeToken("explorer", ["all"]))
    await chromium.evaluate(
      `(() => { const field = document.getElementById("token"); field.value = ${explorerToken}; field.dispatchEvent(new Event("change")) })()`
    )
    await expect
      .poll(() => chromium.text(), { timeout: 20_000 })
      .toMatch(/ann may do this.*The matrix.*user\.token\.create/s)
  })

  test("revokes tokens on the second use of a code or a refresh token", async () => {
    const { config } = await application()
    const first = await signIn(config)
    expect(await refusal(client.authorizationCodeGrant(config, first.sent, first.checks))).toBe("invalid_grant")
    expect((await me(first.tokens.access_token))[0]).toBe(401)
    const { tokens } = await signIn(config)
    const renewed = await client.refreshTokenGrant(config, String(tokens.refresh_token))
    expect((await me(renewed.access_token))[0]).toBe(200)
    expect(await refusal(client.refreshTokenGrant(config, String(tokens.refresh_token)))).toBe("invalid_grant")
    expect(await refusal(client.refreshTokenGrant(config, String(renewed.refresh_token)))).toBe("invalid_grant")
    expect((await me(renewed.access_token))[0]).toBe(401)
  })

  test("revokes a token, and reports it as inactive", async () => {
    const { config } = await application()
    const { tokens } = await signIn(config)
    expect((await client.tokenIntrospection(config, tokens.access_token)).active).toBe(true)
    await client.tokenRevocation(config, tokens.access_token)
    expect((await client.tokenIntrospection(config, tokens.access_token)).active).toBe(false)
    expect((await me(tokens.access_token))[0]).toBe(401)
  })

  test("issues no token for a wrong verifier or secret; the client detects a wrong state and nonce", async () => {
    const { config, configured } = await application()
    const { address, checks } = await begin(config)
    const sent = await agree(address)
    const grant = (other: Partial<typeof checks>, by = config) =>
      refusal(client.authorizationCodeGrant(by, sent, { ...checks, ...other }))
    expect(await grant({}, await configured(`slo_${"0".repeat(40)}`))).toMatch(/WWWAuthenticate|invalid_client|OAUTH_/)
    expect(await grant({ expectedState: client.randomState() })).toBe("OAUTH_INVALID_RESPONSE")
    // None of these consumed the code, except the library when it detected the nonce.
    expect(await grant({ expectedNonce: client.randomNonce() })).toBe("OAUTH_JWT_CLAIM_COMPARISON_FAILED")
    const again = await begin(config)
    const late = await agree(again.address)
    const wrong = { ...again.checks, pkceCodeVerifier: client.randomPKCECodeVerifier() }
    expect(await refusal(client.authorizationCodeGrant(config, late, wrong))).toBe("invalid_grant")
  })

  test("redirects only to exact addresses, and requires a challenge from public clients", async () => {
    const { config } = await application()
    const port = new URL(callback).port
    for (const redirect_uri of [
      `${callback}/`,
      `${callback}?x=1`,
      callback.replace("callback", "CALLBACK"),
      callback.replace(port, "1"),
      callback.replace("127.0.0.1", "localhost"),
      callback.replace("127.0.0.1", "127.0.0.1@evil.example"),
      callback.replace("127.0.0.1", "evil.example")
    ]) {
      expect([redirect_uri, ...(await asked((await begin(config, { redirect_uri })).address))]).toEqual([
        redirect_uri,
        400,
        null
      ])
    }
    const open = await application({ confidential_client: false })
    const bare = (await begin(open.config)).address
    for (const name of ["code_challenge", "code_challenge_method"]) bare.searchParams.delete(name)
    expect(await asked(bare)).toEqual([303, "invalid_request"])
    const plain = (await begin(open.config, { code_challenge_method: "plain" })).address
    expect(await asked(plain)).toEqual([303, "invalid_request"])
  })
})

describe("the pages of both services, in Chromium", () => {
  const pages = async (at: string, path: string, credential: Parameters<typeof tryReading>[3], home: string) => {
    chromium.problems.length = 0
    await chromium.send("Emulation.setScriptExecutionDisabled", { value: false })
    const tried = await tryReading(chromium, at, path, credential)
    expect(chromium.problems).toEqual([])
    expect(tried.answer).toContain("200 OK")
    expect(tried.home).toContain(home)
    return tried
  }

  test("describe the forge; its API reference finds an operation and calls it with a token", async () => {
    const token = await forgeToken("reference")
    const tried = await pages(base, "/api/v1/user/emails", { name: "ann", token }, "Explore")
    expect(tried.home).toContain("Slipway")
    expect(tried.operation).toContain("List the email addresses of the signed-in user")
    expect(tried.answer).toContain(`"email": "ann@localhost.localdomain"`)
  })

  test("describe the deployment platform; its API reference finds an operation and calls it with a token", async () => {
    const tried = await pages(deployBase, "/api/v1/projects", { token: deployToken }, "Sign in")
    expect(tried.home).toContain("Slipway deploy")
    expect(tried.operation).toContain("List projects")
    expect(tried.answer).toContain(`"name": "default"`)
  })
})

describe("the typed clients in a browser", () => {
  /** Bundles a client for pages, under a global name. */
  const bundled = async (name: string) => {
    const input = join(import.meta.dirname, `../../../packages/client/src/${name}/index.ts`)
    const bundle = await rolldown({ input, platform: "browser" })
    const { output } = await bundle.generate({ format: "iife", name })
    return output[0].code
  }

  test.each([
    ["forge", () => base, (code: string) => `(await ${code}.account.email.list()).map(({ email }) => email)`],
    ["deploy", () => deployBase, (code: string) => `(await ${code}.projects.list()).map(({ name }) => name)`]
  ])("call the %s from a page", async (name, addressOf, question) => {
    const token = name === "forge" ? await forgeToken("browser") : deployToken
    const maker = `create${name === "forge" ? "Forge" : "Deploy"}Client`
    await chromium.go(`${addressOf()}/api/v1/version`)
    await chromium.evaluate(`${await bundled(name)}; globalThis.${name} = ${name}`)
    const options = `{ url: location.origin, token: ${JSON.stringify(token)} }`
    await chromium.evaluate(`(async () => {
      const client = ${name}.${maker}(${options})
      const refused = await ${name}.${maker}({ url: location.origin }).${name === "forge" ? "account.email" : "projects"}.list().result()
      document.title = JSON.stringify([${question("client")}, refused.error.status])
    })().catch((error) => { document.title = String(error.stack) })`)
    await chromium.until('document.title !== ""')
    const found = name === "forge" ? "ann@localhost.localdomain" : "default"
    expect(await chromium.evaluate("document.title")).toBe(JSON.stringify([[found], 401]))
  })
})
