import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { NotificationTarget } from "./ChannelSettings.ts"
import type { NotificationMessage } from "./messages.ts"

/** The uuid of a notification. */
export const NotificationUuid = Uuid.pipe(Schema.brand("NotificationUuid"))
export type NotificationUuid = typeof NotificationUuid.Type

/** A durable request to send a message to one target. */
export interface Notification extends NotificationTarget {
  readonly uuid: NotificationUuid
  /** The team of the resource. */
  readonly teamId: TeamId
  readonly message: NotificationMessage
  /** The failed attempts. */
  readonly attempts: number
  /** The time of the next attempt, in ISO 8601. */
  readonly dueAt: string
  readonly createdAt: string
}

/** The maximum number of waiting notifications of a channel; the oldest beyond it are dropped. */
export const mostWaiting = 1_000

/** The delay of the first retry and the longest one, in seconds. */
const [firstDelay, longestDelay] = [10, 3_600]

/** The maximum age of an event in seconds; older notifications are discarded without another attempt. */
export const longestWait = 24 * 60 * 60

/**
 * Returns the delay before the next attempt in seconds; it doubles with each failed attempt up to an hour.
 *
 * @example
 * delayAfter(1) // => 10
 * delayAfter(3) // => 40
 * delayAfter(20) // => 3600
 */
export const delayAfter = (attempts: number): number => Math.min(firstDelay * 2 ** (attempts - 1), longestDelay)

/** Reports that a notification was not delivered; a rejected one is not retried. */
export class NotificationUndelivered extends Schema.TaggedError<NotificationUndelivered>()("NotificationUndelivered", {
  /** A reason without secrets. */
  because: Schema.String,
  isRejected: Schema.Boolean
}) {}
