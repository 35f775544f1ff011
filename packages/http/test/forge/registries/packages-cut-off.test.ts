import { describe, expect, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import { BlobStore } from "@slipway/domain/forge/base"
import { Entry } from "@slipway/forge/entry"
import { PackageFiles } from "@slipway/forge/registries"
import { UploadIdleTimeout } from "@slipway/http/server/forge"
import { Duration, Effect, Layer, Stream } from "effect"
import { stalledBody } from "../../delayedBody.ts"
import { basic, start } from "../support/harness.ts"

const ann = { headers: basic("ann") }
const tool = "/api/packages/ann/generic/tool"

describe("uploads to registries", () => {
  it.live("I25: are rejected when the client stops sending", () =>
    Effect.gen(function* () {
      const api = yield* start({ outside: Layer.succeed(UploadIdleTimeout, Duration.millis(20)) })
      yield* api.user("ann")
      const silent = (method: string, path: string) => {
        const sent = stalledBody("the first half")
        return Effect.map(api.fetch(method, path, { ...ann, raw: sent }), ({ status }) => status)
      }
      expect(yield* silent("PUT", `${tool}/1.0/a.txt`)).toBe(408)
      expect((yield* api.fetch("GET", `${tool}/1.0/a.txt`, ann)).status).toBe(404)
      const upload = (yield* api.fetch("POST", "/v2/ann/lamp/blobs/uploads/", ann)).headers.get("location") ?? ""
      expect(yield* silent("PATCH", upload)).toBe(408)
      expect((yield* api.fetch("GET", upload, ann)).headers.get("range")).toBe("0-0")
      const left = api.within(Effect.flatMap(BlobStore, (blobs) => Stream.runCollect(blobs.list("packages"))))
      expect(yield* left).toEqual([])
    })
  )
})

describe("a package file", () => {
  it.live("stays complete when the client disconnects right after the commit", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      const cutOff = Effect.gen(function* () {
        const about = { kind: "packageOwner", owner: "ann" } as const
        const proof = yield* Entry.authorize("package.file.publish", yield* Entry.actAs("ann", about))
        const named = { type: "generic", name: "tool", version: "1.0", file: "a.txt" }
        const transaction = yield* Transaction
        const run: typeof transaction.run = (effect) => Effect.andThen(transaction.run(effect), Effect.interrupt)
        const publishing = PackageFiles.publish(proof, named, Stream.make(new TextEncoder().encode("whole")))
        return yield* Effect.exit(Effect.provideService(publishing, Transaction, { ...transaction, run }))
      })
      expect((yield* Effect.orDie(api.within(cutOff)))._tag).toBe("Failure")
      expect((yield* api.fetch("GET", `${tool}/1.0/a.txt`, ann)).text).toBe("whole")
    })
  )
})
