import { describe, expect, it } from "@effect/vitest"
import { BlobStore } from "@slipway/domain/forge/base"
import { containerUploads } from "@slipway/domain/forge/registries"
import { packageSweep } from "@slipway/forge/registries"
import { Clock, Effect, Fiber, Stream } from "effect"
import { delayedBody } from "../../delayedBody.ts"
import { rootUrl, type Service, start } from "../support/harness.ts"
import {
  ann,
  as,
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
import { site as toldSite } from "../support/observations.ts"
import { stores } from "../support/stores.ts"

/** Runs the cleanup as of some hours later. */
const sweptIn = (api: Service, hours: number) =>
  api.within(
    Effect.clockWith((clock) => {
      const ahead = hours * 3_600_000
      const later: Clock.Clock = {
        ...clock,
        sleep: (duration) => clock.sleep(duration),
        currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
        currentTimeNanos: clock.currentTimeNanos,
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + ahead,
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (millis) => millis + ahead)
      }
      return Effect.provideService(packageSweep.run, Clock.Clock, later)
    })
  )

/** The sizes of the site's package blobs, ascending. */
const blobsOf = (api: Service) =>
  api.within(
    Effect.gen(function* () {
      const all = yield* Stream.runCollect((yield* BlobStore).list("packages"))
      return all.map(({ size }) => size).sort((one, other) => one - other)
    })
  )

for (const [kind, store] of stores) {
  describe(`blobs of images, in ${kind}`, () => {
    it.live("are stored once while an image uses them, and swept together with unfinished uploads", () =>
      Effect.gen(function* () {
        const api = yield* start(store === undefined ? {} : { store })
        for (const name of ["ann", "bob"]) yield* api.user(name)
        const first = yield* push(api, "1.0", ["shared", "of the first"])
        const second = yield* push(api, "2.0", ["shared"], { base: "/v2/bob/lamp", who: as("bob") })
        const kept = [2, 6, 12, second.length, first.length]
        // The same bytes in two images, uploaded by two users, are stored once.
        expect(yield* blobsOf(api)).toEqual(kept)
        expect(yield* putBlob(api, "left alone")).toBe("201")
        const upload = (yield* api.fetch("POST", `${images}/blobs/uploads/`, ann)).headers.get("location") ?? ""
        expect(yield* outcome(api, "PATCH", upload, { ...ann, raw: "part" })).toBe("202")
        expect(yield* outcome(api, "PATCH", upload, { ...ann, raw: "s" })).toBe("202")
        expect(yield* blobsOf(api)).toEqual([1, 2, 4, 6, 10, 12, second.length, first.length])
        yield* sweptIn(api, 23)
        expect(yield* blobsOf(api)).toEqual([1, 2, 4, 6, 10, 12, second.length, first.length])
        expect(yield* outcome(api, "GET", upload, ann)).toBe("204")
        yield* sweptIn(api, 25)
        expect(yield* blobsOf(api)).toEqual(kept)
        expect(yield* outcome(api, "GET", upload, ann)).toBe("404 BLOB_UPLOAD_UNKNOWN")
        expect(yield* outcome(api, "GET", `${images}/blobs/${digestOf("left alone")}`)).toBe("404 BLOB_UNKNOWN")
        expect((yield* api.fetch("GET", `${images}/blobs/${digestOf("shared")}`)).text).toBe("shared")
        // Deleting a version deletes its bytes, except those that another image uses.
        yield* api.ask(204, "DELETE", "/packages/ann/container/tools%2flamp/1.0", ann)
        yield* sweptIn(api, 25)
        expect(yield* blobsOf(api)).toEqual([2, 6, second.length])
        expect((yield* api.fetch("GET", `/v2/bob/lamp/blobs/${digestOf("shared")}`)).text).toBe("shared")
        expect(yield* outcome(api, "GET", `${images}/blobs/${digestOf("shared")}`)).toBe("404 BLOB_UNKNOWN")
        // A finished upload leaves no parts.
        const next = (yield* api.fetch("POST", `${images}/blobs/uploads/`, ann)).headers.get("location") ?? ""
        for (const raw of ["in ", "two"]) yield* api.fetch("PATCH", next, { ...ann, raw })
        expect(yield* outcome(api, "PUT", `${next}?digest=${digestOf("in two")}`, ann)).toBe("201")
        expect(yield* blobsOf(api)).toEqual([2, 6, 6, second.length])
        // An upload expires after a day, whether or not it was swept.
        const old = yield* api.fetch("POST", `${images}/blobs/uploads/`, ann)
        const late = delayedBody("late")
        const ending = `${old.headers.get("location")}?digest=${digestOf("late")}`
        const sending = yield* Effect.forkChild(outcome(api, "PUT", ending, { ...ann, raw: late.stream }))
        yield* late.isRead
        yield* api.within(
          Effect.gen(function* () {
            const uploads = yield* containerUploads.store
            const found = yield* uploads.findBy("uuid", { uuid: old.headers.get("docker-upload-uuid") ?? "" })
            if (found === undefined) return yield* Effect.die(new Error("there is no such upload"))
            yield* uploads.patch({ creatorId: found.creatorId }, found.id, { startedAt: "2020-01-01T00:00:00.000Z" })
          }).pipe(Effect.orDie)
        )
        late.release()
        expect(yield* Fiber.join(sending)).toBe("404 BLOB_UPLOAD_UNKNOWN")
        expect(yield* outcome(api, "PATCH", old.headers.get("location") ?? "", { ...ann, raw: "x" })).toBe(
          "404 BLOB_UPLOAD_UNKNOWN"
        )
      })
    )
  })
}

describe("container images", () => {
  it.live("record an event for each change, in their owner's audit log, and are deleted with the owner", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      yield* api.user("bob")
      yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme" } })
      const base = "/v2/acme/lamp"
      const image = yield* push(api, "1.0", ["one"], { base })
      expect(yield* putManifest(api, "1.0", image, { base, who: as("bob") })).toBe("403 DENIED")
      expect(yield* outcome(api, "DELETE", `${base}/manifests/1.0`, ann)).toBe("202")
      const rows = yield* api.ask(200, "GET", "/orgs/acme/audit", ann)
      expect(
        rows
          .filter(({ action }: { action: string }) => action.startsWith("package."))
          .map(({ action, details, outcome }: Record<string, unknown>) => [action, outcome, details])
      ).toEqual([
        ["package.container.delete", "done", { type: "container", package: "lamp", version: "1.0" }],
        ["package.container.publish", "refused", {}],
        [
          "package.container.publish",
          "done",
          { type: "container", package: "lamp", version: "1.0", digest: digestOf(image) }
        ]
      ])
      const refused = yield* api.send("DELETE", "/orgs/acme", ann)
      expect([refused.status, refused.json.message]).toEqual([422, "[org]: still owns packages: delete them first"])
      yield* api.ask(204, "DELETE", "/packages/acme/container/lamp", ann)
      yield* api.ask(204, "DELETE", "/orgs/acme", ann)
    })
  )

  it.live("are reported to webhooks whenever a tag moves", () =>
    Effect.gen(function* () {
      const { api, told } = yield* toldSite
      const bob = as("bob")
      yield* api.ask(201, "POST", "/user/hooks", {
        ...bob,
        body: {
          type: "gitea",
          active: true,
          config: { url: "https://bob.example/", content_type: "json" },
          events: ["package"]
        }
      })
      yield* told
      const how = { base: "/v2/bob/tools/lamp", who: bob }
      yield* push(api, "latest", ["one"], how)
      yield* push(api, "latest", ["one"], how)
      yield* push(api, "latest", ["two"], how)
      expect(yield* outcome(api, "DELETE", "/v2/bob/tools/lamp/manifests/latest", bob)).toBe("202")
      const heard = yield* told
      expect(heard.map(({ event, payload }) => [event, payload.action])).toEqual([
        ["package", "created"],
        ["package", "created"],
        ["package", "deleted"]
      ])
      expect(heard[0]?.payload).toMatchObject({
        package: {
          type: "container",
          name: "tools/lamp",
          version: "latest",
          html_url: `${rootUrl}/bob/-/packages/container/tools%2Flamp/latest`,
          creator: { login: "bob" }
        }
      })
    })
  )

  it.live("are pulled only by readers of packages, and never anonymously on a site that requires sign-in", () =>
    Effect.gen(function* () {
      const api = yield* start({ switches: { strictSignIn: true } })
      yield* api.user("ann")
      yield* push(api, "1.0", ["one"])
      expect((yield* ticketFor(api, ["repository:ann/tools/lamp:pull"])).status).toBe(401)
      expect(yield* outcome(api, "GET", `${images}/manifests/1.0`)).toBe("401 UNAUTHORIZED")
      expect(yield* outcome(api, "GET", `${images}/manifests/1.0`, ann)).toBe("200")
      expect(yield* versionsIn(api, "/packages/ann")).toEqual(["tools/lamp 1.0"])
      expect(manifestOf(["one"])).toBe((yield* api.fetch("GET", `${images}/manifests/1.0`, ann)).text)
    })
  )
})
