import type { SecretOwner } from "../../../Vault.ts"
import type { UserId } from "../users/User.ts"

/** The number of recovery codes of a user. */
export const recoveryCodeCount = 10

const form = /^[a-z0-9]{24}$/

/** Returns a recovery code in the form for hashing: in lower case, without dashes. */
export const recoveryText = (code: string): string => code.replaceAll("-", "").toLowerCase()

/** Returns whether a text has the form of a recovery code. */
export const isRecoveryCode = (text: string): boolean => form.test(recoveryText(text))

/** Returns the owner of the secret of a user's second factor. */
export const secondFactorOwner = (user: UserId): SecretOwner => ({ uuid: `user-${user}`, field: "second factor" })
