import { now } from "@slipway/domain"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  accessTokens,
  exchangeOf,
  hashOf,
  type MintedToken,
  makeTokenText,
  noJob,
  predecessorOf,
  successorName,
  successorOf,
  TokenNameTaken,
  TokenNotFound,
  TokenNotRotatable
} from "@slipway/domain/forge/identity"
import { Effect, Redacted } from "effect"
import { audited } from "../../base/events/record.ts"
import { inUse } from "./AccessTokens.ts"

/**
 * Creates the successor of the token of the request, with the same scopes and expiry, and returns its text.
 *
 * Both tokens work until the successor is confirmed. A repeated request replaces the unconfirmed successor, so a lost
 * response leaves no unused token. Fails for a token that no user created and for one that is an unconfirmed successor.
 */
export const rotate = audited(
  Effect.fnUntraced(function* ({ resource: { actor } }: Proof<"token.rotate">) {
    const { id, userId } = yield* inUse(actor)
    const own = { userId }
    const store = yield* accessTokens.store
    const present = yield* store.lock(own, id)
    if (present === undefined) return yield* new TokenNotFound()
    const isOrdinary = present.kind === "personal" && exchangeOf(present) === undefined
    if (!isOrdinary || predecessorOf(present) !== undefined) return yield* new TokenNotRotatable()
    const lost = successorOf(present)
    if (lost !== undefined) yield* store.remove(own, lost)
    const at = yield* now
    const text = yield* makeTokenText
    const name = successorName(present.name, at)
    const hash = yield* hashOf(text)
    const token = yield* store
      .insert({
        userId,
        kind: "personal",
        applicationId: null,
        grant: null,
        ...noJob,
        name,
        lastEight: text.slice(-8),
        scopes: present.scopes,
        origin: { predecessor: id },
        expiresAt: present.expiresAt,
        lastUsedAt: null,
        createdAt: at,
        hash
      })
      .pipe(Effect.mapError(() => new TokenNameTaken({ name })))
    yield* Effect.orDie(store.patch(own, id, { origin: { successor: token.id, hash } }))
    return { token, plain: Redacted.make(text) } satisfies MintedToken
  }),
  ({ token }) => ({ details: { token: token.name, id: token.id } })
)

/**
 * Confirms the successor of the request: its text becomes that of its predecessor, which keeps id and name, and the old
 * text stops working. Idempotent, and does nothing for other tokens.
 */
export const confirm = audited(
  Effect.fnUntraced(function* ({ resource: { actor } }: Proof<"token.confirm">) {
    const { id, userId } = yield* inUse(actor)
    const own = { userId }
    const store = yield* accessTokens.store
    const found = yield* store.find(own, id)
    const first = found && predecessorOf(found)
    // The predecessor first, as in a rotation.
    const predecessor = first === undefined ? undefined : yield* store.lock(own, first)
    const successor = yield* store.lock(own, id)
    // A concurrent confirmation has removed the successor.
    if (successor === undefined) return first === undefined ? yield* new TokenNotFound() : undefined
    if (predecessor === undefined) return undefined
    const { hash } = predecessor.origin
    if (typeof hash !== "string") return yield* Effect.die(new Error("a rotated token has no hash of its successor"))
    yield* store.remove(own, id)
    const { createdAt, lastEight } = successor
    yield* Effect.orDie(store.patch(own, predecessor.id, { createdAt, hash, lastEight, origin: {} }))
  })
)
