import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { ServiceProcesses } from "@slipway/http/testing"
import * as client from "openid-client"
import { afterEach, describe, expect, test } from "vitest"

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
afterEach(() => forge.end())

const password = "correct horse battery"
const settings = { FORGE_ADMIN_USERNAME: "ann", FORGE_ADMIN_PASSWORD: password, FORGE_DATABASE_URL: "memory:" }
const basic = { authorization: `Basic ${Buffer.from(`ann:${password}`).toString("base64")}` }
const callback = "http://127.0.0.1:9/callback"

/** Asks for a page as a browser does, keeps its cookies, and follows it as long as it stays on the service. */
const browserAt = (base: string) => {
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

describe("OpenID Connect on the real process", () => {
  test("signs somebody in to a program by a client library, and shows its page in a browser", async () => {
    const directory = await mkdtemp(join(tmpdir(), "slipway-openid-"))
    try {
      const base = await forge.start(directory, settings).listening()
      const made = (await (
        await fetch(`${base}/api/v1/user/applications/oauth2`, {
          method: "POST",
          headers: { ...basic, "content-type": "application/json" },
          body: JSON.stringify({ name: "App", redirect_uris: [callback] })
        })
      ).json()) as { readonly client_id: string; readonly client_secret: string }
      const config = await client.discovery(
        new URL(base),
        made.client_id,
        undefined,
        client.ClientSecretBasic(made.client_secret),
        { execute: [client.allowInsecureRequests] }
      )
      const pkceCodeVerifier = client.randomPKCECodeVerifier()
      const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: "openid read:user",
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
        state: expectedState,
        nonce: expectedNonce
      })
      const { stdout: shown } = await promisify(execFile)(
        "chromium",
        [
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          `--user-data-dir=${join(directory, "chromium")}`,
          "--dump-dom",
          address.href
        ],
        { timeout: 60_000 }
      )
      expect(shown).toContain("Sign in to go on to <strong>App</strong>.")
      expect(shown).toContain('<input type="password" name="password"')

      const { fill, go } = browserAt(base)
      const consent = await fill(await go(address.href), { name: "ann", password })
      const { at } = await fill(consent, { answer: "agree" })
      const tokens = await client.authorizationCodeGrant(config, new URL(at), {
        pkceCodeVerifier,
        expectedState,
        expectedNonce
      })
      expect(tokens.claims()?.iss).toBe(base)
      const me = await fetch(`${base}/api/v1/user`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
      expect([me.status, ((await me.json()) as { readonly login: string }).login]).toEqual([200, "ann"])
      const renewed = await client.refreshTokenGrant(config, String(tokens.refresh_token))
      await client.tokenRevocation(config, renewed.access_token)
      const after = await fetch(`${base}/api/v1/user`, { headers: { authorization: `Bearer ${renewed.access_token}` } })
      expect(after.status).toBe(401)
    } finally {
      await forge.end()
      await rm(directory, { recursive: true, force: true, maxRetries: 5 })
    }
  }, 120_000)
})
