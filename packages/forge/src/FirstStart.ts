import { makeSecret, Transaction, Vault } from "@slipway/domain"
import type { OwnerName } from "@slipway/domain/forge/base"
import { KeyCheckStore } from "@slipway/domain/forge/base"
import type { EmailAddress, User } from "@slipway/domain/forge/identity"
import { CommonPasswords, PasswordHasher, passwordProblem, UserStore } from "@slipway/domain/forge/identity"
import { Data, Effect, Redacted } from "effect"
import { system } from "./entry/Entry.ts"
import * as AdminUsers from "./identity/accounts/AdminUsers.ts"

/**
 * The account of the first administrator, as the operator configured it.
 *
 * The name may be reserved for users, such as `admin`, and the password may be short or common.
 */
export interface ChosenAdministrator {
  readonly name: OwnerName
  readonly email: EmailAddress
  /** The password; generated if omitted. */
  readonly password?: Redacted.Redacted | undefined
}

/** The administrator that the first start created. The password is present only if it was generated. */
export interface Prepared {
  readonly administrator: User
  readonly password: Redacted.Redacted | undefined
  /** Whether the password is one that users would not be allowed to choose. */
  readonly weak: boolean
}

/** Reports that the stored secrets of this site were encrypted with another key than the configured one. */
export class OtherKey extends Data.TaggedError("OtherKey") {}

const keyCheck = { uuid: "site", field: "key check" } as const

/** Fails if the configured encryption key is not the one with which the site was first started. */
const checkKey = Effect.gen(function* () {
  const vault = yield* Vault
  const storedCheck = yield* (yield* KeyCheckStore).first(yield* vault.seal(keyCheck, Redacted.make("opens")))
  yield* Effect.mapError(vault.tryOpen(keyCheck, storedCheck), () => new OtherKey())
})

/**
 * Prepares a new site: creates a site administrator, with the operator's values or generated ones.
 *
 * Returns the administrator, or undefined if the site already has one. Fails without a change if the site's secrets
 * were encrypted with another key.
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
