import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { GitRepositories, UnadoptedRepositories } from "@slipway/domain/forge/code"
import { layerGitRepositories, layerUnadoptedRepositories } from "@slipway/git/forge"
import { register } from "@slipway/testkit"
import { Contracts } from "@slipway/testkit/forge"
import { Effect, Layer } from "effect"

const folder = mkdtempSync(join(tmpdir(), "slipway-unadopted-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let roots = 0
const newRoot = () => join(folder, String(roots++))
const served = (root: string) => Layer.provideMerge(layerUnadoptedRepositories(root), layerGitRepositories(root))

const waitingIn = (root: string) => {
  const at = ({ name, owner }: { readonly name: string; readonly owner: string }) =>
    join(root, "unadopted", owner, `${name}.git`)
  const made = (id: RepositoryId) => join(root, "repositories", "0", `${id}.git`)
  return Contracts.Waiting.of({
    move: (id, owner, name) =>
      Effect.sync(() => {
        mkdirSync(join(root, "unadopted", owner), { recursive: true })
        renameSync(made(id), at({ owner, name }))
      }),
    spoil: (which, how) =>
      Effect.sync(() => {
        const place = at(which)
        if (how === "link") {
          rmSync(join(place, "refs/heads/main"), { force: true })
          symlinkSync("/etc/hostname", join(place, "refs/heads/main"))
        } else if (how === "borrowed") {
          mkdirSync(join(place, "objects/info"), { recursive: true })
          writeFileSync(join(place, "objects/info/alternates"), "/elsewhere\n")
        } else {
          const objects = join(place, "objects")
          for (const each of readdirSync(objects)) rmSync(join(objects, each), { recursive: true })
        }
      }),
    laden: (which) =>
      Effect.sync(() => {
        const place = at(which)
        appendFileSync(join(place, "config"), "[core]\n\tfsmonitor = touch came\n[include]\n\tpath = /etc/passwd\n")
        mkdirSync(join(place, "hooks"), { recursive: true })
        writeFileSync(join(place, "hooks/pre-receive"), "#!/bin/sh\nexit 1\n", { mode: 0o755 })
        const main = readFileSync(join(place, "refs/heads/main"), "utf8")
        mkdirSync(join(place, "refs/secret"), { recursive: true })
        writeFileSync(join(place, "refs/secret/x"), main)
        writeFileSync(join(place, "refs/heads/symbolic"), "ref: refs/heads/main\n")
        writeFileSync(join(place, "description"), "came along")
      }),
    came: (id) =>
      Effect.sync(() => {
        const place = made(id)
        const config = readFileSync(join(place, "config"), "utf8")
        const refs = readFileSync(join(place, "packed-refs"), "utf8")
        return [
          ...["hooks/pre-receive", "description", "refs/secret/x", "refs/heads/symbolic"].filter((each) =>
            existsSync(join(place, each))
          ),
          ...["fsmonitor", "include"].filter((each) => config.includes(each)),
          ...["refs/secret", "symbolic"].filter((each) => refs.includes(each))
        ]
      })
  })
}

const fresh = Layer.unwrap(
  Effect.sync(() => {
    const root = newRoot()
    return Layer.merge(served(root), Layer.succeed(Contracts.Waiting, waitingIn(root)))
  })
)

register("git", fresh, [Contracts.unadopted])

describe("repositories waiting for adoption", () => {
  it.live("ignore symlinks in place of an owner or a repository", () =>
    Effect.gen(function* () {
      const root = newRoot()
      yield* Effect.gen(function* () {
        const git = yield* GitRepositories
        yield* git.create(1 as RepositoryId, { defaultBranch: "main" as never, commit: undefined, madeAt: "2026" })
        mkdirSync(join(root, "unadopted/acme"), { recursive: true })
        symlinkSync(join(root, "repositories/0/1.git"), join(root, "unadopted/acme/private.git"))
        symlinkSync(join(root, "unadopted/acme"), join(root, "unadopted/bob"))
        const store = yield* UnadoptedRepositories
        expect(yield* store.list).toEqual([])
        for (const owner of ["acme", "bob"]) {
          expect(yield* store.find({ owner, name: "private" })).toBeUndefined()
          expect(yield* store.remove({ owner, name: "private" })).toBe(false)
        }
        expect(yield* git.list).toEqual([1])
      }).pipe(Effect.provide(served(root)))
    })
  )
})
