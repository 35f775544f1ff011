import { describe, expect, it } from "@effect/vitest"
import { ProtectionStore } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { basic, bearer, rootUrl, type Service } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"

const base = "/repos/ann/app"
const sent = (body: object) => ({ ...ann, body })
const [[, inMemory]] = kindsOfGit
const fixture = Effect.gen(function* () {
  const api = yield* withPeople(inMemory)
  const id = yield* makeRepository(api, "app")
  return { api, id }
})

const form = (text: string, name: string) => ({
  raw: `--border\r\nContent-Disposition: form-data; name="attachment"; filename="${name}"\r\nContent-Type: application/zip\r\n\r\n${text}\r\n--border--\r\n`,
  headers: { ...ann.headers, "content-type": "multipart/form-data; boundary=border" }
})

const tagsOf = (api: Service) =>
  Effect.map(api.ask(200, "GET", `${base}/tags`, ann), (rows: ReadonlyArray<{ name: string }>) =>
    rows.map(({ name }) => name)
  )

const listed = (api: Service, query: string, who: { headers: Readonly<Record<string, string>> } | object) =>
  Effect.map(api.send("GET", `${base}/releases${query}`, who), ({ headers, json }) => [
    (json as ReadonlyArray<{ tag_name: string }>).map(({ tag_name }) => tag_name),
    headers.get("x-total-count")
  ])

for (const [kind, git] of kindsOfGit) {
  describe(`releases, on ${kind}`, () => {
    it.live("are created with their tag, changed, published and deleted", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        const repository = yield* makeRepository(api, "app")
        const first = yield* commitTo(api, repository, { "a.txt": "a" })
        const made = yield* api.ask(
          201,
          "POST",
          `${base}/releases`,
          sent({ tag_name: "v/1", name: "One", body: "The first", target_commitish: "main" })
        )
        const url = `${rootUrl}/api/v1${base}/releases/${made.id}`
        expect(made).toMatchObject({
          tag_name: "v/1",
          target_commitish: "main",
          name: "One",
          body: "The first",
          url,
          html_url: `${rootUrl}/ann/app/releases/tag/v/1`,
          tarball_url: `${rootUrl}/ann/app/archive/refs/tags/v/1.tar.gz`,
          zipball_url: `${rootUrl}/ann/app/archive/refs/tags/v/1.zip`,
          upload_url: `${url}/assets`,
          draft: false,
          prerelease: false,
          author: { login: "ann" },
          assets: []
        })
        const tag = yield* api.ask(200, "GET", `${base}/tags/v/1`, ann)
        expect([tag.id, tag.commit.sha]).toEqual([first, first])
        // Prevents: a user pushes an unprotected branch with the tag's name, and the archive contains it.
        yield* commitTo(api, repository, { "bad.txt": "bad" }, { branch: "v/1", from: "main" })
        for (const address of [made.zipball_url, tag.zipball_url]) {
          const { status, text } = yield* api.fetch("GET", new URL(address).pathname)
          expect([status, text.includes("app/a.txt"), text.includes("bad.txt")]).toEqual([200, true, false])
        }
        yield* commitTo(api, repository, { "b.txt": "b" })
        // An existing tag does not move.
        yield* api.ask(204, "DELETE", `${base}/releases/${made.id}`, ann)
        const again = yield* api.ask(201, "POST", `${base}/releases`, sent({ tag_name: "v/1", tag_message: "anew" }))
        expect((yield* api.ask(200, "GET", `${base}/tags/v/1`, ann)).commit.sha).toBe(first)
        expect([again.name, again.target_commitish]).toEqual(["v/1", "main"])
        const draft = yield* api.ask(201, "POST", `${base}/releases`, sent({ tag_name: "v2", draft: true }))
        expect([draft.draft, draft.published_at]).toEqual([true, "0001-01-01T00:00:00Z"])
        expect(yield* tagsOf(api)).toEqual(["v/1"])
        const published = yield* api.ask(
          200,
          "PATCH",
          `${base}/releases/${draft.id}`,
          sent({ draft: false, target_commitish: first, name: "Two" })
        )
        expect(published).toMatchObject({ draft: false, name: "Two", target_commitish: first, tag_name: "v2" })
        expect(published.published_at).not.toBe("0001-01-01T00:00:00Z")
        expect((yield* api.ask(200, "GET", `${base}/tags/v2`, ann)).commit.sha).toBe(first)
        yield* api.ask(204, "DELETE", `${base}/releases/tags/v2`, ann)
        yield* api.ask(404, "GET", `${base}/releases/tags/v2`, ann)
        expect(yield* tagsOf(api)).toEqual(["v/1", "v2"])
      })
    )
  })
}

describe("releases, by the rules", () => {
  it.live("are listed, and the latest release is neither a draft nor a prerelease", () =>
    Effect.gen(function* () {
      const { api } = yield* fixture
      yield* api.ask(404, "GET", `${base}/releases/latest`)
      const make = (body: object) => api.ask(201, "POST", `${base}/releases`, sent(body))
      yield* make({ tag_name: "v1" })
      yield* make({ tag_name: "v2-rc", prerelease: true })
      const draft = yield* make({ tag_name: "v3", draft: true })
      expect((yield* api.ask(200, "GET", `${base}/releases/latest`)).tag_name).toBe("v1")
      expect(yield* listed(api, "", ann)).toEqual([["v3", "v2-rc", "v1"], "3"])
      expect(yield* listed(api, "?draft=true", ann)).toEqual([["v3"], "1"])
      expect(yield* listed(api, "?pre-release=true", ann)).toEqual([["v2-rc"], "1"])
      expect(yield* listed(api, "?draft=false&pre-release=0", ann)).toEqual([["v1"], "1"])
      // Only callers who can write releases see drafts, on every route.
      expect(yield* listed(api, "", bob)).toEqual([["v2-rc", "v1"], "2"])
      expect(yield* listed(api, "?draft=true", {})).toEqual([[], "0"])
      for (const path of [`/releases/${draft.id}`, "/releases/tags/v3", `/releases/${draft.id}/assets`]) {
        yield* api.ask(200, "GET", `${base}${path}`, ann)
        yield* api.ask(404, "GET", `${base}${path}`, bob)
      }
      yield* api.ask(404, "DELETE", `${base}/releases/${draft.id}`, bob)
      // I4: a draft is not public.
      const open = { headers: bearer(yield* api.mint("ann", ["all", "public-only"])) }
      yield* api.ask(404, "GET", `${base}/releases/${draft.id}`, open)
      expect(yield* listed(api, "", open)).toEqual([["v2-rc", "v1"], "2"])
      yield* api.ask(204, "PUT", `${base}/collaborators/bob`, sent({ permission: "write" }))
      yield* api.ask(200, "GET", `${base}/releases/${draft.id}`, bob)
      yield* api.ask(200, "PATCH", `${base}/releases/${draft.id}`, { ...bob, body: { draft: false } })
      expect((yield* api.ask(200, "GET", `${base}/releases/latest`)).tag_name).toBe("v3")
    })
  )

  it.live("list the pull requests that were merged since the previous release", () =>
    Effect.gen(function* () {
      const { api, id } = yield* fixture
      const merged = (title: string, branch: string) =>
        Effect.gen(function* () {
          yield* commitTo(api, id, { [`${branch}.txt`]: title }, { branch, from: "main" })
          const pull = yield* api.ask(201, "POST", `${base}/pulls`, sent({ title, head: branch, base: "main" }))
          yield* api.ask(200, "POST", `${base}/pulls/${pull.number}/merge`, sent({ Do: "squash" }))
        })
      const release = (tag_name: string, more: object = {}) =>
        api.ask(201, "POST", `${base}/releases`, sent({ tag_name, generate_notes: true, ...more }))
      expect((yield* release("v0")).body).toBe("No pull requests were merged.")
      yield* merged("Paint it red", "red")
      yield* merged("Paint it blue", "blue")
      expect((yield* release("v1", { body: "Colors." })).body).toBe(
        "Colors.\n\n## Merged pull requests since v0\n\n- Paint it red by @ann (#1)\n- Paint it blue by @ann (#2)"
      )
      yield* merged("Paint it green", "green")
      const draft = yield* release("v2", { draft: true })
      expect(draft.body).toBe("## Merged pull requests since v1\n\n- Paint it green by @ann (#3)")
    })
  )

  it.live("are rejected when the tag, the target or another release conflicts", () =>
    Effect.gen(function* () {
      const { api } = yield* fixture
      const make = (body: object, who = ann) =>
        Effect.map(api.send("POST", `${base}/releases`, { ...who, body }), ({ status }) => status)
      expect(yield* make({ tag_name: "v1" })).toBe(201)
      expect(yield* make({ tag_name: "v1" })).toBe(409)
      expect(yield* make({ tag_name: "v2" }, bob)).toBe(403)
      expect(yield* make({ tag_name: "v2", target_commitish: "nowhere" })).toBe(404)
      for (const tag_name of ["", "a b", "../up", "-x", "x".repeat(256), "a..b"]) {
        expect(yield* make({ tag_name }), tag_name).toBe(422)
      }
      const draft = yield* api.ask(201, "POST", `${base}/releases`, sent({ tag_name: "v2", draft: true }))
      yield* api.ask(409, "PATCH", `${base}/releases/${draft.id}`, sent({ tag_name: "v1" }))
      yield* api.ask(404, "PATCH", `${base}/releases/${draft.id}`, sent({ draft: false, target_commitish: "nowhere" }))
      expect((yield* api.ask(200, "GET", `${base}/releases/${draft.id}`, ann)).draft).toBe(true)
      yield* makeRepository(api, "bare", { auto_init: false })
      yield* api.ask(409, "POST", "/repos/ann/bare/releases", sent({ tag_name: "v1" }))
      yield* api.ask(200, "PATCH", base, sent({ archived: true }))
      expect(yield* make({ tag_name: "v9" })).toBe(403)
      expect(yield* tagsOf(api)).toEqual(["v1"])
    })
  )

  it.live("I18: create no tag that a protection forbids to the publisher", () =>
    Effect.gen(function* () {
      const { api, id } = yield* fixture
      yield* api.ask(204, "PUT", `${base}/collaborators/bob`, sent({ permission: "write" }))
      const at = "2026-01-02T00:00:00.000Z"
      yield* api
        .within(
          Effect.flatMap(ProtectionStore, (store) =>
            store.insertTag({
              repositoryId: id,
              namePattern: "v*",
              allowed: { users: [], teams: [] },
              createdAt: at,
              updatedAt: at
            })
          )
        )
        .pipe(Effect.orDie)
      const by = (body: object) => api.send("POST", `${base}/releases`, { ...bob, body })
      expect((yield* by({ tag_name: "v1" })).status).toBe(403)
      expect((yield* by({ tag_name: "nightly" })).status).toBe(201)
      const draft = yield* by({ tag_name: "v1", draft: true })
      expect(draft.status).toBe(201)
      yield* api.ask(403, "PATCH", `${base}/releases/${draft.json.id}`, { ...bob, body: { draft: false } })
      expect(yield* tagsOf(api)).toEqual(["nightly"])
    })
  )
})

describe("files of releases", () => {
  it.live("are uploaded, listed, renamed, downloaded and deleted", () =>
    Effect.gen(function* () {
      const { api } = yield* fixture
      const release = yield* api.ask(201, "POST", `${base}/releases`, sent({ tag_name: "v/1" }))
      const path = `${base}/releases/${release.id}/assets`
      const made = yield* api.ask(201, "POST", path, form("PK", "a b.zip"))
      expect(made).toEqual({
        id: made.id,
        name: "a b.zip",
        size: 2,
        download_count: 0,
        created_at: made.created_at,
        uuid: made.uuid,
        browser_download_url: `${rootUrl}/ann/app/releases/download/v/1/a%20b.zip`,
        type: "attachment"
      })
      const stream = (query: string) =>
        api.send("POST", `${path}${query}`, {
          raw: "bytes",
          headers: { ...ann.headers, "content-type": "application/octet-stream" }
        })
      expect((yield* stream("?name=raw.txt")).json).toMatchObject({ name: "raw.txt", size: 5 })
      expect((yield* stream("")).status).toBe(422)
      for (const name of ["..", "a%2Fb", "a%5Cb"]) expect((yield* stream(`?name=${name}`)).status, name).toBe(422)
      const got = yield* api.fetch("GET", "/ann/app/releases/download/v/1/a%20b.zip")
      expect([got.status, got.text, got.headers.get("x-content-type-options")]).toEqual([200, "PK", "nosniff"])
      expect((yield* api.ask(200, "GET", `${path}/${made.id}`)).download_count).toBe(1)
      const renamed = yield* api.ask(201, "PATCH", `${path}/${made.id}`, sent({ name: "c.zip" }))
      expect(renamed.name).toBe("c.zip")
      const names = (rows: ReadonlyArray<{ name: string }>) => rows.map(({ name }) => name)
      expect(names((yield* api.ask(200, "GET", `${base}/releases/latest`)).assets)).toEqual(["c.zip", "raw.txt"])
      yield* api.ask(204, "DELETE", `${path}/${made.id}`, ann)
      expect(names(yield* api.ask(200, "GET", path))).toEqual(["raw.txt"])
      expect((yield* api.fetch("GET", "/ann/app/releases/download/v/1/c.zip")).status).toBe(404)
    })
  )

  it.live("may be links to http and https addresses only, and redirect callers who can read the release", () =>
    Effect.gen(function* () {
      const { api } = yield* fixture
      const release = yield* api.ask(201, "POST", `${base}/releases`, sent({ tag_name: "v1", draft: true }))
      const path = `${base}/releases/${release.id}/assets`
      const linked = (fields: ReadonlyArray<readonly [name: string, value: string]>, query = "", who = ann) => {
        const parts = fields.map(
          ([name, value]) => `--border\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${value}\r\n`
        )
        const headers = { ...who.headers, "content-type": "multipart/form-data; boundary=border" }
        return api.send("POST", `${path}${query}`, { raw: `${parts.join("")}--border--\r\n`, headers })
      }
      const url = "https://cdn.example/v1/app%20one.zip?x=1"
      const made = yield* linked([["external_url", url]])
      expect([made.status, made.json]).toMatchObject([
        201,
        { name: "app one.zip", size: 0, browser_download_url: url, type: "external" }
      ])
      const bad = [
        "javascript:alert(1)",
        "ftp://cdn.example/a",
        "https://ann:x@cdn.example/a",
        "/a",
        `https://${"x".repeat(2_000)}`
      ]
      for (const each of bad) expect((yield* linked([["external_url", each]])).status, each).toBe(422)
      const both = 'attachment; filename="a.zip"'
      expect(
        (yield* linked([
          ["external_url", url],
          [both, "PK"]
        ])).status
      ).toBe(422)
      expect((yield* linked([["external_url", url]], "", bob)).status).toBe(404)
      expect((yield* linked([["external_url", url]], "?name=a%2Fb")).status).toBe(422)
      yield* api.ask(201, "POST", `${base}/issues`, sent({ title: "One" }))
      const onIssue = {
        raw: `--border\r\nContent-Disposition: form-data; name=external_url\r\n\r\n${url}\r\n--border--\r\n`
      }
      yield* api.ask(422, "POST", `${base}/issues/1/assets`, { ...form("", ""), ...onIssue })
      const download = (who: object) =>
        Effect.map(api.fetch("GET", "/ann/app/releases/download/v1/app%20one.zip", who), ({ headers, status }) => [
          status,
          headers.get("location")
        ])
      expect(yield* download(bob)).toEqual([404, null])
      expect(yield* download(ann)).toEqual([302, url])
      const at = `${path}/${made.json.id}`
      const browser_download_url = "https://cdn.example/v2.zip"
      expect(yield* api.ask(201, "PATCH", at, sent({ browser_download_url }))).toMatchObject({
        name: "app one.zip",
        browser_download_url,
        download_count: 1
      })
      yield* api.ask(422, "PATCH", at, sent({ browser_download_url: "data:text/html,x" }))
      const file = yield* api.ask(201, "POST", path, form("PK", "app.zip"))
      yield* api.ask(422, "PATCH", `${path}/${file.id}`, sent({ browser_download_url }))
      yield* api.ask(204, "DELETE", at, ann)
      expect(yield* download(ann)).toEqual([404, null])
    })
  )

  it.live("I6, I8, B5: are found only below their own release, and are hidden if the release is hidden", () =>
    Effect.gen(function* () {
      const { api } = yield* fixture
      const draft = yield* api.ask(201, "POST", `${base}/releases`, sent({ tag_name: "v1", draft: true }))
      const other = yield* api.ask(201, "POST", `${base}/releases`, sent({ tag_name: "v2" }))
      const made = yield* api.ask(201, "POST", `${base}/releases/${draft.id}/assets`, form("secret", "a.zip"))
      yield* makeRepository(api, "site")
      for (const where of [`${base}/releases/${other.id}`, `/repos/ann/site/releases/${draft.id}`]) {
        yield* api.ask(404, "GET", `${where}/assets/${made.id}`, ann)
        yield* api.ask(404, "PATCH", `${where}/assets/${made.id}`, sent({ name: "b" }))
        yield* api.ask(404, "DELETE", `${where}/assets/${made.id}`, ann)
      }
      const download = (who: object) =>
        Effect.map(api.fetch("GET", "/ann/app/releases/download/v1/a.zip", who), ({ status, text }) =>
          status === 200 ? text : status
        )
      expect(yield* download(ann)).toBe("secret")
      expect(yield* download(bob)).toBe(404)
      yield* api.ask(404, "POST", `${base}/releases/${draft.id}/assets`, { ...bob, raw: "x" })
      yield* api.ask(403, "POST", `${base}/releases/${other.id}/assets`, { ...bob, raw: "x" })
      yield* api.ask(200, "PATCH", `${base}/releases/${draft.id}`, sent({ draft: false }))
      expect(yield* download(bob)).toBe("secret")
      expect(yield* download({})).toBe("secret")
      yield* api.ask(200, "PATCH", base, sent({ private: true }))
      expect(yield* download(bob)).toBe(404)
      expect(yield* download({ headers: basic("ann", "wrong") })).toBe(401)
      yield* api.ask(204, "DELETE", `${base}/releases/${draft.id}`, ann)
      expect(yield* download(ann)).toBe(404)
    })
  )
})
