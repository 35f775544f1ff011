import { createHash } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { BlobStore, defaultSite } from "@slipway/domain/forge/base"
import { packageSweep } from "@slipway/forge/registries"
import { Effect, Fiber, Stream } from "effect"
import { delayedBody } from "../../delayedBody.ts"
import { basic, bearer, type Chosen, referenceUrl, rootUrl, type Service, start } from "../support/harness.ts"
import { site as toldSite } from "../support/observations.ts"
import { stores } from "../support/stores.ts"

const as = (name: string) => ({ headers: basic(name) })
const ann = as("ann")
const registry = "/api/packages"
const tool = `${registry}/ann/generic/tool`
const missing = { message: "The target couldn't be found.", url: referenceUrl }

const siteIn = Effect.fnUntraced(function* (store: Chosen["store"]) {
  const api: Service = yield* start(store === undefined ? {} : { store })
  for (const name of ["ann", "bob", "rex"]) yield* api.user(name, { restricted: name === "rex" })
  return api
})

const put = (api: Service, path: string, raw: string, who: object = ann) =>
  Effect.map(api.fetch("PUT", path, { ...who, raw }), ({ status }) => status)

const versionsOf = (api: Service, path: string, who: object = ann) =>
  Effect.map(api.send("GET", path, who), ({ headers, json, status }) => [
    status,
    status === 200 ? json.map(({ name, version }: Record<string, string>) => `${name} ${version}`).join(", ") : "",
    headers.get("x-total-count")
  ])

/** The names of the site's package blobs. */
const blobsOf = (api: Service) =>
  api.within(
    Effect.flatMap(BlobStore, (blobs) => Effect.map(Stream.runCollect(blobs.list("packages")), (all) => all.length))
  )

for (const [kind, store] of stores) {
  const site = siteIn(store)
  describe(`packages in ${kind}`, () => {
    it.live("are published, downloaded, listed, read and deleted, by file and by version", () =>
      Effect.gen(function* () {
        const api = yield* site
        expect(yield* put(api, `${tool}/1.0/tool.zip`, "first")).toBe(201)
        expect(yield* put(api, `${tool}/1.0/notes%20%C3%BC.txt`, "")).toBe(201)
        expect(yield* put(api, `${tool}/1.1/tool.zip`, "second")).toBe(201)
        expect(yield* put(api, `${registry}/ann/generic/Lamp/3/lamp.bin`, "light")).toBe(201)

        const got = yield* api.fetch("GET", `${tool}/1.0/tool.zip`)
        expect([got.status, got.text, got.headers.get("content-length")]).toEqual([200, "first", "5"])
        const etag = got.headers.get("etag") ?? ""
        expect(etag).toBe(`"${createHash("sha256").update("first").digest("hex")}"`)
        expect(got.headers.get("x-content-type-options")).toBe("nosniff")
        const kept = yield* api.fetch("GET", `${tool}/1.0/tool.zip`, { headers: { "if-none-match": etag } })
        expect([kept.status, kept.text]).toEqual([304, ""])
        const part = yield* api.fetch("GET", `${tool}/1.0/tool.zip`, { headers: { range: "bytes=1-3" } })
        expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "irs", "bytes 1-3/5"])
        const head = yield* api.fetch("HEAD", `${tool}/1.0/tool.zip`)
        expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", "5"])
        // Names, versions and files are case-insensitive.
        expect((yield* api.fetch("GET", `${registry}/ANN/generic/TOOL/1.0/TOOL.ZIP`)).text).toBe("first")
        expect((yield* api.fetch("GET", `${tool}/1.0/notes%20%C3%BC.txt`)).status).toBe(200)

        expect(yield* versionsOf(api, "/packages/ann")).toEqual([200, "Lamp 3, tool 1.1, tool 1.0", "3"])
        expect(yield* versionsOf(api, "/packages/ann?q=OO&type=generic")).toEqual([200, "tool 1.1, tool 1.0", "2"])
        expect(yield* versionsOf(api, "/packages/ann?type=npm")).toEqual([200, "", "0"])
        expect(yield* versionsOf(api, "/packages/ann?limit=1&page=2")).toEqual([200, "tool 1.1", "3"])
        expect(yield* versionsOf(api, "/packages/ann/generic/tool")).toEqual([200, "tool 1.1, tool 1.0", "2"])
        expect(yield* api.ask(200, "GET", "/packages/ann/generic/tool/1.0", ann)).toMatchObject({
          owner: { login: "ann" },
          creator: { login: "ann" },
          repository: null,
          type: "generic",
          name: "tool",
          version: "1.0",
          html_url: `${rootUrl}/ann/-/packages/generic/tool/1.0`
        })
        expect((yield* api.ask(200, "GET", "/packages/ann/generic/tool/-/latest", ann)).version).toBe("1.1")
        const files = yield* api.ask(200, "GET", "/packages/ann/generic/tool/1.0/files", ann)
        const digest = (name: string, text: string) => createHash(name).update(text).digest("hex")
        expect(files).toEqual(
          [
            ["tool.zip", "first"],
            ["notes ü.txt", ""]
          ].map(([name = "", text = ""], at) => ({
            id: files[at].id,
            name,
            size: text.length,
            md5: digest("md5", text),
            sha1: digest("sha1", text),
            sha256: digest("sha256", text),
            sha512: digest("sha512", text)
          }))
        )

        const remove = (path: string) => Effect.map(api.fetch("DELETE", path, ann), ({ status }) => status)
        expect(yield* remove(`${tool}/1.0/tool.zip`)).toBe(204)
        expect(yield* remove(`${tool}/1.0/tool.zip`)).toBe(404)
        // The last file deletes its version, and the last version its package.
        expect(yield* remove(`${tool}/1.0/notes%20%C3%BC.txt`)).toBe(204)
        expect(yield* versionsOf(api, "/packages/ann/generic/tool")).toEqual([200, "tool 1.1", "1"])
        expect(yield* remove(`${tool}/1.1`)).toBe(204)
        expect(yield* versionsOf(api, "/packages/ann/generic/tool")).toEqual([404, "", null])
        for (const path of ["/3", "/3/files", "/-/latest"]) {
          yield* api.ask(200, "GET", `/packages/ann/generic/Lamp${path}`, ann)
          expect(yield* api.ask(404, "GET", `/packages/ann/generic/tool${path}`, ann)).toEqual(missing)
          yield* api.ask(404, "GET", `/packages/ann/npm/Lamp${path}`, ann)
        }
        yield* api.ask(204, "DELETE", "/packages/ann/generic/lamp", ann)
        yield* api.ask(404, "DELETE", "/packages/ann/generic/lamp", ann)
        expect(yield* versionsOf(api, "/packages/ann")).toEqual([200, "", "0"])
        expect(yield* put(api, `${tool}/1.0/tool.zip`, "anew")).toBe(201)
        yield* api.ask(204, "DELETE", "/packages/ann/generic/tool/1.0", ann)
        expect((yield* api.fetch("GET", `${tool}/1.0/tool.zip`)).json).toEqual(missing)
      })
    )

    it.live("keep all files of concurrent uploads of one version, exactly one for each file name", () =>
      Effect.gen(function* () {
        const api = yield* site
        const names = ["a", "b", "c", "a", "b", "c"]
        const statuses = yield* Effect.forEach(names, (name, at) => put(api, `${tool}/1.0/${name}`, `${name} ${at}`), {
          concurrency: "unbounded"
        })
        expect([...statuses].sort()).toEqual([201, 201, 201, 409, 409, 409])
        const files = yield* api.ask(200, "GET", "/packages/ann/generic/tool/1.0/files", ann)
        expect(files.map(({ name }: { name: string }) => name).sort()).toEqual(["a", "b", "c"])
        expect(yield* blobsOf(api)).toBe(3)
      })
    )

    it.live("exist completely or not at all when they are published during the deletion of their last version", () =>
      Effect.gen(function* () {
        const api = yield* site
        const path = `${tool}/1.0/a`
        for (let round = 0; round < 8; round++) {
          const [published, deleted] = yield* Effect.all(
            [put(api, path, `round ${round}`), Effect.map(api.fetch("DELETE", path, ann), ({ status }) => status)],
            { concurrency: "unbounded" }
          )
          expect([201, 409]).toContain(published)
          expect([204, 404]).toContain(deleted)
          const listed = (yield* versionsOf(api, "/packages/ann"))[1]
          expect(listed).toBe((yield* api.fetch("GET", path)).status === 200 ? "tool 1.0" : "")
        }
      })
    )

    it.live("I7: store nothing for a caller who loses the permission while sending", () =>
      Effect.gen(function* () {
        const api = yield* site
        yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme" } })
        const team = yield* api.ask(201, "POST", "/orgs/acme/teams", {
          ...ann,
          body: { name: "makers", units_map: { "repo.packages": "write" } }
        })
        yield* api.ask(204, "PUT", `/teams/${team.id}/members/bob`, ann)
        const held = delayedBody("bytes")
        const path = `${registry}/acme/generic/tool/1.0/a`
        const asked = yield* Effect.forkChild(api.fetch("PUT", path, { ...as("bob"), raw: held.stream }))
        yield* held.isRead
        yield* api.ask(204, "DELETE", `/teams/${team.id}/members/bob`, ann)
        held.release()
        expect((yield* Fiber.join(asked)).status).toBe(403)
        expect((yield* api.fetch("GET", path, ann)).status).toBe(404)
        expect(yield* blobsOf(api)).toBe(0)
      })
    )

    it.live("are read by readers of the owner's packages and published by writers, with every sign-in method", () =>
      Effect.gen(function* () {
        const api = yield* site
        for (const [name, visibility] of [
          ["open", "public"],
          ["known", "limited"],
          ["shut", "private"]
        ]) {
          yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: name, visibility } })
          expect(yield* put(api, `${registry}/${name}/generic/tool/1.0/a`, "bytes")).toBe(201)
        }
        const token = yield* api.mint("ann", ["write:package"])
        const reading = yield* api.mint("ann", ["read:package"])
        const open = yield* api.mint("ann", ["all", "public-only"])
        const elsewhere = yield* api.mint("ann", ["write:repository"])
        const askers = {
          nobody: {},
          bob: as("bob"),
          restricted: as("rex"),
          owner: ann,
          "a token as the password": { headers: basic("ann", token) },
          "a read-only token": { headers: bearer(reading) },
          "a public-only token": { headers: bearer(open) },
          "a token with another scope": { headers: bearer(elsewhere) }
        }
        const statuses: Record<string, string> = {}
        for (const [who, sent] of Object.entries(askers)) {
          const each: Array<string> = []
          for (const owner of ["open", "known", "shut", "nobody-there"]) {
            const path = `${registry}/${owner}/generic/tool/1.0`
            const read = (yield* api.fetch("GET", `${path}/a`, sent)).status
            const written = yield* put(api, `${path}/a`, "bytes", sent)
            const removed = (yield* api.fetch("DELETE", `${path}/never`, sent)).status
            each.push([read, written, removed].join(" "))
          }
          statuses[who] = each.join(", ")
        }
        expect(statuses).toEqual({
          nobody: "200 401 401, 404 404 404, 404 404 404, 404 404 404",
          bob: "200 403 403, 200 403 403, 404 404 404, 404 404 404",
          restricted: "404 404 404, 404 404 404, 404 404 404, 404 404 404",
          owner: "200 409 404, 200 409 404, 200 409 404, 404 404 404",
          "a token as the password": "200 409 404, 200 409 404, 200 409 404, 404 404 404",
          "a read-only token": "200 403 403, 200 403 403, 200 403 403, 403 403 403".replace(
            "403 403 403",
            "404 403 403"
          ),
          "a public-only token": "200 409 404, 403 403 403, 403 403 403, 404 404 404",
          "a token with another scope": "403 403 403, 403 403 403, 403 403 403, 403 403 403"
        })
        // A hidden package gets the response of a missing one, including its text (I9).
        const hidden = yield* api.fetch("GET", `${registry}/shut/generic/tool/1.0/a`, as("bob"))
        expect([hidden.status, hidden.json]).toEqual([404, missing])
        const asked = yield* api.fetch("PUT", `${registry}/open/generic/tool/1.0/a`, { raw: "x" })
        expect(asked.headers.get("www-authenticate")).toBe(`Basic realm="Slipway", charset="UTF-8"`)
      })
    )

    it.live("are linked to a readable repository of their owner, until either is deleted", () =>
      Effect.gen(function* () {
        const api = yield* site
        yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme" } })
        for (const name of ["site", "away"]) {
          yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body: { name, private: true } })
        }
        yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "own" } })
        const team = yield* api.ask(201, "POST", "/orgs/acme/teams", {
          ...ann,
          body: { name: "makers", units_map: { "repo.packages": "write" } }
        })
        yield* api.ask(204, "PUT", `/teams/${team.id}/members/bob`, ann)
        expect(yield* put(api, `${registry}/acme/generic/tool/1.0/a`, "bytes", as("bob"))).toBe(201)
        const at = "/packages/acme/generic/tool"
        const linked = (who: object = ann) =>
          Effect.map(api.ask(200, "GET", `${at}/1.0`, who), ({ repository }) => repository?.full_name)
        yield* api.ask(201, "POST", `${at}/-/link/site`, ann)
        expect([yield* linked(), yield* linked(as("bob"))]).toEqual(["acme/site", undefined])
        // I6: another owner's repository can't be linked; a hidden one is missing (I9).
        expect(yield* api.ask(404, "POST", `${at}/-/link/own`, ann)).toEqual(missing)
        expect(yield* api.ask(404, "POST", `${at}/-/link/away`, as("bob"))).toEqual(missing)
        yield* api.ask(404, "POST", "/packages/acme/generic/none/-/link/site", ann)
        yield* api.ask(201, "POST", `${at}/-/link/away`, ann)
        expect(yield* linked()).toBe("acme/away")
        const listed = (repository: string, who: object = ann) =>
          versionsOf(api, `/packages/acme?repository=${repository}`, who)
        expect(yield* put(api, `${registry}/acme/generic/lamp/2.0/a`, "bytes", as("bob"))).toBe(201)
        expect(yield* listed("away")).toEqual([200, "tool 1.0", "1"])
        expect(yield* listed("site")).toEqual([200, "", "0"])
        // I9: the filter reports a hidden repository as missing.
        for (const name of ["away", "none"]) expect(yield* listed(name, as("bob"))).toEqual([404, "", null])
        yield* api.ask(202, "POST", "/repos/acme/away/transfer", { ...ann, body: { new_owner: "ann" } })
        expect(yield* linked()).toBe(undefined)
        yield* api.ask(201, "POST", `${at}/-/link/site`, ann)
        yield* api.ask(201, "POST", `${at}/-/unlink`, as("bob"))
        yield* api.ask(201, "POST", `${at}/-/unlink`, ann)
        expect(yield* linked()).toBe(undefined)
        yield* api.ask(201, "POST", `${at}/-/link/site`, ann)
        yield* api.ask(204, "DELETE", "/repos/acme/site", ann)
        expect(yield* linked()).toBe(undefined)
      })
    )

    it.live("stay with a renamed owner, prevent the owner's deletion, and are deleted in a purge", () =>
      Effect.gen(function* () {
        const api = yield* site
        yield* api.user("root", { admin: true })
        yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme" } })
        for (const owner of ["acme", "ann"]) {
          expect(yield* put(api, `${registry}/${owner}/generic/tool/1.0/a`, "bytes")).toBe(201)
        }
        yield* api.ask(204, "POST", "/orgs/acme/rename", { ...ann, body: { new_name: "apex" } })
        expect((yield* api.fetch("GET", `${registry}/apex/generic/tool/1.0/a`)).text).toBe("bytes")
        const moved = yield* api.fetch("GET", `${registry}/acme/generic/tool/1.0/a`)
        expect([moved.status, moved.headers.get("location")]).toEqual([307, "/api/packages/apex/generic/tool/1.0/a"])
        const refused = yield* api.send("DELETE", "/orgs/apex", ann)
        expect([refused.status, refused.json.message]).toEqual([422, "[org]: still owns packages: delete them first"])
        yield* api.ask(204, "DELETE", "/packages/apex/generic/tool", ann)
        yield* api.ask(204, "DELETE", "/orgs/apex", ann)
        const held = yield* api.send("DELETE", "/admin/users/ann", as("root"))
        expect([held.status, held.json.message]).toEqual([422, "[username]: still owns packages: delete them first"])
        yield* api.ask(204, "DELETE", "/admin/users/ann?purge=true", as("root"))
        expect((yield* api.fetch("GET", `${tool}/1.0/a`, as("root"))).status).toBe(404)
        // The bytes are swept after a day.
        yield* api.within(packageSweep.run)
        expect(yield* blobsOf(api)).toBe(2)
      })
    )

    it.live("record an event for each change in their owner's audit log", () =>
      Effect.gen(function* () {
        const api = yield* site
        yield* api.user("root", { admin: true })
        yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme" } })
        expect(yield* put(api, `${registry}/acme/generic/tool/1.0/a`, "bytes")).toBe(201)
        expect(yield* put(api, `${registry}/acme/generic/tool/1.0/a`, "bytes", as("bob"))).toBe(403)
        yield* api.ask(204, "DELETE", "/packages/acme/generic/tool/1.0", ann)
        const rows = yield* api.ask(200, "GET", "/orgs/acme/audit", ann)
        expect(
          rows
            .filter(({ action }: { action: string }) => action.startsWith("package."))
            .map((row: Record<string, unknown>) => [row.action, row.outcome, row.details])
        ).toEqual([
          ["package.version.delete", "done", { type: "generic", package: "tool", version: "1.0" }],
          ["package.file.publish", "refused", {}],
          ["package.file.publish", "done", { type: "generic", package: "tool", version: "1.0", file: "a", size: 5 }]
        ])
      })
    )
  })
}

describe("packages", () => {
  it.live("are rejected as duplicates, with invalid names and above the size limit, and then store nothing", () =>
    Effect.gen(function* () {
      const api: Service = yield* start({ site: { ...defaultSite, packages: { maxFileSize: 1 } } })
      yield* api.user("ann")
      expect(yield* put(api, `${tool}/1.0/tool.zip`, "first")).toBe(201)
      const again = yield* api.fetch("PUT", `${tool}/1.0/Tool.zip`, { ...ann, raw: "other" })
      expect([again.status, again.json.message]).toEqual([409, "the version already has a file `Tool.zip`"])
      expect((yield* api.fetch("GET", `${tool}/1.0/tool.zip`)).text).toBe("first")
      for (const [path, field] of [
        [".tool/1.0/a", "name"],
        ["a%20b/1.0/a", "name"],
        ["tool/1.0%20/a", "version"],
        ["tool/%2e%2e%2f/a", "version"],
        ["tool/1.0/a%0ab", "file"],
        ["tool/1.0/a%2fb", "file"],
        ["tool/1.0/a%00b", "file"],
        [`tool/1.0/${"a".repeat(256)}`, "file"]
      ] as const) {
        const answer = yield* api.fetch("PUT", `${registry}/ann/generic/${path}`, { ...ann, raw: "x" })
        expect([path, answer.status, answer.text.includes(`[${field}]`)]).toEqual([path, 422, true])
      }
      // I25: exactly one megabyte is accepted.
      expect(yield* put(api, `${tool}/1.0/large`, "x".repeat(1_048_576))).toBe(201)
      expect(yield* put(api, `${tool}/1.0/larger`, "x".repeat(1_048_577))).toBe(413)
      expect(yield* put(api, `${registry}/ann/generic/other/1.0/larger`, "x".repeat(2_000_000))).toBe(413)
      expect(yield* versionsOf(api, "/packages/ann")).toEqual([200, "tool 1.0", "1"])
      expect(yield* blobsOf(api)).toBe(2)
    })
  )

  it.live("report new and deleted versions to webhooks of the owner and of the linked repository", () =>
    Effect.gen(function* () {
      const { api, told } = yield* toldSite
      const bob = as("bob")
      const hook = {
        type: "gitea",
        active: true,
        config: { url: "https://bob.example/", content_type: "json" },
        events: ["package"]
      }
      yield* api.ask(201, "POST", "/user/hooks", { ...bob, body: hook })
      yield* told
      const file = `${registry}/bob/generic/tool/1.0`
      for (const name of ["a", "b"]) expect(yield* put(api, `${file}/${name}`, name, bob)).toBe(201)
      const heard = Effect.map(told, (all) =>
        all.map(({ event, payload, url }) => [event, payload.action, new URL(url).host])
      )
      const first = yield* told
      expect(first.map(({ type, url }) => [type, url])).toEqual([["package", "https://bob.example/"]])
      expect(first[0]?.payload).toMatchObject({
        action: "created",
        repository: null,
        package: { type: "generic", name: "tool", version: "1.0", owner: { login: "bob" }, creator: { login: "bob" } },
        organization: null,
        sender: { login: "bob" }
      })
      yield* api.ask(201, "POST", "/packages/bob/generic/tool/-/link/site", bob)
      expect(yield* put(api, `${registry}/bob/generic/tool/2.0/a`, "a", bob)).toBe(201)
      expect(yield* heard).toEqual([
        ["package", "created", "ci.example"],
        ["package", "created", "bob.example"]
      ])
      for (const name of ["a", "b"]) yield* api.fetch("DELETE", `${file}/${name}`, bob)
      yield* api.ask(204, "DELETE", "/packages/bob/generic/tool", bob)
      const last = yield* told
      expect(last.map(({ payload, url }) => [payload.action, new URL(url).host])).toEqual([
        ["deleted", "ci.example"],
        ["deleted", "ci.example"],
        ["deleted", "bob.example"],
        ["deleted", "bob.example"]
      ])
      expect(last[0]?.payload).toMatchObject({ repository: { full_name: "bob/site" }, package: { version: "1.0" } })
    })
  )
})
