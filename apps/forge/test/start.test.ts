import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync, statSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { ServiceProcesses } from "@slipway/http/testing"
import { dumpDatabase } from "@slipway/sql"
import { postgresMissing, testDatabase } from "@slipway/sql/testing"
import { Effect, Redacted } from "effect"
import { afterEach, test, vi } from "vitest"

const mainOf = (app: string) => join(import.meta.dirname, "..", "..", app, "src", "main.ts")
const forge = new ServiceProcesses(mainOf("forge"))
const deploy = new ServiceProcesses(mainOf("deploy"))
afterEach(async () => {
  await forge.end()
  await deploy.end()
})

const answers = async (base: string) => {
  for (const path of ["/healthz", "/readyz"]) {
    const response = await fetch(base + path)
    expect([path, response.status, await response.json()]).toEqual([path, 200, { status: "ok" }])
  }
}

describe("a start", () => {
  test("in memory responds, and reports its version after the Gitea version that clients check", async () => {
    const service = forge.start(forge.directory(), { FORGE_DATABASE_URL: "memory:", FORGE_METRICS_PORT: "0" })
    const base = await service.listening()
    await answers(base)
    const version = await fetch(`${base}/api/v1/version`)
    const manifest = readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8")
    expect([version.status, await version.json()]).toEqual([
      200,
      { version: `1.25.5+slipway-${JSON.parse(manifest).version}` }
    ])
    const missing = await fetch(`${base}/api/v1/nothing`)
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { message: "The target couldn't be found.", url: `${base}/docs` }
    ])
    const wrong = await fetch(`${base}/api/v1/version`, { method: "DELETE" })
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    expect(await wrong.json()).toEqual({ message: "method not allowed", url: `${base}/docs` })
    const metrics = await vi.waitUntil(() => /Metrics +(\S+)/.exec(service.stdout)?.[1], 20_000)
    const lines = (await (await fetch(metrics)).text()).split("\n")
    expect(lines).toContain('slipway_requests_total{method="GET",route="/api/v1/version",status="200"} 1')
    expect(lines).toContain('slipway_decisions_total{action="version.read",outcome="allowed",rule="none"} 1')
    expect(lines).toContain("slipway_jobs_due 0")
  })

  test("with one DATABASE_URL for both services keeps their data separate", async () => {
    const directory = forge.directory()
    const settings = { DATABASE_URL: "file:data" }
    const both = [forge.start(directory, settings), deploy.start(directory, settings)]
    for (const service of both) await answers(await service.listening())
    for (const name of ["forge", "deploy"]) {
      expect(statSync(join(directory, "data", name, "postgres")).isDirectory()).toBe(true)
    }
  })

  // Prevents: port 2222 is in use, and the start creates an administrator before it fails, without a remedy.
  test("with an SSH port in use exits 1, names the setting, and creates nothing", async () => {
    const taken = createServer().listen(0, "127.0.0.1")
    await once(taken, "listening")
    const { port } = taken.address() as AddressInfo
    const service = forge.start(forge.directory(), { FORGE_SSH_PORT: `${port}` })
    expect([await service.ended, service.stdout]).toEqual([1, ""])
    const why = `port ${port} on 127.0.0.1 is in use: stop the other process, or choose another port with \`FORGE_SSH_PORT\``
    expect(service.stderr).toBe(`slipway forge: ${why}\n`)
    taken.close()
  })

  test("with an invalid setting exits 1 and names it", async () => {
    const service = forge.start(forge.directory(), { FORGE_PORT: "http" })
    expect([await service.ended, service.stdout]).toEqual([1, ""])
    expect(service.stderr).toMatch(/^slipway forge: .*`FORGE_PORT`.*\n$/)
  })
})

const basicOf = (words: string) => ({ authorization: `Basic ${Buffer.from(words).toString("base64")}` })
const basic = (name: string, password: string) => basicOf(`${name}:${password}`)

const userAt = async (base: string, headers: Record<string, string>) => {
  const response = await fetch(`${base}/api/v1/user`, { headers })
  return [response.status, ((await response.json()) as { login?: string }).login] as const
}

describe("a first start", () => {
  test("on a new embedded directory prints a generated password once; locks the directory, and requires its encryption key", async () => {
    const directory = forge.directory({ withTables: false })
    const service = forge.start(directory)
    const [line] = await service.said(/^ {2}curl [\s\S]*?'$/m)
    const answer = execFileSync("sh", ["-c", `${line} --silent --write-out ' %{http_code}'`], { encoding: "utf8" })
    expect(answer).toMatch(/"scopes":\["all"\].* 201$/)
    const token = /"sha1":"(\w+)"/.exec(answer)?.[1] ?? ""
    const base = await service.listening()
    await answers(base)
    expect(await userAt(base, { authorization: `token ${token}` })).toEqual([200, "slipway"])
    // The process that has the embedded database sends its rows to the backup.
    const address = { _tag: "Embedded", directory: join(directory, ".slipway", "forge") } as const
    let rows = ""
    const write = (lines: string) =>
      Effect.sync(() => {
        rows += lines
      })
    await Effect.runPromise(dumpDatabase(address, "forge", write))
    expect(rows).toContain("slipway@localhost.localdomain")

    const second = forge.start(directory)
    expect([await second.ended, second.stdout]).toEqual([1, ""])
    expect(second.stderr).toMatch(/^slipway forge: the database directory `.*` is in use by another process.*\n$/)
    expect([await service.stop("SIGTERM"), service.stderr]).toEqual([0, ""])

    const key = Buffer.alloc(32, 1).toString("base64")
    const other = forge.start(directory, { FORGE_ENCRYPTION_KEY: key })
    expect([await other.ended, other.stdout]).toEqual([1, ""])
    expect(other.stderr).toMatch(/^slipway forge: the database .* was encrypted with a key other than .*\n$/)

    const again = forge.start(directory)
    expect(await userAt(await again.listening(), { authorization: `token ${token}` })).toEqual([200, "slipway"])
    expect(again.stdout).not.toMatch(/password|administrator/)
    expect([await again.stop("SIGINT"), again.stderr]).toEqual([0, ""])
  })

  test("creates the configured administrator, and never prints the password", async () => {
    const service = forge.start(forge.directory(), {
      FORGE_DATABASE_URL: "memory:",
      FORGE_ADMIN_USERNAME: "ann",
      FORGE_ADMIN_EMAIL: "ann@example.com",
      FORGE_ADMIN_PASSWORD: "correct horse battery",
      FORGE_ROOT_URL: "https://forge.example",
      FORGE_REQUIRE_SIGN_IN: "true",
      FORGE_PAGE_SIZE: "7"
    })
    const base = await service.listening()
    expect(await userAt(base, basic("ann", "correct horse battery"))).toEqual([200, "ann"])
    expect(service.stdout + service.stderr).not.toContain("correct horse battery")
    // I17: no proxy is trusted by default.
    expect((await userAt(base, { "x-webauth-user": "ann" }))[0]).toBe(403)
    const closed = await fetch(`${base}/api/v1/settings/api`)
    expect([closed.status, await closed.json()]).toEqual([
      403,
      { message: "Only signed in user is allowed to call APIs.", url: "https://forge.example/docs" }
    ])
    const open = await fetch(`${base}/api/v1/settings/api`, { headers: basic("ann", "correct horse battery") })
    expect(await open.json()).toMatchObject({ default_paging_num: 7, max_response_items: 50 })
  })

  test("closes the routes of disabled features", async () => {
    const names = ["STARS", "HEATMAP", "WEBHOOKS", "ATTACHMENTS", "TIME_TRACKING", "ORGANIZATION_CREATION"]
    const off = Object.fromEntries(names.map((name) => [`FORGE_${name}`, "false"]))
    const password = "correct horse battery"
    const service = forge.start(forge.directory(), {
      FORGE_DATABASE_URL: "memory:",
      FORGE_ADMIN_USERNAME: "ann",
      FORGE_ADMIN_PASSWORD: password,
      FORGE_REQUIRE_SECOND_FACTOR: "true",
      ...off
    })
    const base = await service.listening()
    const send = async (name: string, method: string, path: string, body?: unknown) => {
      const headers = { ...basic(name, password), "content-type": "application/json" }
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const response = await fetch(`${base}/api/v1${path}`, init)
      const text = await response.text()
      return { status: response.status, json: text === "" ? undefined : JSON.parse(text) }
    }
    const user = { username: "bob", email: "bob@example.com", password, must_change_password: false }
    expect((await send("ann", "POST", "/admin/users", user)).status).toBe(201)
    expect((await send("bob", "GET", "/settings/repository")).json).toMatchObject({
      stars_disabled: true,
      time_tracking_disabled: true
    })
    expect((await send("bob", "GET", "/settings/attachment")).json.enabled).toBe(false)
    const answers = [
      await send("bob", "GET", "/user/starred"),
      await send("bob", "GET", "/user/hooks"),
      await send("bob", "GET", "/users/bob/heatmap"),
      await send("bob", "POST", "/orgs", { username: "acme" }),
      await send("ann", "POST", "/orgs", { username: "acme" })
    ]
    expect(answers.map(({ json, status }) => [status, status === 201 ? json.name : json.message])).toEqual([
      [403, "stars disabled by administrator"],
      [403, "webhooks disabled by administrator"],
      [404, "The target couldn't be found."],
      [403, "user is not allowed to create organizations"],
      [201, "acme"]
    ])
    // Rule 7 of repository access: without a second factor there is none.
    expect((await send("bob", "POST", "/user/repos", { name: "one" })).status).toBe(201)
    expect((await send("bob", "GET", "/repos/bob/one")).status).toBe(404)
  })

  test("accepts a reserved name and a weak password from the operator, with a warning; with mail, added addresses need confirmation", async () => {
    const service = forge.start(forge.directory(), {
      FORGE_DATABASE_URL: "memory:",
      FORGE_ADMIN_USERNAME: "admin",
      FORGE_ADMIN_PASSWORD: "admin",
      FORGE_MAIL_URL: "smtp://127.0.0.1:1",
      FORGE_MAIL_FROM: "forge@example.com",
      FORGE_ROOT_URL: "http://forge.test"
    })
    const base = await service.listening()
    expect(await userAt(base, basic("admin", "admin"))).toEqual([200, "admin"])
    expect(service.stdout).toMatch(/^Warning: the password of the administrator is short or common/m)
    const headers = { ...basic("admin", "admin"), "content-type": "application/json" }
    const body = JSON.stringify({ emails: ["other@example.com"] })
    const added = await fetch(`${base}/api/v1/user/emails`, { method: "POST", headers, body })
    expect([added.status, await added.json()]).toMatchObject([
      201,
      [{ primary: true }, { email: "other@example.com", primary: false, verified: false }]
    ])
    expect((await userAt(base, basic("other@example.com", "admin")))[0]).toBe(401)
  })

  test("I17: trusts a proxy only if configured, and only from its address", async () => {
    const settings = { FORGE_DATABASE_URL: "memory:", FORGE_ADMIN_USERNAME: "ann" }
    const named = { "x-webauth-user": "ann" }
    for (const [more, status] of [
      [{ FORGE_PROXY_USER_HEADER: "X-WEBAUTH-USER", FORGE_TRUSTED_PROXIES: "192.0.2.0/24" }, 401],
      [{ FORGE_PROXY_USER_HEADER: "X-WEBAUTH-USER", FORGE_TRUSTED_PROXIES: "127.0.0.0/8" }, 200]
    ] as const) {
      const service = forge.start(forge.directory(), { ...settings, ...more })
      expect([more, (await userAt(await service.listening(), named))[0]]).toEqual([more, status])
      await service.stop()
    }
  })
})

describe.skipIf(postgresMissing() !== undefined)("a start on a PostgreSQL server", () => {
  it.live("with the port in use creates no user, and the next one prints the password", () =>
    Effect.gen(function* () {
      const settings = { FORGE_DATABASE_URL: Redacted.value((yield* testDatabase).url) }
      yield* Effect.promise(async () => {
        const directory = forge.directory()
        const taken = new URL(await deploy.start(directory, { DEPLOY_DATABASE_URL: "memory:" }).listening()).port
        const first = forge.start(directory, { ...settings, FORGE_PORT: taken })
        expect([await first.ended, first.stdout]).toEqual([1, ""])
        expect(first.stderr).toContain("`FORGE_PORT`")
        const second = forge.start(directory, settings)
        await second.listening()
        expect(second.stdout).toMatch(/^Slipway forge created the site administrator[\s\S]*Slipway forge\n {2}Pages/m)
        expect(await second.stop()).toBe(0)
      })
    })
  )

  it.live("of both services shares a database, in separate schemas", () =>
    Effect.gen(function* () {
      const settings = { DATABASE_URL: Redacted.value((yield* testDatabase).url) }
      yield* Effect.promise(async () => {
        const directory = forge.directory()
        const both = [forge.start(directory, settings), deploy.start(directory, settings)]
        for (const service of both) await answers(await service.listening())
        // The database is dropped at the end of the test, before the hooks that stop running services.
        for (const service of both) expect(await service.stop()).toBe(0)
      })
    })
  )
})

describe.skipIf(postgresMissing() !== undefined)("two processes on one PostgreSQL", () => {
  it.live("create one administrator, and each sees the other's changes immediately", () =>
    Effect.gen(function* () {
      const address = Redacted.value((yield* testDatabase).url)
      yield* Effect.promise(async () => {
        const directory = forge.directory()
        const settings = { FORGE_DATABASE_URL: address, FORGE_RATE_LIMIT: "40" }
        const both = [1, 2].map(() => forge.start(directory, settings))
        const [one = "", other = ""] = await Promise.all(both.map((service) => service.listening()))
        const shown = both.flatMap(({ stdout }) => /-u "(slipway:[^"]+)"/.exec(stdout)?.[1] ?? [])
        expect(shown).toHaveLength(1)
        const headers = { ...basicOf(shown[0] ?? ""), "content-type": "application/json" }
        const ask = (
          base: string,
          method: string,
          path: string,
          body?: unknown,
          as: Record<string, string> = headers
        ) =>
          fetch(`${base}/api/v1${path}`, {
            method,
            headers: as,
            body: body === undefined ? null : JSON.stringify(body)
          })
        const token = await ask(one, "POST", "/users/slipway/tokens", { name: "both", scopes: ["all"] })
        const { sha1 } = (await token.json()) as { readonly sha1: string }
        const bearer = { authorization: `token ${sha1}`, "content-type": "application/json" }
        const made = await Promise.all(
          [one, other, one, other].map((base) =>
            ask(base, "POST", "/user/repos", { name: "site", auto_init: true }, bearer)
          )
        )
        const refused = made.filter(({ status }) => status !== 201).map(({ status }) => status)
        expect(refused).toEqual([422, 422, 422])
        expect((await ask(other, "GET", "/repos/slipway/site/contents/README.md", undefined, bearer)).status).toBe(200)
        expect((await ask(other, "PATCH", "/repos/slipway/site", { name: "page" }, bearer)).status).toBe(200)
        expect((await ask(one, "GET", "/repos/slipway/page", undefined, bearer)).status).toBe(200)
        expect((await ask(other, "DELETE", "/users/slipway/tokens/both")).status).toBe(204)
        expect((await ask(one, "GET", "/user", undefined, bearer)).status).toBe(401)

        const bob = {
          username: "bob",
          email: "bob@example.com",
          password: "correct horse",
          must_change_password: false
        }
        expect((await ask(one, "POST", "/admin/users", bob)).status).toBe(201)
        const asBob = async (base: string, password: string) =>
          (await ask(base, "GET", "/user", undefined, basic("bob", password))).status
        for (const base of [one, other]) expect(await asBob(base, bob.password)).toBe(200)
        const edit = (base: string, fields: object) =>
          ask(base, "PATCH", "/admin/users/bob", { login_name: "bob", source_id: 0, ...fields })
        expect((await edit(one, { password: "battery staple" })).status).toBe(200)
        expect([await asBob(other, bob.password), await asBob(other, "battery staple")]).toEqual([401, 200])
        expect((await edit(one, { prohibit_login: true })).status).toBe(200)
        expect(await asBob(other, "battery staple")).toBe(403)
        expect((await edit(one, { prohibit_login: false })).status).toBe(200)

        // Each process may have a tenth of the limit that it did not report yet.
        const statuses: Array<number> = []
        for (let turn = 0; turn < 50; turn++) {
          statuses.push(await asBob(turn % 2 === 0 ? one : other, "battery staple"))
        }
        expect(new Set(statuses)).toEqual(new Set([200, 429]))
        expect(statuses.slice(-2)).toEqual([429, 429])
      })
    })
  )
})
