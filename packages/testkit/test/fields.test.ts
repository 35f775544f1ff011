import { assert, describe, it } from "@effect/vitest"
import {
  accepts,
  type FieldName,
  fieldNames,
  fields,
  readUpdate,
  type Variant,
  variants
} from "@slipway/domain/deploy/apps"
import { creations, routes, samples } from "@slipway/testkit/deploy"

/** Example values of the specification by type; every other value has the wrong type. */
const ofType = { string: "text", boolean: true, integer: 1, array: [] } as const
const fractional = 1.5

const refused = (variant: Variant, name: string, value: unknown): boolean =>
  Object.keys(readUpdate(variant, { [name]: value }).problems).length > 0

// An enum without a schema is a sentence in the specification.
const enumOf = (value: ReadonlyArray<string> | string | undefined) => (typeof value === "string" ? undefined : value)

const isFieldName = (name: string): name is FieldName => Object.hasOwn(fields, name)
const sampled: Readonly<Record<string, ReadonlyArray<unknown>>> = samples

describe("the table of configuration fields", () => {
  it("has the fields of the specification", () => {
    // The fields of the specification, two fields of this platform, and eleven fields of Coolify.
    assert.strictEqual(fieldNames.length, 75 + 2 + 11)
    assert.deepStrictEqual(fieldNames.toSorted(), Object.keys(routes.configuration_fields).toSorted())
  })

  it("has the variants of the specification", () => {
    assert.deepStrictEqual(variants.toSorted(), creations.map((creation) => creation.variant).toSorted())
  })

  describe.each(creations)("for $variant", ({ accepted, at_least_one_of, required, variant }) => {
    it("accepts the fields of the specification", () => {
      const names = fieldNames.filter((name) => accepts(variant, name))
      assert.deepStrictEqual(names.toSorted(), accepted.map((field) => field.name).toSorted())
    })

    it("requires the fields of the specification, and one of the alternative fields", () => {
      const either = at_least_one_of.flat()
      const needed = fieldNames.filter((name) => fields[name].requiredBy.includes(variant))
      assert.deepStrictEqual(needed.toSorted(), required.filter((name) => !either.includes(name)).toSorted())
      assert.deepStrictEqual(either.toSorted(), ["environment_name", "environment_uuid"])
    })

    it.each(accepted)("accepts values of the type of $name, and null if it is nullable", (field) => {
      const { name, nullable, type } = field
      for (const [other, value] of Object.entries(ofType)) {
        if (other !== type) assert.isTrue(refused(variant, name, value), `${name} took ${JSON.stringify(value)}`)
      }
      assert.isTrue(refused(variant, name, fractional))
      assert.strictEqual(refused(variant, name, null), !nullable)
      for (const value of name === "build_pack" ? (enumOf(field.enum) ?? []) : (sampled[name] ?? [])) {
        assert.isFalse(refused(variant, name, value), `${name} refused ${JSON.stringify(value)}`)
      }
    })

    it.each(accepted.filter((field) => enumOf(field.enum) !== undefined))(
      "accepts only the enum values of $name",
      (field) => {
        const words = enumOf(field.enum) ?? []
        for (const word of words) assert.isFalse(refused(variant, field.name, word))
        const all = new Set(
          creations.flatMap((creation) => creation.accepted.flatMap((each) => enumOf(each.enum) ?? []))
        )
        for (const word of all) assert.strictEqual(refused(variant, field.name, word), !words.includes(word))
      }
    )

    it.each(accepted.filter((field) => field.default !== undefined))("has the default of $name", (field) => {
      assert.isTrue(isFieldName(field.name) && fields[field.name].unset === field.default)
    })
  })
})
