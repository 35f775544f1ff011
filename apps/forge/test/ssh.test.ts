import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RepositoryId, SiteSettings } from "@slipway/domain/forge/base"
import { GitRepositories, ProtectionStore, PushStore, RepositoryStore, strictRules } from "@slipway/domain/forge/code"
import { type KeyHolder, PublicKeyReader, SshKeyStore, UserStore } from "@slipway/domain/forge/identity"
import { layerBackground } from "@slipway/forge/background"
import { layerGitObjects, layerGitRepositories, layerGitTransport } from "@slipway/git/forge"
import { layer as memory } from "@slipway/memory/forge"
import { hostKey, layerPublicKeyReader, serveSsh } from "@slipway/ssh/forge"
import { layerRecognition, layerWorkflowReader } from "@slipway/templates"
import { newRepository, newUser } from "@slipway/testkit/forge"
import { Effect, Exit, Layer, ManagedRuntime, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { workplace } from "./support/git.ts"

const root = mkdtempSync(join(tmpdir(), "slipway-test-ssh-"))
const runtime = ManagedRuntime.make(
  Layer.provideMerge(
    layerBackground,
    Layer.mergeAll(
      memory,
      layerPublicKeyReader,
      layerRecognition,
      layerWorkflowReader,
      SiteSettings.layer(),
      layerGitObjects(join(root, "git")),
      layerGitRepositories(join(root, "git")),
      layerGitTransport(join(root, "git"))
    )
  )
)
const scope = Effect.runSync(Scope.make())
let port = 0
const ids = { mine: 0 as RepositoryId, other: 0 as RepositoryId }
const people: Record<string, ReturnType<typeof workplace>> = {}

const run = (program: string, args: ReadonlyArray<string>): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    execFile(program, args, { env: { PATH: process.env.PATH, HOME: root } }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err })
    ).stdin?.end()
  })

const options = (name: string): ReadonlyArray<string> => [
  "-F",
  "/dev/null",
  "-o",
  "StrictHostKeyChecking=no",
  "-o",
  `UserKnownHostsFile=${join(root, "known")}`,
  "-o",
  "IdentitiesOnly=yes",
  "-o",
  "LogLevel=ERROR",
  "-i",
  join(root, name)
]

const ssh = (name: string, ...args: ReadonlyArray<string>) =>
  run("ssh", [...options(name), "-p", String(port), "git@127.0.0.1", ...args])

const url = (path: string) => `ssh://git@127.0.0.1:${port}/${path}`

/** Creates a key with a workplace for its user; the forge knows it only if a holder is given. */
const person = async (name: string, holder?: KeyHolder, kind: ReadonlyArray<string> = ["-t", "ed25519"]) => {
  await run("ssh-keygen", ["-q", ...kind, "-N", "", "-C", name, "-f", join(root, name)])
  people[name] = workplace({ GIT_SSH_COMMAND: ["ssh", ...options(name)].join(" ") })
  if (holder === undefined) return
  await runtime.runPromise(
    Effect.gen(function* () {
      const { comment, fingerprint, publicKey } = yield* (yield* PublicKeyReader).read(
        readFileSync(join(root, `${name}.pub`), "utf8")
      )
      const key = { holder, title: name, publicKey, comment, fingerprint, createdAt: "2026-01-02T03:04:05.678Z" }
      yield* (yield* SshKeyStore).insert(key)
    })
  )
}

const git = (name: string, ...args: ReadonlyArray<string>) => (people[name] as ReturnType<typeof workplace>).git(args)

beforeAll(async () => {
  const made = await runtime.runPromise(
    Effect.gen(function* () {
      const ann = yield* (yield* UserStore).insert(newUser(1))
      const bob = yield* (yield* UserStore).insert(newUser(2))
      const repositories = yield* RepositoryStore
      const owner = { kind: "user", id: ann.id } as const
      const mine = yield* repositories.insert(newRepository(1, owner, { name: "mine", private: true, empty: true }))
      const other = yield* repositories.insert(newRepository(2, owner, { name: "other", empty: true }))
      for (const each of [mine, other]) {
        const begin = { defaultBranch: each.defaultBranch as never, commit: undefined, madeAt: each.createdAt }
        yield* (yield* GitRepositories).create(each.id, begin)
      }
      const key = yield* hostKey(join(root, "host.key"))
      const lfs = () => Effect.succeed("{}")
      const port = yield* serveSsh({ host: "127.0.0.1", port: 0, hostKey: key, lfs }).pipe(Scope.provide(scope))
      return { ann, bob, mine, other, port }
    })
  )
  port = made.port
  ids.mine = made.mine.id
  ids.other = made.other.id
  await person("ann", { kind: "user", userId: made.ann.id })
  await person("bob", { kind: "user", userId: made.bob.id }, ["-t", "rsa", "-b", "2048"])
  await person("reader", { kind: "repository", repositoryId: made.mine.id, readOnly: true })
  await person("writer", { kind: "repository", repositoryId: made.mine.id, readOnly: false }, ["-t", "ecdsa"])
  await person("stranger")
  await git("ann", "init", "-q", "-b", "main", "work")
  await git("ann", "-C", "work", "commit", "-q", "--allow-empty", "-m", "first")
})

afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await runtime.dispose()
  for (const each of Object.values(people)) each.remove()
  rmSync(root, { recursive: true, force: true })
})

const owner = newUser(1).name

describe("git over SSH", () => {
  test("greets the user by name, and runs only git", async () => {
    expect(await ssh("ann", "-T")).toEqual({
      code: 1,
      out: `Hello, ${owner}! You are authenticated, but this server provides no shell access.\r\n`,
      err: ""
    })
    for (const command of ["id", "git-upload-pack", "git-upload-pack 'x'; id", "git-upload-pack --help", "git gc"]) {
      expect(await ssh("ann", command)).toEqual({
        code: 128,
        out: "",
        err: "slipway: only git commands are allowed: git clone, fetch, push and LFS\n"
      })
    }
    expect((await ssh("stranger", "-T")).err).toContain("Permission denied (publickey)")
    expect((await run("ssh", [...options("ann"), "-p", String(port), "root@127.0.0.1", "-T"])).code).toBe(255)
  })

  test("I3: gives the same answers as other protocols for own, hidden and read-only repositories and for deploy keys", async () => {
    const push = (name: string, path: string) =>
      git(name, "-C", "work", "push", "-q", url(path), "HEAD:refs/heads/main")
    expect(await push("ann", `${owner}/mine.git`)).toMatchObject({ code: 0, err: "" })
    expect(await git("ann", "clone", "-q", url(`${owner}/mine`), "copy")).toMatchObject({ code: 0, err: "" })
    const tip = (await git("ann", "-C", "work", "rev-parse", "HEAD")).out.trim()
    const look = async (name: string, path: string) => {
      const { err, out } = await git(name, "ls-remote", url(path), "refs/heads/main")
      return out === "" ? err.split("\n")[0] : out.split("\t")[0]
    }
    const hidden = "slipway: the repository does not exist, or you have no access to it"
    expect(await look("bob", `${owner}/mine.git`)).toBe(hidden)
    expect(await look("bob", `${owner}/nothing.git`)).toBe(hidden)
    expect(await look("reader", `${owner}/mine.git`)).toBe(tip)
    expect(await look("writer", `${owner}/mine.git`)).toBe(tip)
    expect(await look("writer", `${owner}/other.git`)).toBe(hidden)
    for (const name of ["reader", "writer"]) {
      await git(name, "clone", "-q", url(`${owner}/mine.git`), "work")
      await git(name, "-C", "work", "commit", "-q", "--allow-empty", "-m", name)
    }
    expect((await push("reader", `${owner}/mine.git`)).err).toContain(
      "user should have a permission to write to a repo"
    )
    expect(await push("writer", `${owner}/mine.git`)).toMatchObject({ code: 0 })
    const { rows } = await runtime.runPromise(
      Effect.flatMap(PushStore, (store) => store.list(ids.mine, { page: 1, perPage: 10 }))
    )
    expect(rows.map(({ event, refs }) => [event.signedInWith, refs[0]?.commits[0]?.subject])).toEqual([
      [{ kind: "key", id: 4, name: "writer" }, "writer"],
      [{ kind: "key", id: 1, name: "ann" }, "first"]
    ])
  })

  test("I7: a deleted key fetches nothing in an open session", async () => {
    await person("late", { kind: "repository", repositoryId: ids.mine, readOnly: true })
    const look = () => git("late", "ls-remote", url(`${owner}/mine.git`), "refs/heads/main")
    const tip = (await look()).out.split("\t")[0]
    const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, "0")}${text}`
    const wanted = `${line(`want ${tip} no-progress\n`)}0000${line("done\n")}`
    const session = (between: () => Promise<void>) =>
      new Promise<string>((resolve, reject) => {
        const args = [...options("late"), "-p", String(port), "git@127.0.0.1", `git-upload-pack '${owner}/mine.git'`]
        let heard = ""
        let isAsked = false
        const child = execFile("ssh", args, { env: { PATH: process.env.PATH, HOME: root }, encoding: "latin1" })
        child.once("close", () => resolve(heard))
        child.stdout?.on("data", (text: string) => {
          heard += text
          if (isAsked || !heard.endsWith("0000")) return
          isAsked = true
          heard = ""
          between().then(() => child.stdin?.end(wanted), reject)
        })
      })
    expect(await session(async () => {})).toMatch(/^0008NAK\nPACK/)
    const ended = await session(() =>
      runtime.runPromise(
        Effect.gen(function* () {
          const keys = yield* SshKeyStore
          const { rows } = yield* keys.ofRepository(ids.mine, { page: 1, perPage: 10 })
          for (const { id, title } of rows) if (title === "late") yield* keys.remove(id)
        })
      )
    )
    expect(ended).toBe("002aERR you lost access to this repository")
    expect((await look()).err).toContain("Permission denied (publickey)")
  }, 20_000)

  test("wikis are pushed and cloned by users with permission", async () => {
    const push = (name: string) =>
      git(name, "-C", "work", "push", "-q", url(`${owner}/mine.wiki.git`), "HEAD:refs/heads/main")
    expect((await git("ann", "ls-remote", url(`${owner}/mine.wiki.git`))).err).toContain("this wiki has no pages yet")
    expect(await push("ann")).toMatchObject({ code: 0, err: "" })
    expect(await git("ann", "clone", "-q", url(`${owner}/mine.wiki`), "wiki")).toMatchObject({ code: 0, err: "" })
    expect((await git("bob", "ls-remote", url(`${owner}/mine.wiki.git`))).err).toContain(
      "the repository does not exist, or you have no access to it"
    )
  })

  test("B7, I18: each ref of one push is authorized separately, and a rejected ref does not affect the others", async () => {
    await runtime.runPromise(
      Effect.flatMap(ProtectionStore, (store) =>
        store.insertBranch({
          ...strictRules,
          repositoryId: ids.other,
          ruleName: "release/*",
          priority: 1,
          createdAt: "2026-01-02T03:04:05.678Z",
          updatedAt: "2026-01-02T03:04:05.678Z"
        })
      )
    )
    const refs = ["main", "release/1", "side"].map((name) => `HEAD:refs/heads/${name}`)
    const pushed = await git("ann", "-C", "work", "push", "--porcelain", url(`${owner}/other.git`), ...refs)
    expect(pushed.err).toContain("refs/heads/release/1: the rule `release/*` does not allow you to push to it")
    expect(pushed.out.split("\n").filter((line) => /^[!*]/.test(line))).toEqual([
      "*\tHEAD:refs/heads/main\t[new branch]",
      "*\tHEAD:refs/heads/side\t[new branch]",
      "!\tHEAD:refs/heads/release/1\t[remote rejected] (hook declined)"
    ])
    const { out } = await git("ann", "ls-remote", "--heads", url(`${owner}/other.git`))
    expect(out.split("\n").map((line) => line.split("\t")[1])).toEqual([
      "refs/heads/main",
      "refs/heads/side",
      undefined
    ])
  })
})

describe("git over SSH, all operations", () => {
  test("supports fetches, forced pushes, deletions, tags, and shallow and partial clones", async () => {
    const path = url(`${owner}/mine.git`)
    const work = (...args: ReadonlyArray<string>) => git("ann", "-C", "all", ...args)
    const refs = async () => (await git("ann", "ls-remote", path, "refs/heads/all*", "refs/tags/*")).out
    await git("ann", "init", "-q", "-b", "all", "all")
    await work("remote", "add", "origin", path)
    const commit = async (message: string, ...more: ReadonlyArray<string>) => {
      writeFileSync(join(people.ann?.home ?? "", "all", "file"), `${message}\n`)
      await work("add", "-A")
      await work("commit", "-q", "-m", message, ...more)
      return (await work("rev-parse", "HEAD")).out.trim()
    }
    await commit("one")
    const two = await commit("two")
    await work("tag", "v1")
    expect(await work("push", "-q", "origin", "all", "all:all-side", "v1")).toMatchObject({ code: 0, err: "" })
    expect(await refs()).toBe(`${two}\trefs/heads/all\n${two}\trefs/heads/all-side\n${two}\trefs/tags/v1\n`)
    for (const [kind, expected] of [
      ["--depth=1", "1"],
      ["--filter=blob:none", "2"]
    ] as const) {
      const clone = ["clone", "-q", "--single-branch", "--branch=all", kind, path, `copy${kind}`]
      expect(await git("ann", ...clone)).toMatchObject({ code: 0, err: "" })
      expect((await git("ann", "-C", `copy${kind}`, "rev-list", "--count", "HEAD")).out.trim()).toBe(expected)
    }
    const other = await commit("other", "--amend")
    expect((await work("push", "-q", "origin", "all")).err).toContain("rejected")
    expect(await work("push", "-q", "origin", "+all", ":all-side", ":v1")).toMatchObject({ code: 0, err: "" })
    expect(await refs()).toBe(`${other}\trefs/heads/all\n`)
    expect(await git("ann", "-C", "copy--filter=blob:none", "fetch", "-q")).toMatchObject({ code: 0 })
    expect((await git("ann", "-C", "copy--filter=blob:none", "show", "origin/all:file")).out).toBe("other\n")
  })
})

describe("a public key", () => {
  const read = (text: string) =>
    runtime.runPromise(
      Effect.flatMap(PublicKeyReader, (reader) => reader.read(text)).pipe(
        Effect.map(({ comment, fingerprint }) => `${comment} ${fingerprint}`),
        Effect.catch(({ because }) => Effect.succeed(because))
      )
    )

  test("is parsed like ssh-keygen does; private, weak and malformed ones are rejected", async () => {
    for (const name of ["ann", "bob", "writer"]) {
      const { out } = await run("ssh-keygen", ["-l", "-f", join(root, `${name}.pub`)])
      expect(await read(readFileSync(join(root, `${name}.pub`), "utf8"))).toBe(`${name} ${out.split(" ")[1]}`)
    }
    await run("ssh-keygen", ["-q", "-t", "rsa", "-b", "1024", "-N", "", "-f", join(root, "weak")])
    expect(await read(readFileSync(join(root, "weak.pub"), "utf8"))).toContain("RSA keys need 2048 bits or more")
    expect(await read(readFileSync(join(root, "ann"), "utf8"))).toContain("This is a private key")
    expect(await read("ssh-dss AAAA x")).toContain("DSA keys are too weak")
    for (const text of [
      "",
      "ssh-ed25519",
      "ssh-ed25519 AAAA",
      "ssh-rsa !!!!",
      "x".repeat(20_000),
      "ssh-ed25519 a\nb"
    ]) {
      expect(await read(text)).toBe("Must be one public SSH key on one line, such as the file ~/.ssh/id_ed25519.pub.")
    }
  })
})
