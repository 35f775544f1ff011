import { assert, describe, it } from "@effect/vitest"
import { Variables } from "@slipway/deploy/apps"
import { Vault } from "@slipway/domain"
import { expandVariables, type SealedVariable, type VariableUuid } from "@slipway/domain/deploy/apps"
import { Effect, Layer, Redacted, Result } from "effect"
import { Aead, SecureRandom } from "effect/crypto"

const expanded = (...pairs: ReadonlyArray<readonly [key: string, value: string, isLiteral?: boolean]>) =>
  expandVariables(pairs.map(([key, value, isLiteral = false]) => ({ key, value, isLiteral })))

describe("the expansion of variables", () => {
  it("expands references to earlier variables only", () => {
    assert.deepStrictEqual(
      expanded(["A", "$B"], ["B", "b"], ["C", "<$A$B>"], ["D", "$C$D$E"], ["E", "e"]),
      Result.succeed(["", "b", "<b>", "<b>", "e"])
    )
  })

  it("does not expand references in the result again (invariant I23)", () => {
    assert.deepStrictEqual(
      expanded(["A", "$$B $(id) `id`"], ["B", "b"], ["C", "$A"], ["L", "$B", true], ["M", "$L"]),
      Result.succeed(["$B $(id) `id`", "b", "$B $(id) `id`", "$B", "$B"])
    )
  })

  it("keeps dollar signs that start no name", () => {
    const odd = "5$ $5 \u0024{} \u0024{A-b} \u0024{A $-"
    assert.deepStrictEqual(expanded(["A", "a"], ["B", odd]), Result.succeed(["a", odd]))
  })

  it("fails before a value grows without limit (invariant I25)", () => {
    const twice = Array.from({ length: 60 }, (_, n) => [`V${n + 1}`, `$V${n}$V${n}`] as const)
    assert.deepStrictEqual(expanded(["V0", "x"], ...twice), Result.fail({ key: "V17", most: 100_000 }))
    const often = "$V0".repeat(30_000)
    assert.deepStrictEqual(
      expanded(["V0", "x".repeat(100_000)], ["V1", often]),
      Result.fail({ key: "V1", most: 100_000 })
    )
  })
})

describe("the values of all variables", () => {
  it("fail before they grow without limit in total (invariant I25)", () => {
    const many = Array.from({ length: 1_000 }, (_, n) => [`V${n + 1}`, "$V0"] as const)
    assert.deepStrictEqual(
      expanded(["V0", "x".repeat(100_000)], ...many),
      Result.fail({ key: "V100", most: 10_000_000 })
    )
  })
})

const vault = Vault.layer(Redacted.make(new Uint8Array(32))).pipe(
  Layer.provideMerge(Aead.layerWebCrypto),
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)

describe("decrypting the variables of a release", () => {
  const sealed = (n: number, key: string, value: string, flags: Omit<SealedVariable, "uuid" | "key" | "value">) =>
    Effect.gen(function* () {
      const uuid = `variable${String(n).padStart(16, "0")}` as VariableUuid
      const text = yield* (yield* Vault).seal({ uuid, field: "value" }, Redacted.make(value))
      return { uuid, key, value: text, ...flags } satisfies SealedVariable
    })

  it.effect("expands only variables that are stored as not literal", () =>
    Effect.gen(function* () {
      const variables = [
        yield* sealed(1, "HOST", "db", { isLiteral: false }),
        yield* sealed(2, "URL", "pg://$HOST", { isLiteral: false }),
        yield* sealed(3, "PRICE", "$HOST", { isLiteral: true }),
        yield* sealed(4, "OLD", "$HOST", {})
      ]
      const opened = yield* Variables.open(variables)
      assert.deepStrictEqual(
        opened.map(([key, value]) => [key, Redacted.value(value)]),
        [
          ["HOST", "db"],
          ["URL", "pg://db"],
          ["PRICE", "$HOST"],
          ["OLD", "$HOST"]
        ]
      )
      const endless = yield* Effect.forEach(Array.from({ length: 20 }), (_, n) =>
        sealed(n + 5, `V${n}`, n === 0 ? "secret" : `$V${n - 1}$V${n - 1}`, { isLiteral: false })
      )
      const failure = yield* Effect.flip(Variables.open(endless))
      assert.include(failure.because, "the variable V15")
      assert.notInclude(JSON.stringify(failure), "secret")
    }).pipe(Effect.provide(vault))
  )

  it.effect(
    "returns build variables to builds and runtime variables to containers, which may reference each other",
    () =>
      Effect.gen(function* () {
        const variables = [
          yield* sealed(1, "TOKEN", "t0ken", { isLiteral: true, isBuildtime: true, isRuntime: false }),
          yield* sealed(2, "URL", "http://$TOKEN@db", { isLiteral: false, isBuildtime: false, isRuntime: true }),
          yield* sealed(3, "BOTH", "b", { isLiteral: false })
        ]
        const openedFor = (moment?: "build" | "run") =>
          Effect.map(Variables.open(variables, moment), (all) =>
            all.map(([key, value]) => [key, Redacted.value(value)])
          )
        assert.deepStrictEqual(yield* openedFor("build"), [
          ["TOKEN", "t0ken"],
          ["BOTH", "b"]
        ])
        assert.deepStrictEqual(yield* openedFor(), [
          ["URL", "http://t0ken@db"],
          ["BOTH", "b"]
        ])
      }).pipe(Effect.provide(vault))
  )
})
