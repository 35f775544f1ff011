import { type SpawnSyncReturns, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { programOf, ServiceProcesses } from "@slipway/http/testing"
import { afterEach, describe, expect, test } from "vitest"

const apps = join(import.meta.dirname, "..", "..")
const cli = join(apps, "cli", "src", "main.ts")
const forge = new ServiceProcesses(join(apps, "forge", "src", "main.ts"))
afterEach(() => forge.end())

const password = "correct horse battery"

/** Runs the command line in a directory, with the embedded database below it. */
const run = (
  directory: string,
  args: ReadonlyArray<string>,
  { input = "", settings = {} }: { readonly input?: string; readonly settings?: Readonly<Record<string, string>> } = {}
): SpawnSyncReturns<string> =>
  // As for services: a short process gains nothing from a better compilation of the database.
  spawnSync(process.execPath, ["--conditions=@slipway/source", "--liftoff-only", programOf(cli), ...args], {
    cwd: directory,
    encoding: "utf8",
    input,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings }
  })

const user = ["forge", "admin", "user"] as const

const basic = (name: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`
})

describe("slipway forge admin user", () => {
  test("creates users, tokens and passwords that the service accepts, also as replacements of lost ones", async () => {
    const directory = forge.directory()
    const created = run(
      directory,
      [...user, "create", "ann", "--email", "ann@example.com", "--admin", "--password-stdin"],
      { input: `${password}\n` }
    )
    expect([created.status, created.stdout, created.stderr]).toEqual([0, "created user 1: ann\n", ""])
    const changed = run(directory, [...user, "change-password", "ann"])
    const anew = /^password: ([A-Za-z0-9]{40})$/m.exec(changed.stdout)?.[1] ?? ""
    expect(anew).not.toBe("")
    const token = run(directory, [...user, "token", "ann", "--scopes", "read:user"]).stdout.trim()
    expect(token).toMatch(/^slp_/)

    const service = forge.start(directory)
    const base = await service.listening()
    // The site has an administrator, so that the start creates none.
    expect(service.stdout).not.toContain("administrator")
    const status = async (headers: Record<string, string>) => (await fetch(`${base}/api/v1/user`, { headers })).status
    expect(await status(basic("ann", anew))).toBe(200)
    expect(await status(basic("ann", password))).toBe(401)
    expect(await status({ authorization: `token ${token}` })).toBe(200)

    const ask = async (method: string, path: string, body?: unknown) => {
      const headers = { ...basic("ann", anew), "content-type": "application/json" }
      const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
      const response = await fetch(`${base}/api/v1${path}`, init)
      expect([path, response.ok]).toEqual([path, true])
      return (await response.text()) || "{}"
    }
    const bob = { username: "bob", email: "bob@example.com", password, visibility: "private" }
    await ask("POST", "/admin/users", bob)
    await ask("POST", "/orgs", { username: "acme", visibility: "limited" })
    await ask("POST", "/orgs/acme/repos", { name: "site", private: true, auto_init: true, default_branch: "main" })
    await ask("PATCH", "/repos/acme/site", { has_wiki: false })
    const team = { name: "builders", units_map: { "repo.code": "write" }, visibility: "limited" }
    const { id } = JSON.parse(await ask("POST", "/orgs/acme/teams", team)) as { id: number }
    await ask("PUT", `/teams/${id}/members/bob`)
    await ask("PUT", `/teams/${id}/repos/acme/site`)
    const protection = {
      rule_name: "main",
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: ["ann"]
    }
    await ask("POST", "/repos/acme/site/branch_protections", protection)
    const given = JSON.parse(await ask("POST", "/users/ann/tokens", { name: "export", scopes: ["all"] })) as {
      sha1: string
    }
    const exported = run(directory, ["access", "export", base], { settings: { SLIPWAY_TOKEN: given.sha1 } })
    expect([exported.stderr, exported.stdout.trimEnd().split("\n")]).toEqual([
      "",
      [
        "user ann admin",
        "user bob private",
        "organization acme limited",
        "repository acme/site private off=wiki",
        "team acme/builders limited code=write on site: bob",
        "team acme/Owners: ann",
        "protection acme/site main push=ann"
      ]
    ])
    const locked = run(directory, [...user, "list"])
    expect([locked.status, locked.stdout]).toEqual([1, ""])
    expect(locked.stderr).toContain("is in use by another process")
  }, 120_000)

  test("prints an error in one line, and exits 1", () => {
    const directory = forge.directory()
    const create = [...user, "create", "ann", "--email", "ann@example.com", "--password-stdin"]
    const wrong: ReadonlyArray<readonly [ReturnType<typeof run>, string]> = [
      [run(directory, create, { input: "password1" }), "the password is among the most common passwords"],
      [run(directory, [...user, "create", "a--b", "--email", "a@example.com"]), "two separators in a row"],
      [run(directory, [...user, "list"], { settings: { FORGE_DATABASE_URL: "x://u:hunter2@h" } }), "FORGE_DATABASE_URL"]
    ]
    for (const [ended, text] of wrong) {
      expect([ended.status, ended.stderr]).toEqual([1, expect.stringContaining(text)])
      expect(ended.stderr).not.toContain("hunter2")
      expect(ended.stderr).not.toMatch(/^\s+at /m)
    }
  }, 120_000)

  test("runs as the program that the package declares", () => {
    const { bin } = JSON.parse(readFileSync(join(apps, "cli", "package.json"), "utf8")) as { bin: { slipway: string } }
    const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
    const ended = spawnSync(join(apps, "cli", bin.slipway), ["--version"], { encoding: "utf8", env: { PATH } })
    expect([ended.status, ended.stdout]).toEqual([0, expect.stringMatching(/\d+\.\d+\.\d+/)])
  })
})
