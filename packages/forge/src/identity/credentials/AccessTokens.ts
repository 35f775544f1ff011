import type { PageRequest } from "@slipway/domain"
import { now, timeIn, timeOf } from "@slipway/domain"
import { mintScope, type Scope, type ScopeWord, wordsOf } from "@slipway/domain/forge/access"
import type { Proof } from "@slipway/domain/forge/entry"
import type { Actor, User } from "@slipway/domain/forge/identity"
import {
  type AccessToken,
  accessTokens,
  exchangeMinutes,
  exchangeOf,
  hashOf,
  type MintedToken,
  makeTokenText,
  noJob,
  predecessorOf,
  successorOf,
  TokenExpired,
  TokenNameTaken,
  TokenNotFound,
  TokenNotOneTime,
  TokenWithoutScope,
  UserNotFound,
  UserRenamed,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect, Redacted } from "effect"
import { audited } from "../../base/events/record.ts"

/** The fields of a new access token. */
export interface TokenInput {
  readonly name: string
  readonly scopes: ReadonlyArray<ScopeWord>
  readonly expiresAt: string | null
  /** Whether to create a one-time token. It can only be exchanged for an access token, once and within minutes. */
  readonly isOneTime?: boolean
}

/** Lists the tokens of a user. */
export const list = Effect.fnUntraced(function* ({ resource: { user } }: Proof<"user.token.list">, page: PageRequest) {
  return yield* (yield* accessTokens.store).list({ userId: user.id }, page, { filter: { kind: "personal" } })
})

const mint = Effect.fnUntraced(function* (user: User, minter: Scope, input: TokenInput) {
  const scopes = wordsOf(mintScope(input.scopes, minter))
  if (scopes.length === 0) return yield* new TokenWithoutScope()
  const present = yield* now
  const expiresAt = input.expiresAt === null ? null : timeOf(input.expiresAt)
  if (expiresAt !== null && expiresAt <= present) return yield* new TokenExpired()
  const text = yield* makeTokenText
  // A one-time token has no scope itself: stolen from a terminal, it reads and changes nothing.
  const granted =
    input.isOneTime === true
      ? {
          scopes: [],
          origin: { exchange: { scopes, expiresAt } },
          expiresAt: yield* timeIn({ minutes: exchangeMinutes })
        }
      : { scopes, origin: {}, expiresAt }
  const token = yield* (yield* accessTokens.store)
    .insert({
      userId: user.id,
      kind: "personal",
      applicationId: null,
      grant: null,
      ...noJob,
      name: input.name,
      lastEight: text.slice(-8),
      ...granted,
      lastUsedAt: null,
      createdAt: present,
      hash: yield* hashOf(text)
    })
    .pipe(Effect.mapError(() => new TokenNameTaken({ name: input.name })))
  return { token, plain: Redacted.make(text) } satisfies MintedToken
})

/**
 * Creates an access token for a user. Its scope cannot exceed that of the caller's credential (invariant I5).
 *
 * The text of the token is returned only here.
 */
export const create = audited(
  ({ resource: { actor, user } }: Proof<"user.token.create">, input: TokenInput) => mint(user, actor.scope, input),
  ({ token }) => ({ details: { token: token.name, id: token.id, scopes: token.scopes.join() } })
)

/** Creates an access token for a user on behalf of the operator, for example on the command line. */
export const createFor = audited(
  Effect.fnUntraced(function* ({ resource: { actor } }: Proof<"admin.user.edit">, name: string, input: TokenInput) {
    const found = yield* (yield* UserStore).named(name)
    if (found === undefined || found.user.system) return yield* new UserNotFound({ name })
    if (found.renamed) return yield* new UserRenamed({ name, present: found.user.name })
    return yield* mint(found.user, actor.scope, input)
  }),
  ({ token }, name) => ({ details: { user: name, token: token.name, id: token.id, scopes: token.scopes.join() } })
)

/** Deletes a token. If a rotation of the token is not confirmed yet, the other token of the rotation is deleted too. */
const revoke = Effect.fnUntraced(function* ({ id, userId }: Pick<AccessToken, "id" | "userId">) {
  const store = yield* accessTokens.store
  const own = { userId }
  const found = yield* store.find(own, id)
  const predecessor = found && predecessorOf(found)
  // The predecessor first, as in a rotation.
  if (predecessor !== undefined) yield* store.remove(own, predecessor)
  const removed = yield* store.remove(own, id)
  if (removed === undefined) return yield* new TokenNotFound()
  const successor = successorOf(removed)
  if (successor !== undefined) yield* store.remove(own, successor)
})

/** Revokes a token of a user. The text is taken as an id or, if there is none, as a name. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource: { user } }: Proof<"user.token.delete">, token: string) {
    const tokens = yield* accessTokens.store
    const own = { userId: user.id }
    const isNumber = /^\d{1,15}$/.test(token)
    const numbered = isNumber ? yield* tokens.find(own, Number(token)) : undefined
    const found = numbered ?? (yield* tokens.findBy("name", { ...own, name: token }))
    if (found?.kind !== "personal") return yield* new TokenNotFound()
    yield* revoke(found)
  }),
  (_, token) => ({ details: { token } })
)

/** Returns the token with which the request was authenticated; fails if it was not authenticated with a token. */
export const inUse = (actor: Actor) =>
  actor.token === undefined ? Effect.fail(new TokenNotFound()) : Effect.succeed(actor.token)

/** Returns the token with which the request was authenticated. */
export const introspect = ({ resource: { actor } }: Proof<"token.read">) => inUse(actor)

/**
 * Exchanges the one-time token of the request for an access token, and returns the text of the access token.
 *
 * After that, the text of the one-time token is invalid. Fails if the token is not a one-time token or was already
 * exchanged.
 */
export const exchange = audited(
  Effect.fnUntraced(function* ({ resource: { actor } }: Proof<"token.exchange">) {
    const { id, userId } = yield* inUse(actor)
    const store = yield* accessTokens.store
    // Of two concurrent exchanges, the second waits here and finds an ordinary token.
    const locked = yield* store.lock({ userId }, id)
    const lasting = locked && exchangeOf(locked)
    if (lasting === undefined) return yield* new TokenNotOneTime()
    const text = yield* makeTokenText
    const changed = { ...lasting, origin: {}, lastEight: text.slice(-8), hash: yield* hashOf(text) }
    const token = yield* Effect.orDie(store.patch({ userId }, id, changed))
    if (token === undefined) return yield* new TokenNotOneTime()
    return { token, plain: Redacted.make(text) } satisfies MintedToken
  }),
  ({ token }) => ({ details: { token: token.name, id: token.id, scopes: token.scopes.join() } })
)

/** Revokes the token with which the request was authenticated. */
export const removeInUse = audited(
  Effect.fnUntraced(function* ({ resource: { actor } }: Proof<"token.delete">) {
    yield* revoke(yield* inUse(actor))
  })
)
