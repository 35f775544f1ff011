import type { SecretOwner } from "../../../Vault.ts"
import type { UserId } from "../users/User.ts"

/** The number of recovery codes that a user gets; each code replaces the second factor once. */
export const recoveryCodeCount = 10

const form = /^[a-z0-9]{24}$/

/** Normalizes a recovery code before it is hashed: lower case, without dashes. */
export const recoveryText = (code: string): string => code.replaceAll("-", "").toLowerCase()

/** Returns whether a text has the form of a recovery code. */
export const isRecoveryCode = (text: string): boolean => form.test(recoveryText(text))

/** Returns the identity under which the secret of a user's second factor is encrypted. */
export const secondFactorOwner = (user: UserId): SecretOwner => ({ uuid: `user-${user}`, field: "second factor" })
