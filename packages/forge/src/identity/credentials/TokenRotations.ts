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
 * Creates a new token that replaces the token used in the request, and returns its text. Scopes and expiry are copied.
 *
 * Both tokens work until the new token (the successor) is confirmed. A repeated request replaces the unconfirmed
 * successor, so a lost response leaves no unused token. Fails if the token was not created by a user, or if it is an
 * unconfirmed successor itself.
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
 * Completes a rotation that `rotate` began, in a request with the new token. The old token keeps its id and name and
 * takes over the text of the new one; the old text stops working. Returns whether it changed the tokens. Idempotent; for
 * other tokens, it changes and records nothing.
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
    if (successor === undefined) return first === undefined ? yield* new TokenNotFound() : false
    if (predecessor === undefined) return false
    const { hash } = predecessor.origin
    if (typeof hash !== "string") return yield* Effect.die(new Error("a rotated token has no hash of its successor"))
    yield* store.remove(own, id)
    const { createdAt, lastEight } = successor
    yield* Effect.orDie(store.patch(own, predecessor.id, { createdAt, hash, lastEight, origin: {} }))
    return true
  }),
  (isChanged) => (isChanged ? {} : undefined)
)
