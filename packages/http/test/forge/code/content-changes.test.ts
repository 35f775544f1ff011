import { describe, expect, it } from "@effect/vitest"
import { ProtectionStore, PushStore, strictRules } from "@slipway/domain/forge/code"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { basic } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"

const base = "/repos/ann/app"
const base64 = (text: string) => Buffer.from(text).toString("base64")
const sent = (body: unknown) => ({ ...ann, body })

for (const [kind, git] of kindsOfGit) {
  describe(`changes of contents, on ${kind}`, () => {
    it.live("create, change, move and delete a file, with one commit for each change", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        yield* makeRepository(api, "app")
        const made = yield* api.ask(
          201,
          "POST",
          `${base}/contents/src/a%20b.ts`,
          sent({
            content: base64("one\n"),
            message: "Begin",
            author: { name: "Zed", email: "zed@example.com" },
            dates: { author: "2026-02-02T03:40:00+01:00", committer: "2026-02-02T03:40:00+01:00" },
            signoff: true
          })
        )
        expect(made.commit.message).toBe("Begin\n\nSigned-off-by: Zed <zed@example.com>\n")
        expect(made.commit.author).toEqual({ name: "Zed", email: "zed@example.com", date: "2026-02-02T03:40:00+01:00" })
        expect(made.content.sha).toBe("5626abf0f72e58d7a153368ba57db4c673c0e171")
        expect([made.content.path, made.content.last_commit_sha]).toEqual(["src/a b.ts", made.commit.sha])
        expect(made.verification).toEqual({
          verified: false,
          reason: "gpg.error.not_signed_commit",
          signature: "",
          payload: "",
          signer: null
        })
        // The sent sha must be the current one.
        const stale = { content: base64("two\n"), sha: "0".repeat(40) }
        yield* api.ask(409, "PUT", `${base}/contents/src/a%20b.ts`, sent(stale))
        yield* api.ask(422, "POST", `${base}/contents/src/a%20b.ts`, sent({ content: base64("x") }))
        yield* api.ask(422, "PUT", `${base}/contents/src/a%20b.ts`, sent({ content: base64("x") }))
        const moved = yield* api.ask(
          200,
          "PUT",
          `${base}/contents/lib/c.ts`,
          sent({ content: base64("two\n"), sha: made.content.sha, from_path: "src/a b.ts" })
        )
        expect(moved.commit.parents[0].sha).toBe(made.commit.sha)
        expect(moved.commit.author.email).toBe("ann@example.com")
        yield* api.ask(404, "GET", `${base}/contents/src`, ann)
        const gone = yield* api.ask(200, "DELETE", `${base}/contents/lib/c.ts`, sent({ sha: moved.content.sha }))
        expect(gone.content).toBe(null)
        yield* api.ask(404, "DELETE", `${base}/contents/lib/c.ts`, sent({ sha: moved.content.sha }))
        const commits = yield* api.ask(200, "GET", `${base}/commits?stat=false`, ann)
        expect(commits.map((each: { commit: { message: string } }) => each.commit.message.split("\n")[0])).toEqual([
          "Delete lib/c.ts",
          "Update lib/c.ts",
          "Begin",
          "Initial commit"
        ])
      })
    )

    it.live("change several files or none, on a new branch", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        yield* makeRepository(api, "app")
        const readme = (yield* api.ask(200, "GET", `${base}/contents/README.md`, ann)).sha
        const files = [
          { operation: "delete", path: "README.md", sha: readme },
          { operation: "create", path: "README.md/in/side", content: base64("a") },
          { operation: "upload", path: "b", content: base64("b") }
        ]
        const refused = [...files, { operation: "update", path: "nope", content: base64("x"), sha: readme }]
        yield* api.ask(404, "POST", `${base}/contents`, sent({ files: refused }))
        const wrong = (path: string) => [{ operation: "create", path, content: base64("x") }]
        for (const path of ["a/../b", ".git/config", "a/.GIT/x", "git~1", "", "a\\b", "README.md"]) {
          yield* api.ask(422, "POST", `${base}/contents`, sent({ files: wrong(path) }))
        }
        yield* api.ask(422, "POST", `${base}/contents`, sent({ files: [...wrong("x"), ...wrong("x")] }))
        yield* api.ask(422, "POST", `${base}/contents`, sent({ files: wrong("README.md/x") }))
        // Prevents: one of them is lost, and the response reports both as created.
        for (const both of [
          [...wrong("x"), ...wrong("x/y/z")],
          [...wrong("x/y/z"), ...wrong("x")]
        ]) {
          yield* api.ask(422, "POST", `${base}/contents`, sent({ files: both }))
        }
        const change = { files: files.slice(2), new_branch: "a/b" }
        const made = yield* api.ask(201, "POST", `${base}/contents`, sent(change))
        expect(made.files.map(({ path }: { path: string }) => path)).toEqual(["b"])
        yield* api.ask(409, "POST", `${base}/contents`, sent(change))
        yield* api.ask(404, "GET", `${base}/contents/b`, ann)
        yield* api.ask(200, "GET", `${base}/contents/b?ref=a/b`, ann)
        yield* api.ask(422, "POST", `${base}/contents`, sent({ ...change, new_branch: "a..b" }))
        yield* api.ask(404, "POST", `${base}/contents`, sent({ ...change, branch: "nope" }))
        // An existing branch is moved only with force_push, which drops its commits.
        const other = { ...change, message: "Again", force_push: true }
        const again = yield* api.ask(201, "POST", `${base}/contents`, sent(other))
        expect(again.commit.parents[0].sha).toBe(made.commit.parents[0].sha)
        const moved = yield* api.ask(200, "GET", `${base}/branches/a/b`, ann)
        expect([moved.commit.id, moved.commit.message]).toEqual([again.commit.sha, "Again\n"])
      })
    )

    it.live("create the first commit of an empty repository, also with SHA-256 object ids", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        yield* makeRepository(api, "app", { auto_init: false, object_format_name: "sha256" })
        expect(yield* api.ask(200, "GET", `${base}/contents`, ann)).toEqual([])
        yield* api.ask(409, "GET", `${base}/commits`, ann)
        const made = yield* api.ask(201, "POST", `${base}/contents/a`, sent({ content: base64("one\n") }))
        expect(made.content.sha).toBe("a4ed1f355afb02d88cd291d0e4463910c5061ece48a49aa2b1539b9af973b286")
        expect(made.commit.sha).toMatch(/^[0-9a-f]{64}$/)
        const { empty, object_format_name } = yield* api.ask(200, "GET", base, ann)
        expect([empty, object_format_name]).toEqual([false, "sha256"])
        expect(yield* api.ask(200, "GET", `${base}/commits`, ann)).toHaveLength(1)
        yield* api.ask(200, "GET", `${base}/git/blobs/${made.content.sha}`, ann)
      })
    )

    it.live("apply a matching patch", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        const id = yield* makeRepository(api, "app")
        yield* commitTo(api, id, { "a.txt": "one\ntwo\n" })
        const patch = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"
        const made = yield* api.ask(200, "POST", `${base}/diffpatch`, sent({ content: patch, message: "Patch" }))
        expect(made.files.map(({ content }: { content: string }) => content)).toEqual([base64("one\nthree\n")])
        expect((yield* api.ask(422, "POST", `${base}/diffpatch`, sent({ content: patch }))).message).toMatch(
          /^\[content\]/
        )
        const diff = yield* api.send("GET", `${base}/git/commits/${made.commit.sha}.diff`, ann)
        expect(diff.text).toContain("-two\n+three\n")
      })
    )

    it.live("create, set, rename and delete branches and tags", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        const id = yield* makeRepository(api, "app")
        const first = (yield* api.ask(200, "GET", `${base}/branches/main`, ann)).commit.id
        const second = yield* commitTo(api, id, { a: "a" })
        const branch = yield* api.ask(
          201,
          "POST",
          `${base}/branches`,
          sent({ new_branch_name: "x/y", old_ref_name: first })
        )
        expect(branch).toMatchObject({ name: "x/y", protected: false, user_can_push: true, commit: { id: first } })
        yield* api.ask(409, "POST", `${base}/branches`, sent({ new_branch_name: "x/y" }))
        yield* api.ask(409, "POST", `${base}/branches`, sent({ new_branch_name: "x" }))
        yield* api.ask(404, "POST", `${base}/branches`, sent({ new_branch_name: "z", old_ref_name: "nope" }))
        yield* api.ask(422, "POST", `${base}/branches`, sent({ new_branch_name: "--z" }))
        yield* api.ask(422, "PUT", `${base}/branches/x/y`, sent({ new_commit_id: second, old_commit_id: second }))
        yield* api.ask(204, "PUT", `${base}/branches/x/y`, sent({ new_commit_id: second, old_commit_id: first }))
        yield* api.ask(422, "PUT", `${base}/branches/x/y`, sent({ new_commit_id: first }))
        yield* api.ask(204, "PUT", `${base}/branches/x/y`, sent({ new_commit_id: first, force: true }))
        yield* api.ask(204, "PATCH", `${base}/branches/x/y`, sent({ name: "y" }))
        const listed = yield* api.send("GET", `${base}/branches?limit=1`, ann)
        expect([listed.json[0].name, listed.headers.get("x-total-count")]).toEqual(["main", "2"])
        // The default branch keeps its role when it is renamed, and can't be deleted.
        yield* api.ask(204, "PATCH", `${base}/branches/main`, sent({ name: "trunk" }))
        expect((yield* api.ask(200, "GET", base, ann)).default_branch).toBe("trunk")
        yield* api.ask(403, "DELETE", `${base}/branches/trunk`, ann)
        yield* api.ask(204, "DELETE", `${base}/branches/y`, ann)
        yield* api.ask(404, "DELETE", `${base}/branches/y`, ann)

        const light = yield* api.ask(201, "POST", `${base}/tags`, sent({ tag_name: "v1" }))
        expect([light.id, light.commit.sha, light.message]).toEqual([second, second, "Change things"])
        const heavy = yield* api.ask(
          201,
          "POST",
          `${base}/tags`,
          sent({ tag_name: "v2", message: "Two", target: first })
        )
        expect([heavy.commit.sha, heavy.message]).toEqual([first, "Two"])
        const object = yield* api.ask(200, "GET", `${base}/git/tags/${heavy.id}`, ann)
        expect([object.tag, object.object.sha, object.tagger.name, object.message]).toEqual([
          "v2",
          first,
          "ann",
          "Two\n"
        ])
        yield* api.ask(409, "POST", `${base}/tags`, sent({ tag_name: "v1" }))
        const refs = yield* api.ask(200, "GET", `${base}/git/refs/tags`, ann)
        expect(refs.map(({ ref }: { ref: string }) => ref)).toEqual(["refs/tags/v1", "refs/tags/v2"])
        yield* api.ask(204, "DELETE", `${base}/tags/v1`, ann)
        yield* api.ask(404, "GET", `${base}/tags/v1`, ann)
      })
    )
  })
}

describe("I18, B2: a ref change by the API", () => {
  it.live("checks the protections of each ref by its name, and records the same push as git does", () =>
    Effect.gen(function* () {
      const api = yield* withPeople(kindsOfGit[0][1])
      const id = yield* makeRepository(api, "app")
      const at = "2026-01-01T00:00:00.000Z"
      const nobody = { users: [] as ReadonlyArray<UserId>, teams: [] }
      yield* api
        .within(
          Effect.gen(function* () {
            const store = yield* ProtectionStore
            const dates = { createdAt: at, updatedAt: at }
            yield* store.insertBranch({
              ...strictRules,
              ...dates,
              repositoryId: id,
              ruleName: "release/*",
              priority: 1
            })
            yield* store.insertBranch({
              ...strictRules,
              ...dates,
              repositoryId: id,
              ruleName: "main",
              priority: 2,
              push: { ...strictRules.push, enabled: true },
              protectedFiles: "*.lock"
            })
            yield* store.insertTag({ ...dates, repositoryId: id, namePattern: "v*", allowed: nobody })
          })
        )
        .pipe(Effect.orDie)
      const content = base64("x")
      const message = (path: string, method: string, body: unknown) =>
        Effect.map(api.ask(403, method, `${base}/${path}`, sent(body)), (answer) => answer.message as string)
      expect(yield* message("contents/a.lock", "POST", { content })).toBe(
        "refs/heads/main: the rule `main` protects the file a.lock"
      )
      expect(yield* message("branches", "POST", { new_branch_name: "release/1" })).toBe(
        "refs/heads/release/1: the rule `release/*` does not allow you to push to it"
      )
      expect(yield* message("contents/a", "POST", { content, new_branch: "release/1" })).toBe(
        "refs/heads/release/1: the rule `release/*` does not allow you to push to it"
      )
      expect(yield* message("tags", "POST", { tag_name: "v1" })).toBe("refs/tags/v1: the rule `v*` protects the tag")
      yield* api.ask(201, "POST", `${base}/contents/a`, sent({ content }))
      const protectedBranch = yield* api.ask(200, "GET", `${base}/branches/main`, ann)
      expect([protectedBranch.protected, protectedBranch.effective_branch_protection_name]).toEqual([true, "main"])
      const pushes = yield* api.within(Effect.flatMap(PushStore, (store) => store.list(id, { page: 1, perPage: 10 })))
      expect(pushes.total).toBe(1)
      expect(pushes.rows[0]?.refs.map(({ commitCount, forced, ref }) => ({ ref, forced, commitCount }))).toEqual([
        { ref: "refs/heads/main", forced: false, commitCount: 1 }
      ])
      expect(pushes.rows[0]?.event.action).toBe("git.push")
    })
  )

  it.live("I6: requires write access to the code, on every branch", () =>
    Effect.gen(function* () {
      const api = yield* withPeople(kindsOfGit[0][1])
      yield* makeRepository(api, "app")
      const body = { content: base64("x"), new_branch: "bobs" }
      expect((yield* api.send("POST", `${base}/contents/a`, { ...bob, body })).status).toBe(403)
      expect((yield* api.send("POST", `${base}/branches`, { ...bob, body: { new_branch_name: "b" } })).status).toBe(403)
      expect((yield* api.send("POST", `${base}/contents/a`, { body })).status).toBe(401)
      yield* api.ask(200, "PATCH", base, { ...ann, body: { archived: true } })
      yield* api.ask(423, "POST", `${base}/contents/a`, sent({ content: base64("x") }))
      yield* api.ask(423, "DELETE", `${base}/branches/main`, { headers: basic("ann") })
    })
  )
})
