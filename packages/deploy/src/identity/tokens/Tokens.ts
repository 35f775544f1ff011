import { elapsed, InvalidInput, makeSecret, makeUuid, now, Transaction } from "@slipway/domain"
import type { Ability } from "@slipway/domain/deploy/access"
import type { Action, Authorized, Caller } from "@slipway/domain/deploy/entry"
import {
  LastRootToken,
  type Token,
  TokenNotFound,
  TokenStore,
  TokenUuid,
  Unauthenticated
} from "@slipway/domain/deploy/identity"
import { Effect, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { reading } from "../../base/reading/listUseCases.ts"

/** The fields of a token that its creator sets. */
export interface TokenInput {
  readonly name: string
  readonly abilities: ReadonlyArray<Ability>
  readonly expiresAt: string | null
}

const hashOf = Effect.fnUntraced(function* (token: Redacted.Redacted) {
  const digest = yield* Digest.Digest
  return yield* digest.digestHex(Digest.sha256, new TextEncoder().encode(Redacted.value(token)))
})

const usesAreNotedEvery = 60_000

const isOlder = (iso: string, milliseconds: number, present: string): boolean => elapsed(iso, present) >= milliseconds

/** Authenticates a bearer token; returns undefined for a wrong, revoked or expired one. */
export const authenticate = Effect.fnUntraced(function* (presented: Redacted.Redacted) {
  const store = yield* TokenStore
  const token = yield* store.findByHash(yield* hashOf(presented))
  const present = yield* now
  if (token === undefined || (token.expiresAt !== null && isOlder(token.expiresAt, 0, present))) {
    return yield* new Unauthenticated()
  }
  // Recording each use would turn every read into a write.
  if (token.lastUsedAt === null || isOlder(token.lastUsedAt, usesAreNotedEvery, present)) {
    yield* store.touch(token.uuid, present)
  }
  return { tokenUuid: token.uuid, abilities: token.abilities } satisfies Caller
})

/** A new token with its plain text, which only its creator sees, once. */
export interface MintedToken {
  readonly token: Token
  readonly plain: Redacted.Redacted
}

/** Creates a token; its plain form `<id>|<secret>` is returned only once. */
export const create = Effect.fnUntraced(function* (_: Authorized<"token.create">, input: TokenInput) {
  const present = yield* now
  if (input.expiresAt !== null && isOlder(input.expiresAt, 0, present)) {
    return yield* new InvalidInput({ problems: { expires_at: ["Must be in the future."] } })
  }
  const transaction = yield* Transaction
  const secret = yield* makeSecret
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* TokenStore
      const uuid = yield* makeUuid(TokenUuid)
      // The hash covers the row's id, which is known only after the insert; until then the uuid stands in, which
      // matches no token.
      const row = { ...input, uuid, hash: uuid, lastUsedAt: null, createdAt: present, updatedAt: present }
      const inserted = yield* Effect.orDie(store.insert(row))
      const plain = Redacted.make(`${inserted.id}|${secret}`)
      const token: Token = { ...inserted, hash: yield* hashOf(plain) }
      yield* Effect.orDie(store.replace(token))
      return { token, plain } satisfies MintedToken
    })
  )
})

/** Ensures that the operator's token exists with all abilities. */
export const ensureChosen = Effect.fnUntraced(function* (_: Authorized<"token.create">, chosen: Redacted.Redacted) {
  const store = yield* TokenStore
  const hash = yield* hashOf(chosen)
  if ((yield* store.findByHash(hash)) !== undefined) return
  const at = yield* now
  const uuid = yield* makeUuid(TokenUuid)
  const abilities: ReadonlyArray<Ability> = ["root"]
  const row = { uuid, name: "chosen at start", abilities, hash, expiresAt: null, lastUsedAt: null }
  yield* Effect.orDie(store.insert({ ...row, createdAt: at, updatedAt: at }))
})

/** Returns the uuid of the token in use; the platform itself has none, and matches nothing. */
const tokenOf = ({ caller }: { readonly caller: Caller }) => TokenUuid.make(caller.tokenUuid, { disableChecks: true })

/** Reads the token in use. */
export const introspect = Effect.fnUntraced(function* ({ resource }: Authorized<"token.introspect">) {
  const found = yield* (yield* TokenStore).find(tokenOf(resource))
  return found ?? (yield* new Unauthenticated())
})

/** Reads a page of tokens, or all; never the secrets. */
export const { list, stream } = reading("token", TokenStore)

const isOver = ({ expiresAt }: Token, present: string): boolean => expiresAt !== null && isOlder(expiresAt, 0, present)

/**
 * Revokes a token immediately (invariant I7). The last `root` token cannot be revoked, because nothing could create
 * another.
 */
export const revoke = Effect.fnUntraced(function* ({ resource }: Authorized<"token.revoke">) {
  const { uuid } = resource.token
  const transaction = yield* Transaction
  yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* TokenStore
      const present = yield* now
      const roots = (yield* store.lockRoots).filter((token) => !isOver(token, present))
      if (roots.length === 1 && roots[0]?.uuid === uuid) return yield* new LastRootToken()
      const removed = yield* Effect.orDie(store.remove(uuid))
      if (!removed) return yield* new TokenNotFound()
    })
  )
})

const lapsesAreNoticedEvery = "5 seconds"

/** Waits until the token of a proof is revoked or expires (invariant I7). */
export const waitForExpiry = Effect.fnUntraced(function* ({ resource }: Authorized<Action>) {
  const store = yield* TokenStore
  for (;;) {
    yield* Effect.sleep(lapsesAreNoticedEvery)
    const token: Token | undefined = yield* store.find(tokenOf(resource))
    if (token === undefined || isOver(token, yield* now)) return
  }
})
