import { now, Transaction, timeAgo } from "@slipway/domain"
import type { OAuth2ApplicationId, UserId } from "@slipway/domain/forge/identity"
import { accessTokens, hashOf, type ProtocolRecord, protocolRecords } from "@slipway/domain/forge/identity"
import { Effect, Schema } from "effect"

/** The error for a second use of a one-time secret; all tokens and codes of the same consent are revoked. */
export class SecretReused extends Schema.TaggedError<SecretReused>()("SecretReused", { model: Schema.String }) {}

/** A record of the OAuth2 protocol, such as a code or a consent; its key is a secret. */
export interface ProtocolEntry {
  readonly model: string
  readonly secret: string
  readonly userId: UserId | null
  readonly applicationId: OAuth2ApplicationId | null
  readonly grant: string | null
  readonly alias: string | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly expiresAt: string | null
}

const everywhere = {}
const hashOrNull = (text: string | null) => (text === null ? Effect.succeed(null) : hashOf(text))
const isOver = ({ expiresAt }: ProtocolRecord, present: string): boolean => expiresAt !== null && expiresAt <= present

/** How long expired records are kept, so that a reused secret can be distinguished from a forged one. */
const retention = { days: 1 }

/** Removes expired protocol records, and expired tokens of clients and browsers. */
export const sweep = Effect.gen(function* () {
  const before = yield* timeAgo(retention)
  yield* (yield* protocolRecords.store).removeWhere(everywhere, { expiresAt: { before } })
  const kind = { in: ["oauth2", "session", "job"] } as const
  yield* (yield* accessTokens.store).removeEverywhere({ kind, expiresAt: { before } })
})

/** Stores a record under a secret, or replaces the existing one; only the hash of the secret is stored. */
export const write = Effect.fnUntraced(function* ({ alias, grant, secret, ...entry }: ProtocolEntry) {
  const store = yield* protocolRecords.store
  const [hash, aliasHash, grantHash] = [yield* hashOf(secret), yield* hashOrNull(alias), yield* hashOrNull(grant)]
  const row = { ...entry, hash, alias: aliasHash, grant: grantHash }
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const present = yield* store.findBy("hash", { model: entry.model, hash })
      if (present !== undefined) {
        yield* Effect.orDie(store.patch(everywhere, present.id, row))
        return
      }
      yield* Effect.orDie(store.insert({ ...row, consumedAt: null }))
    })
  )
})

/** Returns the permanent record of a secret; stores `payload` as the record first if none exists. */
export const first = Effect.fnUntraced(function* (model: string, secret: string, payload: ProtocolEntry["payload"]) {
  const store = yield* protocolRecords.store
  const hash = yield* hashOf(secret)
  const nothing = { userId: null, applicationId: null, grant: null, alias: null, consumedAt: null, expiresAt: null }
  yield* Effect.orDie(store.insertIfAbsent({ model, hash, payload, ...nothing }))
  const found = yield* store.findBy("hash", { model, hash })
  return found ?? (yield* Effect.die(new Error(`the stored ${model} is gone`)))
})

/** Replaces the payload of a secret's record by the result of `by`, under a lock; undefined keeps the payload. */
export const replace = Effect.fnUntraced(function* <E, R>(
  model: string,
  secret: string,
  by: (payload: ProtocolEntry["payload"]) => Effect.Effect<ProtocolEntry["payload"] | undefined, E, R>
) {
  const store = yield* protocolRecords.store
  const hash = yield* hashOf(secret)
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const found = yield* store.findBy("hash", { model, hash })
      const locked = found && (yield* store.lock(everywhere, found.id))
      const payload = locked && (yield* by(locked.payload))
      if (locked !== undefined && payload !== undefined) {
        yield* Effect.orDie(store.patch(everywhere, locked.id, { payload }))
      }
    })
  )
})

/** Finds the record of a secret, even if it is expired. */
export const find = Effect.fnUntraced(function* (model: string, secret: string) {
  return yield* (yield* protocolRecords.store).findBy("hash", { model, hash: yield* hashOf(secret) })
})

/** Finds a record by its alias, a second secret for the same record. */
export const findAlias = Effect.fnUntraced(function* (model: string, alias: string) {
  return yield* (yield* protocolRecords.store).findBy("alias", { model, alias: yield* hashOf(alias) })
})

/** Revokes a consent, and all tokens and codes issued by it; `hash` is the hash of the consent's secret. */
export const endGrant = Effect.fnUntraced(function* (hash: string) {
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      // The consent is deleted first: issuing a token locks it, so that no token remains.
      yield* (yield* protocolRecords.store).removeWhere(everywhere, { grant: hash })
      yield* (yield* accessTokens.store).removeEverywhere({ grant: hash })
    })
  )
})

/** Revokes a consent, and all tokens and codes issued by it; `grant` is the consent's secret. */
export const endGrantOf = Effect.fnUntraced(function* (grant: string) {
  yield* endGrant(yield* hashOf(grant))
})

/**
 * Marks a one-time secret as used; concurrent calls cannot both succeed.
 *
 * A second use indicates theft: it fails, and all tokens and codes of the same consent are revoked.
 */
export const consume = Effect.fnUntraced(function* (model: string, secret: string) {
  const store = yield* protocolRecords.store
  const found = yield* find(model, secret)
  const first = yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const locked = found && (yield* store.lock(everywhere, found.id))
      if (locked === undefined || locked.consumedAt !== null) return false
      yield* Effect.orDie(store.patch(everywhere, locked.id, { consumedAt: yield* now }))
      return true
    })
  )
  if (first) return
  if (found !== undefined && found.grant !== null) yield* endGrant(found.grant)
  return yield* new SecretReused({ model })
})

/** Runs `act` while the record of a secret is locked; returns false if the record does not exist. */
export const withLockedRecord = Effect.fnUntraced(function* <A, E, R>(
  model: string,
  secret: string,
  act: Effect.Effect<A, E, R>
) {
  const store = yield* protocolRecords.store
  const hash = yield* hashOf(secret)
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const found = yield* store.findBy("hash", { model, hash })
      if (found === undefined || (yield* store.lock(everywhere, found.id)) === undefined) return false
      yield* act
      return true
    })
  )
})

/** Removes the record of a secret. */
export const remove = Effect.fnUntraced(function* (model: string, secret: string) {
  yield* (yield* protocolRecords.store).removeBy("hash", { model, hash: yield* hashOf(secret) })
})

const most = 1_000

/** Lists a user's unexpired records of a model, for example consents; `applicationId` filters by client. */
export const ofUser = Effect.fnUntraced(function* (model: string, userId: UserId, applicationId?: OAuth2ApplicationId) {
  const filter = { model, userId, ...(applicationId === undefined ? {} : { applicationId }) }
  const { rows } = yield* (yield* protocolRecords.store).list(everywhere, { page: 1, perPage: most }, { filter })
  const present = yield* now
  return rows.filter((row) => !isOver(row, present))
})

/** Removes all protocol records of a user; afterwards clients need a new consent. */
export const removeOf = Effect.fnUntraced(function* (userId: UserId) {
  yield* (yield* protocolRecords.store).removeWhere(everywhere, { userId })
})
