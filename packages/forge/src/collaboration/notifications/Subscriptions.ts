import type { PageRequest } from "@slipway/domain"
import { now } from "@slipway/domain"
import {
  type Issue,
  IssueNotFound,
  type IssueSubscription,
  issueSubscriptions,
  NotificationStore
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import type { Actor, UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { findVisibleUser } from "../../identity/accounts/Users.ts"
import { authorOf, refOf } from "../issues/views.ts"

/** The page size for looking up whether one user is notified. */
const one = 1

/** Lists the subscribers of an issue that are visible to the caller. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, issue } }: Proof<"issue.subscription.list">,
  page: PageRequest
) {
  return yield* (yield* NotificationStore).subscribers(actor, issue.id, page)
})

const isNotified = Effect.fnUntraced(function* ({ id: issueId }: Issue, userId: UserId) {
  // The first recipient after the preceding id is the user, or the user gets no notifications.
  const from = { after: userId - 1, limit: one }
  const [first] = yield* (yield* NotificationStore).recipients({ issueId, audience: "followers" }, from)
  return first?.userId === userId
})

/** Returns whether the caller is notified of changes of an issue, by a subscription or for another reason. */
export const check = Effect.fnUntraced(function* ({ resource }: Proof<"issue.subscription.check">) {
  const { actor, issue, repository } = resource
  return { subscribed: yield* isNotified(issue, authorOf(actor)), issue, repository: refOf(repository) }
})

/**
 * Stores whether a user is subscribed to an issue, in the current transaction. Returns whether this changed anything.
 */
export const subscribe = Effect.fnUntraced(function* ({ id, number }: Issue, userId: UserId, subscribed: boolean) {
  const store = yield* issueSubscriptions.store
  const missing = () => new IssueNotFound({ number })
  const pair = { issueId: id, userId }
  const fresh = yield* Effect.mapError(store.insertIfAbsent({ ...pair, subscribed, createdAt: yield* now }), missing)
  if (fresh) return true
  const present: IssueSubscription | undefined = yield* store.findBy("pair", pair)
  if (present === undefined) return yield* missing()
  if (present.subscribed === subscribed) return false
  yield* Effect.mapError(store.patch({ issueId: id }, present.id, { subscribed }), missing)
  return true
})

const changed = Effect.fnUntraced(function* (actor: Actor, issue: Issue, name: string, subscribed: boolean) {
  const { id } = yield* findVisibleUser(actor, name)
  const wasTold = yield* isNotified(issue, id)
  // The user's choice is stored even so: it stays when the user no longer follows the issue by default.
  yield* subscribe(issue, id, subscribed)
  return wasTold !== subscribed
})

/** Subscribes a user to an issue. Returns false if the user was already subscribed. */
export const add = audited(
  Effect.fnUntraced(function* ({ resource: { actor, issue } }: Proof<"issue.subscription.add">, name: string) {
    return yield* changed(actor, issue, name, true)
  }),
  (_, name) => ({ details: { user: name } })
)

/**
 * Unsubscribes a user from an issue; personal notifications, such as mentions, are still sent. Returns whether the user
 * was subscribed.
 */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource: { actor, issue } }: Proof<"issue.subscription.remove">, name: string) {
    return yield* changed(actor, issue, name, false)
  }),
  (_, name) => ({ details: { user: name } })
)
