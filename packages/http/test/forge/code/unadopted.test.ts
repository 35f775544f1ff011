import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { CodeIndexStore } from "@slipway/domain/forge/code"
import { Jobs } from "@slipway/forge/background"
import { layerGitObjects, layerGitRepositories, layerUnadoptedRepositories } from "@slipway/git/forge"
import { Effect, Layer } from "effect"
import { basic, bearer, start } from "../support/harness.ts"

const as = (name: string) => ({ headers: basic(name) })

const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { stdio: "pipe", encoding: "utf8" })

const site = Effect.gen(function* () {
  const root = mkdtempSync(join(tmpdir(), "slipway-adopting-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(root, { recursive: true, force: true })))
  const disk = layerGitRepositories(root)
  const api = yield* start({
    switches: { codeSearch: true },
    git: disk,
    objects: layerGitObjects(root),
    unadopted: Layer.provide(layerUnadoptedRepositories(root), disk)
  })
  yield* api.user("root", { admin: true })
  yield* api.user("ann")
  yield* api.ask(201, "POST", "/orgs", { ...as("ann"), body: { username: "acme" } })
  /** Creates an unadopted repository with one commit on disk, as a system administrator would. */
  const put = (owner: string, name: string) => {
    const place = join(root, "unadopted", owner, `${name}.git`)
    mkdirSync(join(place, ".."), { recursive: true })
    git("init", "--quiet", "--bare", "--initial-branch=trunk", place)
    const tree = git(`--git-dir=${place}`, "mktree", "--missing").trim()
    const who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    const commit = git(...who, `--git-dir=${place}`, "commit-tree", tree, "-m", "Begin").trim()
    git(`--git-dir=${place}`, "update-ref", "refs/heads/trunk", commit)
    return commit
  }
  const waiting = Effect.map(api.send("GET", "/admin/unadopted", as("root")), ({ headers, json }) => [
    json,
    headers.get("x-total-count")
  ])
  return { api, put, waiting }
})

describe("unadopted git repositories", () => {
  it.live("are listed, adopted as private repositories of a user or an organization, and deleted", () =>
    Effect.gen(function* () {
      const { api, put, waiting } = yield* site
      const commit = put("ann", "old")
      put("acme", "tools")
      put("ann", "rest")
      expect(yield* waiting).toEqual([["acme/tools", "ann/old", "ann/rest"], "3"])
      expect(yield* api.ask(200, "GET", "/admin/unadopted?pattern=OLD&limit=1", as("root"))).toEqual(["ann/old"])
      yield* api.ask(204, "POST", "/admin/unadopted/ann/old", as("root"))
      const adopted = yield* api.ask(200, "GET", "/repos/ann/old", as("ann"))
      expect(adopted).toMatchObject({ private: true, empty: false, default_branch: "trunk" })
      const branches = yield* api.ask(200, "GET", "/repos/ann/old/branches", as("ann"))
      expect(branches).toMatchObject([{ name: "trunk", commit: { id: commit } }])
      yield* api.within(Jobs.runDue)
      const index = yield* api.within(CodeIndexStore)
      expect((yield* index.begin(adopted.id, "2026-01-01T00:00:00.000Z"))?.commit).toBe(commit)
      yield* api.ask(404, "GET", "/repos/ann/old")
      yield* api.ask(204, "POST", "/admin/unadopted/acme/tools", as("root"))
      yield* api.ask(200, "GET", "/repos/acme/tools", as("ann"))
      yield* api.ask(204, "DELETE", "/admin/unadopted/ann/rest", as("root"))
      yield* api.ask(404, "DELETE", "/admin/unadopted/ann/rest", as("root"))
      yield* api.ask(404, "POST", "/admin/unadopted/ann/old", as("root"))
      expect(yield* waiting).toEqual([[], "0"])
    })
  )

  it.live("require a site administrator, and reject names that lead to other paths", () =>
    Effect.gen(function* () {
      const { api, put, waiting } = yield* site
      put("ann", "old")
      put("nobody", "old")
      yield* api.ask(201, "POST", "/user/repos", { ...as("ann"), body: { name: "own" } })
      for (const [status, who] of [
        [401, {}],
        [403, as("ann")],
        [403, { headers: bearer(yield* api.mint("root", ["write:repository"])) }]
      ] as const) {
        yield* api.ask(status, "GET", "/admin/unadopted", who)
        for (const method of ["POST", "DELETE"]) yield* api.ask(status, method, "/admin/unadopted/ann/old", who)
      }
      for (const path of ["ann/own", "ann/..%2fold", "..%2frepositories%2f0/1", "nobody/old"]) {
        yield* api.ask(404, "POST", `/admin/unadopted/${path}`, as("root"))
        if (path !== "nobody/old") yield* api.ask(404, "DELETE", `/admin/unadopted/${path}`, as("root"))
      }
      // Adopting under a taken name is rejected, and the repository stays unadopted.
      put("ann", "own")
      const taken = yield* api.ask(422, "POST", "/admin/unadopted/ann/own", as("root"))
      expect(taken.message).toContain("`own` is taken")
      expect((yield* waiting)[1]).toBe("3")
      yield* api.ask(200, "GET", "/repos/ann/own", as("ann"))
    })
  )
})
