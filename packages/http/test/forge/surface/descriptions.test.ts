import SwaggerParser from "@apidevtools/swagger-parser"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { start } from "../support/harness.ts"

/** Lists `nullable` without the `type` that OpenAPI 3.0 requires next to it. */
const nullableAlone = (part: unknown, path = "#"): ReadonlyArray<string> =>
  typeof part === "object" && part !== null
    ? [
        ...("nullable" in part && !("type" in part) ? [path] : []),
        ...Object.entries(part).flatMap(([name, each]) => nullableAlone(each, `${path}/${name}`))
      ]
    : []

describe("the descriptions in older formats", () => {
  it.live("are valid by an independent validator, and contain the same operations", () =>
    Effect.gen(function* () {
      const api = yield* start()
      const documents = new Map<string, Record<string, Record<string, unknown>>>()
      for (const [path, version] of [
        ["/api/v1/openapi.json", { openapi: "3.1.0" }],
        ["/openapi3.v1.json", { openapi: "3.0.3" }],
        ["/swagger.v1.json", { swagger: "2.0" }]
      ] as const) {
        const answer = yield* api.fetch("GET", path)
        expect([path, answer.status]).toEqual([path, 200])
        expect(answer.json).toMatchObject(version)
        const base = answer.json.basePath ?? ""
        const paths = Object.entries<Record<string, unknown>>(answer.json.paths)
        documents.set(path, Object.fromEntries(paths.map(([each, verbs]) => [`${base}${each}`, verbs])))
        // The newest is OpenAPI 3.1, the source of the older ones, which clients also read.
        if (path !== "/api/v1/openapi.json")
          yield* Effect.promise(() => SwaggerParser.validate(structuredClone(answer.json)))
      }
      const operations = [...documents.values()].map((paths) =>
        Object.entries(paths).flatMap(([path, verbs]) => Object.keys(verbs).map((verb) => `${verb} ${path}`))
      )
      expect(operations[0]?.length).toBeGreaterThan(380)
      expect(operations[1]).toEqual(operations[0])
      expect(operations[2]).toEqual(operations[0])
    })
  )

  it.live("mark nullable fields in the form that clients accept", () =>
    Effect.gen(function* () {
      const api = yield* start()
      const { json } = yield* api.fetch("GET", "/openapi3.v1.json")
      expect(nullableAlone(json)).toEqual([])
      expect(json.components.schemas.PullReview.properties.user).toEqual({
        anyOf: [{ $ref: "#/components/schemas/User" }, { type: "object", nullable: true, enum: [null] }]
      })
      const older = yield* api.fetch("GET", "/swagger.v1.json")
      expect(older.json.definitions.PullReview.properties.user).toEqual({
        $ref: "#/definitions/User",
        "x-nullable": true
      })
    })
  )

  it.live("are generated once, and cached by ETag", () =>
    Effect.gen(function* () {
      const api = yield* start()
      for (const path of ["/api/v1/openapi.json", "/openapi3.v1.json", "/swagger.v1.json", "/docs"]) {
        const first = yield* api.fetch("GET", path)
        const second = yield* api.fetch("GET", path)
        const etag = second.headers.get("etag") ?? ""
        expect([path, etag, second.text]).toEqual([path, expect.stringMatching(/^W\/"[^"]{20,64}"$/), first.text])
        expect(first.headers.get("etag")).toBe(etag)
        const held = yield* api.fetch("GET", path, { headers: { "if-none-match": etag } })
        expect([path, held.status, held.text]).toEqual([path, 304, ""])
      }
    })
  )
})
