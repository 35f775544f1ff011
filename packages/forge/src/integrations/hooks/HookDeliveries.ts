import type { OwnedPage } from "@slipway/domain"
import { now } from "@slipway/domain"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import type { HookId } from "@slipway/domain/forge/integrations"
import {
  HookDeliveryNotFound,
  HookTelling,
  hookDeliveries,
  hookQueues,
  type Occurrence
} from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { audited } from "../../base/events/record.ts"
import { commitNamed } from "../../code/git/revisions.ts"
import { findIn, scopeOf } from "./Hooks.ts"

type Placed<Verb extends string> = Proof<
  Extract<LoadedAction, `${"repository" | "organization" | "account" | "admin"}.hook.delivery.${Verb}`>
>

const makeUuid = Effect.gen(function* () {
  const hex = Hex.encode(yield* Effect.orDie((yield* SecureRandom.SecureRandom).randomBytes(16)))
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
})

/** Wakes the queues of webhooks, except those that are in progress or wait for a retry. */
const wake = Effect.fnUntraced(function* (hookIds: ReadonlyArray<HookId>, at: string) {
  const store = yield* hookQueues.store
  const queues = yield* store.lockManyBy(
    "hook",
    hookIds.map((hookId) => ({ hookId }))
  )
  const asleep = queues.filter(({ dueAt }) => dueAt === null)
  yield* Effect.orDie(
    store.patchMany(
      {},
      asleep.map(({ id }) => ({ id, change: { dueAt: at } }))
    )
  )
})

/** Something that a webhook is to tell. */
export interface Announcement extends Pick<Occurrence, "event" | "message"> {
  readonly hookId: HookId
  readonly payload: string
}

/** Adds what webhooks tell to the running transaction. */
export const enqueue = Effect.fnUntraced(function* (announcements: ReadonlyArray<Announcement>) {
  if (announcements.length === 0) return []
  const createdAt = yield* now
  const rows = yield* Effect.forEach(announcements, ({ event, hookId, message, payload }) =>
    Effect.map(makeUuid, (uuid) => ({
      hookId,
      uuid,
      event,
      payload,
      message,
      state: "waiting" as const,
      attempts: 0,
      request: null,
      answer: null,
      reason: "",
      createdAt,
      sentAt: null
    }))
  )
  const deliveries = yield* Effect.orDie((yield* hookDeliveries.store).insertMany(rows))
  yield* wake([...new Set(announcements.map(({ hookId }) => hookId))], createdAt)
  return deliveries
})

/** Lists what a webhook told and has still to tell, newest first. */
export const list = Effect.fnUntraced(function* (proof: Placed<"list">, hookId: number, page: OwnedPage) {
  const hook = yield* findIn(scopeOf(proof), hookId)
  return yield* (yield* hookDeliveries.store).list({ hookId: hook.id }, page)
})

const found = Effect.fnUntraced(function* (proof: Placed<"read" | "redeliver">, hookId: number, id: number) {
  const hook = yield* findIn(scopeOf(proof), hookId)
  const delivery = yield* (yield* hookDeliveries.store).find({ hookId: hook.id }, id)
  return { hook, delivery: delivery ?? (yield* new HookDeliveryNotFound({ id })) }
})

/** Reads a delivery with what was sent and answered. */
export const read = Effect.fnUntraced(function* (proof: Placed<"read">, hookId: number, id: number) {
  return (yield* found(proof, hookId, id)).delivery
})

/** Tells once more what a delivery told, behind all that waits. */
export const redeliver = audited(
  Effect.fnUntraced(function* (proof: Placed<"redeliver">, hookId: number, id: number) {
    const { delivery, hook } = yield* found(proof, hookId, id)
    const [again] = yield* enqueue([{ ...delivery, hookId: hook.id }])
    return again ?? delivery
  }),
  ({ hookId, id }, _, of) => ({ details: { hook: hookId, delivery: id, of } })
)

/** Sends a webhook the push of a branch, tag or commit; the newest commit of the default branch unless one is named. */
export const test = audited(
  Effect.fnUntraced(function* (proof: Proof<"repository.hook.test">, hookId: number, ref?: string) {
    const { actor, repository } = proof.resource
    const hook = yield* findIn(scopeOf(proof), hookId)
    const sender = actor.user === undefined ? null : { id: actor.user.id, name: actor.user.name }
    const named = ref === undefined ? undefined : yield* commitNamed(repository, ref)
    const told = yield* (yield* HookTelling).test(repository, sender, named)
    if (told !== undefined) yield* enqueue([{ ...told, hookId: hook.id, payload: JSON.stringify(told.payload) }])
  }),
  (_, hook, ref) => ({ details: { hook, ...(ref === undefined ? {} : { ref }) } })
)
