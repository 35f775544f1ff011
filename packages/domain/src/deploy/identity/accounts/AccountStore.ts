import { Context, type Effect } from "effect"
import type { Collection } from "../../../Collection.ts"
import type { Account, AccountUuid } from "./Account.ts"
import type { Identity, IdentityUuid } from "./Identity.ts"

/** An account with the hash of its password, for sign-in; the hash is null if the account has no password. */
export interface AccountWithPassword {
  readonly account: Account
  readonly passwordHash: string | null
}

/**
 * Stores accounts, the hashes of their passwords and their external identities.
 *
 * Must:
 * - find an account and its password hash by name, ignoring case
 * - keep the password hash when an account is replaced
 * - store when an account last signed in, and never replace this time with an earlier one
 * - list every root account, oldest first
 * - return every root account, oldest first, and lock these accounts until the running transaction ends
 * - find an account by an external identity only if both its issuer and its subject match
 * - link an identity to one account only, also for concurrent requests
 * - list the identities of an account, oldest first
 * - unlink an identity once, and only for its account
 * - remove the identities of a removed account
 */
export class AccountStore extends Context.Service<
  AccountStore,
  Collection<Account> & {
    readonly findByName: (name: string) => Effect.Effect<AccountWithPassword | undefined>
    /** Returns the hash of an account's password; null if the account has no password or does not exist. */
    readonly passwordHash: (uuid: AccountUuid) => Effect.Effect<string | null>
    readonly setPasswordHash: (uuid: AccountUuid, hash: string | null) => Effect.Effect<void>
    readonly noteSignIn: (uuid: AccountUuid, at: string) => Effect.Effect<void>
    readonly roots: Effect.Effect<ReadonlyArray<Account>>
    readonly lockRoots: Effect.Effect<ReadonlyArray<Account>>
    readonly findByIdentity: (identity: Pick<Identity, "issuer" | "subject">) => Effect.Effect<Account | undefined>
    /** Links an external identity to an account; false if it is already linked to an account. */
    readonly link: (identity: Identity) => Effect.Effect<boolean>
    readonly identities: (uuid: AccountUuid) => Effect.Effect<ReadonlyArray<Identity>>
    /** Unlinks an external identity from an account; false if it is not linked to this account. */
    readonly unlink: (uuid: AccountUuid, identity: IdentityUuid) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/AccountStore") {}
