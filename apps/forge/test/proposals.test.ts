import { execFileSync } from "node:child_process"
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ServiceProcesses } from "@slipway/http/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { workplace } from "./support/git.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
const password = "correct horse battery"
const place = workplace({
  GIT_SSH_COMMAND:
    'ssh -F /dev/null -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o IdentitiesOnly=yes -i "$HOME/key"'
})
const secrets = new Map([["root", password]])
let base = ""
let sshPort = 0

const address = (user: string, path = "ann/door.git") =>
  `${base.replace("://", `://${user}:${encodeURIComponent(secrets.get(user) ?? "")}@`)}/${path}`

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

const repo = "/repos/ann/door"
let commits = 0

/** Commits a change on a new branch from main, and returns its id. */
const change = async (branch: string, message: string, from = "origin/main") => {
  await git("-C", "work", "checkout", "-q", "-B", branch, from)
  appendFileSync(join(place.home, "work", `${branch}.txt`), `${commits++}\n`)
  await git("-C", "work", "add", "-A")
  await git("-C", "work", "commit", "-q", "-m", message)
  return await git("-C", "work", "rev-parse", "HEAD")
}

const push = (user: string, ref: string, ...options: ReadonlyArray<string>) =>
  place.git(["-C", "work", "push", address(user), ...options.flatMap((each) => ["-o", each]), ref])

const refs = async () =>
  (await git("ls-remote", address("ann")))
    .split("\n")
    .map((line) => line.split("\t")[1])
    .filter((ref) => ref?.startsWith("refs/"))

const pulls = async () => (await ask(200, "ann", `GET ${repo}/pulls?state=all&sort=oldest`)).length

beforeAll(async () => {
  const service = forge.start(forge.directory(), {
    FORGE_DATABASE_URL: "memory:",
    FORGE_ADMIN_USERNAME: "root",
    FORGE_ADMIN_PASSWORD: password
  })
  base = await service.listening()
  sshPort = Number((await service.said(/ssh:\/\/[^\s]*:(\d+)\//))[1])
  const withToken = async (username: string, scopes: ReadonlyArray<string> = ["all"]) => {
    secrets.set(username, password)
    secrets.set(username, (await ask(201, username, `POST /users/${username}/tokens`, { name: "test", scopes })).sha1)
  }
  await withToken("root")
  for (const username of ["ann", "bob", "eve"]) {
    const email = `${username}@example.com`
    await ask(201, "root", "POST /admin/users", { username, email, password, must_change_password: false })
    await withToken(username)
  }
  await ask(201, "ann", "POST /user/repos", { name: "door", auto_init: true })
  await ask(201, "ann", `POST ${repo}/branch_protections`, { rule_name: "main", required_approvals: 1 })
  await git("clone", "-q", address("bob"), "work")
})

afterAll(async () => {
  place.remove()
  await forge.end()
})

describe("a push to refs/for/", () => {
  test("opens a pull request for a user with read access, keeps the commit, and writes no branch", async () => {
    const before = await refs()
    const head = await change("paint", "Paint it red\n\nRed is a warm colour.")
    const { code, err } = await push("bob", "HEAD:refs/for/main", "topic=paint")
    expect([code, err]).toEqual([0, expect.stringContaining("remote: opened pull request #1: Paint it red")])
    expect(err).toContain("[new reference]   HEAD -> refs/pull/1/head")
    expect(await refs()).toEqual([...before, "refs/pull/1/head"])
    const pull = await ask(200, "eve", `GET ${repo}/pulls/1`)
    expect([pull.title, pull.body, pull.user.login, pull.state, pull.mergeable, pull.blocked_by]).toEqual([
      "Paint it red",
      "Red is a warm colour.",
      "bob",
      "open",
      false,
      ["approvals"]
    ])
    // Without a head repository, workflows give the commit no secrets.
    expect([pull.head.label, pull.head.ref, pull.head.sha, pull.head.repo_id, pull.head.repo]).toEqual([
      "bob/paint",
      "refs/pull/1/head",
      head,
      -1,
      null
    ])
    expect(await git("ls-remote", address("eve"), "refs/pull/1/head")).toBe(`${head}\trefs/pull/1/head`)
  })

  test("updates the pull request of the same user, topic and base branch", async () => {
    const head = await change("paint", "Paint it twice", "paint")
    const { code, err } = await push("bob", "HEAD:refs/for/main/paint", "title=Other")
    expect([code, err]).toEqual([0, expect.stringContaining("remote: updated pull request #1: Paint it red")])
    expect(err).toContain("remote: title and description apply only to a new pull request")
    const pull = await ask(200, "ann", `GET ${repo}/pulls/1`)
    expect([pull.head.sha, pull.title, await pulls()]).toEqual([head, "Paint it red", 1])
    const again = await push("bob", "HEAD:refs/for/main/paint")
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("pull request #1 has this commit already")])
  })

  test("replaces commits only with the option force-push, which makes approvals stale", async () => {
    const approved = (await ask(200, "ann", `GET ${repo}/pulls/1`)).head.sha
    await ask(200, "ann", `POST ${repo}/pulls/1/reviews`, { event: "APPROVED", commit_id: approved })
    const head = await change("paint", "Paint it once")
    const refused = await push("bob", "HEAD:refs/for/main", "topic=bob/paint")
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("add -o force-push")])
    expect((await ask(200, "ann", `GET ${repo}/pulls/1`)).head.sha).toBe(approved)
    const { code, err } = await push("bob", "HEAD:refs/for/main", "topic=bob/paint", "force-push")
    expect([code, err]).toEqual([0, expect.stringContaining("(forced update)")])
    const pull = await ask(200, "ann", `GET ${repo}/pulls/1`)
    expect([pull.head.sha, await pulls()]).toEqual([head, 1])
    expect((await ask(200, "ann", `GET ${repo}/pulls/1/reviews`))[0].stale).toBe(true)
  })

  test("takes title and description from options, also in Base64", async () => {
    await change("frame", "Frame")
    const description = `description={base64}${Buffer.from("two\nlines").toString("base64")}`
    expect((await push("eve", "HEAD:refs/for/main/paint", "title=A frame", description)).code).toBe(0)
    const pull = await ask(200, "ann", `GET ${repo}/pulls/2`)
    expect([pull.title, pull.body, pull.user.login, pull.head.label]).toEqual([
      "A frame",
      "two\nlines",
      "eve",
      "eve/paint"
    ])
  })

  test("rejects a push that does not identify one pull request, and changes nothing", async () => {
    const before = [await refs(), await pulls()]
    await change("knob", "Turn it")
    const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>, string]> = [
      ["HEAD:refs/for/main", [], "a topic is missing: add -o topic=<name>"],
      ["HEAD:refs/for/nowhere", ["topic=knob"], "there is no branch nowhere"],
      ["HEAD:refs/for/main/one", ["topic=two"], "the ref and -o topic name different topics: one and two"],
      ["HEAD:refs/for/main/knob", [`title=${"x".repeat(256)}`], "the title has more than 255 characters"],
      ["origin/main:refs/for/main/knob", [], "the base branch contains this commit"],
      ["HEAD^{tree}:refs/for/main/knob", [], "only a commit can be a pull request"]
    ]
    for (const [ref, options, reason] of cases) {
      const { code, err } = await push("bob", ref, ...options)
      expect([ref, code, err]).toEqual([ref, 1, expect.stringContaining(`[remote rejected]`)])
      expect([ref, err.replaceAll(/\s+/g, " ")]).toEqual([ref, expect.stringContaining(reason)])
    }
    const both = await place.git([
      ...["-C", "work", "push", "-o", "topic=knob", address("ann")],
      ...["HEAD:refs/heads/knob", "HEAD:refs/for/main"]
    ])
    expect([both.code, both.err]).toEqual([1, expect.stringContaining("push one ref below refs/for/")])
    expect([await refs(), await pulls()]).toEqual(before)
  })

  test("gives a reader no write access to branches, tags and refs of pull requests", async () => {
    const before = await refs()
    for (const ref of ["refs/heads/main", "refs/heads/new", "refs/tags/v1", "refs/pull/1/head", "refs/notes/commits"]) {
      const { code, err } = await push("bob", `+HEAD:${ref}`)
      expect([ref, code, err]).toEqual([ref, 1, expect.stringContaining("remote: you may not push to this repository")])
    }
    expect(await refs()).toEqual(before)
  })

  test("needs the permission to open a pull request, at the time of the push", async () => {
    await change("lock", "Lock it")
    const refused = async (user: string) => {
      const { code, err } = await push(user, "HEAD:refs/for/main/lock")
      return [code, /The requested URL returned error: (\d+)|remote: (.*)/.exec(err)?.[0]]
    }
    const before = await pulls()
    const token = secrets.get("bob") ?? ""
    secrets.set("bob", password)
    const reading = await ask(201, "bob", "POST /users/bob/tokens", { name: "r", scopes: ["read:repository"] })
    secrets.set("bob", reading.sha1)
    expect(await refused("bob")).toEqual([128, "remote: token does not have the required scope(s): write:repository"])
    secrets.set("bob", token)
    await ask(204, "ann", "PUT /user/blocks/eve")
    expect((await refused("eve"))[0]).toBe(128)
    await ask(204, "ann", "DELETE /user/blocks/eve")
    await ask(200, "ann", `PATCH ${repo}`, { has_pull_requests: false })
    expect((await refused("bob"))[0]).toBe(128)
    expect(String((await refused("ann"))[1]).trim()).toBe("remote: you may not open pull requests in this repository")
    await ask(200, "ann", `PATCH ${repo}`, { has_pull_requests: true, private: true })
    expect((await refused("bob"))[0]).toBe(128)
    await ask(200, "ann", `PATCH ${repo}`, { private: false, archived: true })
    expect((await refused("bob"))[0]).toBe(128)
    await ask(200, "ann", `PATCH ${repo}`, { archived: false })
    expect(await pulls()).toBe(before)
  })

  test("opens a pull request that merges like any other; the API cannot update its head", async () => {
    await ask(403, "bob", `POST ${repo}/pulls/2/update`)
    const { sha } = (await ask(200, "ann", `GET ${repo}/pulls/1`)).head
    await ask(200, "ann", `POST ${repo}/pulls/1/reviews`, { event: "APPROVED", commit_id: sha })
    await ask(200, "ann", `POST ${repo}/pulls/1/merge`, { Do: "merge", delete_branch_after_merge: true })
    expect((await ask(200, "ann", `GET ${repo}/pulls/1`)).merged).toBe(true)
    expect(await git("ls-remote", address("eve"), "refs/pull/1/head")).toBe(`${sha}\trefs/pull/1/head`)
    // The topic is free again.
    await git("-C", "work", "fetch", "-q", "origin")
    await change("paint", "Paint it blue")
    expect((await push("bob", "HEAD:refs/for/main/paint")).err).toContain("opened pull request #3: Paint it blue")
    // Closed and reopened, it is the same one.
    await ask(201, "bob", `PATCH ${repo}/pulls/3`, { state: "closed" })
    expect((await ask(201, "bob", `PATCH ${repo}/pulls/3`, { state: "open" })).state).toBe("open")
  })

  test("works over SSH, for users and not for deploy keys", async () => {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(place.home, "key")])
    const key = readFileSync(join(place.home, "key.pub"), "utf8")
    const overSsh = (ref: string) =>
      place.git(["-C", "work", "push", `ssh://git@127.0.0.1:${sshPort}/ann/door.git`, ref])
    await change("handle", "Handle")
    const deploy = await ask(201, "ann", `POST ${repo}/keys`, { title: "deploy", key, read_only: true })
    expect((await overSsh("HEAD:refs/for/main/handle")).code).toBe(128)
    await ask(204, "ann", `DELETE ${repo}/keys/${deploy.id}`)
    await ask(201, "bob", "POST /user/keys", { title: "laptop", key })
    const { code, err } = await overSsh("HEAD:refs/for/main/handle")
    expect([code, err]).toEqual([0, expect.stringContaining("opened pull request #4: Handle")])
    const refused = await overSsh("HEAD:refs/heads/handle")
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("you may not push to this repository")])
  })
})
