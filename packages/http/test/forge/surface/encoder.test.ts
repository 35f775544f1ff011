import { describe, expect, it } from "@effect/vitest"
import { EndpointShape, ForgeApi } from "@slipway/http/api/forge"
import { Arbitrary, Context, Effect, Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { encoderOf } from "../../../src/server/wire/encoder.ts"

const answers = new Set<Schema.Codec<unknown>>()

HttpApi.reflect(ForgeApi, {
  onGroup() {},
  onEndpoint({ endpoint }) {
    const { answer, kind } = Context.getUnsafe(endpoint.annotations, EndpointShape)
    if (answer !== undefined && kind !== "raw") answers.add(answer as Schema.Codec<unknown>)
  }
})

/** Adds unknown fields, if the schema names some. */
const withMore = ({ ast }: Schema.Codec<unknown>, value: unknown): unknown =>
  ast._tag === "Objects" && ast.propertySignatures.length > 0
    ? { before: "a field that nobody asked for", ...(value as object), after: [] }
    : value

describe("encoders of responses", () => {
  it.effect("write the same as the schemas of all endpoints", () =>
    Effect.gen(function* () {
      expect(answers.size).toBeGreaterThan(90)
      for (const answer of answers) {
        const [encode, encodeBySchema] = [encoderOf(answer), Schema.encodeUnknownSync(answer)]
        for (const value of yield* Arbitrary.sampleEffect(Arbitrary.schema(answer), { count: 4, seed: 17 })) {
          expect(JSON.stringify(encode(withMore(answer, value)))).toBe(JSON.stringify(encodeBySchema(value)))
        }
      }
    })
  )

  const time = "2026-11-22T17:47:00.123Z"
  const Moments = Schema.Struct({
    at: Schema.NullOr(Schema.DateFromString),
    times: Schema.optionalKey(Schema.Record(Schema.String, Schema.DateFromString)),
    either: Schema.Union([Schema.Struct({ one: Schema.DateFromString }), Schema.Struct({ other: Schema.String })])
  })

  it("use the encoder of the schema for unsupported parts", () => {
    const encode = encoderOf(Moments)
    expect(encode({ at: null, either: { other: "word", not: "said" } })).toEqual({
      at: null,
      either: { other: "word" }
    })
    expect(encode({ at: new Date(time), times: { now: new Date(time) }, either: { one: new Date(time) } })).toEqual({
      at: time,
      times: { now: time },
      either: { one: time }
    })
  })

  it("escape field names that have a meaning in JavaScript", () => {
    const Odd = Schema.Struct({ 'a"b': Schema.DateFromString, ["__proto__"]: Schema.Struct({ a: Schema.String }) })
    const value = JSON.parse(`{ "__proto__": { "a": "b", "c": 1 } }`)
    expect(JSON.stringify(encoderOf(Odd)({ 'a"b': new Date(time), ...value }))).toBe(
      JSON.stringify(Schema.encodeUnknownSync(Odd)({ 'a"b': new Date(time), ...value }))
    )
  })
})
