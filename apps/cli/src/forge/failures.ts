import type {
  EmailTaken,
  LastAdministrator,
  NameTaken,
  NotYourself,
  PasswordTooCommon,
  TokenExpired,
  TokenNameTaken,
  TokenWithoutScope,
  UserNotFound,
  UserRenamed
} from "@slipway/domain/forge"
import { Effect } from "effect"
import { CliError } from "effect/cli"

/** What each domain error is for a person at a terminal: total, so that a new error has to find its place here. */
const table = {
  UserNotFound: ({ name }: UserNotFound) => `there is no user \`${name}\``,
  UserRenamed: ({ name, present }: UserRenamed) => `the user \`${name}\` is called \`${present}\` by now`,
  NameTaken: ({ name }: NameTaken) => `the name \`${name}\` is taken`,
  EmailTaken: ({ address }: EmailTaken) => `the email address \`${address}\` is taken`,
  LastAdministrator: (_: LastAdministrator) => "nobody else administers the site",
  NotYourself: (_: NotYourself) => "nobody does this to themselves",
  PasswordTooCommon: (_: PasswordTooCommon) => "the password is among those that are guessed first",
  TokenNameTaken: ({ name }: TokenNameTaken) => `the user has a token \`${name}\``,
  TokenWithoutScope: (_: TokenWithoutScope) => "the token would open nothing",
  TokenExpired: (_: TokenExpired) => "the token would have expired already"
} as const

type Table = typeof table
type DomainError = Parameters<Table[keyof Table]>[0]

/** Reports what a person did wrong, in one line. */
export const userError = (userMessage: string, cause?: unknown) => new CliError.UserError({ cause, userMessage })

/** Turns failures into messages for a person. */
export const explained = <A, E extends DomainError | { readonly _tag: string; readonly message: string }, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, CliError.UserError, R> =>
  Effect.mapError(effect, (error) => {
    const known = Object.hasOwn(table, error._tag) ? table[error._tag as keyof Table] : undefined
    return userError(known === undefined ? error.message : (known as (error: unknown) => string)(error), error)
  })
