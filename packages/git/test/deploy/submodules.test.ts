import { assert, describe, it } from "@effect/vitest"
import { type CheckoutRequest, Sources } from "@slipway/domain/deploy/apps"
import { layerSources } from "@slipway/git/deploy"
import { git, makeTree, putCommit, startForge } from "@slipway/git/testing"
import { layer as memory } from "@slipway/memory/deploy"
import { Effect, Layer } from "effect"
import { layerInternet } from "./support/internet.ts"

const checkout = (repository: string, more: Partial<CheckoutRequest> = {}) =>
  Effect.flatMap(Sources, (sources) =>
    sources.checkout({
      repository,
      branch: "main",
      commit: "HEAD",
      access: { _tag: "Anyone" },
      submodules: true,
      ...more
    })
  )
const reason = (repository: string, more: Partial<CheckoutRequest> = {}) =>
  Effect.map(Effect.flip(Effect.scoped(checkout(repository, more))), ({ because }) => because)

const on =
  (dialled: Array<string> = []) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(effect, layerSources().pipe(Layer.provide(Layer.merge(layerInternet(dialled), memory))), {
      local: true
    })

const gitmodules = (path: string, url: string) => `[submodule "x"]\n\tpath = ${path}\n\turl = ${url}\n`
const somewhere = "0123456789".repeat(4)

describe("submodules", () => {
  it.live("are fetched from public addresses only (invariant I14)", () => {
    const dialled: Array<string> = []
    return Effect.gen(function* () {
      const { port, repository } = yield* startForge
      const path = repository("r.git")
      for (const [host, because] of [
        ["10.0.0.1", "the host's address 10.0.0.1 is private and this instance doesn't allow that"],
        ["metadata.dev", "the address 169.254.169.254 of the host `metadata.dev` is not an allowed target"]
      ]) {
        putCommit(path, "main", {
          message: "Lead inwards",
          files: { ".gitmodules": gitmodules("lib", `http://${host}:${port}/r.git`) },
          submodules: { lib: somewhere }
        })
        assert.strictEqual(yield* reason(`http://forge.dev:${port}/r.git`), `the submodule \`lib\`: ${because}`)
      }
      assert.deepStrictEqual(new Set(dialled), new Set(["93.184.216.34"]))
    }).pipe(on(dialled))
  })

  it.live("are rejected if an address runs a program or a path leaves the repository (invariant I23)", () =>
    Effect.gen(function* () {
      const { port, repository, root } = yield* startForge
      const path = repository("r.git")
      for (const url of ["ext::sh -c id", `file://${root}/r.git`]) {
        putCommit(path, "main", {
          message: "Run",
          files: { ".gitmodules": gitmodules("lib", url) },
          submodules: { lib: somewhere }
        })
        const said = yield* reason(`http://forge.dev:${port}/r.git`)
        assert.strictEqual(said, "the submodule `lib`: its address is not that of a repository", url)
      }
      for (const at of ["../lib", "./lib"]) {
        putCommit(path, "main", {
          message: "Lead out",
          files: { ".gitmodules": gitmodules(at, "ext::sh -c id"), a: "1" },
          submodules: { lib: somewhere }
        })
        const { readText } = yield* checkout(`http://forge.dev:${port}/r.git`)
        assert.strictEqual(yield* readText("a"), "1", at)
      }
      // A path that git itself refuses, so the test writes it by hand.
      const inside = putCommit(path, "main", {
        message: "Hide",
        files: { ".gitmodules": gitmodules(".git", "../r.git"), config: "[core]\n\tfsmonitor = touch /tmp/x\n" }
      })
      const tree = makeTree(path, [
        `160000 commit ${inside}\t.git`,
        `100644 blob ${git(path, "rev-parse", "main:.gitmodules")}\t.gitmodules`
      ])
      git(path, "update-ref", "refs/heads/main", git(path, "commit-tree", "-m", "Hide", tree))
      assert.strictEqual(yield* reason(`http://forge.dev:${port}/r.git`), "the repository can't be read")
    }).pipe(on())
  )

  it.live("are limited in depth and number (invariant I25)", () =>
    Effect.gen(function* () {
      const { port, repository } = yield* startForge
      let below = putCommit(repository("0.git"), "main", { message: "Lowest", files: { a: "1" } })
      for (const n of [1, 2, 3, 4, 5]) {
        below = putCommit(repository(`${n}.git`), "main", {
          message: "Above",
          files: { ".gitmodules": gitmodules("s", `../${n - 1}.git`) },
          submodules: { s: below }
        })
      }
      const { readText } = yield* checkout(`http://forge.dev:${port}/4.git`)
      assert.strictEqual(yield* readText("s/s/s/s/a"), "1")
      assert.strictEqual(
        yield* reason(`http://forge.dev:${port}/5.git`),
        `${"the submodule `s`: ".repeat(4)}submodules are nested more than 4 levels deep`
      )
      const many = Array.from({ length: 101 }, (_, n) => `[submodule "${n}"]\n\tpath = ${n}\n\turl = ../0.git\n`)
      putCommit(repository("many.git"), "main", { message: "Many", files: { ".gitmodules": many.join("") } })
      assert.strictEqual(
        yield* reason(`http://forge.dev:${port}/many.git`),
        "`.gitmodules` names more than 100 submodules"
      )
    }).pipe(on())
  )

  it.live("are fetched from servers that refuse requests by commit id, and over HTTP when their address uses SSH", () =>
    Effect.gen(function* () {
      const { growOld, port, repository } = yield* startForge
      const lib = repository("lib.git")
      const wanted = putCommit(lib, "release", { message: "Old", files: { a: "old" } })
      putCommit(lib, "release", { message: "New", files: { a: "new" } })
      putCommit(repository("r.git"), "main", {
        message: "Begin",
        files: { ".gitmodules": gitmodules("lib", "git@forge.dev:lib.git") },
        submodules: { lib: wanted }
      })
      growOld()
      const { readText } = yield* checkout(`http://forge.dev:${port}/r.git`)
      assert.strictEqual(yield* readText("lib/a"), "old")
    }).pipe(on())
  )
})
