import { describe, expect, it } from "@effect/vitest"
import { joinProblems, problemsOf } from "@slipway/domain"
import { fields } from "@slipway/domain/deploy/apps"
import { Result, Schema } from "effect"

const told = (schema: Schema.Constraint, input: unknown) => {
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown>, {
    errors: "all",
    onExcessProperty: "error"
  })
  const result = decode(input)
  return Result.isFailure(result) ? problemsOf(result.failure.issue) : {}
}

describe("the problems of a schema", () => {
  const cases: ReadonlyArray<readonly [title: string, schema: Schema.Constraint, input: unknown, problems: object]> = [
    ["a string", fields.description.schema, 5, { body: ["Must be a string."] }],
    ["a number", fields.health_check_interval.schema, "5", { body: ["Must be a number."] }],
    [
      "a number out of bounds",
      fields.health_check_interval.schema,
      Number.POSITIVE_INFINITY,
      { body: ["Must be a whole number from 1 to 86400."] }
    ],
    ["a flag", fields.is_static.schema, "true", { body: ["Must be true or false."] }],
    ["a flag or null", fields.use_build_server.schema, "true", { body: ["Must be true or false or null."] }],
    ["one word", fields.static_image.schema, "x", { body: ["Must be nginx:alpine."] }],
    ["a word or null", fields.redirect.schema, "x", { body: ["Must be one of: www, non-www, both, null."] }],
    ["a text or null", fields.health_check_port.schema, 5, { body: ["Must be a string or null."] }],
    [
      "a text of the wrong form or null",
      fields.health_check_port.schema,
      "x",
      { body: ["Must be a port from 1 to 65535."] }
    ],
    ["an array", fields.docker_compose_domains.schema, "x", { body: ["Must be an array."] }],
    ["an object", Schema.Struct({ a: Schema.optionalKey(Schema.String) }), [], { body: ["Must be an object."] }],
    ["no value", Schema.Struct({ a: Schema.String }), {}, { a: ["This field is required."] }],
    [
      "names that every object inherits",
      Schema.Struct({ a: Schema.optionalKey(Schema.String) }),
      JSON.parse('{"__proto__":1,"constructor":2}'),
      JSON.parse('{"__proto__":["This field is not allowed."],"constructor":["This field is not allowed."]}')
    ],
    [
      "nested values",
      fields.docker_compose_domains.schema,
      [{ name: 1 }, 5, { name: "a", domain: "ftp://a.test,https://b.test?" }],
      {
        "0.name": ["Must be a string."],
        "0.domain": ["This field is required."],
        "1": ["Must be an object."],
        "2.domain": [
          "`ftp://a.test` must start with http:// or https://.",
          "`https://b.test?` must not have a query or a fragment."
        ]
      }
    ],
    [
      "a check without a message",
      Schema.String.check(Schema.isMaxLength(1)),
      "xx",
      { body: ["Must be a value with a length of at most 1."] }
    ],
    ["a number in a text", Schema.FiniteFromString, "x", { body: ["Must be a finite number."] }]
  ]
  for (const [title, schema, input, problems] of cases) {
    it(`are sentences: ${title}`, () => {
      expect(told(schema, input)).toEqual(problems)
    })
  }

  it("are grouped by field, and each sentence appears once", () => {
    expect(joinProblems({ a: ["One."] }, { a: ["One.", "Two."], b: ["Three."] })).toEqual({
      a: ["One.", "Two."],
      b: ["Three."]
    })
  })
})
