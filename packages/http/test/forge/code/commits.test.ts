import { describe, expect, it } from "@effect/vitest"
import { GitWriter } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { rootUrl } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository, pointRef, withPeople } from "../support/repositories.ts"

const base = "/repos/ann/app"
const ids = (commits: ReadonlyArray<{ readonly sha: string }>) => commits.map(({ sha }) => sha)

for (const [kind, git] of kindsOfGit) {
  describe(`commits, on ${kind}`, () => {
    it.live("are listed by path, author and time, without excluded commits, and can be compared", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        const id = yield* makeRepository(api, "app")
        const one = yield* commitTo(api, id, { "a.txt": "1\n2\n" }, { message: "One\n" })
        const two = yield* commitTo(api, id, { "a.txt": "1\n3\n", "b/b.txt": "b\n" }, { message: "Two\n" })
        yield* commitTo(api, id, { "c.txt": "c\n" }, { branch: "topic/c", from: "main", message: "Three\n" })
        const listed = yield* api.send("GET", `${base}/commits?limit=2`, bob)
        expect([ids(listed.json), listed.headers.get("x-total-count")]).toEqual([[two, one], "3"])
        expect(listed.headers.get("link")).toContain('rel="next"')
        const api1 = `${rootUrl}/api/v1${base}`
        expect(listed.json[0]).toMatchObject({
          url: `${api1}/git/commits/${two}`,
          html_url: `${rootUrl}/ann/app/commit/${two}`,
          created: "2026-02-02T03:40:00+01:00",
          author: { login: "ann" },
          commit: { message: "Two\n", author: { name: "Ann", email: "ann@example.com" } },
          parents: [{ sha: one, url: `${api1}/git/commits/${one}` }],
          files: [
            { filename: "a.txt", status: "modified" },
            { filename: "b/b.txt", status: "added" }
          ],
          stats: { total: 3, additions: 2, deletions: 1 }
        })
        const found = (query: string) => Effect.map(api.ask(200, "GET", `${base}/commits?${query}`, bob), ids)
        expect(yield* found("path=b")).toEqual([two])
        expect(yield* found("path=a.txt&sha=topic/c")).toEqual([two, one])
        expect(yield* found(`not=${one}`)).toEqual([two])
        expect(yield* found("author=ANN%40example.com&until=2026-02-03T00:00:00Z")).toHaveLength(2)
        expect(yield* found("until=2020-01-01T00:00:00Z")).toEqual([])
        const plain = yield* api.ask(
          200,
          "GET",
          `${base}/commits?stat=false&files=false&verification=false&limit=1`,
          bob
        )
        expect([plain[0].stats, plain[0].files, plain[0].commit.verification]).toEqual([null, null, null])
        yield* api.ask(404, "GET", `${base}/commits?path=nope`, bob)
        yield* api.ask(404, "GET", `${base}/commits?sha=--all`, bob)
        yield* api.ask(422, "GET", `${base}/commits?since=soon`, bob)
        const compared = yield* api.ask(200, "GET", `${base}/compare/${one}...topic/c`, bob)
        expect(compared.total_commits).toBe(2)
        expect(compared.commits[1].sha).toBe(two)
        yield* api.ask(404, "GET", `${base}/compare/main...nope`, bob)
        const compareDiff = yield* api.send("GET", `${base}/compare-diff/${two}...topic/c`, bob)
        expect([compareDiff.status, compareDiff.headers.get("content-type")]).toEqual([
          200,
          "text/plain; charset=utf-8"
        ])
        expect(compareDiff.text).toMatch(/^diff --git a\/c\.txt b\/c\.txt\nnew file mode 100644\n[\s\S]*\n\+c\n$/)
        // From the merge base nothing differs, and from the base itself a file is missing.
        expect((yield* api.send("GET", `${base}/compare-diff/topic/c...main`, bob)).text).toBe("")
        expect((yield* api.send("GET", `${base}/compare-diff/topic/c..main`, bob)).text).toContain("deleted file mode")
        yield* api.ask(404, "GET", `${base}/compare-diff/main...nope`, bob)
      })
    )

    it.live("are listed for each line of a file (blame), and files are found by words of their paths", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        const id = yield* makeRepository(api, "app")
        const one = yield* commitTo(api, id, { "a.txt": "1\n2\n3\n", "Src/App Main.ts": "x\n" }, { message: "One\n" })
        const two = yield* commitTo(api, id, { "a.txt": "1\n5\n3\n", "main/b.bin": "\0" }, { message: "Two\n" })
        const blame = yield* api.ask(200, "GET", `${base}/blame/a.txt`, bob)
        expect(blame).toMatchObject({
          sha: two,
          path: "a.txt",
          total_lines: 3,
          ranges: [
            { sha: one, from: 1, count: 1 },
            { sha: two, from: 2, count: 1 },
            { sha: one, from: 3, count: 1 }
          ]
        })
        expect(ids(blame.commits)).toEqual([one, two])
        expect(blame.commits[0]).toMatchObject({ author: { login: "ann" }, files: null })
        const part = yield* api.ask(200, "GET", `${base}/blame/a.txt?from=2&count=1&ref=${one}`, bob)
        expect(part.ranges).toEqual([{ sha: one, from: 2, count: 1 }])
        yield* api.ask(404, "GET", `${base}/blame/nope.txt`, bob)
        yield* api.ask(404, "GET", `${base}/blame/Src`, bob)
        yield* api.ask(404, "GET", `${base}/blame/a.txt?ref=nope`, bob)
        const binary = yield* api.ask(422, "GET", `${base}/blame/main/b.bin`, bob)
        expect(binary.message).toContain("[path]: must name a text file of at most 1 MiB")
        const search = (query: string) =>
          Effect.map(api.send("GET", `${base}/file-search?${query}`, bob), ({ headers, json }) => [
            json.map(({ path }: { readonly path: string }) => path),
            headers.get("x-total-count")
          ])
        expect(yield* search("q=MAIN")).toEqual([["Src/App Main.ts", "main/b.bin"], "2"])
        expect(yield* search("q=main%20src")).toEqual([["Src/App Main.ts"], "1"])
        expect(yield* search("limit=1&page=2")).toEqual([["Src/App Main.ts"], "4"])
        expect(yield* search(`q=b.bin&ref=${one}`)).toEqual([[], "0"])
        yield* api.ask(404, "GET", `${base}/file-search?ref=nope`, bob)
      })
    )

    it.live("are returned as objects, diffs and notes, with the object id as ETag", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        const id = yield* makeRepository(api, "app")
        const commit = yield* commitTo(api, id, { "a.txt": "one\n", "b/c.txt": "two\n" }, { message: "Add\n\nBody\n" })
        const diff = yield* api.send("GET", `${base}/git/commits/${commit}.diff`, bob)
        expect(diff.text.startsWith("diff --git a/a.txt b/a.txt\nnew file mode 100644\n")).toBe(true)
        expect(diff.headers.get("content-type")).toBe("text/plain; charset=utf-8")
        const patch = yield* api.send("GET", `${base}/git/commits/${commit}.patch`, bob)
        expect(patch.text).toContain("Subject: [PATCH] Add\n")
        const tree = yield* api.send("GET", `${base}/git/trees/main?recursive=true&per_page=2`, bob)
        expect(tree.json).toMatchObject({ truncated: true, page: 1, total_count: 4 })
        const { sha } = tree.json
        const etag = tree.headers.get("etag") ?? ""
        const kept = { headers: { "if-none-match": etag } }
        expect((yield* api.send("GET", `${base}/git/trees/${sha}?recursive=true&per_page=2`, kept)).status).toBe(304)
        const rest = yield* api.ask(200, "GET", `${base}/git/trees/${sha}?recursive=true&page=2&per_page=3`, bob)
        expect(rest.tree).toEqual([
          {
            path: "b/c.txt",
            mode: "100644",
            type: "blob",
            size: 4,
            sha: "f719efd430d52bcfc8566a43b2eb655688d38871",
            url: `${rootUrl}/api/v1${base}/git/blobs/f719efd430d52bcfc8566a43b2eb655688d38871`
          }
        ])
        const blob = yield* api.ask(200, "GET", `${base}/git/blobs/f719efd430d52bcfc8566a43b2eb655688d38871`, bob)
        expect([blob.content, blob.encoding, blob.size]).toEqual(["dHdvCg==", "base64", 4])
        // Responses with the object id as ETag are revalidated each time, with authorization.
        const address = `${base}/git/blobs/f719efd430d52bcfc8566a43b2eb655688d38871`
        const again = yield* api.send("GET", address, {
          headers: { "if-none-match": `"f719efd430d52bcfc8566a43b2eb655688d38871"` }
        })
        expect([again.status, again.text, again.headers.get("cache-control")]).toEqual([304, "", "private, no-cache"])
        const changed = yield* api.send("GET", `${base}/git/trees/main?recursive=true&per_page=3`, kept)
        expect(changed.status).toBe(200)
        for (const missing of ["0".repeat(40), commit, "main", "HEAD"]) {
          yield* api.ask(404, "GET", `${base}/git/blobs/${missing}`, bob)
        }
        yield* api.ask(404, "GET", `${base}/git/notes/${commit}`, bob)
        const note = yield* api
          .within(
            Effect.gen(function* () {
              const writer = yield* GitWriter
              const [text] = yield* writer.writeBlobs(id, [new TextEncoder().encode("Seen\n")])
              const edits = text === undefined ? [] : [{ path: commit, to: { id: text, mode: "100644" as const } }]
              const by = { name: "Ann", email: "ann@example.com", seconds: 1_770_000_000, offset: "+0000" }
              const notes = yield* writer.writeTree(id, undefined, edits)
              return yield* writer.writeCommit(id, {
                tree: notes,
                parents: [],
                author: by,
                committer: by,
                message: "Note\n"
              })
            })
          )
          .pipe(Effect.orDie)
        yield* pointRef(api, id, "refs/notes/commits", note)
        const read = yield* api.ask(200, "GET", `${base}/git/notes/main`, bob)
        expect([read.message, read.commit.sha]).toEqual(["Seen\n", note])
      })
    )
  })
}

describe("responses about trees are cached by object id", () => {
  it.live("but contain the addresses of the requested repository, also after a rename", () =>
    Effect.gen(function* () {
      const api = yield* withPeople(kindsOfGit[0][1])
      const [app, hidden] = [yield* makeRepository(api, "app"), yield* makeRepository(api, "hidden", { private: true })]
      for (const id of [app, hidden]) yield* commitTo(api, id, { "README.md": null, "a.txt": "one\n" })
      const tree = "20e50a07feffafe7699bf38ff4027a606f406eaa"
      const read = (name: string, query = "") =>
        Effect.map(api.ask(200, "GET", `/repos/ann/${name}/git/trees/main${query}`, ann), (answer) => [
          answer.sha,
          answer.tree.map(({ path, size, url }: Record<string, unknown>) => [path, size, url])
        ])
      const shown = (name: string) => [
        tree,
        [["a.txt", 4, `${rootUrl}/api/v1/repos/ann/${name}/git/blobs/5626abf0f72e58d7a153368ba57db4c673c0e171`]]
      ]
      for (const name of ["app", "app", "hidden", "app"]) expect(yield* read(name)).toEqual(shown(name))
      expect(yield* read("app", "?page=2")).toEqual([tree, []])
      yield* api.ask(200, "PATCH", "/repos/ann/app", { ...ann, body: { name: "renamed" } })
      expect(yield* read("renamed")).toEqual(shown("renamed"))
      yield* api.ask(404, "GET", "/repos/ann/hidden/git/trees/main", bob)
      yield* api.ask(204, "DELETE", "/repos/ann/hidden", ann)
      yield* api.ask(404, "GET", "/repos/ann/hidden/git/trees/main", ann)
    })
  )
})

describe("responses about git are cached by ETag", () => {
  it.live("until the content changes, and the caller is authorized at each revalidation", () =>
    Effect.gen(function* () {
      const api = yield* withPeople(kindsOfGit[0][1])
      const id = yield* makeRepository(api, "app", { private: true })
      const commit = yield* commitTo(api, id, { "a.txt": "one\n" })
      const heavy = { tag_name: "v1", message: "One" }
      const tag = yield* api.ask(201, "POST", `${base}/tags`, { ...ann, body: heavy })
      const changing = ["branches", "branches/main", "commits", "contents", "contents/a.txt", "contents-ext/a.txt"]
      changing.push("git/refs", "git/refs/heads/main", "git/trees/main", `compare/${commit}...main`)
      const staying = ["tags", "tags/v1", `git/commits/${commit}`, `git/tags/${tag.id}`, `contents/a.txt?ref=${commit}`]
      const tags = new Map<string, string>()
      const ask = (path: string, who = ann) =>
        api.send("GET", `${base}/${path}`, { headers: { ...who.headers, "if-none-match": tags.get(path) ?? "" } })
      for (const path of [...changing, ...staying]) {
        const first = yield* ask(path)
        expect([path, first.status, first.headers.get("cache-control")]).toEqual([path, 200, "private, no-cache"])
        tags.set(path, first.headers.get("etag") ?? "")
        const again = yield* ask(path)
        expect([path, again.status, again.text]).toEqual([path, 304, ""])
        for (const name of ["etag", "link", "x-total-count", "cache-control"]) {
          expect([path, name, again.headers.get(name)]).toEqual([path, name, first.headers.get(name)])
        }
        expect([path, (yield* ask(path, bob)).status]).toEqual([path, 404])
      }
      yield* commitTo(api, id, { "a.txt": "two\n" })
      for (const path of changing) expect([path, (yield* ask(path)).status]).toEqual([path, 200])
      for (const path of staying) expect([path, (yield* ask(path)).status]).toEqual([path, 304])
    })
  )
})

const hostile = [
  "--all",
  "--output=x",
  "-n1",
  "^main",
  "main..main",
  "@{-1}",
  ":/x",
  "main:README.md",
  "a\0b",
  "a\nb",
  "\\"
]

it.live("I23: revisions that git could parse as options, ranges or searches are 404 on every route", () =>
  Effect.gen(function* () {
    const api = yield* withPeople(kindsOfGit[1][1])
    yield* makeRepository(api, "app")
    const seen: Array<string> = []
    for (const name of hostile.map(encodeURIComponent)) {
      const asked = [
        `git/trees/${name}`,
        `git/commits/${name}`,
        `git/commits/${name}.diff`,
        `git/commits/${name}.patch`
      ]
      asked.push(`git/refs/${name}`, `git/blobs/${name}`, `git/tags/${name}`, `git/notes/${name}`, `branches/${name}`)
      asked.push(
        `tags/${name}`,
        `archive/${name}.zip`,
        `bundle/${name}`,
        `compare/${name}...main`,
        `commits?sha=${name}`
      )
      asked.push(`contents?ref=${name}`, `raw/README.md?ref=${name}`, `commits?not=${name}`, `commits/${name}/status`)
      for (const path of asked) {
        const { status } = yield* api.send("GET", `${base}/${path}`, ann)
        if (status !== 404 && status !== 422) seen.push(`${path} ${status}`)
      }
    }
    expect(seen).toEqual([])
  })
)
