import { millisecondsOf, timeIn } from "@slipway/domain"
import {
  delayAfter,
  longestWait,
  type Notification,
  TeamNotificationStore,
  targetsIn
} from "@slipway/domain/deploy/infrastructure"
import { Clock, Effect } from "effect"
import { sendNotification } from "./send.ts"

/** The lease of a notification, in deployment leases. It is never renewed: a delivery attempt times out earlier. */
export const deliveryLeases = 4

/**
 * Sends a queued notification; retries temporary failures with exponential backoff.
 *
 * Drops a notification if its channel no longer reports such events, if the receiver rejects it, or if it is older than
 * a day. If a channel does not respond, its other notifications are postponed.
 */
export const deliver = Effect.fnUntraced(
  function* (worker: string, taken: Notification) {
    const store = yield* TeamNotificationStore
    const { attempts, channel, createdAt, message, recipient, teamId, uuid } = taken
    const drop = Effect.asVoid(store.remove(uuid, worker))
    const giveUp = (because: string) =>
      Effect.andThen(Effect.logWarning(`the notification ${uuid} was not sent to ${channel}: ${because}`), drop)
    const stored = (yield* store.settings(teamId)).find((each) => each.channel === channel)
    const isWanted = targetsIn(channel, stored, message.event).some((target) => target.recipient === recipient)
    if (stored === undefined || !isWanted) return yield* drop
    const waited = ((yield* Clock.currentTimeMillis) - millisecondsOf(createdAt)) / 1_000
    if (waited > longestWait) return yield* giveUp("it waited for more than a day")
    const retry = Effect.gen(function* () {
      yield* store.postpone(teamId, channel, yield* timeIn({ seconds: delayAfter(1) }))
      const dueAt = yield* timeIn({ seconds: delayAfter(attempts + 1) })
      yield* store.save({ ...taken, attempts: attempts + 1, dueAt }, worker)
    })
    return yield* sendNotification(taken, stored).pipe(
      Effect.andThen(drop),
      Effect.catchTag("NotificationUndelivered", ({ because, isRejected }) => (isRejected ? giveUp(because) : retry))
    )
  },
  Effect.catchDefect((defect) => Effect.logError("a notification failed unexpectedly", defect))
)
