import { Context, Effect, Redacted as R, type Redacted, Schema } from "effect"
import { isTokenText } from "./AccessToken.ts"
import { PasswordHasher } from "./PasswordHasher.ts"

/** The length limits of passwords, in characters. */
export const passwordLengths = { shortest: 8, longest: 256 }

/** Returns why a text cannot be a password, or undefined. */
export const passwordFormProblem = (password: string): string | undefined => {
  if ([...password].length > passwordLengths.longest) return `must have at most ${passwordLengths.longest} characters`
  if (!password.isWellFormed() || password.includes("\0")) return "must be text"
  return isTokenText(password) ? "must not have the form of an access token" : undefined
}

/** Returns the problem of a new password's form, or undefined. */
export const passwordProblem = (password: string): string | undefined =>
  [...password].length < passwordLengths.shortest
    ? `must have at least ${passwordLengths.shortest} characters`
    : passwordFormProblem(password)

/** A new password in a request. */
export const NewPassword = Schema.String.check(Schema.makeFilter((text: string) => passwordProblem(text)))

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
>()("@slipway/domain/forge/CommonPasswords") {}

/** Hashes a new password of valid form, unless it is one of the most common ones. */
export const hashNew = Effect.fnUntraced(function* (password: string) {
  const redacted = R.make(password)
  if (yield* (yield* CommonPasswords).has(redacted)) return yield* new PasswordTooCommon()
  return yield* (yield* PasswordHasher).hash(redacted)
})
