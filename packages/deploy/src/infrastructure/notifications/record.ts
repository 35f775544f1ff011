import { makeUuid, millisecondsOf, now, Transaction, timeOf } from "@slipway/domain"
import type { TeamId } from "@slipway/domain/deploy/identity"
import {
  type Notification,
  type NotificationMessage,
  NotificationUuid,
  reachabilityMessage,
  type Server,
  TeamNotificationStore,
  targetsOf
} from "@slipway/domain/deploy/infrastructure"
import { notifyWorkers } from "@slipway/domain/deploy/runtime"
import { Duration, Effect } from "effect"

/**
 * Queues the notifications of an event, one for each recipient of the team's channels that report such events.
 *
 * Callers run it in the transaction that stores the event, so that either both are stored or neither.
 */
export const recordNotification = Effect.fnUntraced(function* (teamId: TeamId, message: NotificationMessage) {
  const store = yield* TeamNotificationStore
  const { event } = message
  const targets = event === null ? [] : targetsOf(event, yield* store.settings(teamId))
  if (targets.length === 0) return
  const at = yield* now
  const rows = yield* Effect.forEach(targets, (target) =>
    Effect.map(
      makeUuid(NotificationUuid),
      (uuid): Notification => ({ ...target, uuid, teamId, message, attempts: 0, dueAt: at, createdAt: at })
    )
  )
  yield* store.insert(rows)
  yield* notifyWorkers
})

/**
 * Stores that a resource has a problem, and queues a notification if the problem is new.
 *
 * With `repeat`, a problem that persists is reported again after that time.
 */
export const raiseCondition = Effect.fnUntraced(function* (
  teamId: TeamId,
  topic: string,
  message: NotificationMessage,
  repeat?: Duration.Duration
) {
  const at = yield* now
  const before = repeat === undefined ? null : timeOf(millisecondsOf(at) - Duration.toMillis(repeat))
  if (yield* (yield* TeamNotificationStore).raise(topic, at, before)) yield* recordNotification(teamId, message)
})

/** Stores that a problem is resolved, and queues a notification if the problem was stored; null queues none. */
export const clearCondition = Effect.fnUntraced(function* (
  teamId: TeamId,
  topic: string,
  message: NotificationMessage | null
) {
  const isKnown = yield* (yield* TeamNotificationStore).clear(topic)
  if (isKnown && message !== null) yield* recordNotification(teamId, message)
})

/** Returns the key under which a problem of a resource is stored. */
export const topicOf = (
  type: "application" | "awaitedCertificate" | "certificate" | "database" | "disk" | "server",
  uuid: string
): string => `${type}:${uuid}`

/** Stores whether a server responds, and queues a notification if this changed. */
export const saveReachability = Effect.fnUntraced(function* (server: Server, isReachable: boolean) {
  const topic = topicOf("server", server.uuid)
  const message = reachabilityMessage(server, isReachable)
  yield* (yield* Transaction).run(
    isReachable ? clearCondition(server.teamId, topic, message) : raiseCondition(server.teamId, topic, message)
  )
})
