import { randomBytes } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ServiceProcesses } from "@slipway/http/testing"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { workplace } from "./support/git.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
const password = "correct horse battery"
const ann = workplace()
let base = ""
let stderrOf = () => ""
let send: (method: string, path: string, body?: unknown) => Promise<{ status: number; json: Json }>

const basic = (name: string, secret: string) => `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`
const address = (path: string, user = `ann:${encodeURIComponent(password)}`) =>
  `${base.replace("://", `://${user}${user === "" ? "" : "@"}`)}/${path}`

beforeAll(async () => {
  const service = forge.start(forge.directory(), {
    FORGE_DATABASE_URL: "memory:",
    FORGE_ADMIN_USERNAME: "ann",
    FORGE_ADMIN_PASSWORD: password,
    FORGE_SSH_PORT: "off",
    FORGE_GIT_MAX_OBJECT: "1",
    FORGE_GIT_MAX_PUSH: "2",
    FORGE_GIT_MAX_REPOSITORY: "3",
    FORGE_ALLOW_PRIVATE_ADDRESSES: "true"
  })
  base = await service.listening()
  stderrOf = () => service.stderr
  send = async (method, path, body) => {
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: { authorization: basic("ann", password), "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, json: text === "" ? undefined : JSON.parse(text) }
  }
})

afterAll(async () => {
  ann.remove()
  expect(stderrOf()).toBe("")
  await forge.end()
})

const commit = async (folder: string, file: string, text: string) => {
  writeFileSync(join(ann.home, folder, file), text)
  await ann.git(["-C", folder, "add", "-A"])
  await ann.git(["-C", folder, "commit", "-q", "-m", `change ${file}`])
  return (await ann.git(["-C", folder, "rev-parse", "HEAD"])).out.trim()
}

describe("git over HTTP", () => {
  test("supports clones, pushes, forced pushes and deletions of branches and tags, with an event for each push", async () => {
    await send("POST", "/user/repos", { name: "tools" })
    expect(await ann.git(["clone", "-q", address("ann/tools.git"), "tools"])).toMatchObject({ code: 0 })
    const first = await commit("tools", "a.txt", "one\n")
    const push = (...args: ReadonlyArray<string>) => ann.git(["-C", "tools", "push", ...args])
    expect(await push("origin", "HEAD:refs/heads/trunk")).toMatchObject({ code: 0 })
    const { json } = await send("GET", "/repos/ann/tools")
    expect({ empty: json.empty, branch: json.default_branch }).toEqual({ empty: false, branch: "trunk" })
    await ann.git(["-C", "tools", "tag", "v1"])
    await ann.git(["-C", "tools", "branch", "side"])
    expect(await push("origin", "v1", "side")).toMatchObject({ code: 0 })
    await ann.git(["-C", "tools", "commit", "-q", "--amend", "-m", "again"])
    expect((await push("origin", "HEAD:refs/heads/side")).code).not.toBe(0)
    expect(await push("--force", "origin", "HEAD:refs/heads/side")).toMatchObject({ code: 0 })
    expect(await push("origin", ":refs/heads/side")).toMatchObject({ code: 0 })
    expect(await push("origin", ":refs/heads/trunk")).toMatchObject({
      code: 1,
      err: expect.stringContaining("refs/heads/trunk: the default branch cannot be deleted")
    })
    // A job sets HEAD after the first push.
    await vi.waitFor(
      async () => {
        const refs = await ann.git(["ls-remote", address("ann/tools")])
        expect(refs.out).toBe(`${first}\tHEAD\n${first}\trefs/heads/trunk\n${first}\trefs/tags/v1\n`)
      },
      { timeout: 20_000 }
    )
    const { json: events } = await send("GET", "/admin/audit?action=git.push&limit=50")
    expect(events.map((each: Json) => [each.details.ref, each.details.refs, each.details.commits])).toEqual([
      ["refs/heads/side", 1, 0],
      ["refs/heads/side", 1, 1],
      ["refs/tags/v1", 2, 0],
      ["refs/heads/trunk", 1, 1]
    ])
  })

  test("B1, I2, I4: a credential has the same permissions in every header format, and hidden repositories look missing", async () => {
    const token = async (name: string, ...scopes: ReadonlyArray<string>) =>
      (await send("POST", "/users/ann/tokens", { name, scopes })).json.sha1 as string
    const tokens = {
      reading: await token("reading", "read:repository"),
      other: await token("other", "write:user"),
      limited: await token("limited", "write:repository", "public-only")
    }
    await send("POST", "/user/repos", { name: "open", auto_init: true })
    await send("POST", "/user/repos", { name: "closed", auto_init: true, private: true })
    const ask = async (path: string, authorization?: string, service = "git-upload-pack") => {
      const answer = await fetch(`${base}/ann/${path}/info/refs?service=${service}`, {
        redirect: "manual",
        headers: authorization === undefined ? {} : { authorization }
      })
      return [answer.status, (await answer.text()).split("\n")[0]] as const
    }
    const ways = (secret: string) => [`token ${secret}`, `Bearer ${secret}`, basic("ann", secret), basic(secret, "x")]
    const refused = (what: string) => [403, `token does not have the required scope(s): ${what}`]
    const announced = [200, "001e# service=git-upload-pack"]
    for (const way of ways(tokens.reading)) {
      expect(await ask("closed.git", way)).toEqual(announced)
      expect(await ask("closed", way, "git-receive-pack")).toEqual(refused("write:repository"))
    }
    for (const way of ways(tokens.other)) expect(await ask("open.git", way)).toEqual(refused("read:repository"))
    for (const way of ways(tokens.limited)) {
      expect(await ask("open.git", way)).toEqual(announced)
      expect((await ask("closed.git", way))[0]).toBe(403)
    }
    expect(await ask("open.git")).toEqual(announced)
    const asked = [401, "sign in with your name and a token, or check the address"]
    expect(await ask("open.git", undefined, "git-receive-pack")).toEqual(asked)
    for (const path of ["closed.git", "nothing.git", "closed.wiki.git"]) expect(await ask(path)).toEqual(asked)
    expect(await ask("closed.git", basic("ann", "wrong"))).toEqual([401, "invalid username, password or token"])
    expect(await ask("open.git", undefined, "")).toEqual([
      403,
      "this server only supports git's smart HTTP protocol: use git 1.6.6 or newer, without a proxy that breaks the protocol"
    ])
  })

  test("wikis are cloned and pushed with permission on their unit, and read as pages", async () => {
    await send("POST", "/user/repos", { name: "book" })
    const wiki = address("ann/book.wiki.git")
    expect((await ann.git(["ls-remote", wiki])).err).toContain("not found")
    expect((await ann.git(["ls-remote", address("ann/book.wiki.git", "")])).code).not.toBe(0)
    await ann.git(["init", "-q", "-b", "master", "book"])
    const first = await commit("book", "Home.md", "# Book\n")
    expect(await ann.git(["-C", "book", "push", "-q", wiki, "master"])).toMatchObject({ code: 0 })
    const { json } = await send("GET", "/repos/ann/book/wiki/page/Home")
    expect([Buffer.from(json.content_base64, "base64").toString(), json.last_commit.sha]).toEqual(["# Book\n", first])
    await send("POST", "/repos/ann/book/wiki/new", { title: "Two words", content_base64: "dHdv" })
    expect(await ann.git(["clone", "-q", wiki, "cloned"])).toMatchObject({ code: 0 })
    expect((await ann.git(["-C", "cloned", "ls-files"])).out).toBe("Home.md\nTwo-words.md\n")
    expect((await ann.git(["-C", "cloned", "push", "origin", ":master"])).err).toContain("default branch")
    await send("PATCH", "/repos/ann/book", { name: "novel" })
    expect((await ann.git(["-C", "cloned", "pull"])).code).toBe(0)
    await send("PATCH", "/repos/ann/novel", { has_wiki: false })
    expect((await ann.git(["-C", "cloned", "pull"])).code).not.toBe(0)
    const { json: events } = await send("GET", "/admin/audit?action=git.wiki.push")
    expect(events.map((each: Json) => each.details.commits)).toEqual([1, 1])
  })

  test("a repository can be migrated with its wiki, mirrored, and pushed to another repository", async () => {
    await send("POST", "/user/repos", { name: "source", auto_init: true, private: true })
    await send("POST", "/repos/ann/source/branches", { new_branch_name: "side" })
    await send("POST", "/repos/ann/source/wiki/new", { title: "Home", content_base64: "aGk=" })
    const signIn = { auth_username: "ann", auth_password: password }
    const from = { clone_addr: `${base}/ann/source.git`, ...signIn, wiki: true }
    const copied = await send("POST", "/repos/migrate", { ...from, repo_name: "copy" })
    expect([copied.status, copied.json.mirror, copied.json.empty]).toEqual([201, false, false])
    expect(copied.json.original_url).toBe(`${base}/ann/source.git`)
    const followed = await send("POST", "/repos/migrate", { ...from, repo_name: "follower", mirror: true })
    expect([followed.status, followed.json.mirror, followed.json.mirror_interval]).toEqual([201, true, "8h0m0s"])
    const said = async (name: string) =>
      Promise.all(
        ["branches", "commits", "contents/README.md", "wiki/page/Home"].map(async (path) => {
          const text = JSON.stringify((await send("GET", `/repos/ann/${name}/${path}`)).json)
          return text.replaceAll(`/ann/${name}/`, "/ann/X/").replaceAll(`/ann/${name}"`, '/ann/X"')
        })
      )
    const source = await said("source")
    expect(await said("copy")).toEqual(source)
    expect(await said("follower")).toEqual(source)
    const { json: progress } = await send("GET", "/repos/ann/copy/migration")
    expect([progress.state, progress.mirror, progress.last_error]).toEqual(["done", false, ""])
    await send("POST", "/user/repos", { name: "target" })
    await send("POST", "/repos/ann/copy/push_mirrors", {
      remote_address: `${base}/ann/target.git`,
      remote_username: "ann",
      remote_password: password,
      sync_on_commit: true
    })
    await expect
      .poll(async () => (await send("GET", "/repos/ann/target/branches")).json?.length, { timeout: 60_000 })
      .toBe(2)
    const missing = await send("POST", "/repos/migrate", {
      ...from,
      clone_addr: `${base}/ann/missing.git`,
      repo_name: "none"
    })
    expect([missing.status, (await send("GET", "/repos/ann/none")).status]).toEqual([422, 404])
  })

  test("a renamed repository redirects, shallow and partial clones work, and aborted bodies change nothing", async () => {
    await send("POST", "/user/repos", { name: "before", auto_init: true })
    await send("PATCH", "/repos/ann/before", { name: "after" })
    const cloned = await ann.git(["clone", "-q", "--depth=1", address("ann/before.git"), "shallow"])
    expect(cloned).toMatchObject({ code: 0 })
    const partial = [
      "clone",
      "-q",
      "--filter=blob:none",
      "-c",
      "protocol.version=0",
      address("ann/after.git"),
      "partial"
    ]
    expect(await ann.git(partial)).toMatchObject({ code: 0 })
    await commit("partial", "b.txt", "two\n")
    expect(await ann.git(["-C", "partial", "push", "-q"])).toMatchObject({ code: 0 })
    const half = await fetch(`${base}/ann/after.git/git-receive-pack`, {
      method: "POST",
      headers: { authorization: basic("ann", password), "content-type": "application/x-git-receive-pack-request" },
      body: `00a0${"0".repeat(40)}`
    })
    await half.text()
    const { out } = await ann.git(["ls-remote", "--heads", address("ann/after.git")])
    expect(out.split("\n")).toHaveLength(2)
  })

  test("B9: LFS files are uploaded once, verified and locked, and LFS files of another repository are not found", async () => {
    await send("POST", "/user/repos", { name: "large", auto_init: true })
    await send("POST", "/user/repos", { name: "else", auto_init: true })
    await ann.git(["clone", "-q", address("ann/large.git"), "large"])
    const lfs = (...args: ReadonlyArray<string>) => ann.git(["-C", "large", "lfs", ...args])
    await lfs("install", "--local")
    await lfs("track", "*.bin")
    await commit("large", "a.bin", "x".repeat(300_000))
    expect(await ann.git(["-C", "large", "push", "-q"])).toMatchObject({ code: 0 })
    expect(await ann.git(["clone", "-q", address("ann/large.git"), "again"])).toMatchObject({ code: 0 })
    const oid = (await ann.git(["-C", "large", "show", "HEAD:a.bin"])).out.match(/sha256:([0-9a-f]{64})/)?.[1] as string
    const headers = { authorization: basic("ann", password), "content-type": "application/vnd.git-lfs+json" }
    const batch = async (repository: string, operation: string) => {
      const answer = await fetch(`${base}/ann/${repository}.git/info/lfs/objects/batch`, {
        method: "POST",
        headers,
        body: JSON.stringify({ operation, objects: [{ oid, size: 300_000 }] })
      })
      const { objects } = (await answer.json()) as Json
      return Object.keys({ ...objects[0].actions, ...(objects[0].error === undefined ? {} : { error: 0 }) })
    }
    expect(await batch("large", "download")).toEqual(["download"])
    expect(await batch("large", "upload")).toEqual([])
    expect(await batch("else", "download")).toEqual(["error"])
    expect(await batch("else", "upload")).toEqual(["upload", "verify"])
    const object = `info/lfs/objects/${oid}`
    expect((await fetch(`${base}/ann/else.git/${object}`, { headers })).status).toBe(404)
    expect((await (await fetch(`${base}/ann/large.git/${object}`, { headers })).text()).length).toBe(300_000)
    const wrong = await fetch(`${base}/ann/else.git/${object}`, { method: "PUT", headers, body: "other" })
    expect([wrong.status, await wrong.json()]).toEqual([422, { message: "the bytes do not match the object name" }])
    expect((await lfs("lock", "a.bin")).out).toContain("Locked a.bin")
    expect((await lfs("locks")).out).toMatch(/^a\.bin\s+ann\s+ID:1\n$/)
    expect((await lfs("unlock", "a.bin")).out).toContain("Unlocked a.bin")
  })

  test("push options change the repository only for its administrators, and object ids may be SHA-256", async () => {
    await send("POST", "/user/repos", { name: "wide", auto_init: true, object_format_name: "sha256" })
    await send("POST", "/admin/users", {
      username: "bob",
      email: "bob@example.com",
      password,
      must_change_password: false
    })
    await send("PUT", "/repos/ann/wide/collaborators/bob", { permission: "write" })
    expect(await ann.git(["clone", "-q", address("ann/wide.git"), "wide"])).toMatchObject({ code: 0 })
    const push = (user: string, ...options: ReadonlyArray<string>) =>
      ann.git([
        "-C",
        "wide",
        "push",
        ...options.map((each) => `--push-option=${each}`),
        address("ann/wide.git", user),
        "HEAD"
      ])
    const state = async () => {
      const { json } = await send("GET", "/repos/ann/wide")
      return [json.private, json.template, json.object_format_name]
    }
    expect(await commit("wide", "a.txt", "one\n")).toMatch(/^[0-9a-f]{64}$/)
    expect(await push(`bob:${encodeURIComponent(password)}`, "repo.private=true", "repo.template")).toMatchObject({
      code: 0,
      err: expect.stringContaining("push options are ignored: they need admin permission on the repository")
    })
    expect(await state()).toEqual([false, false, "sha256"])
    await commit("wide", "a.txt", "two\n")
    const pushed = await push(`ann:${encodeURIComponent(password)}`, "repo.private=true", "ci.skip")
    expect(pushed).toMatchObject({ code: 0, err: expect.not.stringContaining("push options") })
    expect(await state()).toEqual([true, false, "sha256"])
    const { json } = await send("GET", "/admin/audit?limit=3")
    expect(json.map((each: Json) => each.action)).toEqual(["repository.edit", "git.push", "git.push"])
    expect((await send("GET", "/repos/ann/wide/contents/a.txt")).json.content).toBe("dHdvCg==")
  })

  test("oversized objects, pushes and repositories are rejected, by the API too, and nothing changes", async () => {
    await send("POST", "/user/repos", { name: "full", auto_init: true })
    await ann.git(["clone", "-q", address("ann/full.git"), "full"])
    const first = (await ann.git(["-C", "full", "rev-parse", "HEAD"])).out.trim()
    const tip = async () => (await ann.git(["ls-remote", address("ann/full.git"), "refs/heads/main"])).out.slice(0, 40)
    const push = () => ann.git(["-C", "full", "push", "-q"])
    const undo = () => ann.git(["-C", "full", "reset", "-q", "--hard", "@{upstream}"])
    const mebibyte = 1024 * 1024
    // A few kilobytes on the wire, and more than a mebibyte unpacked.
    await commit("full", "zeros", "0".repeat(mebibyte + 1))
    expect((await push()).err).toMatch(/the object [0-9a-f]{40} has 1 MiB; the limit is 1 MiB/)
    expect(await tip()).toBe(first)
    await undo()
    const bytes = () => randomBytes(700_000).toString("latin1")
    for (const name of ["a", "b", "c"]) writeFileSync(join(ann.home, "full", name), bytes(), "latin1")
    await commit("full", "d", "")
    expect((await push()).err).toContain("pack exceeds maximum allowed size")
    expect(await tip()).toBe(first)
    await undo()
    let last = first
    for (const name of ["a", "b", "c", "d"]) {
      writeFileSync(join(ann.home, "full", name), bytes(), "latin1")
      last = await commit("full", "e", name)
      expect(await push(), name).toMatchObject({ code: 0, err: "" })
    }
    writeFileSync(join(ann.home, "full", "f"), bytes(), "latin1")
    await commit("full", "e", "f")
    expect((await push()).err).toMatch(/the repository would have 3\.\d MiB; the limit is 3 MiB/)
    const content = Buffer.alloc(mebibyte + 1).toString("base64")
    expect((await send("POST", "/repos/ann/full/contents/zeros", { content, message: "m" })).status).toBe(403)
    expect(await tip()).toBe(last)
  })

  test("I18: a push is rejected only for the refs that a protection rule denies, with the name of the rule", async () => {
    await send("POST", "/user/repos", { name: "ruled", auto_init: true })
    await ann.git(["clone", "-q", address("ann/ruled.git"), "ruled"])
    const first = await commit("ruled", "a.txt", "one\n")
    const names = ["forced", "signed", "files", "shut", "kept", "free"]
    const refs = names.map((name) => `HEAD:refs/heads/${name}`)
    expect(await ann.git(["-C", "ruled", "push", "-q", "origin", ...refs])).toMatchObject({ code: 0 })
    const rules = {
      forced: { enable_push: true },
      signed: { enable_push: true, require_signed_commits: true },
      files: { enable_push: true, protected_file_patterns: "locked/**" },
      shut: { enable_push: false },
      kept: { enable_push: true }
    }
    for (const [rule_name, rule] of Object.entries(rules)) {
      expect((await send("POST", "/repos/ann/ruled/branch_protections", { rule_name, ...rule })).status).toBe(201)
    }
    const tag = { name_pattern: "v*", whitelist_usernames: [] }
    expect((await send("POST", "/repos/ann/ruled/tag_protections", tag)).status).toBe(201)
    mkdirSync(join(ann.home, "ruled", "locked"))
    const next = await commit("ruled", "locked/a.txt", "two\n")
    await ann.git(["-C", "ruled", "checkout", "-q", "--orphan", "other"])
    const other = await commit("ruled", "b.txt", "three\n")
    const pushed = await ann.git([
      ...["-C", "ruled", "push", "--porcelain", "origin", `+${other}:refs/heads/forced`, `${next}:refs/heads/signed`],
      ...[`${next}:refs/heads/files`, `${next}:refs/heads/shut`, ":refs/heads/kept", `${next}:refs/tags/v1`],
      ...[`${next}:refs/heads/free`, `${next}:refs/tags/w1`]
    ])
    expect(pushed.err.match(/refs\/\S+: .*?(?=\s*$)/gm)).toEqual([
      "refs/heads/files: the rule `files` protects the file locked/a.txt",
      "refs/heads/forced: the rule `forced` does not allow you to rewrite it",
      "refs/heads/kept: the rule `kept` does not allow deleting it",
      "refs/heads/shut: the rule `shut` does not allow you to push to it",
      `refs/heads/signed: the rule \`signed\` requires signed commits, and ${next} has no valid signature`,
      "refs/tags/v1: the rule `v*` protects the tag"
    ])
    const { out } = await ann.git(["ls-remote", address("ann/ruled.git"), "refs/heads/*", "refs/tags/*"])
    const present = Object.fromEntries(
      out
        .trim()
        .split("\n")
        .map((row) => row.split("\t").reverse())
    )
    expect(present).toMatchObject({
      "refs/heads/forced": first,
      "refs/heads/signed": first,
      "refs/heads/files": first,
      "refs/heads/shut": first,
      "refs/heads/kept": first,
      "refs/heads/free": next,
      "refs/tags/w1": next
    })
    expect(present).not.toHaveProperty("refs/tags/v1")
  })

  test("SHA-256 repositories are cloned, fetched, pushed, forced, deleted, tagged and read like SHA-1 ones", async () => {
    await send("POST", "/user/repos", { name: "long", object_format_name: "sha256" })
    await ann.git(["init", "-q", "-b", "main", "--object-format=sha256", "long"])
    await ann.git(["-C", "long", "remote", "add", "origin", address("ann/long.git")])
    const push = (...args: ReadonlyArray<string>) => ann.git(["-C", "long", "push", "-q", "origin", ...args])
    const first = await commit("long", "a.txt", "one\n")
    await ann.git(["-C", "long", "tag", "-a", "-m", "first", "v1"])
    expect(await push("main", "main:side", "v1")).toMatchObject({ code: 0 })
    expect(await ann.git(["clone", "-q", "--depth=1", address("ann/long.git"), "long-copy"])).toMatchObject({ code: 0 })
    const second = await commit("long", "b.txt", "two\n")
    expect(await push("main")).toMatchObject({ code: 0 })
    expect(await ann.git(["-C", "long-copy", "pull", "-q"])).toMatchObject({ code: 0 })
    expect((await ann.git(["-C", "long-copy", "rev-parse", "HEAD"])).out.trim()).toBe(second)
    await ann.git(["-C", "long", "reset", "-q", "--hard", first])
    const third = await commit("long", "c.txt", "three\n")
    expect((await push("main")).err).toContain("rejected")
    expect(await push("+main", ":side")).toMatchObject({ code: 0 })
    const read = async (path: string) => (await send("GET", `/repos/ann/long/${path}`)).json
    expect((await read("branches")).map((each: Json) => [each.name, each.commit.id])).toEqual([["main", third]])
    expect((await read("commits?stat=false")).map((each: Json) => each.sha)).toEqual([third, first])
    expect((await read(`compare/${first}...main`)).commits.map((each: Json) => each.sha)).toEqual([third])
    expect((await read("tags"))[0]).toMatchObject({ name: "v1", commit: { sha: first } })
    const tree = (await ann.git(["-C", "long", "ls-tree", "HEAD"])).out
    expect(
      (await read("git/trees/main")).tree.map((each: Json) => `${each.mode} ${each.type} ${each.sha}\t${each.path}`)
    ).toEqual(tree.trim().split("\n"))
    const changed = await send("POST", "/repos/ann/long/contents/d.txt", { content: "ZA==", message: "d" })
    expect(changed.json.commit.sha).toMatch(/^[0-9a-f]{64}$/)
    expect(await ann.git(["-C", "long", "pull", "-q", "--rebase", "origin", "main"])).toMatchObject({ code: 0 })
    expect((await ann.git(["-C", "long", "fsck", "--full"])).code).toBe(0)
    // SHA-1 objects are rejected.
    await ann.git(["init", "-q", "-b", "main", "short"])
    await commit("short", "a.txt", "one\n")
    expect(
      (await ann.git(["-C", "short", "push", "-q", address("ann/long.git"), "HEAD:refs/heads/short"])).err
    ).toContain("fatal")
    expect((await read("branches")).map((each: Json) => each.name)).toEqual(["main"])
  })

  test("exactly one of several concurrent pushes to a ref succeeds, and the others leave nothing", async () => {
    await send("POST", "/user/repos", { name: "race", auto_init: true })
    const racers = ["race-1", "race-2", "race-3", "race-4"]
    const commits: Array<string> = []
    for (const racer of racers) {
      await ann.git(["clone", "-q", address("ann/race.git"), racer])
      commits.push(await commit(racer, "a.txt", `${racer}\n`))
    }
    const ran = await Promise.all(racers.map((racer) => ann.git(["-C", racer, "push", "-q"])))
    const winners = commits.filter((_, at) => ran[at]?.code === 0)
    expect(winners).toHaveLength(1)
    const { out } = await ann.git(["ls-remote", address("ann/race.git")])
    expect(out).toBe(`${winners[0]}\tHEAD\n${winners[0]}\trefs/heads/main\n`)
    const { json: events } = await send("GET", "/repos/ann/race/activities/feeds")
    expect(events.filter((each: Json) => each.op_type === "commit_repo")).toHaveLength(1)
  })

  test("the languages, license and editorconfig of pushed code are detected, and its notes can be fetched", async () => {
    await send("POST", "/user/repos", { name: "told", auto_init: true, license: "MIT" })
    await ann.git(["clone", "-q", address("ann/told.git"), "told"])
    const files = { "a.ts": "let a = 1\n", "b.py": "b = 1\n", "c.md": "# c\n", "vendor/d.js": "d()\n", "e.ts": "\n" }
    mkdirSync(join(ann.home, "told", "vendor"))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(ann.home, "told", name), text)
    const tip = await commit("told", ".editorconfig", "[*]\nindent_style = tab\n[*.{md,py}]\nindent_size = 2\n")
    await ann.git(["-C", "told", "notes", "add", "-m", "Seen"])
    const refs = ["HEAD", "refs/notes/commits"]
    expect(await ann.git(["-C", "told", "push", "-q", "origin", ...refs])).toMatchObject({ code: 0 })
    const read = async (path: string) => (await send("GET", `/repos/ann/told/${path}`)).json
    expect(await read("languages")).toEqual({ TypeScript: 11, Python: 6 })
    expect(await read("licenses")).toEqual(["MIT"])
    expect(await read("editorconfig/b.py")).toEqual({ indent_style: "tab", indent_size: 2, tab_width: 2 })
    expect(await read("editorconfig/a.ts")).toEqual({ indent_style: "tab", indent_size: "tab" })
    expect(await read(`git/notes/${tip}`)).toMatchObject({
      message: "Seen\n",
      commit: { commit: { author: { name: "Ann" } } }
    })
    const got = await fetch(`${base}/ann/told/raw/commit/${tip}/a.ts`, { headers: { range: "bytes=4-" } })
    expect([got.status, await got.text(), got.headers.get("content-range")]).toEqual([206, "a = 1\n", "bytes 4-9/10"])
    expect(got.headers.get("cache-control")).toBe("private, max-age=86400")
    const [blob] = (await ann.git(["-C", "told", "rev-parse", "HEAD:a.ts"])).out.split("\n")
    expect(got.headers.get("etag")).toBe(`"${blob}"`)
  })
})
