import { describe, expect, it } from "@effect/vitest"
import { defaultSite } from "@slipway/domain/forge/base"
import { Effect } from "effect"
import { begin, call, pathOf, put, service, sha256, siteIn } from "../support/artifacts.ts"
import { bearer } from "../support/harness.ts"
import { stores } from "../support/stores.ts"

for (const [kind, store] of stores) {
  describe(`uploads of artifacts in ${kind}`, () => {
    it.live("are accepted as one body and as appended parts", () =>
      Effect.gen(function* () {
        const { api, job } = yield* siteIn(store)
        const whole = yield* begin(api, job, "whole")
        expect(yield* put(api, whole, "at once")).toBe(201)
        expect((yield* call(api, job, "FinalizeArtifact", { name: "whole", size: 7 })).status).toBe(200)
        const appended = yield* begin(api, job, "appended")
        for (const part of ["one ", "two ", "three"]) {
          expect(yield* put(api, appended, part, "&comp=appendBlock")).toBe(201)
        }
        expect((yield* call(api, job, "FinalizeArtifact", { name: "appended", size: "13" })).status).toBe(200)
        for (const [name, text] of [
          ["whole", "at once"],
          ["appended", "one two three"]
        ]) {
          const { json } = yield* call(api, job, "GetSignedArtifactURL", { name })
          expect((yield* api.fetch("GET", pathOf(json.signed_url))).text).toBe(text)
        }
      })
    )

    it.live("are complete if parts arrive concurrently, and all concurrent creations of one name succeed", () =>
      Effect.gen(function* () {
        const { api, job } = yield* siteIn(store)
        const address = yield* begin(api, job, "many")
        const names = Array.from({ length: 12 }, (_, at) => btoa(`part ${at}`))
        const parts = names.map((_, at) => `${at}:${"x".repeat(at * 1_000)};`)
        const statuses = yield* Effect.forEach(
          names,
          (name, at) => put(api, address, parts[at] ?? "", `&comp=block&blockid=${encodeURIComponent(name)}`),
          { concurrency: "unbounded" }
        )
        expect(statuses).toEqual(names.map(() => 201))
        const list = `<BlockList>${names.map((name) => `<Latest>${name}</Latest>`).join("")}</BlockList>`
        expect(yield* put(api, address, list, "&comp=blocklist")).toBe(201)
        const text = parts.join("")
        const ending = { name: "many", size: String(text.length), hash: `sha256:${sha256(text)}` }
        const ends = yield* Effect.forEach([1, 2, 3], () => call(api, job, "FinalizeArtifact", ending), {
          concurrency: "unbounded"
        })
        // A concurrent finalization finds the upload finalized, or in progress.
        expect(ends.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
        const { json } = yield* call(api, job, "GetSignedArtifactURL", { name: "many" })
        expect((yield* api.fetch("GET", pathOf(json.signed_url))).text).toBe(text)
        const begun = yield* Effect.forEach([1, 2, 3, 4], () => call(api, job, "CreateArtifact", { name: "one" }), {
          concurrency: "unbounded"
        })
        expect(begun.map(({ status }) => status)).toEqual([200, 200, 200, 200])
        // The last creation wins.
        const opened = yield* Effect.forEach(begun, ({ json: { signed_upload_url: at } }) => put(api, at, "bytes"))
        expect(opened.toSorted()).toEqual([201, 404, 404, 404])
      })
    )

    it.live("are rejected when they are too large, or differ from what the job announced", () =>
      Effect.gen(function* () {
        const site = { ...defaultSite, artifacts: { maxSize: 1, days: 90 } }
        const { api, job } = yield* siteIn(store, { site })
        const megabyte = "x".repeat(1_048_576)
        const address = yield* begin(api, job, "large")
        expect(yield* put(api, address, `${megabyte}x`)).toBe(413)
        expect(yield* put(api, address, megabyte, "&comp=block&blockid=YQ==")).toBe(201)
        expect(yield* put(api, address, "x", "&comp=block&blockid=Yg==")).toBe(413)
        // A repeated part takes no additional space.
        expect(yield* put(api, address, "small", "&comp=block&blockid=YQ==")).toBe(201)
        expect(yield* put(api, address, "x", "&comp=block&blockid=%00")).toBe(400)
        expect(yield* put(api, address, "x", "&comp=block")).toBe(400)
        const listing = (...names: ReadonlyArray<string>) =>
          `<BlockList>${names.map((name) => `<Latest>${name}</Latest>`).join("")}</BlockList>`
        expect(yield* put(api, address, listing("YQ==", "Yg=="), "&comp=blocklist")).toBe(400)
        expect(yield* put(api, address, listing("YQ==", "YQ=="), "&comp=blocklist")).toBe(400)
        expect(yield* put(api, address, listing("YQ=="), "&comp=blocklist")).toBe(201)
        const ending = (more: object) =>
          Effect.map(call(api, job, "FinalizeArtifact", { name: "large", ...more }), ({ status }) => status)
        expect(yield* ending({})).toBe(400)
        expect(yield* ending({ size: "6" })).toBe(400)
        expect(yield* ending({ size: "5", hash: `sha256:${sha256("other")}` })).toBe(400)
        expect(yield* ending({ size: "5", hash: `sha256:${sha256("small")}` })).toBe(200)
        for (const name of ["", "a/b", "a\\b", "a:b", "x".repeat(256)]) {
          const { json, status } = yield* call(api, job, "CreateArtifact", { name })
          expect([name, status, json.code]).toEqual([name, 400, "invalid_argument"])
        }
        const strange = yield* api.fetch("POST", `${service}/CreateArtifact`, {
          headers: bearer(job.runtime),
          raw: "[1]"
        })
        expect([strange.status, strange.json.code]).toEqual([400, "malformed"])
        expect((yield* call(api, job, "MigrateArtifact", {})).status).toBe(404)
      })
    )
  })
}
