import { makeSecret, makeUuid, millisecondsOf, now, Transaction, timeIn } from "@slipway/domain"
import type { Authorized, Caller } from "@slipway/domain/deploy/entry"
import {
  type Account,
  AccountStore,
  accountAccess,
  GrantStore,
  longestAgent,
  mostSessions,
  type Session,
  SessionNotFound,
  SessionStore,
  SessionUuid,
  SignInRejected,
  sessionLasts,
  sessionText
} from "@slipway/domain/deploy/identity"
import { hashOf } from "@slipway/domain/sign-in"
import { Effect, Redacted, Schema } from "effect"
import { accountOf } from "../callers/accountOf.ts"

/** The address and the user agent of a browser that signs in. */
export interface BrowserFacts {
  /** The `User-Agent` header of the browser. */
  readonly agent: string
  readonly address: string
}

/** A new session with its secret in plain text, which is sent to the browser once and not stored. */
export interface MintedSession {
  readonly session: Session
  readonly plain: Redacted.Redacted
}

const oneLine = (text: string): string =>
  [...text.toWellFormed().replace(/\p{Cc}/gu, " ")].slice(0, longestAgent).join("")

/**
 * Creates a session for an account that signed in, with a new secret.
 *
 * Fails if the account was changed after the sign-in read it, for example by a new password or by disabling it.
 */
export const begin = Effect.fnUntraced(function* (account: Account, { address, agent }: BrowserFacts) {
  const store = yield* SessionStore
  const createdAt = yield* now
  const text = sessionText(yield* makeSecret)
  const session: Session = {
    uuid: yield* makeUuid(SessionUuid),
    accountUuid: account.uuid,
    hash: yield* hashOf(text),
    agent: oneLine(agent),
    address,
    expiresAt: yield* timeIn({ days: sessionLasts }),
    lastUsedAt: null,
    createdAt
  }
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const present = yield* (yield* AccountStore).lock(account.uuid)
      if (present?.updatedAt !== account.updatedAt) return yield* new SignInRejected({ because: "credentials" })
      yield* store.removeExpired(createdAt)
      yield* store.begin(session, mostSessions)
    })
  )
  return { session, plain: Redacted.make(text) } satisfies MintedSession
})

const usesAreNotedEvery = 60_000

const isExpired = ({ expiresAt }: Session, present: string): boolean => expiresAt <= present

/** Authenticates the secret of a session; returns undefined if the session has ended, or if its account is disabled. */
export const authenticate = Effect.fnUntraced(function* (presented: Redacted.Redacted) {
  const store = yield* SessionStore
  const found = yield* store.findByHash(yield* hashOf(Redacted.value(presented)))
  const present = yield* now
  if (found === undefined || found.account.isDisabled || isExpired(found.session, present)) return undefined
  const { account, session } = found
  const access = yield* (yield* GrantStore).accessOf(account.uuid)
  if (access === undefined) return undefined
  const { lastUsedAt } = session
  // Recording each use would turn every read into a write.
  if (lastUsedAt === null || millisecondsOf(present) - millisecondsOf(lastUsedAt) >= usesAreNotedEvery) {
    yield* store.touch(session.uuid, present)
  }
  return {
    tokenUuid: session.uuid,
    // Only the grants of the account limit a session.
    abilities: ["root"],
    accountUuid: account.uuid,
    access: accountAccess(access),
    account,
    session
  } satisfies Caller
})

/** Returns whether a session has ended, or whether its account is disabled. */
export const sessionEnded = Effect.fnUntraced(function* ({ uuid }: Session) {
  const session = yield* (yield* SessionStore).find(uuid)
  if (session === undefined || isExpired(session, yield* now)) return true
  return (yield* (yield* AccountStore).find(session.accountUuid))?.isDisabled !== false
})

/** Lists the sessions of the caller's account. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"account.session.list">) {
  return yield* (yield* SessionStore).ofAccount(accountOf(resource).uuid)
})

const isUuid = Schema.is(SessionUuid)

/** Ends a session of the caller's account. */
export const end = Effect.fnUntraced(function* ({ resource }: Authorized<"account.session.end">, uuid: string) {
  const account = accountOf(resource)
  const ended = isUuid(uuid) && (yield* (yield* SessionStore).end(account.uuid, uuid))
  if (!ended) return yield* new SessionNotFound()
})

/** Ends all sessions of the caller's account, including the current one, and returns their number. */
export const endAll = Effect.fnUntraced(function* ({ resource }: Authorized<"account.session.end">) {
  return yield* (yield* SessionStore).endAll(accountOf(resource).uuid)
})

/** Ends the current session, when the user signs out or a new session replaces it. */
export const endPresent = Effect.fnUntraced(function* ({ accountUuid, uuid }: Session) {
  yield* (yield* SessionStore).end(accountUuid, uuid)
})
