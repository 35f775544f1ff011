import { assert, describe, it } from "@effect/vitest"
import { Sealed, Vault } from "@slipway/domain"
import { testLayer } from "@slipway/testkit"
import { Effect, Exit, Redacted } from "effect"

const owner = { uuid: "one", field: "password" }

describe("Vault", () => {
  it.effect("decrypts a secret only for its owner and field (invariant I19)", () =>
    Effect.gen(function* () {
      const vault = yield* Vault
      for (const text of ["", "secret", "🗝️ ü", "x".repeat(100_000)]) {
        const sealed = yield* vault.seal(owner, Redacted.make(text))
        assert.strictEqual(Redacted.value(yield* vault.open(owner, sealed)), text)
      }
      const sealed = yield* vault.seal(owner, Redacted.make("secret"))
      const others = [
        { uuid: "two", field: "password" },
        { uuid: "one", field: "passwore" },
        { uuid: "onep", field: "assword" },
        { uuid: "on", field: "epassword" }
      ]
      for (const other of others) assert.isTrue(Exit.isFailure(yield* Effect.exit(vault.open(other, sealed))))
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("encrypts a secret differently each time, and rejects changed ciphertext", () =>
    Effect.gen(function* () {
      const vault = yield* Vault
      const one = yield* vault.seal(owner, Redacted.make("secret"))
      assert.notStrictEqual(yield* vault.seal(owner, Redacted.make("secret")), one)
      assert.notInclude(one, "secret")
      for (const wrong of ["", "AAAA", one.slice(4), `${one.slice(0, -4)}AAAA`, "not base64!"]) {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(vault.open(owner, Sealed.make(wrong)))))
      }
    }).pipe(Effect.provide(testLayer))
  )
})
