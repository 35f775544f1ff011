import { Context, Effect, Redacted as R, type Redacted, Schema } from "effect"
import { PasswordHasher } from "./PasswordHasher.ts"

/** The length limits of passwords, in characters. */
export const passwordLengths = { shortest: 8, longest: 256 }

/** Returns why a text cannot be a password, or undefined. */
export const passwordTextProblem = (password: string): string | undefined => {
  if ([...password].length > passwordLengths.longest) return `must have at most ${passwordLengths.longest} characters`
  return password.isWellFormed() && !password.includes("\0") ? undefined : "must be text"
}

/** Returns why a text cannot be a new password, or undefined. */
export const newPasswordProblem = (password: string): string | undefined =>
  [...password].length < passwordLengths.shortest
    ? `must have at least ${passwordLengths.shortest} characters`
    : passwordTextProblem(password)

/** Reports that a password is one of the most common ones. */
export class PasswordTooCommon extends Schema.TaggedError<PasswordTooCommon>()("PasswordTooCommon", {}) {}

/**
 * Knows the most common passwords.
 *
 * Must:
 * - recognize a common password, ignoring case
 * - recognize no random password as common
 */
export class CommonPasswords extends Context.Service<
  CommonPasswords,
  { readonly has: (password: Redacted.Redacted) => Effect.Effect<boolean> }
>()("@slipway/domain/CommonPasswords") {}

/** Hashes a new password of valid form, unless it is one of the most common ones. */
export const hashNew = Effect.fnUntraced(function* (password: string) {
  const redacted = R.make(password)
  if (yield* (yield* CommonPasswords).has(redacted)) return yield* new PasswordTooCommon()
  return yield* (yield* PasswordHasher).hash(redacted)
})
