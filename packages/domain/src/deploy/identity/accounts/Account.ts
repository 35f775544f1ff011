import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"

/** The uuid of an account. */
export const AccountUuid = Uuid.pipe(Schema.brand("AccountUuid"))
export type AccountUuid = typeof AccountUuid.Type

/** An account of a person. The hash of its password is stored separately and is not a part of it. */
export interface Account extends Entity {
  readonly uuid: AccountUuid
  /** The name for sign-in with a password, unique ignoring case. */
  readonly name: string
  /** The email address; null if unknown. It is not unique, and accounts are never found by it. */
  readonly email: string | null
  /** Whether the account administers the entire instance, like a token with the ability `root`. */
  readonly isRoot: boolean
  /** Whether sign-in, sessions and tokens of the account are rejected. */
  readonly isDisabled: boolean
  /** The time of the last sign-in; null before the first one. */
  readonly lastSignInAt: string | null
}

/** The maximum length of an account name, in characters. */
export const longestAccountName = 60

const namePattern = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}])?$/u

/** Returns the reason why an account name is invalid; undefined if it is valid. */
export const accountNameProblem = (name: string): string | undefined =>
  [...name].length > longestAccountName
    ? `Must have at most ${longestAccountName} characters.`
    : name.isWellFormed() && namePattern.test(name)
      ? undefined
      : "Must contain only letters, digits, dots, hyphens and underscores, and start and end with a letter or digit."

/** The maximum length of an email address, in characters. */
const longestEmail = 254

/** Returns whether a text has the form of an email address. */
export const isEmail = (text: string): boolean =>
  text.length <= longestEmail && text.isWellFormed() && /^[^\s@\0]+@[^\s@\0]+$/.test(text)

/** Returns the email address that an OpenID Connect provider reports; null if it is missing or invalid. */
export const emailOf = (reported: string | undefined): string | null =>
  reported !== undefined && isEmail(reported) ? reported : null

/**
 * Converts the name that an OpenID Connect provider reports to a valid account name.
 *
 * If another account has this name, the caller retries with the next `number`, which is appended from 2 on.
 *
 * @example
 * accountNameFrom("Ann Lee", 1) // => "Ann-Lee"
 * accountNameFrom("Ann Lee", 2) // => "Ann-Lee-2"
 * accountNameFrom("🙂", 1) // => "user"
 */
export const accountNameFrom = (reported: string, number: number): string => {
  const words = reported
    .toWellFormed()
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, "")
  const suffix = number === 1 ? "" : `-${number}`
  const shortened = [...words].slice(0, longestAccountName - suffix.length).join("")
  const name = shortened.replace(/[^\p{L}\p{M}\p{N}]+$/u, "")
  return `${name === "" ? "user" : name}${suffix}`
}

/** Reports that the account does not exist. */
export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {}) {}
/** Reports that another account has that name. */
export class AccountNameTaken extends Schema.TaggedError<AccountNameTaken>()("AccountNameTaken", {
  name: Schema.String
}) {}
/** Reports a change after which no enabled account and no token could administer the instance. */
export class LastRootAccount extends Schema.TaggedError<LastRootAccount>()("LastRootAccount", {}) {}
