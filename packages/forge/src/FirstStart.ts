import { makeSecret, Transaction, Vault } from "@slipway/domain"
import type { OwnerName } from "@slipway/domain/forge/base"
import { KeyCheckStore } from "@slipway/domain/forge/base"
import type { EmailAddress, User } from "@slipway/domain/forge/identity"
import { CommonPasswords, PasswordHasher, passwordProblem, UserStore } from "@slipway/domain/forge/identity"
import { Data, Effect, Redacted } from "effect"
import { system } from "./entry/Entry.ts"
import * as AdminUsers from "./identity/accounts/AdminUsers.ts"

/**
 * The administrator that the operator wants.
 *
 * The operator may choose values that users may not: a reserved name such as `admin`, and a short or common password.
 */
export interface ChosenAdministrator {
  readonly name: OwnerName
  readonly email: EmailAddress
  /** Generated if omitted. */
  readonly password?: Redacted.Redacted | undefined
}

/** The resources that the first start creates; the password is present only if it was generated. */
export interface Prepared {
  readonly administrator: User
  readonly password: Redacted.Redacted | undefined
  /** Whether users would not be allowed to choose this password. */
  readonly weak: boolean
}

/** Reports that the secrets of this site are sealed with another key than the one in use. */
export class OtherKey extends Data.TaggedError("OtherKey") {}

const keyCheck = { uuid: "site", field: "key check" } as const

/** Fails if the key differs from the one of the site's first start. */
const checkKey = Effect.gen(function* () {
  const vault = yield* Vault
  const storedCheck = yield* (yield* KeyCheckStore).first(yield* vault.seal(keyCheck, Redacted.make("opens")))
  yield* Effect.mapError(vault.tryOpen(keyCheck, storedCheck), () => new OtherKey())
})

/**
 * Prepares a new site: creates a site administrator, chosen by the operator or generated.
 *
 * Returns what it created, or nothing if a site administrator exists. Fails and changes nothing if the key differs from
 * the one that sealed the site's secrets.
 */
export const prepare = Effect.fnUntraced(function* (chosen: ChosenAdministrator) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      // Of two processes that start together, one prepares and the other finds it done.
      const administrators = yield* (yield* UserStore).lockAdministrators
      yield* checkKey
      if (administrators.length > 0) return undefined
      const madeUp = chosen.password === undefined ? Redacted.make(yield* makeSecret) : undefined
      const password = madeUp ?? (chosen.password as Redacted.Redacted)
      const administrator = yield* AdminUsers.create(system("admin.user.create"), {
        name: chosen.name,
        email: chosen.email,
        admin: true,
        mustChangePassword: false
      }).pipe(Effect.catchTag("PasswordTooCommon", Effect.die))
      yield* (yield* UserStore).setPassword(administrator.id, yield* (yield* PasswordHasher).hash(password))
      const weak =
        passwordProblem(Redacted.value(password)) !== undefined || (yield* (yield* CommonPasswords).has(password))
      return { administrator, password: madeUp, weak } satisfies Prepared
    })
  )
})
