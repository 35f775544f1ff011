import { assert } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { BranchName, GitRepositories, type UnadoptedName, UnadoptedRepositories } from "@slipway/domain/forge/code"
import { Context, Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { equal } from "../base/fixtures.ts"

const main = BranchName.make("main")
const madeAt = "2026-01-02T03:04:05.000Z"
const id = (n: number) => n as RepositoryId
const old: UnadoptedName = { owner: "acme", name: "old" }

/** Puts git repositories into the folder of repositories to adopt, as a site administrator does. */
export class Waiting extends Context.Service<
  Waiting,
  {
    /** Moves the git repository with an id to the waiting folder. */
    readonly move: (id: RepositoryId, owner: string, name: string) => Effect.Effect<void>
    /** Corrupts a waiting repository: by a link in place of a branch, by alternates, or by removing its objects. */
    readonly spoil: (which: UnadoptedName, how: "link" | "borrowed" | "objects") => Effect.Effect<void>
    /** Adds settings, hooks and refs that must not be adopted. */
    readonly laden: (which: UnadoptedName) => Effect.Effect<void>
    /** Returns the names of the settings, hooks and refs that were adopted. */
    readonly came: (id: RepositoryId) => Effect.Effect<ReadonlyArray<string>>
  }
>()("@slipway/testkit/forge/Waiting") {}

const commit = {
  files: { "README.md": "# Old\n" },
  author: { name: "Ann", email: "ann@example.com" },
  message: "Begin",
  at: madeAt
}

const waits = Effect.fnUntraced(function* (owner: string = old.owner, name: string = old.name) {
  const [git, waiting] = [yield* GitRepositories, yield* Waiting]
  yield* git.create(id(99), { defaultBranch: main, commit, madeAt })
  yield* waiting.move(id(99), owner, name)
  return { git, store: yield* UnadoptedRepositories, waiting }
})

/** Contract tests of git repositories that wait to be adopted into the forge. */
export const unadopted: Contract<GitRepositories | UnadoptedRepositories | Waiting> = {
  port: "UnadoptedRepositories",
  musts: {
    "list only repositories that wait under valid owner and repository names, by name": Effect.gen(function* () {
      yield* waits("bob", "tool")
      const { store } = yield* waits()
      for (const [owner, name] of [
        ["acme", "a b"],
        ["-x", "old"],
        ["acme", "--upload-pack=x"],
        ["api", "old"]
      ] as const) {
        yield* waits(owner, name)
      }
      equal(yield* store.list, [old, { owner: "bob", name: "tool" }])
    }),
    "return nothing for a missing repository and for names that lead out of the folder": Effect.gen(function* () {
      const { git, store } = yield* waits()
      yield* git.create(id(1), { defaultBranch: main, commit, madeAt })
      for (const which of [
        { owner: "acme", name: "new" },
        { owner: "nobody", name: "old" },
        { owner: "..", name: "old" },
        { owner: "../repositories", name: "0/1" },
        { owner: "acme/..", name: "acme/old" },
        { owner: "acme", name: "../../repositories/0/1" },
        { owner: "acme", name: "old\0" },
        { owner: "", name: "old" },
        { owner: "acme", name: "" }
      ]) {
        assert.isUndefined(yield* store.find(which))
        assert.isFalse(yield* store.adopt(which, id(2), madeAt))
        assert.isFalse(yield* store.remove(which))
      }
      equal(yield* git.list, [1])
      equal(yield* store.find(old), { defaultBranch: "main", empty: false, objectFormat: "sha1" })
    }),
    "adopt only the branches, tags and objects of a repository under the given id": Effect.gen(function* () {
      const { git, store, waiting } = yield* waits()
      yield* waiting.laden(old)
      assert.isTrue(yield* store.adopt(old, id(7), madeAt))
      equal(yield* git.defaultBranch(id(7)), "main")
      equal(
        (yield* git.branches(id(7))).map(({ name }) => name),
        ["main"]
      )
      equal(yield* git.file(id(7), "main", "README.md"), "# Old\n")
      equal(yield* waiting.came(id(7)), [])
    }),
    "reject a repository that is broken, borrows objects or has links, and leave no partial copy": Effect.gen(
      function* () {
        for (const how of ["link", "borrowed", "objects"] as const) {
          const name = `old-${how}`
          const { git, store, waiting } = yield* waits("acme", name)
          yield* waiting.spoil({ owner: "acme", name }, how)
          const refused = yield* Effect.flip(store.adopt({ owner: "acme", name }, id(7), madeAt))
          equal(refused._tag, "UnadoptedBroken")
          equal(yield* git.list, [])
          equal(
            (yield* store.list).some((each) => each.name === name),
            true
          )
        }
      }
    ),
    "keep a git repository unchanged when it is adopted again": Effect.gen(function* () {
      const { git, store } = yield* waits()
      yield* store.adopt(old, id(7), madeAt)
      const before = yield* git.branches(id(7))
      assert.isTrue(yield* store.adopt(old, id(7), madeAt))
      equal(yield* git.branches(id(7)), before)
    }),
    "remove a waiting repository once, and report when it is missing": Effect.gen(function* () {
      const { store } = yield* waits()
      assert.isTrue(yield* store.remove(old))
      assert.isFalse(yield* store.remove(old))
      equal(yield* store.list, [])
    })
  }
}
