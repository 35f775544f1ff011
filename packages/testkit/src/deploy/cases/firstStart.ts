import { assert } from "@effect/vitest"
import { FirstStart } from "@slipway/deploy"
import { InstanceSettings } from "@slipway/deploy/administration"
import { Tokens } from "@slipway/deploy/identity"
import { Vault } from "@slipway/domain"
import { system } from "@slipway/domain/deploy/entry"
import { TokenStore } from "@slipway/domain/deploy/identity"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted } from "effect"
import type { Case } from "./support.ts"

const otherKey = Vault.layer(Redacted.make(new Uint8Array(32).fill(8)))
const chosen = Redacted.make("chosen-by-the-operator")

const isRoot = (token: Redacted.Redacted) =>
  Effect.map(Tokens.authenticate(token), ({ abilities }) => assert.deepStrictEqual(abilities, ["root"]))

/** Tests of the first start and of later starts of an instance. */
export const firstStartCases: Readonly<Record<string, Case>> = {
  "a first start creates a project, an environment, a server and a token with all permissions": Effect.gen(
    function* () {
      const prepared = yield* FirstStart.prepare(undefined)
      assert.strictEqual(prepared?.environment?.name, "production")
      assert.strictEqual(prepared?.server.name, "localhost")
      yield* isRoot(prepared?.token ?? Redacted.make(""))
    }
  ),
  "a later start creates nothing": Effect.gen(function* () {
    yield* FirstStart.prepare(undefined)
    assert.isUndefined(yield* FirstStart.prepare(undefined))
    assert.strictEqual(yield* (yield* ServerStore).count, 1)
    assert.strictEqual(yield* (yield* TokenStore).count, 1)
  }),
  "a token from the operator is valid after every start, and none is generated": Effect.gen(function* () {
    assert.isUndefined((yield* FirstStart.prepare(chosen))?.token)
    yield* isRoot(chosen)
    const next = Redacted.make("chosen-another-day")
    yield* FirstStart.prepare(next)
    yield* isRoot(next)
  }),
  "a start with a different key is rejected and changes nothing": Effect.gen(function* () {
    yield* FirstStart.prepare(undefined)
    const refused = yield* Effect.flip(Effect.provide(FirstStart.prepare(chosen), otherKey))
    assert.strictEqual(refused._tag, "OtherKey")
    assert.strictEqual((yield* Effect.flip(Tokens.authenticate(chosen)))._tag, "Unauthenticated")
  }),
  "an update of the settings keeps the key check": Effect.gen(function* () {
    yield* FirstStart.prepare(undefined)
    const input = { instanceDomains: "https://slipway.example" }
    yield* InstanceSettings.update(system("settings.update"), input, false)
    yield* Effect.flip(Effect.provide(FirstStart.prepare(undefined), otherKey))
  })
}
