import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { defaultSite } from "@slipway/domain/forge/base"
import { createForge, type Forge, type GitOption } from "@slipway/embed"

const password = "correct horse battery"
const administrator = { name: "ann", email: "ann@example.com", password }
const home = mkdtempSync(join(tmpdir(), "slipway-embed-test-"))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const git = async (...args: ReadonlyArray<string>) => {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "Ann",
    GIT_AUTHOR_EMAIL: "ann@example.com",
    GIT_COMMITTER_NAME: "Ann",
    GIT_COMMITTER_EMAIL: "ann@example.com"
  }
  return (await promisify(execFile)("git", args, { cwd: home, env })).stdout.trim()
}

/** Serves a forge with Node's server during a function, which gets the repository's address. */
const served = async <A>(forge: Forge, use: (address: string) => Promise<A>): Promise<A> => {
  const server = createServer(forge.listener())
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  try {
    return await use(`http://ann:${encodeURIComponent(password)}@127.0.0.1:${port}/ann/site.git`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const options: ReadonlyArray<readonly [string, GitOption]> = [
  ["a directory", { directory: join(home, "kept", "repositories") }],
  ["a temporary folder", "temporary"]
]

describe("git clients of an embedded forge", () => {
  for (const [name, option] of options) {
    it(`clone, push and fetch over HTTP with ${name}`, async () => {
      await using forge = await createForge({ administrator, git: option })
      const ann = forge.actAs("ann")
      await ann.account.repository.create({ body: { name: "site", auto_init: true } })
      const work = name.replaceAll(" ", "-")
      const tip = await served(forge, async (address) => {
        await git("clone", "-q", address, work)
        writeFileSync(join(home, work, "a.txt"), "one\n")
        await git("-C", work, "add", "-A")
        await git("-C", work, "commit", "-q", "-m", "Add a.txt")
        await git("-C", work, "push", "-q", "origin", "HEAD:main", "HEAD:topic")
        await git("clone", "-q", "--branch", "topic", address, `${work}-again`)
        return git("-C", work, "rev-parse", "HEAD")
      })
      expect(readFileSync(join(home, `${work}-again`, "a.txt"), "utf8")).toBe("one\n")
      const params = { username: "ann", reponame: "site" }
      const [commit] = await ann.repository.commit.list({ params })
      expect(commit?.sha).toBe(tip)
    })
  }

  it("push code that code search finds, and no longer finds after a forced push", async () => {
    const site = { switches: { ...defaultSite.switches, codeSearch: true } }
    await using forge = await createForge({ administrator, git: "temporary", site })
    await forge.actAs("ann").account.repository.create({ body: { name: "site", default_branch: "main" } })
    const found = async (q: string, count: number) => {
      for (let tries = 0; tries < 300; tries++) {
        const files = await forge.anonymous.code.search({ query: { q } })
        if (files.length === count) return files
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error(`the search for ${q} never found ${count} files`)
    }
    await served(forge, async (address) => {
      await git("init", "-q", "-b", "main", "searched")
      const commit = async (name: string, text: string, ...how: ReadonlyArray<string>) => {
        writeFileSync(join(home, "searched", name), text)
        await git("-C", "searched", "add", "-A")
        await git("-C", "searched", "commit", "-q", "-m", "Change files", ...how)
        await git("-C", "searched", "push", "-q", "--force", address, "HEAD:main")
      }
      await commit("users.ts", "const findUser = 1\n")
      expect(await found("finduser", 1)).toMatchObject([
        { path: "users.ts", language: "TypeScript", lines: [{ number: 1, text: "const findUser = 1", match: true }] }
      ])
      await commit("users.ts", "const removed = 1\n", "--amend")
      await found("finduser", 0)
      await found("removed", 1)
    })
  })

  it("are rejected without permission", async () => {
    await using forge = await createForge({ administrator, git: "temporary" })
    await forge.actAs("ann").account.repository.create({ body: { name: "site", auto_init: true, private: true } })
    await served(forge, async (address) => {
      const anonymous = address.replace(/ann:[^@]*@/, "")
      await expect(git("ls-remote", anonymous)).rejects.toThrow("could not read Username")
    })
  })

  it("find no repository if the forge stores repositories in memory, but the API reads and writes them", async () => {
    await using forge = await createForge({ administrator })
    await forge.actAs("ann").account.repository.create({ body: { name: "site", auto_init: true } })
    const refs = "http://localhost/ann/site.git/info/refs?service=git-upload-pack"
    expect((await forge.handler(new Request(refs))).status).toBe(404)
    const params = { username: "ann", reponame: "site" }
    expect((await forge.anonymous.repository.commit.list({ params })).length).toBe(1)
  })

  it("find a configured directory, but no temporary one, after the forge is disposed", async () => {
    const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith("slipway-embed-git-"))
    const before = temporary()
    const forge = await createForge({ administrator, git: "temporary" })
    expect(temporary().length).toBe(before.length + 1)
    await forge.dispose()
    expect(temporary()).toEqual(before)
    await expect(createForge({ administrator: { ...administrator, name: "a b" }, git: "temporary" })).rejects.toThrow()
    expect(temporary()).toEqual(before)
    const directory = join(home, "lasting")
    const lasting = await createForge({ administrator, git: { directory } })
    await lasting.actAs("ann").account.repository.create({ body: { name: "site", auto_init: true } })
    await lasting.dispose()
    expect(existsSync(join(directory, "repositories"))).toBe(true)
  })
})
