import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { NotificationTarget } from "./ChannelSettings.ts"
import type { NotificationMessage } from "./messages.ts"

/** The uuid of a notification. */
export const NotificationUuid = Uuid.pipe(Schema.brand("NotificationUuid"))
export type NotificationUuid = typeof NotificationUuid.Type

/** A stored message to one target that waits to be sent; failed attempts are retried. */
export interface Notification extends NotificationTarget {
  readonly uuid: NotificationUuid
  /** The team that owns the resource of the message. */
  readonly teamId: TeamId
  readonly message: NotificationMessage
  /** The number of failed attempts. */
  readonly attempts: number
  /** The time of the next attempt, in ISO 8601. */
  readonly dueAt: string
  readonly createdAt: string
}

/** The maximum number of waiting notifications of a channel; if there are more, the oldest are deleted. */
export const mostWaiting = 1_000

/** The delay before the first retry, and the maximum delay, in seconds. */
const [firstDelay, longestDelay] = [10, 3_600]

/** The maximum age of a notification in seconds; older notifications are deleted without another attempt. */
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

/** Reports that a notification was not delivered. If `isRejected` is true, the receiver refused it: no retry. */
export class NotificationUndelivered extends Schema.TaggedError<NotificationUndelivered>()("NotificationUndelivered", {
  /** The reason, which contains no secrets. */
  because: Schema.String,
  isRejected: Schema.Boolean
}) {}
