import { Schema } from "effect"
import type { HookAnswer } from "../../../outbound/HookSender.ts"
import * as Fields from "../../../owned/fields.ts"
import { ascending, descending, owned } from "../../../owned/Owned.ts"
import type { HookId } from "./Hook.ts"
import { type HookEvent, hookEventNames } from "./hookEvents.ts"

/** The schema of the id of a delivery. */
export const HookDeliveryId = Schema.Int.pipe(Schema.brand("HookDeliveryId"))
export type HookDeliveryId = typeof HookDeliveryId.Type

/** The states of a delivery: `waiting` to be sent, `delivered`, `failed`, or `withheld` (never sent). */
export const deliveryStates = ["waiting", "delivered", "failed", "withheld"] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The HTTP request of a delivery as sent, without secrets, for display to users. */
export interface SentRequest {
  readonly method: "POST" | "PUT"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** The text of an event for people, from which messages to chat services are made. */
export interface HookMessage {
  readonly title: string
  readonly link: string
  /** The lines of the message below the title. */
  readonly lines: ReadonlyArray<string>
  readonly repository: string
  readonly sender: string
}

/** A delivery: one event that is sent, or was sent, to one webhook, with its result. */
export interface HookDelivery {
  readonly id: HookDeliveryId
  readonly hookId: HookId
  /** The unique id of the delivery, sent in a header, so that receivers can detect a repeated delivery. */
  readonly uuid: string
  readonly event: HookEvent
  /** The payload as text. It is stored with the delivery, so that a repeated delivery sends the same bytes. */
  readonly payload: string
  readonly message: HookMessage
  readonly state: DeliveryState
  readonly attempts: number
  readonly request: SentRequest | null
  readonly answer: HookAnswer | null
  /** The reason why the delivery failed or was withheld; empty otherwise. */
  readonly reason: string
  readonly createdAt: string
  readonly sentAt: string | null
}

/** All deliveries of webhooks, sent or waiting, in the order of their creation. */
export const hookDeliveries = owned<HookDelivery>()("hookDelivery", {
  within: ["hookId"],
  fields: {
    hookId: Fields.reference("hook"),
    uuid: Fields.text(),
    event: Fields.oneOf(...hookEventNames),
    payload: Fields.text(),
    message: Fields.json(),
    state: Fields.oneOf(...deliveryStates),
    attempts: Fields.integer(),
    request: Fields.nullable(Fields.json()),
    answer: Fields.nullable(Fields.json()),
    reason: Fields.text(),
    createdAt: Fields.time(),
    sentAt: Fields.nullable(Fields.time())
  },
  orders: { newest: descending(), oldest: ascending() },
  filters: ["state", "createdAt"],
  unique: { uuid: ["uuid"] }
})

/** The time of the next delivery attempt of one webhook, and the host to which it is sent. */
export interface HookQueue {
  readonly id: number
  readonly hookId: HookId
  /**
   * The time of the next attempt; null if no delivery waits. While a worker sends, this is the time when its lease
   * expires.
   */
  readonly dueAt: string | null
  /** The host of the webhook's URL. */
  readonly host: string
}

/** The delivery queues, one per webhook. Any process can send the next delivery of a queue, but only one at a time. */
export const hookQueues = owned<HookQueue>()("hookQueue", {
  within: [],
  fields: { hookId: Fields.reference("hook"), dueAt: Fields.nullable(Fields.time()), host: Fields.text() },
  orders: { due: ascending("dueAt") },
  filters: ["dueAt"],
  unique: { hook: ["hookId"] }
})

/** Reports that a webhook has no delivery with this id. */
export class HookDeliveryNotFound extends Schema.TaggedError<HookDeliveryNotFound>()("HookDeliveryNotFound", {
  id: Schema.Number
}) {}
