import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import type { OwnedPage } from "../../owned/OwnedStore.ts"
import { now } from "../../Time.ts"
import type { LoadedAction, Proof } from "../accounts/Actor.ts"
import { audited } from "../events/record.ts"
import type { Hook, HookId } from "./Hook.ts"
import { HookDeliveryNotFound, hookDeliveries, hookQueues } from "./HookDelivery.ts"
import { findIn, scopeOf } from "./Hooks.ts"
import { HookTelling, type Occurrence } from "./HookTelling.ts"

type Placed<Verb extends string> = Proof<
  Extract<LoadedAction, `${"repository" | "organization" | "account" | "admin"}.hook.delivery.${Verb}`>
>

const makeUuid = Effect.gen(function* () {
  const hex = Hex.encode(yield* Effect.orDie((yield* SecureRandom.SecureRandom).randomBytes(16)))
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
})

/** Wakes the queue of a webhook, unless somebody is at it or it waits for another try. */
const wake = Effect.fnUntraced(function* (hookId: HookId, at: string) {
  const store = yield* hookQueues.store
  const found = yield* store.findBy("hook", { hookId })
  const queue = found && (yield* store.lock({}, found.id))
  if (queue !== undefined && queue.dueAt === null) yield* Effect.orDie(store.patch({}, queue.id, { dueAt: at }))
})

/** Adds what a webhook tells to the running transaction. */
export const enqueue = Effect.fnUntraced(function* (
  { id }: Pick<Hook, "id">,
  { event, message, payload }: Pick<Occurrence, "event" | "message"> & { readonly payload: string }
) {
  const createdAt = yield* now
  const delivery = yield* Effect.orDie(
    (yield* hookDeliveries.store).insert({
      hookId: id,
      uuid: yield* makeUuid,
      event,
      payload,
      message,
      state: "waiting",
      attempts: 0,
      request: null,
      answer: null,
      reason: "",
      createdAt,
      sentAt: null
    })
  )
  yield* wake(id, createdAt)
  return delivery
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
    return yield* enqueue(hook, delivery)
  }),
  ({ hookId, id }, _, of) => ({ details: { hook: hookId, delivery: id, of } })
)

/** Tells a webhook of the newest commit, as if it were pushed just now. */
export const test = audited(
  Effect.fnUntraced(function* (proof: Proof<"repository.hook.test">, hookId: number) {
    const { actor, repository } = proof.resource
    const hook = yield* findIn(scopeOf(proof), hookId)
    const sender = actor.user === undefined ? null : { id: actor.user.id, name: actor.user.name }
    const told = yield* (yield* HookTelling).test(repository, sender)
    if (told !== undefined) yield* enqueue(hook, { ...told, payload: JSON.stringify(told.payload) })
  }),
  (_, hook) => ({ details: { hook } })
)
