import { Schema } from "effect"
import * as Fields from "../../owned/fields.ts"
import { ascending, descending, owned } from "../../owned/Owned.ts"
import type { NewEvent } from "../events/Event.ts"
import type { Comment, Issue } from "../issues/Issue.ts"
import type { PackageVersion } from "../packages/Package.ts"
import type { PullRequest } from "../pulls/PullRequest.ts"
import type { Review } from "../pulls/Review.ts"
import type { Release } from "../releases/Release.ts"
import type { Owner, Repository } from "../repositories/Repository.ts"
import type { WorkflowJob } from "../workflows/WorkflowJob.ts"
import type { WorkflowRun } from "../workflows/WorkflowRun.ts"
import type { HookId } from "./Hook.ts"
import { type HookEvent, hookEventNames } from "./hookEvents.ts"

/** The schema of the number of a delivery. */
export const HookDeliveryId = Schema.Int.pipe(Schema.brand("HookDeliveryId"))
export type HookDeliveryId = typeof HookDeliveryId.Type

/** What became of a delivery: it waits, it was taken, nobody took it, or it was never sent. */
export const deliveryStates = ["waiting", "delivered", "failed", "withheld"] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** What was sent, without what is secret of it. */
export interface SentRequest {
  readonly method: "POST" | "PUT"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** What a receiver answered; of its body no more than the beginning. */
export interface HookAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What people read of an event, of which chat programs make a message. */
export interface HookMessage {
  readonly title: string
  readonly link: string
  /** What else is said, a line each. */
  readonly lines: ReadonlyArray<string>
  readonly repository: string
  readonly sender: string
}

/** One thing that a webhook tells, with what became of it. */
export interface HookDelivery {
  readonly id: HookDeliveryId
  readonly hookId: HookId
  /** What tells it from every other: receivers that get it twice can see that. */
  readonly uuid: string
  readonly event: HookEvent
  /** The document that is told, as text: it stays as it was, whatever becomes of what it is about. */
  readonly payload: string
  readonly message: HookMessage
  readonly state: DeliveryState
  readonly attempts: number
  readonly request: SentRequest | null
  readonly answer: HookAnswer | null
  /** Why it was not delivered. */
  readonly reason: string
  readonly createdAt: string
  readonly sentAt: string | null
}

/** What webhooks told, and have still to tell, in order. */
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

/** When a webhook is looked at next. */
export interface HookQueue {
  readonly id: number
  readonly hookId: HookId
  /** Nothing while there is nothing to tell; while somebody is at it, until when it is theirs. */
  readonly dueAt: string | null
  /** Where its deliveries go. */
  readonly host: string
}

/** The queue of each webhook: its deliveries go out one after the other, whichever process sends them. */
export const hookQueues = owned<HookQueue>()("hookQueue", {
  within: [],
  fields: { hookId: Fields.reference("hook"), dueAt: Fields.nullable(Fields.time()), host: Fields.text() },
  orders: { due: ascending("dueAt") },
  filters: ["dueAt"],
  unique: { hook: ["hookId"] }
})

/** A version of a package, and who has it. */
export interface OwnedVersion {
  readonly owner: Owner
  readonly version: PackageVersion
}

/** A run of a workflow and jobs of it that went on, each as it was then. */
export interface WorkNews {
  readonly run: WorkflowRun
  /** Whether the run went on itself, and not jobs of it alone. */
  readonly moved: boolean
  readonly jobs: ReadonlyArray<WorkflowJob>
}

/**
 * The things that an event is about, as they were before it: of a version of a package, as it was made or last was; of a run
 * and its jobs, as they became.
 */
export interface NewsThings {
  readonly issue?: Issue | undefined
  readonly comment?: Comment | undefined
  readonly pull?: PullRequest | undefined
  readonly review?: Review | undefined
  readonly release?: Release | undefined
  readonly packageVersion?: OwnedVersion | undefined
  readonly work?: WorkNews | undefined
}

/** What webhooks need to tell of an event, besides the event. */
export interface NewsToTell {
  /** The repository as it was then, for when it is gone; a package may have none. */
  readonly repository: Repository | null
  readonly before: NewsThings
}

/** Something that happened, until the webhooks that tell it are found. */
export interface HookNews extends NewsToTell {
  readonly id: number
  readonly event: NewEvent
}

/** What happened in repositories and to packages, from the transaction in which it did until it is handed to webhooks. */
export const hookNews = owned<HookNews>()("hookNews", {
  within: [],
  fields: { event: Fields.json(), repository: Fields.nullable(Fields.json()), before: Fields.json() }
})

/** Reports that a webhook has no such delivery. */
export class HookDeliveryNotFound extends Schema.TaggedError<HookDeliveryNotFound>()("HookDeliveryNotFound", {
  id: Schema.Number
}) {}
