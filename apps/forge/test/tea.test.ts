import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ServiceProcesses } from "@slipway/http/testing"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { workplace } from "./support/git.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any

const variable = "SLIPWAY_TEST_TEA"
const program = process.env[variable] ?? ""
const missing = program === "" ? `Gitea's command line is missing: ${variable} is the path of \`tea\`` : undefined
if (missing !== undefined) process.stdout.write(`skipped: ${missing}\n`)

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
const password = "correct horse battery"
const author = { GIT_COMMITTER_NAME: "Ann", GIT_COMMITTER_EMAIL: "ann@x.example" }
const ann = workplace(author)
const folder = join(ann.home, "work")
let base = ""

const ask = async (who: string, method: string, path: string, body?: unknown): Promise<Json> => {
  const authorization = `Basic ${Buffer.from(`${who}:${password}`).toString("base64")}`
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: { authorization, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  expect([200, 201, 204], `${method} ${path}: ${text}`).toContain(response.status)
  return text === "" ? undefined : JSON.parse(text)
}

/** Runs `tea`, which must succeed, and returns its output. */
const tea = (...args: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = {
      PATH: process.env["PATH"],
      HOME: ann.home,
      XDG_CONFIG_HOME: join(ann.home, ".config"),
      GIT_CONFIG_NOSYSTEM: "1"
    }
    const cwd = args[0] === "login" || args[0] === "clone" ? ann.home : folder
    const started = execFile(program, args, { cwd, env }, (error, out, err) => {
      if (error === null) resolve(out + err)
      else reject(new Error(`tea ${args.join(" ")}: ${out}${err}`))
    })
    started.stdin?.end()
  })

const all = async (...commands: ReadonlyArray<ReadonlyArray<string>>) => {
  for (const command of commands) await tea(...command)
}

const json = async (...args: ReadonlyArray<string>): Promise<Json> => JSON.parse(await tea(...args, "--output", "json"))

/** Commits a file to a new branch of the working copy and pushes it as a user. */
const pushed = async (who: string, branch: string) => {
  await ann.git(["-C", "work", "checkout", "-q", "-b", branch, "origin/main"])
  writeFileSync(join(folder, `${branch}.txt`), "text\n")
  await ann.git(["-C", "work", "add", "-A"])
  await ann.git(["-C", "work", "commit", "-q", "-m", `Add ${branch}`])
  const remote = `${base.replace("://", `://${who}:${encodeURIComponent(password)}@`)}/ann/site.git`
  expect(await ann.git(["-C", "work", "push", "-q", remote, branch])).toMatchObject({ code: 0 })
}

describe.skipIf(missing !== undefined)("tea", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    const service = forge.start(forge.directory(), {
      FORGE_DATABASE_URL: "memory:",
      FORGE_BLOBS: "file:blobs",
      FORGE_ADMIN_USERNAME: "ann",
      FORGE_ADMIN_PASSWORD: password,
      FORGE_SSH_PORT: "off"
    })
    base = await service.listening()
    const bob = { username: "bob", email: "bob@x.example", password, must_change_password: false }
    await ask("ann", "POST", "/admin/users", bob)
    const { sha1 } = await ask("ann", "POST", "/users/ann/tokens", { name: "tea", scopes: ["all"] })
    await tea("login", "add", "--name", "main", "--url", base, "--token", sha1, "--no-version-check")
    await tea("login", "default", "main")
    mkdirSync(folder)
    await all(
      ["repos", "create", "--name", "site", "--init", "--branch", "main", "--license", "MIT", "--readme", "Default"],
      ["repos", "create", "--name", "base", "--template", "--init"],
      ["organizations", "create", "acme", "--description", "An organization", "--visibility", "public"]
    )
    await tea("clone", "ann/site", "work")
  })

  afterAll(async () => {
    ann.remove()
    await forge.end()
  })

  test("signs in with a password, and lists logins", async () => {
    await all(
      ["login", "add", "--name", "other", "--url", base, "--user", "ann", "--password", password],
      ["login", "list"],
      ["login", "delete", "other"]
    )
    expect(await tea("whoami")).toContain("ann")
  })

  test("lists, copies, forks and deletes repositories, and lists organizations", async () => {
    await all(
      ["repos", "search", "site"],
      ["repos", "ann/site"],
      ["repos", "create", "--owner", "acme", "--name", "inner", "--init", "--private"],
      ["repos", "fork", "--repo", "ann/site", "--owner", "acme"],
      ["repos", "create-from-template", "--template", "ann/base", "--name", "copy", "--content"],
      ["organizations", "acme"]
    )
    const rows: ReadonlyArray<Json> = await json("repos", "list")
    expect(rows.map(({ name, owner }) => `${owner}/${name}`).toSorted()).toEqual([
      "acme/inner",
      "acme/site",
      "ann/base",
      "ann/copy",
      "ann/site"
    ])
    for (const name of ["inner", "site"]) await tea("repos", "delete", "--owner", "acme", "--name", name, "--force")
    await all(["organizations", "list"], ["organizations", "delete", "acme"])
  })

  test("manages labels, milestones, issues, comments and tracked times", async () => {
    await all(
      ["labels", "create", "--name", "bug", "--color", "#ff0000", "--description", "a bug"],
      ["milestones", "create", "--title", "v1", "--description", "first", "--deadline", "2030-01-31"],
      ["milestones", "create", "--title", "v2"],
      ["issues", "create", "--title", "First", "--labels", "bug", "--milestone", "v1", "--assignees", "ann"],
      ["issues", "create", "--title", "Second"]
    )
    await all(
      ["labels", "list"],
      ["issues", "edit", "1", "--title", "Door", "--milestone", "v2", "--deadline", "2031-01-01"],
      ["comment", "1", "A comment"],
      ["issues", "1", "--comments"],
      ["issues", "close", "2"],
      ["issues", "reopen", "2"],
      ["milestones", "issues", "add", "v1", "2"],
      ["milestones", "issues", "remove", "v1", "2"],
      ["milestones", "close", "v1"],
      ["times", "add", "1", "1h30m"],
      ["times", "add", "1", "15m"],
      ["times", "list", "#1", "--total"],
      ["times", "reset", "1"]
    )
    const fields = ["--fields", "index,title,state,milestone,labels,assignees"]
    const found = await json("issues", "list", "--keyword", "Door", "--author", "ann", "--assignee", "ann", ...fields)
    const row = { index: "1", title: "Door", state: "open", milestone: "v2", labels: "bug", assignees: "ann" }
    expect(found).toEqual([row])
    await all(["milestones", "delete", "v2"], ["milestones", "list"])
  })

  test("creates, checks out, reviews and merges pull requests", async () => {
    await pushed("ann", "topic")
    const create = ["pulls", "create", "--head", "topic", "--base", "main", "--title", "Topic", "--description", "Text"]
    await tea(...create)
    const [{ index }] = await json("pulls", "list", "--fields", "index,title,state,mergeable")
    const others = ["pulls", "merge", "--style", "squash", "--title", "Squashed", "--message", "Text", index]
    await all(
      ["pulls", index, "--comments"],
      ["pulls", "checkout", index],
      ["pulls", "close", index],
      ["pulls", "reopen", index],
      others
    )
    await ann.git(["-C", "work", "checkout", "-q", "main"])
    await tea("pulls", "clean", index)
    await ask("ann", "PUT", "/repos/ann/site/collaborators/bob", { permission: "write" })
    await pushed("bob", "bobs")
    const body = { title: "Bob's", head: "bobs", base: "main" }
    const { number } = await ask("bob", "POST", "/repos/ann/site/pulls", body)
    await all(
      ["pulls", "reject", String(number), "not yet"],
      ["pulls", "approve", String(number), "fine"],
      ["pulls", "merge", String(number)]
    )
    expect((await ask("ann", "GET", `/repos/ann/site/pulls/${number}`)).merged).toBe(true)
  })

  test("manages releases with files, branches, secrets, variables and webhooks", async () => {
    writeFileSync(join(folder, "a.txt"), "asset\n")
    await all(
      ["releases", "create", "--tag", "v1.0", "--target", "main", "--title", "One", "--asset", "a.txt"],
      ["releases", "edit", "v1.0", "--title", "Two", "--prerelease", "true"],
      ["releases", "assets", "list", "v1.0"],
      ["releases", "assets", "delete", "v1.0", "a.txt", "--confirm"],
      ["releases", "assets", "create", "v1.0", "a.txt"],
      ["releases", "list"],
      ["releases", "delete", "v1.0", "--confirm", "--delete-tag"],
      ["branches", "protect", "main"],
      ["branches", "list"],
      ["branches", "unprotect", "main"],
      ["actions", "secrets", "create", "KEY", "value"],
      ["actions", "secrets", "list"],
      ["actions", "secrets", "delete", "KEY", "--confirm"],
      ["actions", "variables", "set", "STAGE", "test"]
    )
    expect(await tea("actions", "variables", "list", "--name", "STAGE")).toContain("Value: test")
    await tea("actions", "variables", "delete", "STAGE", "--confirm")
    const options = ["--secret", "s", "--events", "push", "--branch-filter", "main"]
    await tea("webhooks", "create", ...options, "--authorization-header", "Bearer x", "https://ci.example/hook")
    const [hook] = await ask("ann", "GET", "/repos/ann/site/hooks")
    expect([hook.branch_filter, hook.events]).toEqual(["main", ["push"]])
    await all(
      ["webhooks", String(hook.id)],
      ["webhooks", "update", "--events", "issues", "--inactive", String(hook.id)],
      ["webhooks", "delete", "--confirm", String(hook.id)]
    )
  })

  test("reads and marks notifications, and lists users", async () => {
    await ask("bob", "POST", "/repos/ann/site/issues", { title: "Question", body: "@ann, when?" })
    const isNew = async () => (await ask("ann", "GET", "/notifications?subject-type=issue"))[0]?.id
    const id = String(await vi.waitUntil(isNew, { timeout: 20_000, interval: 200 }))
    await all(
      ["notifications", "list", "--mine"],
      ["notifications", "pin", id],
      ["notifications", "unpin", id],
      ["notifications", "unread", id, "--mine"],
      ["notifications", "read", id, "--mine"]
    )
    const rows: ReadonlyArray<Json> = await json("admin", "users", "list", "--fields", "login,email")
    expect(rows.map(({ email }) => email).toSorted()).toContain("bob@x.example")
  })
})
