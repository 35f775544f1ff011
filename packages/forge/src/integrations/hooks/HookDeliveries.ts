import type { OwnedPage } from "@slipway/domain"
import { now } from "@slipway/domain"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import type { HookId } from "@slipway/domain/forge/integrations"
import {
  HookDeliveryNotFound,
  HookPayloads,
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

/** Makes the idle delivery queues of webhooks due; queues in progress or waiting for a retry stay unchanged. */
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

/** An event to deliver to a webhook. */
export interface Announcement extends Pick<Occurrence, "event" | "message"> {
  readonly hookId: HookId
  readonly payload: string
}

/** Adds deliveries to the queues of their webhooks, in the running transaction. */
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

/** Lists the deliveries of a webhook, sent and waiting, newest first. */
export const list = Effect.fnUntraced(function* (proof: Placed<"list">, hookId: number, page: OwnedPage) {
  const hook = yield* findIn(scopeOf(proof), hookId)
  return yield* (yield* hookDeliveries.store).list({ hookId: hook.id }, page)
})

const found = Effect.fnUntraced(function* (proof: Placed<"read" | "redeliver">, hookId: number, id: number) {
  const hook = yield* findIn(scopeOf(proof), hookId)
  const delivery = yield* (yield* hookDeliveries.store).find({ hookId: hook.id }, id)
  return { hook, delivery: delivery ?? (yield* new HookDeliveryNotFound({ id })) }
})

/** Reads a delivery with its request and response. */
export const read = Effect.fnUntraced(function* (proof: Placed<"read">, hookId: number, id: number) {
  return (yield* found(proof, hookId, id)).delivery
})

/** Sends the event of a delivery again, as a new delivery at the end of the queue. */
export const redeliver = audited(
  Effect.fnUntraced(function* (proof: Placed<"redeliver">, hookId: number, id: number) {
    const { delivery, hook } = yield* found(proof, hookId, id)
    const [again] = yield* enqueue([{ ...delivery, hookId: hook.id }])
    return again ?? delivery
  }),
  ({ hookId, id }, _, of) => ({ details: { hook: hookId, delivery: id, of } })
)

/** Queues a test push event for a webhook; `ref` is a branch, tag or commit, by default the default branch. */
export const test = audited(
  Effect.fnUntraced(function* (proof: Proof<"repository.hook.test">, hookId: number, ref?: string) {
    const { actor, repository } = proof.resource
    const hook = yield* findIn(scopeOf(proof), hookId)
    const sender = actor.user === undefined ? null : { id: actor.user.id, name: actor.user.name }
    const named = ref === undefined ? undefined : yield* commitNamed(repository, ref)
    const occurrence = yield* (yield* HookPayloads).test(repository, sender, named)
    if (occurrence !== undefined)
      yield* enqueue([{ ...occurrence, hookId: hook.id, payload: JSON.stringify(occurrence.payload) }])
  }),
  (_, hook, ref) => ({ details: { hook, ...(ref === undefined ? {} : { ref }) } })
)
