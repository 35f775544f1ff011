import { createHash } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, bearer, referenceUrl, rootUrl, type Service, start } from "../support/harness.ts"
import { stores } from "../support/stores.ts"

// `apps/forge/test/npm.test.ts` tests npm's own publish and install; this file tests what npm doesn't do.

const as = (name: string) => ({ headers: basic(name) })
const ann = as("ann")
const registry = "/api/packages/ann/npm"
const missing = { error: "The target couldn't be found.", message: "The target couldn't be found.", url: referenceUrl }

/** The request body of `npm publish`. */
const published = (name: string, version: string, more: object = {}) => ({
  _id: name,
  name,
  "dist-tags": { latest: version },
  versions: { [version]: { name, version, readme: "long", dist: { tarball: "not so" }, bin: "tool.js" } },
  _attachments: { [`${name}-${version}.tgz`]: { data: Buffer.from(`${name} ${version}`).toString("base64") } },
  ...more
})

const publish = (api: Service, name: string, version: string, who: object = ann, more: object = {}) =>
  Effect.map(
    api.fetch("PUT", `${registry}/${encodeURIComponent(name)}`, { ...who, body: published(name, version, more) }),
    ({ status }) => status
  )

for (const [kind, store] of stores) {
  const site = Effect.gen(function* () {
    const api: Service = yield* start(store === undefined ? {} : { store })
    for (const name of ["ann", "bob"]) yield* api.user(name)
    return api
  })

  describe(`npm packages in ${kind}`, () => {
    it.live("are returned with all versions and tags, and downloaded as they were published", () =>
      Effect.gen(function* () {
        const api = yield* site
        expect(yield* publish(api, "@acme/tool", "1.0.0")).toBe(201)
        expect(yield* publish(api, "@acme/tool", "1.1.0-rc.1", ann, { "dist-tags": { next: "1.1.0-rc.1" } })).toBe(201)
        const told = yield* api.fetch("GET", `${registry}/@acme%2ftool`)
        const bytes = "@acme/tool 1.0.0"
        const digest = (name: string, encoding: "base64" | "hex") => createHash(name).update(bytes).digest(encoding)
        const tarball = `${rootUrl}${registry}/%40acme%2Ftool/-/1.0.0/tool-1.0.0.tgz`
        expect(told.json).toMatchObject({
          name: "@acme/tool",
          "dist-tags": { latest: "1.0.0", next: "1.1.0-rc.1" },
          versions: { "1.1.0-rc.1": { version: "1.1.0-rc.1" } }
        })
        expect(told.json.versions["1.0.0"]).toEqual({
          _id: "@acme/tool@1.0.0",
          name: "@acme/tool",
          version: "1.0.0",
          bin: "tool.js",
          dist: { tarball, shasum: digest("sha1", "hex"), integrity: `sha512-${digest("sha512", "base64")}` }
        })
        expect(Object.keys(told.json.time)).toEqual(["created", "modified", "1.1.0-rc.1", "1.0.0"])
        const { created, modified, ...times } = told.json.time
        expect([created, modified]).toEqual(Object.values(times).toSorted())
        const got = yield* api.fetch("GET", tarball.slice(rootUrl.length))
        expect([got.status, got.text]).toEqual([200, bytes])
        const tags = `${registry}/-/package/@acme%2ftool/dist-tags`
        expect((yield* api.fetch("GET", tags)).json).toEqual({ latest: "1.0.0", next: "1.1.0-rc.1" })
        const setting = yield* api.fetch("PUT", `${tags}/latest`, { ...ann, raw: '"1.1.0-rc.1"' })
        expect(setting.status).toBe(201)
        expect((yield* api.fetch("PUT", `${tags}/latest`, { ...ann, raw: '"9.9.9"' })).status).toBe(404)
        expect((yield* api.fetch("DELETE", `${tags}/next`, ann)).status).toBe(200)
        expect((yield* api.fetch("DELETE", `${tags}/next`, ann)).status).toBe(404)
        expect((yield* api.fetch("GET", tags)).json).toEqual({ latest: "1.1.0-rc.1" })
        // Deleting a version deletes its tags; the newest version becomes the latest.
        yield* api.ask(204, "DELETE", "/packages/ann/npm/@acme%2ftool/1.1.0-rc.1", ann)
        expect((yield* api.fetch("GET", tags)).json).toEqual({ latest: "1.0.0" })
        yield* api.ask(204, "DELETE", "/packages/ann/npm/@acme%2ftool", ann)
        expect((yield* api.fetch("GET", `${registry}/@acme%2ftool`)).json).toEqual(missing)
      })
    )

    it.live("are immutable, and are rejected with a name or version that npm would not send", () =>
      Effect.gen(function* () {
        const api = yield* site
        expect(yield* publish(api, "tool", "1.0.0")).toBe(201)
        expect(yield* publish(api, "tool", "1.0.0")).toBe(409)
        for (const [name, version] of [
          ["Tool", "1.0.0"],
          ["a/b", "1.0.0"],
          ["@acme/", "1.0.0"],
          ["-", "1.0.0"],
          ["tool", "1.0"],
          ["tool", "v1.0.0"],
          ["tool", "1.0.0/.."],
          ["tool", "01.0.0"]
        ] as const) {
          expect([name, version, yield* publish(api, name, version)]).toEqual([name, version, 422])
        }
        for (const more of [
          { name: "other" },
          { "dist-tags": { "1.0.0": "1.1.0" } },
          { "dist-tags": { v2: "1.1.0" } },
          { versions: {} },
          { versions: { "1.1.0": {}, "1.2.0": {} } },
          { versions: { "1.1.0": "text" } },
          { versions: { "1.1.0": { description: "x".repeat(40_000) } } },
          { _attachments: {} },
          { _attachments: { "a.tgz": { data: 1 } } },
          { _attachments: null }
        ]) {
          const status = yield* publish(api, "tool", "1.1.0", ann, more)
          expect([JSON.stringify(more).slice(0, 60), status]).toEqual([JSON.stringify(more).slice(0, 60), 422])
        }
        for (const raw of ["", "{", "null", "[".repeat(100_000)]) {
          const { status } = yield* api.fetch("PUT", `${registry}/tool`, { ...ann, raw })
          expect([raw.slice(0, 9), status]).toEqual([raw.slice(0, 9), 422])
        }
        // I25: complete reads have a maximum size.
        const { status } = yield* api.fetch("PUT", `${registry}/tool`, { ...ann, raw: " ".repeat(16 * 1024 ** 2 + 1) })
        expect(status).toBe(413)
        const { json } = yield* api.fetch("GET", `${registry}/tool`)
        expect(Object.keys(json.versions)).toEqual(["1.0.0"])
      })
    )

    it.live("are rejected if npm's digests don't match the bytes", () =>
      Effect.gen(function* () {
        const api = yield* site
        const digest = (name: string, encoding: "base64" | "hex", text = "tool 1.0.0") =>
          createHash(name).update(text).digest(encoding)
        const send = (dist: object) =>
          api.fetch("PUT", `${registry}/tool`, {
            ...ann,
            body: published("tool", "1.0.0", { versions: { "1.0.0": { name: "tool", version: "1.0.0", dist } } })
          })
        const wrong = yield* send({ integrity: `sha512-${digest("sha512", "base64", "other")}` })
        expect([wrong.status, wrong.json.error]).toEqual([
          422,
          "[integrity]: is not the digest of the attached tarball; publish again"
        ])
        expect((yield* send({ shasum: digest("sha1", "hex", "other") })).status).toBe(422)
        expect((yield* api.fetch("GET", `${registry}/tool`)).status).toBe(404)
        const integrity = `sha1-AAAA sha512-${digest("sha512", "base64")}`
        expect((yield* send({ integrity, shasum: digest("sha1", "hex") })).status).toBe(201)
      })
    )

    it.live("are deprecated by a message on a version, and undeprecated by an empty message", () =>
      Effect.gen(function* () {
        const api = yield* site
        for (const version of ["1.0.0", "2.0.0"]) expect(yield* publish(api, "tool", version)).toBe(201)
        const document = () => Effect.map(api.fetch("GET", `${registry}/tool`), ({ json }) => json)
        const deprecate = Effect.fnUntraced(function* (messages: Readonly<Record<string, string>>, who = ann) {
          const sent = structuredClone(yield* document())
          for (const [version, deprecated] of Object.entries(messages))
            sent.versions[version] = { ...sent.versions[version], deprecated, bin: "changed.js" }
          return (yield* api.fetch("PUT", `${registry}/tool`, { ...who, body: sent })).status
        })
        const messages = Effect.map(document(), ({ versions }) =>
          // biome-ignore lint/suspicious/noExplicitAny: an answer
          Object.values(versions).map(({ bin, deprecated, version }: any) => [version, deprecated, bin])
        )
        expect(yield* deprecate({ "1.0.0": "Use 2.0.0" }, as("bob"))).toBe(403)
        expect(yield* deprecate({ "1.0.0": "Use 2.0.0" })).toBe(200)
        expect(yield* messages).toEqual([
          ["2.0.0", undefined, "tool.js"],
          ["1.0.0", "Use 2.0.0", "tool.js"]
        ])
        expect(yield* deprecate({ "1.0.0": "" })).toBe(200)
        expect((yield* messages).map(([, deprecated]) => deprecated)).toEqual([undefined, undefined])
        expect(yield* deprecate({ "3.0.0": "Gone" })).toBe(404)
      })
    )

    it.live("have a registry that answers npm ping", () =>
      Effect.gen(function* () {
        const api = yield* site
        const ping = yield* api.fetch("GET", `${registry}/-/ping?write=true`, ann)
        expect([ping.status, ping.json]).toEqual([200, {}])
        expect((yield* api.fetch("GET", "/api/packages/nobody/npm/-/ping", ann)).status).toBe(404)
      })
    )

    it.live("require read or write permission on the owner's packages", () =>
      Effect.gen(function* () {
        const api = yield* site
        yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "shut", visibility: "private" } })
        const home = "/api/packages/shut/npm/tool"
        expect((yield* api.fetch("PUT", home, { ...ann, body: published("tool", "1.0.0") })).status).toBe(201)
        expect(yield* publish(api, "tool", "1.0.0")).toBe(201)
        const token = bearer(yield* api.mint("ann", ["write:package"]))
        const elsewhere = bearer(yield* api.mint("ann", ["write:repository"]))
        const open = bearer(yield* api.mint("ann", ["all", "public-only"]))
        const statuses: Array<unknown> = []
        for (const [who, headers] of Object.entries({ nobody: {}, bob: basic("bob"), token, elsewhere, open })) {
          const each = [who]
          for (const path of [`${registry}/tool`, home, "/api/packages/nobody-there/npm/tool"]) {
            const body = published("tool", `1.0.${statuses.length + 1}`)
            each.push(
              String((yield* api.fetch("GET", path, { headers })).status),
              String((yield* api.fetch("PUT", path, { headers, body })).status)
            )
          }
          statuses.push(each.join(" "))
        }
        const unpublish = (who: object, path: string) =>
          Effect.map(api.fetch("DELETE", `${registry}/tool/${path}`, who), ({ status }) => status)
        for (const path of ["-/1.0.0/tool-1.0.0.tgz/-rev/1-0", "-rev/1-0"]) {
          expect([yield* unpublish({}, path), yield* unpublish(as("bob"), path)]).toEqual([401, 403])
          expect([yield* unpublish(ann, path), yield* unpublish(ann, path)]).toEqual([200, 404])
        }
        expect(statuses).toEqual([
          "nobody 200 401 404 404 404 404",
          "bob 200 403 404 404 404 404",
          "token 200 201 200 201 404 404",
          "elsewhere 403 403 403 403 403 403",
          "open 200 201 403 403 404 404"
        ])
        const hidden = yield* api.fetch("GET", home, as("bob"))
        expect(hidden.json).toEqual(missing)
      })
    )
  })
}
