import type { OwnedPage } from "@slipway/domain"
import { nameKey } from "@slipway/domain"
import type { Proof } from "@slipway/domain/forge/entry"
import type { User, UserId } from "@slipway/domain/forge/identity"
import {
  emailsOf,
  type GpgKey,
  GpgKeyInvalid,
  GpgKeyUnproven,
  gpgKeys,
  KeyInUse,
  KeyNotFound,
  SignatureChecker,
  signedInUser
} from "@slipway/domain/forge/identity"
import { Clock, Effect } from "effect"
import { Digest } from "effect/crypto"
import { Hex } from "effect/encoding"
import { audited } from "../../base/events/record.ts"

/** How many subkeys a key may have. */
export const mostSubkeys = 50

const tokenMillis = 5 * 60_000

const tokenAt = Effect.fnUntraced(function* (user: User, step: number) {
  const text = new TextEncoder().encode(`slipway gpg key of ${user.id} since ${user.createdAt} in ${step}`)
  return Hex.encode(yield* (yield* Digest.Digest).digest(Digest.sha256, text))
})

const step = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / tokenMillis))

/** Returns a text that the caller signs to prove possession of a key: valid for five minutes and this user only. */
export const challenge = Effect.fnUntraced(function* ({ resource }: Proof<"account.gpg-key.challenge">) {
  return yield* tokenAt(signedInUser(resource), yield* step)
})

/** Returns whether a signature of the user's current or previous challenge is valid, with any line ending. */
const isProof = Effect.fnUntraced(function* (user: User, publicKey: string, signature: string) {
  const checker = yield* SignatureChecker
  const present = yield* step
  for (const each of [present, present - 1]) {
    const token = yield* tokenAt(user, each)
    for (const end of ["\n", "", "\r\n"]) {
      const signed = new TextEncoder().encode(`${token}${end}`)
      if (yield* checker.check(signature, signed, { kind: "gpg", publicKey })) return true
    }
  }
  return false
})

const confirmedOf = Effect.fnUntraced(function* (user: UserId) {
  return new Set((yield* emailsOf(user)).flatMap(({ address, verified }) => (verified ? [nameKey(address)] : [])))
})

/** A key with its subkeys, and which of its addresses are confirmed addresses of its user. */
export interface GpgKeyRing {
  readonly key: GpgKey
  readonly subkeys: ReadonlyArray<GpgKey>
  readonly confirmed: ReadonlySet<string>
}

const ringsOf = Effect.fnUntraced(function* (userId: UserId, keys: ReadonlyArray<GpgKey>) {
  if (keys.length === 0) return []
  const store = yield* gpgKeys.store
  const confirmed = yield* confirmedOf(userId)
  const filter = { primaryKeyId: { in: keys.map(({ keyId }) => keyId) } }
  const { rows } = yield* store.list({ userId }, { limit: keys.length * mostSubkeys }, { filter })
  return keys.map(
    (key): GpgKeyRing => ({ key, subkeys: rows.filter(({ primaryKeyId }) => primaryKeyId === key.keyId), confirmed })
  )
})

const listed = Effect.fnUntraced(function* (userId: UserId, page: OwnedPage) {
  const found = yield* (yield* gpgKeys.store).list({ userId }, page, { filter: { primaryKeyId: "" } })
  return { ...found, rows: yield* ringsOf(userId, found.rows) }
})

/** Lists the caller's GPG keys by id. */
export const listOwn = ({ resource }: Proof<"account.gpg-key.list">, page: OwnedPage) =>
  listed(signedInUser(resource).id, page)

/** Lists the GPG keys of a user by id; visible to everyone who sees the user. */
export const listOf = ({ resource: { user } }: Proof<"user.gpg-key.list">, page: OwnedPage) => listed(user.id, page)

const own = Effect.fnUntraced(function* (userId: UserId, id: number) {
  const key = yield* (yield* gpgKeys.store).find({ userId }, id)
  return key === undefined || key.primaryKeyId !== "" ? yield* new KeyNotFound({ id }) : key
})

const ringOf = Effect.fnUntraced(function* (userId: UserId, key: GpgKey) {
  const [ring] = yield* ringsOf(userId, [key])
  return ring ?? (yield* new KeyNotFound({ id: key.id }))
})

/** Reads a GPG key of the caller. */
export const readOwn = Effect.fnUntraced(function* ({ resource }: Proof<"account.gpg-key.read">, id: number) {
  const { id: userId } = signedInUser(resource)
  return yield* ringOf(userId, yield* own(userId, id))
})

const eventDetails = ({ keyId }: GpgKey) => ({ details: { key: keyId } })

/**
 * The fields of a new GPG key: the armored public key, and a signature of the challenge as proof of ownership.
 *
 * The signature is not needed if the key contains a confirmed email address of the caller.
 */
export interface GpgKeyInput {
  readonly publicKey: string
  readonly signature?: string | undefined
}

/** Adds a GPG key of the caller, who must own it: an email address in the key or a signature proves this. */
export const add = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.gpg-key.create">, { publicKey, signature }: GpgKeyInput) {
    const user = signedInUser(resource)
    const { emails, subkeys, ...read } = yield* (yield* SignatureChecker).readKey(publicKey)
    if (subkeys.length > mostSubkeys) {
      return yield* new GpgKeyInvalid({ because: `Must have at most ${mostSubkeys} subkeys.` })
    }
    const confirmed = yield* confirmedOf(user.id)
    const verified = signature !== undefined && (yield* isProof(user, read.publicKey, signature))
    if (!verified && (signature !== undefined || !emails.some((email) => confirmed.has(nameKey(email))))) {
      return yield* new GpgKeyUnproven({ signed: signature !== undefined })
    }
    const alike = { userId: user.id, verified }
    const rows = yield* (yield* gpgKeys.store)
      .insertMany([
        { ...read, ...alike, emails, primaryKeyId: "" },
        ...subkeys.map((each) => ({ ...each, ...alike, emails: [], publicKey: "", primaryKeyId: read.keyId }))
      ])
      // A user deleted meanwhile has no keys and gets no response.
      .pipe(Effect.mapError(() => new KeyInUse()))
    return yield* ringOf(user.id, rows[0] as GpgKey)
  }),
  ({ key }) => eventDetails(key)
)

/** Proves by a signature that a key belongs to the caller. */
export const verify = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.gpg-key.verify">, keyId: string, signature: string) {
    const user = signedInUser(resource)
    const store = yield* gpgKeys.store
    const key = yield* store.findBy("keyId", { keyId: keyId.toUpperCase() })
    if (key === undefined || key.userId !== user.id || key.primaryKeyId !== "") return yield* new KeyNotFound({ id: 0 })
    if (!(yield* isProof(user, key.publicKey, signature))) return yield* new GpgKeyUnproven({ signed: true })
    const after = yield* Effect.orDie(store.patch({ userId: user.id }, key.id, { verified: true }))
    return yield* ringOf(user.id, after ?? key)
  }),
  ({ key }) => eventDetails(key)
)

/** Removes a GPG key of the caller, with its subkeys. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.gpg-key.delete">, id: number) {
    const { id: userId } = signedInUser(resource)
    const key = yield* own(userId, id)
    const store = yield* gpgKeys.store
    yield* store.removeWhere({ userId }, { primaryKeyId: key.keyId })
    yield* store.remove({ userId }, key.id)
    return key
  }),
  (key) => eventDetails(key)
)
