import { Context, Effect, Redacted as R, type Redacted, Schema } from "effect"
import { PasswordHasher } from "./PasswordHasher.ts"

/** The minimum and maximum length of passwords, in characters. */
export const passwordLengths = { shortest: 8, longest: 256 }

/** Returns the error message for a text that cannot be a password; undefined if it can. */
export const passwordTextProblem = (password: string): string | undefined => {
  if ([...password].length > passwordLengths.longest) return `must have at most ${passwordLengths.longest} characters`
  return password.isWellFormed() && !password.includes("\0") ? undefined : "must be text"
}

/** Returns the error message for a text that is not allowed as a new password; undefined if it is allowed. */
export const newPasswordProblem = (password: string): string | undefined =>
  [...password].length < passwordLengths.shortest
    ? `must have at least ${passwordLengths.shortest} characters`
    : passwordTextProblem(password)

/** Reports that a new password is rejected because it is one of the most common passwords. */
export class PasswordTooCommon extends Schema.TaggedError<PasswordTooCommon>()("PasswordTooCommon", {}) {}

/**
 * Finds out whether a password is one of the most common ones.
 *
 * Must:
 * - recognize a common password, ignoring case
 * - recognize no random password as common
 */
export class CommonPasswords extends Context.Service<
  CommonPasswords,
  { readonly has: (password: Redacted.Redacted) => Effect.Effect<boolean> }
>()("@slipway/domain/CommonPasswords") {}

/**
 * Hashes a new password. Fails with `PasswordTooCommon` if it is one of the most common ones. The caller must have
 * checked its form.
 */
export const hashNew = Effect.fnUntraced(function* (password: string) {
  const redacted = R.make(password)
  if (yield* (yield* CommonPasswords).has(redacted)) return yield* new PasswordTooCommon()
  return yield* (yield* PasswordHasher).hash(redacted)
})
