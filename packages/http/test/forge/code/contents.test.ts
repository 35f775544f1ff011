import { createHash } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { BlobStore, blobKey } from "@slipway/domain/forge/base"
import { LfsOid, LfsStore } from "@slipway/domain/forge/code"
import { Effect, Stream } from "effect"
import { rootUrl } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"

const base = "/repos/ann/app"
const text = (content: string) => Buffer.from(content, "base64").toString()

for (const [kind, git] of kindsOfGit) {
  describe(`contents, on ${kind}`, () => {
    it.live("are listed and read, with symlinks, submodules, unusual names and LFS pointers", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        const id = yield* makeRepository(api, "app")
        const oid = "a".repeat(64)
        const commit = yield* commitTo(api, id, {
          "src/a b%.ts": "export {}\n",
          "src/\udcff": "odd",
          link: { mode: "120000", to: "src" },
          lib: { mode: "160000", to: "b".repeat(40) },
          ".gitmodules": `[submodule "lib"]\n\tpath = lib\n\turl = https://example.com/lib.git\n`,
          "big.bin": `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 123456\n`
        })
        const root = yield* api.ask(200, "GET", `${base}/contents`, ann)
        expect(root.map(({ name, type }: { name: string; type: string }) => `${type} ${name}`)).toEqual([
          "file .gitmodules",
          "file README.md",
          "file big.bin",
          "submodule lib",
          "symlink link",
          "dir src"
        ])
        expect(root[3].submodule_git_url).toBe("https://example.com/lib.git")
        expect([root[4].target, root[4].size]).toEqual(["src", 3])
        expect([root[2].lfs_oid, root[2].lfs_size]).toEqual([oid, 123456])
        expect(root[5].last_commit_sha).toBe(commit)

        const file = yield* api.ask(200, "GET", `${base}/contents/src/a%20b%25.ts?ref=main`, ann)
        const api1 = `${rootUrl}/api/v1${base}`
        expect(file).toEqual({
          name: "a b%.ts",
          path: "src/a b%.ts",
          sha: "336ce12bb9106afdf843063ee67c0c1970f70d37",
          type: "file",
          size: 10,
          last_commit_sha: commit,
          last_committer_date: "2026-02-02T03:40:00+01:00",
          last_author_date: "2026-02-02T03:40:00+01:00",
          last_commit_message: null,
          encoding: "base64",
          content: "ZXhwb3J0IHt9Cg==",
          target: null,
          url: `${api1}/contents/src/a%20b%25.ts?ref=main`,
          html_url: `${rootUrl}/ann/app/src/branch/main/src/a%20b%25.ts`,
          git_url: `${api1}/git/blobs/336ce12bb9106afdf843063ee67c0c1970f70d37`,
          download_url: `${rootUrl}/ann/app/raw/branch/main/src/a%20b%25.ts`,
          submodule_git_url: null,
          lfs_oid: null,
          lfs_size: null,
          _links: {
            self: `${api1}/contents/src/a%20b%25.ts?ref=main`,
            git: `${api1}/git/blobs/336ce12bb9106afdf843063ee67c0c1970f70d37`,
            html: `${rootUrl}/ann/app/src/branch/main/src/a%20b%25.ts`
          }
        })
        expect(text((yield* api.ask(200, "GET", `${base}/contents/src/%FF`, ann)).content)).toBe("odd")
        const odd = yield* api.send("GET", `${base}/raw/src/%FF`, ann)
        expect([odd.status, odd.text]).toEqual([200, "odd"])
        const commits = (path: string) =>
          Effect.map(api.send("GET", `${base}/commits?limit=5&path=${path}`, ann), ({ json, status }) => [
            status,
            Array.isArray(json) ? json.map(({ sha }) => sha) : []
          ])
        expect(yield* commits("src/%FF")).toEqual([200, [commit]])
        expect(yield* commits("src/a+b%25.ts")).toEqual([200, [commit]])
        for (const none of ["%FF", "src/%FE", "src/%EF%BF%BD", "%zz", "src/%FF%00"]) {
          expect([none, (yield* commits(none))[0]]).toEqual([none, none === "src/%FF%00" ? 422 : 404])
        }
        for (const missing of ["nope", "src/../README.md", "src/nope", "README.md/x"]) {
          yield* api.ask(404, "GET", `${base}/contents/${encodeURIComponent(missing)}`, ann)
        }
        yield* api.ask(404, "GET", `${base}/contents?ref=--all`, ann)
        yield* api.ask(404, "GET", `${base}/contents?ref=nope`, ann)

        const extended = yield* api.ask(200, "GET", `${base}/contents-ext/README.md?includes=commit_message`, ann)
        expect([extended.dir_contents, extended.file_contents.content]).toEqual([null, null])
        expect(extended.file_contents.last_commit_message.trim()).toBe("Initial commit")
        const several = yield* api.ask(200, "POST", `${base}/file-contents`, {
          ...ann,
          body: { files: ["README.md", "nope", "src"] }
        })
        expect(several.map((each: { path: string } | null) => each?.path ?? null)).toEqual(["README.md", null, "src"])
        const asked = encodeURIComponent(JSON.stringify({ files: ["big.bin"] }))
        expect(yield* api.ask(200, "GET", `${base}/file-contents?body=${asked}`, ann)).toHaveLength(1)
        yield* api.ask(422, "GET", `${base}/file-contents?body=x`, ann)
      })
    )

    it.live("are downloaded as a whole, in ranges and with ETags, and run no script in a browser", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        const id = yield* makeRepository(api, "app")
        const page = "<script>alert(1)</script>"
        const commit = yield* commitTo(api, id, { "p/page.html": page, empty: "" }, { branch: "a/b", from: "main" })
        const whole = yield* api.send("GET", `${base}/raw/p/page.html?ref=a%2Fb`, ann)
        expect([whole.status, whole.text]).toEqual([200, page])
        expect(whole.headers.get("content-type")).toBe("text/plain; charset=utf-8")
        expect(whole.headers.get("content-security-policy")).toBe("default-src 'none'; style-src 'none'; sandbox")
        expect(whole.headers.get("x-content-type-options")).toBe("nosniff")
        expect(whole.headers.get("cache-control")).toBe("private, no-cache")
        const etag = whole.headers.get("etag") ?? ""
        const kept = yield* api.send("GET", `${base}/raw/p/page.html?ref=a%2Fb`, {
          headers: { ...ann.headers, "if-none-match": etag }
        })
        expect([kept.status, kept.text]).toEqual([304, ""])
        expect([kept.headers.get("etag"), kept.headers.get("cache-control")]).toEqual([etag, "private, no-cache"])
        // The object id as git computes it: the ETag is equal in another commit with the same content.
        const blob = createHash("sha1").update(`blob ${page.length}\0${page}`).digest("hex")
        expect(etag).toBe(`"${blob}"`)
        const asked = (headers: Readonly<Record<string, string>>) =>
          Effect.map(
            api.send("GET", `${base}/raw/p/page.html?ref=a%2Fb`, { headers: { ...ann.headers, ...headers } }),
            (each) => [each.status, each.text]
          )
        expect(yield* asked({ "if-none-match": `W/${etag}, "other"` })).toEqual([304, ""])
        expect(yield* asked({ "if-none-match": `"other"` })).toEqual([200, page])
        expect(yield* asked({ range: "bytes=-9" })).toEqual([206, "</script>"])
        expect(yield* asked({ range: "bytes=16-9999" })).toEqual([206, page.slice(16)])
        expect(yield* asked({ range: "bytes=8-14", "if-range": etag })).toEqual([206, "alert(1"])
        expect(yield* asked({ range: "bytes=8-14", "if-range": `"other"` })).toEqual([200, page])
        expect(yield* asked({ range: "bytes=0-1,3-4" })).toEqual([200, page])
        const part = yield* api.send("GET", `${base}/media/p/page.html?ref=${commit}`, {
          headers: { ...ann.headers, range: "bytes=8-14" }
        })
        expect([part.status, part.text]).toEqual([206, "alert(1"])
        expect(part.headers.get("content-range")).toBe("bytes 8-14/25")
        expect(part.headers.get("cache-control")).toBe("private, max-age=86400")
        const none = yield* api.send("GET", `${base}/raw/p/page.html?ref=a%2Fb`, {
          headers: { ...ann.headers, range: "bytes=25-" }
        })
        expect([none.status, none.headers.get("content-range")]).toEqual([416, "bytes */25"])
        expect((yield* api.send("GET", `${base}/raw/empty?ref=a/b`, ann)).text).toBe("")
        yield* api.ask(404, "GET", `${base}/raw/p?ref=a/b`, ann)
        // Returns an LFS object of this repository, and none of another (B9).
        const large = new TextEncoder().encode("larger")
        const oid = LfsOid.make(createHash("sha256").update(large).digest("hex"))
        yield* commitTo(api, id, {
          "l.bin": `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 6\n`
        })
        yield* api
          .within(
            Effect.flatMap(BlobStore, (blobs) => blobs.put(blobKey("lfs", oid), Stream.make(large), { maxSize: 9 }))
          )
          .pipe(Effect.orDie)
        expect((yield* api.send("GET", `${base}/media/l.bin`, ann)).text).toContain(`oid sha256:${oid}`)
        yield* api.within(Effect.flatMap(LfsStore, (store) => store.link({ repositoryId: id, oid, size: 6 })))
        const media = yield* api.send("GET", `${base}/media/l.bin`, { headers: { ...ann.headers, range: "bytes=1-3" } })
        expect([media.status, media.text]).toEqual([206, "arg"])
        expect((yield* api.send("GET", `${base}/raw/l.bin`, ann)).text).toContain("git-lfs")
        // The paths that web links use.
        for (const link of ["branch/a/b/p/page.html", "a/b/p/page.html", `commit/${commit}/p/page.html`]) {
          expect((yield* api.fetch("GET", `/ann/app/raw/${link}`)).text).toBe(page)
        }
        expect((yield* api.fetch("GET", "/ann/app/raw/branch/main/p/page.html")).status).toBe(404)
      })
    )

    it.live("have languages, a license and editorconfig settings", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        const id = yield* makeRepository(api, "app", { license: "MIT" })
        expect(yield* api.ask(200, "GET", `${base}/languages`, ann)).toEqual({})
        yield* api.ask(404, "GET", `${base}/editorconfig/a.ts`, ann)
        const settings = "root = true\n[*.ts]\nindent_style = tab\n"
        yield* commitTo(api, id, { "a.ts": "let a\n", "b/b.ts": "let b\n", "c.go": "x\n", ".editorconfig": settings })
        const told = yield* api.send("GET", `${base}/languages`, ann)
        expect(told.text).toBe('{"TypeScript":12,"Go":2}')
        expect(yield* api.ask(200, "GET", `${base}/editorconfig/a.ts`, ann)).toMatchObject({ indent_style: "tab" })
        expect(yield* api.ask(200, "GET", `${base}/licenses`, ann)).toEqual(["MIT"])
        // Deleted files no longer count, and an unknown text is no license.
        yield* commitTo(api, id, { "a.ts": null, "b/b.ts": null, LICENSE: "Ask me.\n", ".editorconfig": null })
        expect((yield* api.send("GET", `${base}/languages`, ann)).text).toBe('{"Go":2}')
        expect(yield* api.ask(200, "GET", `${base}/licenses`, ann)).toEqual([])
        yield* api.ask(404, "GET", `${base}/editorconfig/a.ts`, ann)
      })
    )

    it.live("are downloaded as archives of a commit", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        const id = yield* makeRepository(api, "app")
        const commit = yield* commitTo(api, id, { "a.txt": "a" })
        const zip = yield* api.send("GET", `${base}/archive/main.zip`, ann)
        expect([zip.status, zip.text.slice(0, 2)]).toEqual([200, "PK"])
        expect(zip.text.match(/app[^\s\w]+a.txt/)?.[0]).toBe("app/a.txt")
        expect(zip.headers.get("content-disposition")).toContain('filename="app-main.zip"')
        const etag = zip.headers.get("etag") ?? ""
        const again = { headers: { ...ann.headers, "if-none-match": etag } }
        expect((yield* api.send("GET", `${base}/zipball/main`, again)).status).toBe(304)
        expect((yield* api.send("GET", `${base}/tarball/main`, again)).headers.get("content-type")).toBe(
          "application/gzip"
        )
        expect((yield* api.send("GET", `${base}/bundle/main`, ann)).text).toMatch(/^# v2 git bundle\n/)
        // The archive is cached by commit, whichever revision the request names.
        const archives = Effect.flatMap(BlobStore, (blobs) => Stream.runCollect(blobs.list("archives")))
        const kept = yield* api.within(archives)
        expect(kept.map(({ key }) => key.replace(/-[0-9a-z]+-(?=targz|zip)/, " ")).sort()).toEqual(
          ["targz", "zip"].map((end) => `archives/${id}-${commit} ${end}`)
        )
        const sizes = kept.map(({ size }) => String(size))
        const known = yield* api.send("HEAD", `${base}/archive/${commit}.tar.gz`, ann)
        expect([known.status, known.text]).toEqual([200, ""])
        expect(sizes).toContain(known.headers.get("content-length"))
        expect((yield* api.send("GET", `${base}/archive/main.zip`, ann)).text).toBe(zip.text)
        expect(yield* api.within(archives)).toEqual(kept)
        expect((yield* api.fetch("GET", "/ann/app/archive/main.zip")).status).toBe(200)
        yield* api.ask(404, "GET", `${base}/archive/main.rar`, ann)
        yield* api.ask(404, "GET", `${base}/archive/nope.zip`, ann)
      })
    )
  })
}

describe("I2, I3, B9: only callers with read access to the code read the contents of a repository", () => {
  it.live("on every route, also through web links", () =>
    Effect.gen(function* () {
      const api = yield* withPeople(kindsOfGit[0][1])
      const id = yield* makeRepository(api, "hidden", { private: true })
      const commit = yield* commitTo(api, id, { secret: "s" })
      const paths = [
        "contents",
        "contents/secret",
        "contents-ext/secret",
        "raw/secret",
        "media/secret",
        "archive/main.zip",
        "commits",
        `git/commits/${commit}`,
        `git/commits/${commit}.diff`,
        "git/trees/main",
        "git/refs",
        "compare/main...main"
      ]
      for (const path of paths) {
        expect((yield* api.send("GET", `/repos/ann/hidden/${path}`, ann)).status, path).toBe(200)
        const hidden = yield* api.send("GET", `/repos/ann/hidden/${path}`, bob)
        const missing = yield* api.send("GET", `/repos/ann/missing/${path}`, bob)
        expect([hidden.status, hidden.text], path).toEqual([404, missing.text])
      }
      for (const link of ["raw/branch/main/secret", "media/main/secret", "archive/main.zip"]) {
        const hidden = yield* api.fetch("GET", `/ann/hidden/${link}`)
        expect([hidden.status, hidden.text]).toEqual([404, (yield* api.fetch("GET", `/ann/missing/${link}`)).text])
        expect((yield* api.fetch("GET", `/ann/hidden/${link}`, ann)).status).toBe(200)
      }
      // The object is in another repository than the one in the path.
      yield* makeRepository(api, "open")
      yield* api.ask(404, "GET", `/repos/ann/open/git/commits/${commit}`, bob)
      yield* api.ask(404, "GET", `/repos/ann/open/git/trees/${commit}`, bob)
    })
  )
})
