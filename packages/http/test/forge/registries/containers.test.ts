import { describe, expect, it } from "@effect/vitest"
import { manifestTypes } from "@slipway/forge/registries"
import { Effect } from "effect"
import { bearer, type Chosen, rootUrl, type Sent, type Service, start } from "../support/harness.ts"
import {
  ann,
  as,
  descriptorOf,
  digestOf,
  images,
  manifestOf,
  outcome,
  push,
  putBlob,
  putManifest,
  ticketFor,
  versionsIn
} from "../support/images.ts"
import { stores } from "../support/stores.ts"

// `apps/forge/test/podman.test.ts` tests podman's own push and pull; this file tests what podman doesn't do.

const siteIn = Effect.fnUntraced(function* (store: Chosen["store"]) {
  const api: Service = yield* start(store === undefined ? {} : { store })
  for (const name of ["ann", "bob"]) yield* api.user(name)
  return api
})

for (const [kind, store] of stores) {
  const site = siteIn(store)

  describe(`container images in ${kind}`, () => {
    it.live("are uploaded as a whole, in parts and by mounts, and pulled as a whole and in ranges", () =>
      Effect.gen(function* () {
        const api = yield* site
        expect(yield* putBlob(api, "first layer")).toBe("201")
        const begun = yield* api.fetch("POST", `${images}/blobs/uploads/`, ann)
        const upload = begun.headers.get("location") ?? ""
        expect([
          begun.status,
          begun.headers.get("range"),
          begun.headers.get("docker-distribution-api-version")
        ]).toEqual([202, "0-0", "registry/2.0"])
        expect(upload).toBe(`${images}/blobs/uploads/${begun.headers.get("docker-upload-uuid")}`)
        const patch = (raw: string, range?: string) =>
          Effect.map(
            api.fetch("PATCH", upload, {
              headers: { ...ann.headers, ...(range === undefined ? {} : { "content-range": range }) },
              raw
            }),
            ({ headers, status }) => [status, headers.get("range")]
          )
        expect(yield* patch("second", "0-5")).toEqual([202, "0-5"])
        expect(yield* patch("elsewhere", "9-17")).toEqual([416, "0-5"])
        // A part with a wrong length may be cut off, and is rejected completely.
        for (const range of ["6-8", "6-10", "6-5", "6-"])
          expect([range, ...(yield* patch(" lay", range))]).toEqual([range, 400, null])
        expect(yield* patch(" lay", "6-9")).toEqual([202, "0-9"])
        const told = yield* api.fetch("GET", upload, ann)
        expect([told.status, told.headers.get("range")]).toEqual([204, "0-9"])
        const second = digestOf("second layer")
        expect(yield* outcome(api, "PUT", `${upload}?digest=${digestOf("other")}`, { ...ann, raw: "er" })).toBe(
          "400 DIGEST_INVALID"
        )
        const ended = yield* api.fetch("PUT", `${upload}?digest=${second}`, { ...ann, raw: "er" })
        expect([ended.status, ended.headers.get("location"), ended.headers.get("docker-content-digest")]).toEqual([
          201,
          `${images}/blobs/${second}`,
          second
        ])
        expect(yield* outcome(api, "GET", upload, ann)).toBe("404 BLOB_UPLOAD_UNKNOWN")
        // A single part becomes the blob without a copy.
        const third = (yield* api.fetch("POST", `${images}/blobs/uploads/`, ann)).headers.get("location") ?? ""
        yield* api.fetch("PATCH", third, { ...ann, raw: "third layer" })
        expect(yield* outcome(api, "PUT", `${third}?digest=${digestOf("third layer")}`, ann)).toBe("201")

        const got = yield* api.fetch("GET", `${images}/blobs/${second}`)
        expect([got.status, got.text, got.headers.get("docker-content-digest")]).toEqual([200, "second layer", second])
        expect(got.headers.get("content-type")).toBe("application/octet-stream")
        const head = yield* api.fetch("HEAD", `${images}/blobs/${second}`)
        expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", "12"])
        const part = yield* api.fetch("GET", `${images}/blobs/${second}`, { headers: { range: "bytes=7-" } })
        expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "layer", "bytes 7-11/12"])
        expect((yield* api.fetch("GET", `${images}/blobs/${second}`, { headers: { range: "bytes=12-" } })).status).toBe(
          416
        )

        const mount = (base: string, digest: string) =>
          Effect.map(
            api.fetch("POST", `${base}/blobs/uploads/?mount=${digest}&from=ann/tools/lamp`, ann),
            ({ headers, status }) => [status, headers.get("location")?.replace(/uploads.*/, "uploads")]
          )
        expect(yield* mount("/v2/ann/copy", second)).toEqual([201, `/v2/ann/copy/blobs/${second}`])
        expect((yield* api.fetch("GET", `/v2/ann/copy/blobs/${second}`)).text).toBe("second layer")
        expect(yield* mount("/v2/ann/copy", digestOf("nowhere"))).toEqual([202, "/v2/ann/copy/blobs/uploads"])
        // Blobs without a manifest are no package.
        expect(yield* versionsIn(api, "/packages/ann")).toEqual([])
      })
    )

    it.live("are tagged, pulled by tag and digest, listed in the catalog, and deleted", () =>
      Effect.gen(function* () {
        const api = yield* site
        const first = yield* push(api, "1.0", ["one"])
        expect(yield* putManifest(api, "latest", first)).toBe("201")
        const got = yield* api.fetch("GET", `${images}/manifests/latest`)
        expect([got.status, got.text, got.headers.get("content-type")]).toEqual([200, first, manifestTypes.image])
        expect(got.headers.get("docker-content-digest")).toBe(digestOf(first))
        const head = yield* api.fetch("HEAD", `${images}/manifests/${digestOf(first)}`)
        expect([head.status, head.headers.get("content-length")]).toEqual([200, String(first.length)])
        const second = yield* push(api, "latest", ["one", "two"])
        expect((yield* api.fetch("GET", `${images}/manifests/LATEST`)).text).toBe(second)
        expect(yield* versionsIn(api, "/packages/ann?type=container")).toEqual(["tools/lamp latest", "tools/lamp 1.0"])
        const inApi = "/packages/ann/container/tools%2flamp"
        const files = yield* api.ask(200, "GET", `${inApi}/latest/files`, ann)
        expect(files.map(({ name, size }: { name: string; size: number }) => `${name} ${size}`)).toEqual([
          `manifest.json ${second.length}`,
          `${digestOf("{}").replace(":", "_")} 2`,
          `${digestOf("one").replace(":", "_")} 3`,
          `${digestOf("two").replace(":", "_")} 3`
        ])
        expect((yield* api.ask(200, "GET", `${inApi}/-/latest`, ann)).version).toBe("latest")

        // A manifest without a tag stays, as a version named by its digest.
        const third = yield* push(api, "1.0", ["three"])
        expect(yield* versionsIn(api, inApi)).toEqual([
          "tools/lamp 1.0",
          `tools/lamp ${digestOf(first)}`,
          "tools/lamp latest"
        ])
        expect((yield* api.fetch("GET", `${images}/manifests/${digestOf(first)}`)).text).toBe(first)
        expect(yield* outcome(api, "DELETE", `${images}/manifests/1.0`, ann)).toBe("202")
        expect(yield* outcome(api, "GET", `${images}/manifests/1.0`)).toBe("404 MANIFEST_UNKNOWN")
        expect((yield* api.fetch("GET", `${images}/manifests/${digestOf(third)}`)).status).toBe(200)
        expect(yield* putManifest(api, "again", third)).toBe("201")
        expect(yield* versionsIn(api, inApi)).toEqual([
          "tools/lamp again",
          `tools/lamp ${digestOf(first)}`,
          "tools/lamp latest"
        ])
        // The package API deletes a version; the last one deletes the image. The registry deletes a digest with all its
        // tags.
        yield* api.ask(204, "DELETE", `${inApi}/again`, ann)
        expect(yield* outcome(api, "GET", `${images}/manifests/${digestOf(third)}`)).toBe("404 MANIFEST_UNKNOWN")
        yield* api.ask(204, "DELETE", `${inApi}/${digestOf(first)}`, ann)
        expect(yield* putManifest(api, "stable", second)).toBe("201")
        expect(yield* outcome(api, "DELETE", `${images}/manifests/${digestOf(second)}`, ann)).toBe("202")
        expect(yield* outcome(api, "GET", `${images}/manifests/stable`)).toBe("404 NAME_UNKNOWN")
        expect(yield* versionsIn(api, "/packages/ann")).toEqual([])
        yield* push(api, "1.0", ["one"])
        expect((yield* api.fetch("GET", `${images}/blobs/${digestOf("one")}`)).status).toBe(200)
        yield* api.ask(204, "DELETE", inApi, ann)
        // I7: a deleted image and its blobs are missing immediately.
        expect(yield* outcome(api, "GET", `${images}/blobs/${digestOf("one")}`)).toBe("404 BLOB_UNKNOWN")
        expect(yield* outcome(api, "GET", `${images}/manifests/${digestOf(first)}`)).toBe("404 NAME_UNKNOWN")
      })
    )

    it.live("list their tags and referrers in pages", () =>
      Effect.gen(function* () {
        const api = yield* site
        const image = yield* push(api, "b", ["one"])
        for (const tag of ["a", "C", "a-1", "a0"]) expect(yield* putManifest(api, tag, image)).toBe("201")
        const tags = (query: string) =>
          Effect.map(api.fetch("GET", `${images}/tags/list${query}`), ({ headers, json }) => [
            json.name,
            json.tags.join(" "),
            headers.get("link")
          ])
        const name = "ann/tools/lamp"
        expect(yield* tags("")).toEqual([name, "a a-1 a0 b C", null])
        const link = (last: string) => `</v2/${name}/tags/list?n=2&last=${last}>; rel="next"`
        expect(yield* tags("?n=2")).toEqual([name, "a a-1", link("a-1")])
        expect(yield* tags("?n=2&last=a-1")).toEqual([name, "a0 b", link("b")])
        expect(yield* tags("?n=2&last=b")).toEqual([name, "C", null])
        expect(yield* tags("?n=0")).toEqual([name, "", null])
        expect(yield* tags("?last=aa")).toEqual([name, "b C", null])
        expect(yield* outcome(api, "GET", `${images}/tags/list?n=x`)).toBe("400 UNSUPPORTED")
        expect(yield* outcome(api, "GET", "/v2/ann/none/tags/list")).toBe("404 NAME_UNKNOWN")

        const subject = descriptorOf(image, manifestTypes.image)
        const signature = manifestOf([], { subject, artifactType: "a/signature", annotations: { by: "ann" } })
        const list = JSON.stringify({
          schemaVersion: 2,
          mediaType: manifestTypes.index,
          artifactType: "a/list",
          manifests: [subject],
          subject
        })
        const answer = yield* api.fetch("PUT", `${images}/manifests/${digestOf(signature)}`, {
          headers: { ...ann.headers, "content-type": manifestTypes.image },
          raw: signature
        })
        expect([answer.status, answer.headers.get("oci-subject")]).toEqual([201, digestOf(image)])
        expect(yield* putManifest(api, "list", list, { type: manifestTypes.index })).toBe("201")
        const referrers = yield* api.fetch("GET", `${images}/referrers/${digestOf(image)}`)
        expect(referrers.headers.get("content-type")).toBe(manifestTypes.index)
        const shown = [
          { ...descriptorOf(signature, manifestTypes.image), artifactType: "a/signature", annotations: { by: "ann" } },
          { ...descriptorOf(list, manifestTypes.index), artifactType: "a/list" }
        ]
        expect(referrers.json).toEqual({ schemaVersion: 2, mediaType: manifestTypes.index, manifests: shown })
        const some = yield* api.fetch("GET", `${images}/referrers/${digestOf(image)}?artifactType=a/list`)
        expect([some.json.manifests, some.headers.get("oci-filters-applied")]).toEqual([[shown[1]], "artifactType"])
        for (const base of [images, "/v2/ann/none"]) {
          expect((yield* api.fetch("GET", `${base}/referrers/${digestOf("none")}`)).json.manifests).toEqual([])
        }
      })
    )

    it.live("are pulled and pushed with bearer tokens from `/v2/token`, which expire with their credential", () =>
      Effect.gen(function* () {
        const api = yield* site
        yield* push(api, "1.0", ["one"])
        const text = yield* api.mint("ann", ["write:package"])
        const scopes = ["repository:ann/tools/lamp:pull,push"]
        const byPassword = yield* ticketFor(api, scopes, ann)
        const byToken = yield* ticketFor(api, scopes, { headers: bearer(text) })
        const byNobody = yield* ticketFor(api, scopes)
        const pulled = (who: Sent) => outcome(api, "GET", `${images}/manifests/1.0`, who)
        for (const who of [byPassword, byToken]) {
          expect([yield* pulled(who), yield* putBlob(api, "two", { who })]).toEqual(["200", "201"])
        }
        expect([yield* pulled(byNobody), yield* putBlob(api, "two", { who: byNobody })]).toEqual([
          "200",
          "401 UNAUTHORIZED"
        ])
        yield* api.ask(200, "PUT", "/user/password", {
          ...ann,
          body: { password: "another horse battery", end_tokens: true }
        })
        expect([yield* pulled(byPassword), yield* pulled(byToken), yield* pulled(byNobody)]).toEqual([
          "401 UNAUTHORIZED",
          "401 UNAUTHORIZED",
          "200"
        ])
      })
    )

    it.live("are complete after several concurrent pushes", () =>
      Effect.gen(function* () {
        const api = yield* site
        const all = { concurrency: "unbounded" } as const
        const each = yield* Effect.forEach([1, 2, 3, 4], (n) => push(api, `v${n}`, ["shared", `own ${n}`]), all)
        yield* Effect.forEach(each, (manifest) => putManifest(api, "latest", manifest), all)
        expect((yield* api.fetch("GET", `${images}/tags/list`)).json.tags).toEqual(["latest", "v1", "v2", "v3", "v4"])
        expect(each).toContain((yield* api.fetch("GET", `${images}/manifests/latest`)).text)
        // One of two concurrent parts for the same offset is accepted.
        const upload = (yield* api.fetch("POST", `${images}/blobs/uploads/`, ann)).headers.get("location") ?? ""
        const sent = yield* Effect.forEach(["a", "b"], (raw) => outcome(api, "PATCH", upload, { ...ann, raw }), all)
        expect([...sent].sort()[0]).toBe("202")
        const { headers } = yield* api.fetch("GET", upload, ann)
        expect(headers.get("range")).toBe(sent.includes("416 BLOB_UPLOAD_INVALID") ? "0-0" : "0-1")
      })
    )
  })
}

describe("a container registry", () => {
  it.live("states how to authenticate, and accepts authenticated callers", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      const asked = yield* api.fetch("GET", "/v2/")
      expect(asked.status).toBe(401)
      expect(asked.headers.get("www-authenticate")).toBe(
        `Bearer realm="${rootUrl}/v2/token",service="forge.test", Basic realm="Slipway", charset="UTF-8"`
      )
      expect(asked.json).toEqual({ errors: [{ code: "UNAUTHORIZED", message: "sign in" }] })
      const greeted = yield* api.fetch("GET", "/v2/", ann)
      expect([greeted.status, greeted.json]).toEqual([200, {}])
      expect(yield* outcome(api, "GET", "/v2", ann)).toBe("200")
      expect(yield* outcome(api, "POST", "/v2/", ann)).toBe("405 UNSUPPORTED")
      expect(yield* outcome(api, "GET", "/v2/", as("nobody"))).toBe("401 UNAUTHORIZED")
    })
  )

  it.live("rejects images with a wrong digest or type, or with missing references", () =>
    Effect.gen(function* () {
      const api = yield* siteIn(undefined)
      const image = yield* push(api, "1.0", ["one"])
      const list = (manifests: ReadonlyArray<string>, mediaType: string) =>
        JSON.stringify({
          schemaVersion: 2,
          mediaType,
          manifests: manifests.map((each) => descriptorOf(each, manifestTypes.image))
        })
      const { dockerImage, dockerList, index } = manifestTypes
      const subject = descriptorOf(image, manifestTypes.image)
      const long = { a: "x".repeat(40_000) }
      const foreign = {
        mediaType: "application/vnd.oci.image.layer.nondistributable.v1.tar",
        urls: ["https://a.test"]
      }
      for (const [reference, manifest, type, expected] of [
        ["a", list([image], dockerList), dockerList, "201"],
        ["b", manifestOf(["one"], { mediaType: dockerImage }), dockerImage, "201"],
        ["c", manifestOf([], { layers: [{ ...descriptorOf("far", ""), ...foreign }] }), undefined, "201"],
        [digestOf(image), image, undefined, "201"],
        [digestOf("other"), image, undefined, "400 DIGEST_INVALID"],
        ["sha512:00", image, undefined, "400 DIGEST_INVALID"],
        ["d", list([image, "none"], index), index, "400 MANIFEST_BLOB_UNKNOWN"],
        ["e", manifestOf(["one", "none"]), undefined, "400 MANIFEST_BLOB_UNKNOWN"],
        ["f", manifestOf(["one"]), index, "400 MANIFEST_INVALID"],
        ["g", manifestOf(["one"], { mediaType: undefined, schemaVersion: 1 }), undefined, "400 MANIFEST_INVALID"],
        ["h", manifestOf(["one"], { mediaType: "text/html" }), "text/html", "400 MANIFEST_INVALID"],
        ["i", manifestOf(["one"], { subject, annotations: { a: "\0" } }), undefined, "400 MANIFEST_INVALID"],
        ["j", manifestOf(["one"], { subject, annotations: long }), undefined, "400 MANIFEST_INVALID"],
        ["j", manifestOf(["one"], { annotations: long }), undefined, "201"],
        ["j", manifestOf(["one"], { artifactType: "\0" }), undefined, "400 MANIFEST_INVALID"],
        ["j", manifestOf(["one"], { artifactType: "\ud800" }), undefined, "400 MANIFEST_INVALID"],
        ["j", manifestOf([], { config: descriptorOf("{}", "\0") }), undefined, "400 MANIFEST_INVALID"],
        ["k", "[", undefined, "400 MANIFEST_INVALID"],
        ["l", "[".repeat(100_000), undefined, "400 MANIFEST_INVALID"],
        [".m", image, undefined, "400 MANIFEST_INVALID"],
        // I25: complete reads have a maximum size.
        ["n", " ".repeat(4 * 1024 ** 2 + 1), undefined, "413 SIZE_INVALID"]
      ] as const) {
        const how = type === undefined ? {} : { type }
        expect([reference, yield* putManifest(api, reference, manifest, how)]).toEqual([reference, expected])
      }
      for (const name of ["Lamp", "a//b", "a/", "-a", "a..b", "x".repeat(300)]) {
        expect([name, yield* putBlob(api, "one", { base: `/v2/ann/${name}` })]).toEqual([name, "400 NAME_INVALID"])
      }
      // The response to an anonymous caller names the scope in a header.
      for (const name of ["lamp", "a%00/lamp", "a%22,x=%22/lamp", "%F0%9F%98%80/lamp", "%ff/lamp"]) {
        for (const who of [ann, {}]) {
          expect([name, yield* outcome(api, "GET", `/v2/${name}/manifests/1.0`, who)]).toEqual([
            name,
            "400 NAME_INVALID"
          ])
        }
      }
      expect(yield* outcome(api, "GET", "/v2/ann/lamp/anything", ann)).toBe("404 NAME_UNKNOWN")
      expect(yield* outcome(api, "POST", `${images}/manifests/1.0`, ann)).toBe("405 UNSUPPORTED")
      expect(yield* outcome(api, "GET", `${images}/blobs/sha256:00`, ann)).toBe("400 DIGEST_INVALID")
      expect(
        yield* outcome(api, "POST", `${images}/blobs/uploads/?digest=${digestOf("a")}`, { ...ann, raw: "b" })
      ).toBe("400 DIGEST_INVALID")
      // Blobs in a manifest can't be deleted before it.
      expect(yield* outcome(api, "DELETE", `${images}/blobs/${digestOf("one")}`, ann)).toBe("405 UNSUPPORTED")
      expect(yield* putBlob(api, "alone")).toBe("201")
      expect(yield* outcome(api, "DELETE", `${images}/blobs/${digestOf("alone")}`, ann)).toBe("202")
      expect(yield* outcome(api, "DELETE", `${images}/blobs/${digestOf("alone")}`, ann)).toBe("404 BLOB_UNKNOWN")
      expect(yield* outcome(api, "GET", `${images}/blobs/${digestOf("alone")}`)).toBe("404 BLOB_UNKNOWN")
    })
  )
})
