import { Schema } from "effect"
import type { HookAnswer } from "../../../outbound/HookSender.ts"
import * as Fields from "../../../owned/fields.ts"
import { ascending, descending, owned } from "../../../owned/Owned.ts"
import type { HookId } from "./Hook.ts"
import { type HookEvent, hookEventNames } from "./hookEvents.ts"

/** The schema of the id of a delivery. */
export const HookDeliveryId = Schema.Int.pipe(Schema.brand("HookDeliveryId"))
export type HookDeliveryId = typeof HookDeliveryId.Type

/** The state of a delivery: waiting, delivered, failed, or never sent. */
export const deliveryStates = ["waiting", "delivered", "failed", "withheld"] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The request as sent, without its secrets. */
export interface SentRequest {
  readonly method: "POST" | "PUT"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** The readable text of an event, for messages to chat services. */
export interface HookMessage {
  readonly title: string
  readonly link: string
  /** Further lines of the message. */
  readonly lines: ReadonlyArray<string>
  readonly repository: string
  readonly sender: string
}

/** One delivery of a webhook, with its result. */
export interface HookDelivery {
  readonly id: HookDeliveryId
  readonly hookId: HookId
  /** The unique id of the delivery: receivers can detect a repeated delivery by it. */
  readonly uuid: string
  readonly event: HookEvent
  /** The payload as text, which stays unchanged. */
  readonly payload: string
  readonly message: HookMessage
  readonly state: DeliveryState
  readonly attempts: number
  readonly request: SentRequest | null
  readonly answer: HookAnswer | null
  /** The reason why it was not delivered. */
  readonly reason: string
  readonly createdAt: string
  readonly sentAt: string | null
}

/** The past and pending deliveries of webhooks, in order. */
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

/** The time of a webhook's next delivery attempt. */
export interface HookQueue {
  readonly id: number
  readonly hookId: HookId
  /** The time of the next attempt; null if there is none. During an attempt, the end of its lease. */
  readonly dueAt: string | null
  /** The host of its URL. */
  readonly host: string
}

/** The queue of each webhook: its deliveries are sent one after the other, by any process. */
export const hookQueues = owned<HookQueue>()("hookQueue", {
  within: [],
  fields: { hookId: Fields.reference("hook"), dueAt: Fields.nullable(Fields.time()), host: Fields.text() },
  orders: { due: ascending("dueAt") },
  filters: ["dueAt"],
  unique: { hook: ["hookId"] }
})

/** Reports that a webhook has no such delivery. */
export class HookDeliveryNotFound extends Schema.TaggedError<HookDeliveryNotFound>()("HookDeliveryNotFound", {
  id: Schema.Number
}) {}
