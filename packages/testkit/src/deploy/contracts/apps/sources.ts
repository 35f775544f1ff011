import { assert } from "@effect/vitest"
import { type CheckoutRequest, type ListingRequest, Sources } from "@slipway/domain/deploy/apps"
import { Effect, Redacted, Stream } from "effect"
import type { Contract } from "../../../contract.ts"
import { type SourcesUnderTest, SourceWorld } from "../../sourceWorld.ts"
import { readTar } from "../../tar.ts"

const checkout = (repository: string, more: Partial<CheckoutRequest> = {}) =>
  Effect.flatMap(Sources, (sources) =>
    sources.checkout({ repository, branch: "main", commit: "HEAD", access: { _tag: "Anyone" }, ...more })
  )
const reason = (repository: string, more: Partial<CheckoutRequest> = {}) =>
  Effect.map(Effect.flip(Effect.scoped(checkout(repository, more))), ({ because }) => because)

const list = (repository: string, more: Partial<ListingRequest> = {}) =>
  Effect.flatMap(Sources, (sources) =>
    sources.list({ repository, branch: "main", folder: "/", texts: [], access: { _tag: "Anyone" }, ...more })
  )
const listReason = (repository: string, more: Partial<ListingRequest> = {}) =>
  Effect.map(Effect.flip(list(repository, more)), ({ because }) => because)

const planted = Effect.fnUntraced(function* (files: Readonly<Record<string, string>>) {
  const repository = yield* (yield* SourceWorld).repository(null)
  yield* repository.commit("main", { message: "Begin", files })
  return yield* checkout(repository.address)
})

const gitmodules = (addresses: Readonly<Record<string, string>>): string =>
  Object.entries(addresses)
    .map(([path, url]) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n`)
    .join("")

const largest = 1_024 * 1_024

/** Contract tests of the reader of source repositories. Every implementation must pass them. */
export const sources: Contract<SourcesUnderTest> = {
  port: "Sources",
  musts: {
    "check out the newest commit of a branch, or the given commit": Effect.gen(function* () {
      const { address, commit } = yield* (yield* SourceWorld).repository(null)
      const first = yield* commit("main", { message: "Begin\n\nwith a body", files: { a: "1" } })
      const second = yield* commit("main", { message: "Go on", files: { a: "2", b: "2" } })
      const other = yield* commit("feature/x", { message: "Elsewhere", files: { a: "3" } })
      const seen = (more: Partial<CheckoutRequest>) =>
        Effect.scoped(
          Effect.gen(function* () {
            const { commit, readText, subject } = yield* checkout(address, more)
            return [commit, subject, yield* readText("a")]
          })
        )
      assert.deepStrictEqual(yield* seen({}), [second, "Go on", "2"])
      assert.deepStrictEqual(yield* seen({ branch: "feature/x" }), [other, "Elsewhere", "3"])
      for (const named of [first, first.slice(0, 12), first.toUpperCase()]) {
        assert.deepStrictEqual(yield* seen({ commit: named }), [first, "Begin", "1"], named)
      }
      assert.deepStrictEqual(yield* seen({ commit: second.slice(0, 7) }), [second, "Go on", "2"])
    }),
    "report a missing repository, branch or commit": Effect.gen(function* () {
      const world = yield* SourceWorld
      const { address, commit } = yield* world.repository(null)
      yield* commit("main", { message: "Begin", files: { a: "1" } })
      assert.match(yield* reason(yield* world.nowhere), /no repository|asks for credentials/)
      assert.strictEqual(yield* reason(address, { branch: "nope" }), "there is no branch `nope`")
      for (const missing of ["0123456789", "0123456789".repeat(4)]) {
        assert.match(yield* reason(address, { commit: missing }), new RegExp(`^there is no commit \`${missing}\``))
      }
    }),
    "distinguish files, folders, links and missing paths": Effect.gen(function* () {
      const { entry } = yield* planted({ "a/b/c.txt": "c", link: "-> a/b/c.txt", "odd *name": "x", ":(top)a": "y" })
      for (const [path, expected] of [
        ["", "folder"],
        ["/", "folder"],
        ["a", "folder"],
        ["/a/b/", "folder"],
        ["a/b/c.txt", "file"],
        ["/a/b/c.txt", "file"],
        ["./a/./b/c.txt", "file"],
        ["link", "link"],
        ["odd *name", "file"],
        [":(top)a", "file"],
        ["odd*", undefined],
        ["a/b/c.txt/d", undefined],
        ["link/d", undefined],
        ["a/../a", undefined],
        ["../a", undefined],
        ["A", undefined],
        ["c.txt", undefined],
        ["a\nb", undefined],
        ["a\0b", undefined]
      ] as const) {
        assert.strictEqual(yield* entry(path), expected, JSON.stringify(path))
      }
    }),
    "read files as text, up to 1 MiB (invariant I25)": Effect.gen(function* () {
      const { readText } = yield* planted({
        "a/b.txt": "höre\r\n",
        empty: "",
        full: "x".repeat(largest),
        over: "x".repeat(largest + 1),
        link: "-> empty"
      })
      assert.strictEqual(yield* readText("/a/b.txt"), "höre\r\n")
      assert.strictEqual(yield* readText("empty"), "")
      assert.strictEqual((yield* readText("full"))?.length, largest)
      for (const path of ["over", "a", "link", "nope", ""]) assert.isUndefined(yield* readText(path), path)
    }),
    "pack a folder together with added files": Effect.gen(function* () {
      const { archive } = yield* planted({
        ".gitattributes": "b.txt export-ignore\nc.txt export-subst\n",
        "b.txt": "b",
        "c.txt": "$Format:%H$",
        "app/Dockerfile": "FROM a",
        "app/src/main": "main",
        "app/src/link": "-> main"
      })
      const packed = (folder: string, added?: Readonly<Record<string, string>>) => readTar(archive(folder, added))
      const app = { Dockerfile: "FROM a", "src/main": "main", "src/link": "-> main" }
      assert.deepStrictEqual(yield* packed("/app"), app)
      assert.deepStrictEqual(
        yield* packed("app/", { Dockerfile: "FROM b", "/new/deep/file": "new", "src/link": "no link" }),
        { ...app, Dockerfile: "FROM b", "new/deep/file": "new", "src/link": "no link" }
      )
      const all = yield* packed("/", { "app/Dockerfile": "x".repeat(300_000) })
      assert.strictEqual(all["app/Dockerfile"]?.length, 300_000)
      assert.deepStrictEqual([all["b.txt"], all["c.txt"], all["app/src/main"]], ["b", "$Format:%H$", "main"])
      assert.deepStrictEqual(yield* packed("app/src", { main: "1" }), { main: "1", link: "-> main" })
      for (const folder of ["nope", "b.txt", "../app", "app/src/link"]) {
        const failed = yield* Effect.flip(packed(folder))
        assert.strictEqual(failed.because, `there is no folder \`${folder}\``)
      }
    }),
    "write the files into a directory without links that leave it": Effect.gen(function* () {
      const { directory } = yield* planted({
        ".gitattributes": "kept.txt export-ignore\n",
        "kept.txt": "kept",
        "a/b.txt": "b",
        near: "-> a/b.txt",
        "a/up": "-> ../kept.txt",
        absolute: "-> /etc/passwd",
        "a/out": "-> ../../../../../../../../etc/passwd",
        folder: "-> ../",
        second: "-> absolute"
      })
      const path = yield* directory
      assert.match(path, /^\//)
      assert.deepStrictEqual(yield* (yield* SourceWorld).list(path), {
        ".gitattributes": "kept.txt export-ignore\n",
        "kept.txt": "kept",
        "a/b.txt": "b",
        near: "-> a/b.txt",
        "a/up": "-> ../kept.txt"
      })
    }),
    "read a private repository only with its token": Effect.gen(function* () {
      const { address, commit } = yield* (yield* SourceWorld).repository({ username: "me", token: "s3cret-token" })
      yield* commit("main", { message: "Begin", files: { a: "1" } })
      const token = (text: string) => ({ _tag: "Token", username: "me", token: Redacted.make(text) }) as const
      const { readText } = yield* checkout(address, { access: token("s3cret-token") })
      assert.strictEqual(yield* readText("a"), "1")
      assert.strictEqual(yield* reason(address), "the repository requires credentials")
      const refused = yield* reason(address, { access: token("an0ther-token") })
      assert.strictEqual(refused, "the repository rejects these credentials")
    }),
    "fetch submodules recursively on request": Effect.gen(function* () {
      const world = yield* SourceWorld
      const [top, middle, low] = [
        yield* world.repository(null),
        yield* world.repository(null),
        yield* world.repository(null)
      ]
      const nameOf = ({ address }: { readonly address: string }) => address.slice(address.lastIndexOf("/") + 1)
      const lowest = yield* low.commit("main", { message: "Low", files: { "c.txt": "c" } })
      yield* low.commit("main", { message: "Lower", files: { "c.txt": "later" } })
      const halfway = yield* middle.commit("feature/x", {
        message: "Middle",
        files: { "b.txt": "b", ".gitmodules": gitmodules({ "in/low": low.address }) },
        submodules: { "in/low": lowest }
      })
      yield* top.commit("main", {
        message: "Top",
        files: { "a.txt": "a", ".gitmodules": gitmodules({ "libs/mid dle": `../${nameOf(middle)}` }) },
        // A submodule without an address stays empty.
        submodules: { "libs/mid dle": halfway, unknown: lowest }
      })
      const { archive, commit, directory, entry, readText } = yield* checkout(top.address, { submodules: true })
      assert.match(commit, /^[0-9a-f]{40}$/)
      assert.deepStrictEqual(
        [
          yield* entry("libs/mid dle"),
          yield* readText("libs/mid dle/b.txt"),
          yield* readText("libs/mid dle/in/low/c.txt")
        ],
        ["folder", "b", "c"]
      )
      assert.deepStrictEqual(yield* readTar(archive("libs/mid dle/in")), { "low/c.txt": "c" })
      const { ".gitmodules": _, ...files } = yield* world.list(yield* directory)
      assert.deepStrictEqual(Object.keys(files).toSorted(), [
        "a.txt",
        "libs/mid dle/.gitmodules",
        "libs/mid dle/b.txt",
        "libs/mid dle/in/low/c.txt"
      ])
      assert.isUndefined(yield* (yield* checkout(top.address)).readText("libs/mid dle/b.txt"))
      yield* top.commit("main", {
        message: "Elsewhere",
        files: { ".gitmodules": gitmodules({ lib: "file:///etc" }) },
        submodules: { lib: lowest }
      })
      assert.strictEqual(
        yield* reason(top.address, { submodules: true }),
        "the submodule `lib`: its address is not that of a repository"
      )
    }),
    "use the credentials of a repository only for submodules of the same host (invariant I14)": Effect.gen(
      function* () {
        const world = yield* SourceWorld
        const account = { username: "me", token: "s3cret-token" }
        const [top, near, far] = [
          yield* world.repository(account),
          yield* world.repository(account),
          yield* world.repository(account)
        ]
        const commit = yield* near.commit("main", { message: "Near", files: { "b.txt": "b" } })
        const other = yield* far.commit("main", { message: "Far", files: { "c.txt": "c" } })
        const access = { _tag: "Token", username: "me", token: Redacted.make("s3cret-token") } as const
        const begin = (files: Readonly<Record<string, string>>, submodules: Readonly<Record<string, string>>) =>
          top.commit("main", { message: "Begin", files, submodules })
        yield* begin({ ".gitmodules": gitmodules({ near: near.address }) }, { near: commit })
        const { readText } = yield* checkout(top.address, { access, submodules: true })
        assert.strictEqual(yield* readText("near/b.txt"), "b")
        const elsewhere = far.address.replace("://forge.", "://other.")
        yield* begin({ ".gitmodules": gitmodules({ far: elsewhere }) }, { far: other })
        assert.match(
          yield* reason(top.address, { access, submodules: true }),
          /^the submodule `far`: (?:the repository requires credentials|there is no repository at this address)$/
        )
      }
    ),
    // Prevents: a pusher names another private repository as submodule, and reads it with the platform's token.
    "never send submodules a token that is only for the repository (invariant I14)": Effect.gen(function* () {
      const world = yield* SourceWorld
      const account = { username: "me", token: "s3cret-token" }
      const [top, near] = [yield* world.repository(account), yield* world.repository(account)]
      const token = Redacted.make("s3cret-token")
      const access = { _tag: "Token", username: "me", token, isForRepositoryOnly: true } as const
      const inside = yield* near.commit("main", { message: "Near", files: { "b.txt": "b" } })
      yield* top.commit("main", {
        message: "Begin",
        files: { a: "1", ".gitmodules": gitmodules({ near: near.address }) },
        submodules: { near: inside }
      })
      assert.strictEqual(yield* (yield* checkout(top.address, { access })).readText("a"), "1")
      assert.strictEqual(
        yield* reason(top.address, { access, submodules: true }),
        "the submodule `near`: the repository requires credentials"
      )
    }),
    "check out the newest commit of a pull request, without credentials for its submodules (invariant I21)": Effect.gen(
      function* () {
        const world = yield* SourceWorld
        const account = { username: "me", token: "s3cret-token" }
        const [top, near] = [yield* world.repository(account), yield* world.repository(account)]
        const access = { _tag: "Token", username: "me", token: Redacted.make("s3cret-token") } as const
        const inside = yield* near.commit("main", { message: "Near", files: { "b.txt": "b" } })
        yield* top.commit("main", { message: "Begin", files: { a: "1" } })
        const head = yield* top.commit("refs/pull/12/head", { message: "Ask", files: { a: "2" } })
        const { commit, readText } = yield* checkout(top.address, { access, pullRequest: 12, submodules: true })
        assert.deepStrictEqual([commit, yield* readText("a")], [head, "2"])
        assert.strictEqual(yield* reason(top.address, { access, pullRequest: 13 }), "there is no pull request 13")
        yield* top.commit("refs/pull/12/head", {
          message: "Take along",
          files: { ".gitmodules": gitmodules({ near: near.address }) },
          submodules: { near: inside }
        })
        assert.strictEqual(
          yield* reason(top.address, { access, pullRequest: 12, submodules: true }),
          "the submodule `near`: the repository requires credentials"
        )
      }
    ),
    "list the files of a folder and read some of them, on a branch or the default branch": Effect.gen(function* () {
      const { address, commit } = yield* (yield* SourceWorld).repository(null)
      yield* commit("main", { message: "Begin", files: { old: "1" } })
      const newest = yield* commit("main", {
        message: "Go on",
        files: {
          Dockerfile: "FROM a\nEXPOSE 80\n",
          "odd *näme": "x",
          link: "-> Dockerfile",
          full: "x".repeat(largest),
          over: "x".repeat(largest + 1),
          "app/web/index.html": "höre",
          "app/web/src/main": "main"
        }
      })
      const other = yield* commit("feature/x", { message: "Elsewhere", files: { a: "3" } })
      const names = ["Dockerfile", "full", "odd *näme", "over"]
      for (const branch of ["main", undefined]) {
        const found = yield* list(address, {
          branch,
          texts: ["Dockerfile", "full", "over", "link", "app", "nope", "app/web/index.html"]
        })
        assert.deepStrictEqual([found.branch, found.commit], ["main", newest])
        assert.deepStrictEqual(found.names.toSorted(), names)
        assert.deepStrictEqual([...found.texts.keys()], ["Dockerfile", "full"])
        assert.strictEqual(found.texts.get("Dockerfile"), "FROM a\nEXPOSE 80\n")
      }
      for (const folder of ["app/web", "/app/web/", "./app/./web"]) {
        const below = yield* list(address, { folder, texts: ["index.html", "main"] })
        assert.deepStrictEqual([below.names, [...below.texts]], [["index.html"], [["index.html", "höre"]]])
      }
      const elsewhere = yield* list(address, { branch: "feature/x" })
      assert.deepStrictEqual([elsewhere.branch, elsewhere.commit, elsewhere.names], ["feature/x", other, ["a"]])
    }),
    "report a missing repository, branch, folder or default branch of a listing": Effect.gen(function* () {
      const world = yield* SourceWorld
      const { address, commit } = yield* world.repository(null)
      assert.strictEqual(
        yield* listReason(address, { branch: undefined }),
        "the repository has no default branch: push a commit, or name a branch"
      )
      yield* commit("main", { message: "Begin", files: { "a/b": "1" } })
      const nowhere = yield* world.nowhere
      for (const branch of ["main", undefined]) {
        assert.strictEqual(yield* listReason(nowhere, { branch }), "there is no repository at this address")
      }
      assert.strictEqual(yield* listReason(address, { branch: "nope" }), "there is no branch `nope`")
      for (const folder of ["nope", "a/b", "../a", "b"]) {
        assert.match(yield* listReason(address, { folder }), new RegExp(`^there is no folder \`${folder}\``))
      }
    }),
    "list a private repository only with its token": Effect.gen(function* () {
      const { address, commit } = yield* (yield* SourceWorld).repository({ username: "me", token: "s3cret-token" })
      yield* commit("main", { message: "Begin", files: { Dockerfile: "FROM a" } })
      const token = (text: string) => ({ _tag: "Token", username: "me", token: Redacted.make(text) }) as const
      const { branch, texts } = yield* list(address, {
        access: token("s3cret-token"),
        branch: undefined,
        texts: ["Dockerfile"]
      })
      assert.deepStrictEqual([branch, texts.get("Dockerfile")], ["main", "FROM a"])
      for (const branch of ["main", undefined]) {
        assert.strictEqual(yield* listReason(address, { branch }), "the repository requires credentials")
        const refused = yield* listReason(address, { branch, access: token("an0ther-token") })
        assert.strictEqual(refused, "the repository rejects these credentials")
      }
    }),
    "run no command that a name contains (invariant I23)": Effect.gen(function* () {
      const { isMarked, marker, repository } = yield* SourceWorld
      const { address, commit } = yield* repository(null)
      yield* commit("main", { message: "Begin", files: { a: "1" } })
      const touch = `touch ${marker}`
      for (const hostile of [`--upload-pack=${touch}`, `$(${touch})`, `\`${touch}\``, `x; ${touch}`, `| ${touch}`]) {
        for (const more of [{ branch: hostile }, { commit: hostile }, { repository: hostile }]) {
          yield* reason(address, more)
        }
        for (const more of [{ branch: hostile }, { folder: hostile }, { repository: hostile }]) {
          yield* listReason(address, more)
        }
        yield* list(address, { texts: [hostile] })
      }
      for (const hostile of [`ext::sh -c "${touch}"`, `fd::0`, marker, `file://${marker}`, `-x@y:$(${touch})`]) {
        assert.match(yield* reason(hostile), /is not the address of a repository/, hostile)
        assert.match(yield* listReason(hostile), /is not the address of a repository/, hostile)
      }
      const { archive, entry, readText } = yield* checkout(address)
      for (const path of [`--output=${marker}`, `$(${touch})`, `--remote=ext::sh -c "${touch}"`]) {
        assert.isUndefined(yield* entry(path))
        assert.isUndefined(yield* readText(path))
        yield* Effect.flip(Stream.runDrain(archive(path)))
        yield* Stream.runDrain(archive("", { [path]: "x" }))
      }
      assert.isFalse(yield* isMarked)
    })
  }
}
