import { appendFileSync, writeFileSync } from "node:fs"
import { get } from "node:http"
import { join } from "node:path"
import { ServiceProcesses } from "@slipway/http/testing"
import { afterAll, beforeAll, expect, test } from "vitest"
import { workplace } from "./support/git.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
const password = "correct horse battery"
const place = workplace()
/** The credentials of the users: tokens avoid the time of a password hash. */
const secrets = new Map([["root", password]])
let base = ""

const address = (user: string, path: string) =>
  `${base.replace("://", `://${user}:${encodeURIComponent(secrets.get(user) ?? "")}@`)}/${path}`

/** Sends a request as a user, requires its status, and returns the body. */
const ask = async (status: number, user: string, request: string, body?: unknown): Promise<Json> => {
  const [method = "GET", path = ""] = request.split(" ")
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${user}:${secrets.get(user)}`).toString("base64")}`,
      "content-type": "application/json"
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  expect(`${request} by ${user}: ${response.status} ${response.status === status ? "" : text}`).toBe(
    `${request} by ${user}: ${status} `
  )
  return text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text
}

const git = async (...args: ReadonlyArray<string>) => {
  const { code, err, out } = await place.git(args)
  expect(`${args.join(" ")}: ${code} ${code === 0 ? "" : err}`).toBe(`${args.join(" ")}: 0 `)
  return out.trim()
}

const commit = async (folder: string, file: string, text: string, message: string) => {
  appendFileSync(join(place.home, folder, file), text)
  await git("-C", folder, "add", "-A")
  await git("-C", folder, "commit", "-q", "-m", message)
}

beforeAll(async () => {
  const service = forge.start(forge.directory(), {
    FORGE_DATABASE_URL: "memory:",
    FORGE_ADMIN_USERNAME: "root",
    FORGE_ADMIN_PASSWORD: password,
    FORGE_GIT_HOOKS: "true"
  })
  base = await service.listening()
  const withToken = async (username: string) => {
    secrets.set(username, password)
    const token = { name: "test", scopes: ["all"] }
    secrets.set(username, (await ask(201, username, `POST /users/${username}/tokens`, token)).sha1)
  }
  await withToken("root")
  for (const username of ["ann", "bob", "eve"]) {
    const email = `${username}@example.com`
    await ask(201, "root", "POST /admin/users", { username, email, password, must_change_password: false })
    await withToken(username)
  }
})

afterAll(async () => {
  place.remove()
  await forge.end()
})

test("a change goes from a fork through a review to a release, with permission checks at each step", async () => {
  await ask(201, "ann", "POST /user/repos", { name: "door", auto_init: true })
  const repo = "/repos/ann/door"
  await ask(201, "ann", `POST ${repo}/branch_protections`, {
    rule_name: "main",
    required_approvals: 1,
    block_on_rejected_reviews: true,
    dismiss_stale_approvals: true
  })
  await ask(202, "bob", `POST ${repo}/forks`, {})
  await git("clone", "-q", address("bob", "bob/door.git"), "work")
  await git("-C", "work", "config", "user.email", "bob@example.com")
  await git("-C", "work", "checkout", "-q", "-b", "paint")
  await commit("work", "paint.txt", "red\n", "Paint it red")
  await git("-C", "work", "push", "-q", "origin", "paint")
  // A push can't bypass the review: neither to the base nor to the refs of pull requests.
  const past = (ref: string) => place.git(["-C", "work", "push", "-q", address("bob", "ann/door.git"), `HEAD:${ref}`])
  expect((await past("refs/heads/main")).code).not.toBe(0)
  await ask(404, "eve", `POST ${repo}/pulls`, { title: "Red", head: "bob:nothing", base: "main" })
  const opened = await ask(201, "bob", `POST ${repo}/pulls`, {
    title: "Red",
    head: "bob:paint",
    base: "main",
    allow_maintainer_edit: true
  })
  expect([opened.number, opened.mergeable, opened.blocked_by]).toEqual([1, false, ["approvals"]])
  expect((await past("refs/pull/1/head")).code).not.toBe(0)

  // Bob allows maintainer edits on his branch, and on nothing else in his fork.
  const lent = (user: string, to: string) => place.git(["-C", "work", "push", "-q", address(user, "bob/door.git"), to])
  await commit("work", "brush.txt", "fine\n", "Take a fine brush")
  for (const [user, ref] of [
    ["eve", "paint"],
    ["ann", "main"],
    ["ann", "mine"]
  ] as const) {
    expect((await lent(user, `HEAD:refs/heads/${ref}`)).code, `${ref} by ${user}`).not.toBe(0)
  }
  expect((await lent("ann", "HEAD:refs/heads/paint")).code).toBe(0)

  await ask(422, "bob", `POST ${repo}/pulls/1/reviews`, { event: "APPROVED" })
  await ask(200, "ann", `POST ${repo}/pulls/1/reviews`, {
    event: "REQUEST_CHANGES",
    body: "Not red",
    comments: [{ path: "paint.txt", body: "Blue", new_position: 1 }]
  })
  await ask(405, "ann", `POST ${repo}/pulls/1/merge`, { Do: "merge" })
  writeFileSync(join(place.home, "work", "paint.txt"), "")
  await commit("work", "paint.txt", "blue\n", "Paint it blue")
  await git("-C", "work", "push", "-q", "origin", "paint")
  const head = await git("-C", "work", "rev-parse", "HEAD")
  await expect.poll(async () => (await ask(200, "ann", `GET ${repo}/pulls/1`)).head.sha, { timeout: 60_000 }).toBe(head)
  expect(await git("ls-remote", address("ann", "ann/door.git"), "refs/pull/1/head")).toBe(`${head}\trefs/pull/1/head`)
  await ask(200, "ann", `POST ${repo}/pulls/1/reviews`, { event: "APPROVED", commit_id: head })
  for (const user of ["bob", "eve"]) await ask(403, user, `POST ${repo}/pulls/1/merge`, { Do: "merge" })
  const old = await git("-C", "work", "rev-parse", "HEAD~1")
  await ask(409, "ann", `POST ${repo}/pulls/1/merge`, { Do: "merge", head_commit_id: old })
  await ask(200, "ann", `POST ${repo}/pulls/1/merge`, { Do: "merge", head_commit_id: head })
  await ask(405, "ann", `POST ${repo}/pulls/1/merge`, { Do: "merge" })

  // The fork is synced, and each other merge style adds one change.
  await ask(204, "ann", `DELETE ${repo}/branch_protections/main`)
  await ask(200, "ann", `PATCH ${repo}`, { allow_fast_forward_only_merge: true })
  await ask(200, "bob", "POST /repos/bob/door/merge-upstream", { branch: "main" })
  await git("-C", "work", "fetch", "-q", "origin")
  // The fast-forward merge comes first, before the base moves.
  const styles = ["fast-forward-only", "rebase", "rebase-merge", "squash"]
  for (const style of styles) {
    await git("-C", "work", "checkout", "-q", "-b", style, "origin/main")
    await commit("work", `${style}.txt`, `${style}\n`, `By ${style}`)
  }
  await git("-C", "work", "push", "-q", "origin", ...styles)
  for (const [at, style] of styles.entries()) {
    await ask(201, "bob", `POST ${repo}/pulls`, { title: style, head: `bob:${style}`, base: "main" })
    await ask(200, "ann", `POST ${repo}/pulls/${at + 2}/merge`, { Do: style })
  }
  await git("clone", "-q", address("eve", "ann/door.git"), "result")
  expect((await git("-C", "result", "ls-files")).split("\n")).toEqual([
    "README.md",
    "brush.txt",
    "fast-forward-only.txt",
    "paint.txt",
    "rebase-merge.txt",
    "rebase.txt",
    "squash.txt"
  ])
  expect((await git("-C", "result", "log", "--format=%s", "--first-parent")).split("\n")).toEqual([
    "squash (#5)",
    expect.stringContaining("rebase-merge"),
    "By rebase",
    "By fast-forward-only",
    expect.stringContaining("Red"),
    "Initial commit"
  ])

  const release = { tag_name: "v1", target_commitish: "main", name: "One" }
  await ask(403, "bob", `POST ${repo}/releases`, release)
  await ask(201, "ann", `POST ${repo}/releases`, release)
  expect((await ask(200, "eve", `GET ${repo}/releases/latest`)).tag_name).toBe("v1")
  expect(await git("ls-remote", address("eve", "ann/door.git"), "refs/tags/v1")).toContain("refs/tags/v1")
  await ask(403, "bob", `DELETE ${repo}`)
  await ask(204, "ann", `DELETE ${repo}`)
  await ask(404, "eve", `GET ${repo}/pulls/1`)
  // The fork stays complete.
  await git("clone", "-q", address("eve", "bob/door.git"), "fork")
  expect((await ask(200, "eve", "GET /repos/bob/door")).fork).toBe(false)
})

test("a push runs the git hooks of a repository, which only administrators set", async () => {
  await ask(201, "ann", "POST /user/repos", { name: "own", auto_init: true })
  const hooks = "/repos/ann/own/hooks/git"
  const never = { content: `#!/bin/sh\nread -r before after ref\necho "never $ref"\nexit 1\n` }
  for (const user of ["ann", "bob"]) await ask(403, user, `PATCH ${hooks}/pre-receive`, never)
  await ask(200, "root", `PATCH ${hooks}/pre-receive`, never)
  await git("clone", "-q", address("ann", "ann/own.git"), "own")
  const before = await git("-C", "own", "rev-parse", "HEAD")
  await commit("own", "a.txt", "one\n", "One")
  const push = () => place.git(["-C", "own", "push", "-q"])
  const tip = async () => (await git("ls-remote", address("ann", "ann/own.git"), "refs/heads/main")).split("\t")[0]
  const { code, err } = await push()
  expect([code, err]).toEqual([1, expect.stringContaining("remote: never refs/heads/main")])
  expect([err, await tip()]).toEqual([expect.stringContaining("pre-receive hook declined"), before])

  await ask(200, "root", "PATCH /admin/users/ann", { allow_git_hook: true })
  await ask(204, "ann", `DELETE ${hooks}/pre-receive`)
  const seen = { content: `#!/bin/sh\nread -r before after ref\necho "seen $after $ref"\n` }
  await ask(200, "ann", `PATCH ${hooks}/post-receive`, seen)
  const pushed = await push()
  const after = await git("-C", "own", "rev-parse", "HEAD")
  expect([pushed.code, pushed.err]).toEqual([0, expect.stringContaining(`remote: seen ${after} refs/heads/main`)])
  expect(await tip()).toBe(after)
})

test("a protected branch rejects an unsigned commit that was pushed to an unprotected branch first", async () => {
  await ask(201, "ann", "POST /user/repos", { name: "signed", auto_init: true })
  await git("clone", "-q", address("ann", "ann/signed.git"), "signed")
  await commit("signed", "a.txt", "one\n", "Not signed")
  const rule = { enable_push: true, require_signed_commits: true }
  for (const rule_name of ["main", "release/*"]) {
    await ask(201, "ann", "POST /repos/ann/signed/branch_protections", { ...rule, rule_name })
  }
  const push = (ref: string) => place.git(["-C", "signed", "push", "-q", "origin", `HEAD:refs/heads/${ref}`])
  expect((await push("topic")).code).toBe(0)
  for (const ref of ["main", "release/1"]) {
    const { code, err } = await push(ref)
    expect([ref, code, err]).toEqual([ref, 1, expect.stringContaining("signature")])
  }
  await ask(403, "ann", "POST /repos/ann/signed/branches", { new_branch_name: "release/1", old_ref_name: "topic" })
  // The commits of main are older than its protection.
  await ask(201, "ann", "POST /repos/ann/signed/branches", { new_branch_name: "release/1", old_ref_name: "main" })
})

test("the forge accepts git push --mirror while a pull request is open, and keeps the commits of the pull request", async () => {
  await ask(201, "ann", "POST /user/repos", { name: "whole", auto_init: true })
  await git("clone", "-q", "--bare", address("ann", "ann/whole.git"), "whole.git")
  await git("clone", "-q", "whole.git", "whole")
  await git("-C", "whole", "checkout", "-q", "-b", "topic")
  await commit("whole", "a.txt", "one\n", "One")
  const head = await git("-C", "whole", "rev-parse", "HEAD")
  await git("-C", "whole", "push", "-q", "origin", "topic")
  const mirror = () => git("-C", "whole.git", "push", "-q", "--mirror", address("ann", "ann/whole.git"))
  await mirror()
  await ask(201, "ann", "POST /repos/ann/whole/pulls", { title: "One", head: "topic", base: "main" })
  expect(await git("ls-remote", address("ann", "ann/whole.git"), "refs/pull/*")).toBe(`${head}\trefs/pull/1/head`)
  await mirror()
  await git("-C", "whole.git", "update-ref", "-d", "refs/heads/topic")
  await mirror()
  expect(await git("ls-remote", address("ann", "ann/whole.git"), "refs/heads/topic", "refs/pull/*")).toBe(
    `${head}\trefs/pull/1/head`
  )
})

/** Requests a path verbatim: `fetch` and most URL parsers resolve dots before they send. */
const statusOfRaw = (user: string, path: string) =>
  new Promise<readonly [number | undefined, Json]>((resolve, reject) => {
    const authorization = `Basic ${Buffer.from(`${user}:${secrets.get(user)}`).toString("base64")}`
    const { hostname, port } = new URL(base)
    get({ hostname, port, path: `/api/v1${path}`, headers: { authorization } }, (response) => {
      const pieces: Array<Buffer> = []
      response.on("data", (piece: Buffer) => pieces.push(piece))
      response.on("end", () => resolve([response.statusCode, JSON.parse(Buffer.concat(pieces).toString())]))
    }).on("error", reject)
  })

test("a request for contents/. returns the root folder", async () => {
  await ask(201, "ann", "POST /user/repos", { name: "dots", auto_init: true })
  const names = (entries: Json) => entries.map(({ path }: { path: string }) => path)
  const repo = "/repos/ann/dots"
  const root = await statusOfRaw("ann", `${repo}/contents/.`)
  expect([root[0], names(root[1])]).toEqual([200, ["README.md"]])
  const extended = await statusOfRaw("ann", `${repo}/contents-ext/.`)
  expect([extended[0], names(extended[1].dir_contents)]).toEqual([200, ["README.md"]])
  const file = await statusOfRaw("ann", `${repo}/contents/./README.md`)
  expect([file[0], file[1].path]).toEqual([200, "README.md"])
  expect((await statusOfRaw("ann", `${repo}/contents/..`))[0]).toBe(404)
})
