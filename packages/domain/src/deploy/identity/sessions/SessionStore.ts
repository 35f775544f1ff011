import { Context, type Effect } from "effect"
import type { Account, AccountUuid } from "../accounts/Account.ts"
import type { Session, SessionUuid } from "./Session.ts"

/**
 * Stores sessions by the hashes of their secrets.
 *
 * Must:
 * - find a session with its account only by its hash
 * - list the sessions of an account, oldest first
 * - keep at most the given number of sessions of an account, the newest ones
 * - store when a session was last used, and never an earlier time
 * - end a session once, and only for its account
 * - end all sessions of an account, except the given one
 * - remove the sessions of a removed account
 * - remove expired sessions only
 */
export class SessionStore extends Context.Service<
  SessionStore,
  {
    /** Inserts a session; if the account then has more than `most` sessions, removes the oldest. */
    readonly begin: (session: Session, most: number) => Effect.Effect<void>
    readonly findByHash: (
      hash: string
    ) => Effect.Effect<{ readonly session: Session; readonly account: Account } | undefined>
    readonly find: (uuid: SessionUuid) => Effect.Effect<Session | undefined>
    readonly ofAccount: (uuid: AccountUuid) => Effect.Effect<ReadonlyArray<Session>>
    readonly touch: (uuid: SessionUuid, usedAt: string) => Effect.Effect<void>
    /** Ends a session of an account; false if the account does not have it. */
    readonly end: (account: AccountUuid, session: SessionUuid) => Effect.Effect<boolean>
    /** Ends all sessions of an account, except the session `except`; returns the number of ended sessions. */
    readonly endAll: (account: AccountUuid, except?: SessionUuid) => Effect.Effect<number>
    readonly removeExpired: (at: string) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/SessionStore") {}
