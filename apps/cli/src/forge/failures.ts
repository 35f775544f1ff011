import type { RunnerNotFound } from "@slipway/domain/forge/automation"
import type { RepositoryNameTaken, UnadoptedBroken } from "@slipway/domain/forge/code"
import type {
  BadgeNotFound,
  BadgeTaken,
  BadgeUnknown,
  BeyondScope,
  EmailTaken,
  IsOnlyOwner,
  KeyInUse,
  KeyNotFound,
  LastAdministrator,
  NameTaken,
  NotYourself,
  OrganizationNotFound,
  OwnsRepositories,
  PasswordTooCommon,
  PublicKeyInvalid,
  SecondFactorOff,
  TokenExpired,
  TokenNameTaken,
  TokenWithoutScope,
  TooManyBadges,
  UserNotFound,
  UserRenamed
} from "@slipway/domain/forge/identity"
import type { HookDeliveryNotFound, HookInvalid, HookNotFound, TooManyHooks } from "@slipway/domain/forge/integrations"
import type { Tasks } from "@slipway/forge/background"
import type { Unadopted } from "@slipway/forge/code"
import type { Entry, InvalidCredentials } from "@slipway/forge/entry"
import { Effect } from "effect"
import { CliError } from "effect/cli"

/** The terminal message of each domain error: total, so that a new error needs an entry. */
const table = {
  UserNotFound: ({ name }: UserNotFound) => `there is no user \`${name}\``,
  UserRenamed: ({ name, present }: UserRenamed) => `the user \`${name}\` was renamed to \`${present}\``,
  NameTaken: ({ name }: NameTaken) => `the name \`${name}\` is taken`,
  EmailTaken: ({ address }: EmailTaken) => `the email address \`${address}\` is taken`,
  BadgeNotFound: ({ slug }: BadgeNotFound) => `there is no badge \`${slug}\``,
  BadgeUnknown: ({ slug }: BadgeUnknown) => `there is no badge \`${slug}\``,
  BadgeTaken: ({ slug }: BadgeTaken) => `the badge \`${slug}\` already exists`,
  TooManyBadges: ({ most }: TooManyBadges) => `at most ${most} badges are allowed`,
  TaskNotFound: ({ name }: Tasks.TaskNotFound) => `there is no task \`${name}\``,
  HookNotFound: ({ id }: HookNotFound) => `webhook ${id} does not exist in this scope`,
  HookDeliveryNotFound: ({ id }: HookDeliveryNotFound) => `the webhook has no delivery ${id}`,
  SecondFactorOff: (_: SecondFactorOff) => "the user has no second factor",
  HookInvalid: ({ field, problem }: HookInvalid) => `${field} ${problem}`,
  RunnerNotFound: ({ id }: RunnerNotFound) => `the site has no runner ${id}`,
  TooManyHooks: ({ most }: TooManyHooks) => `at most ${most} webhooks are allowed in one scope`,
  AccessRefused: ({ decision }: Entry.AccessRefused) => `the user in --as lacks permission: ${decision.answer.message}`,
  Renamed: (_: Entry.Renamed) => "it was renamed",
  InvalidCredentials: (_: InvalidCredentials) => "the user in --as does not exist",
  SudoUserNotFound: (_: Entry.SudoUserNotFound) => "the user in --as does not exist",
  OrganizationNotFound: ({ name }: OrganizationNotFound) => `there is no organization \`${name}\``,
  UnadoptedNotFound: (_: Unadopted.UnadoptedNotFound) => "there is no unadopted git repository with that name",
  UnadoptedBroken: ({ problem }: UnadoptedBroken) => `it can't be adopted: ${problem}`,
  RepositoryNameTaken: ({ name }: RepositoryNameTaken) => `the owner already has a repository \`${name}\``,
  KeyNotFound: ({ id }: KeyNotFound) => `the user has no key ${id}`,
  KeyInUse: (_: KeyInUse) => "an account or a repository already uses the key",
  PublicKeyInvalid: ({ because }: PublicKeyInvalid) => `invalid key: ${because}`,
  BeyondScope: (_: BeyondScope) => "the new token would exceed the scope of its creator",
  IsOnlyOwner: ({ organizations }: IsOnlyOwner) => `the user is the only owner of ${organizations.join(", ")}`,
  OwnsRepositories: (_: OwnsRepositories) => "the user still owns repositories; `--purge` deletes them as well",
  LastAdministrator: (_: LastAdministrator) => "the last site administrator must stay",
  NotYourself: (_: NotYourself) => "you cannot do this to yourself",
  PasswordTooCommon: (_: PasswordTooCommon) => "the password is among the most common passwords",
  TokenNameTaken: ({ name }: TokenNameTaken) => `the user already has a token \`${name}\``,
  TokenWithoutScope: (_: TokenWithoutScope) => "the token needs at least one scope",
  TokenExpired: (_: TokenExpired) => "the expiry time is in the past"
} as const

type Table = typeof table
type DomainError = Parameters<Table[keyof Table]>[0]

/** Reports a user error in one line. */
export const userError = (userMessage: string, cause?: unknown) => new CliError.UserError({ cause, userMessage })

/** Turns failures into messages for users. */
export const explainFailures = <A, E extends DomainError | { readonly _tag: string; readonly message: string }, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, CliError.UserError, R> =>
  Effect.mapError(effect, (error) => {
    const known = Object.hasOwn(table, error._tag) ? table[error._tag as keyof Table] : undefined
    return userError(known === undefined ? error.message : (known as (error: unknown) => string)(error), error)
  })
