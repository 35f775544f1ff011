import { now } from "@slipway/domain"
import type { Repository } from "@slipway/domain/forge/code"
import {
  type EventResources,
  type EventResourcesAfter,
  EventStore,
  type HookEventData,
  queuedHookEvents
} from "@slipway/domain/forge/events"
import type { EventAction, NewEvent, Person } from "@slipway/domain/forge/identity"

import { Effect } from "effect"

/** The actions that create a repository. */
export const creations: ReadonlySet<EventAction> = new Set<EventAction>([
  "account.repository.create",
  "admin.user.repository.create",
  "organization.repository.create",
  "organization.repository.create-deprecated",
  "repository.fork.create",
  "repository.generate",
  "repository.migrate",
  "admin.unadopted.adopt"
])

/** The actions that webhooks report. */
export const hookActions: ReadonlySet<EventAction> = new Set<EventAction>([
  "git.push",
  "git.wiki.push",
  "repository.mirror.sync",
  ...creations,
  "repository.delete",
  "issue.create",
  "issue.edit",
  "issue.delete",
  "issue.deadline.set",
  "issue.label.add",
  "issue.label.replace",
  "issue.label.clear",
  "issue.label.remove",
  "issue.assignee.add",
  "issue.assignee.remove",
  "issue.comment.create",
  "issue.comment.edit",
  "issue.comment.edit-deprecated",
  "issue.comment.delete",
  "issue.comment.delete-deprecated",
  "pull.create",
  "pull.edit",
  "pull.merge",
  "pull.review.create",
  "pull.review.submit",
  "pull.comment.reply",
  "pull.requested-reviewer.add",
  "pull.requested-reviewer.remove",
  "repository.release.create",
  "repository.release.edit",
  "repository.release.delete",
  "repository.release.delete-by-tag",
  "repository.status.create",
  "package.file.publish",
  "package.npm.publish",
  "package.npm.version.delete",
  "package.npm.delete",
  "package.container.publish",
  "package.container.delete",
  "package.file.delete",
  "package.version.delete",
  "package.version.unpublish",
  "package.delete"
])

const hookDataFrom = (
  repository: Repository | null,
  { comment, issue, packageVersion, pull, release, review, work }: EventResources,
  after: EventResourcesAfter = {}
): HookEventData => ({
  repository,
  after,
  before: {
    ...(issue && { issue }),
    ...(comment && { comment }),
    ...(pull && { pull }),
    ...(review && { review }),
    ...(release && { release }),
    ...(packageVersion && { packageVersion }),
    ...(work && { work })
  }
})

/** Returns the data for the webhook payload of an event; undefined if webhooks do not report this event. */
export const hookDataOf = (
  { action }: Pick<NewEvent, "action">,
  repository: Repository | undefined,
  things: EventResources = {},
  after: EventResourcesAfter = {}
): HookEventData | undefined =>
  (repository === undefined && things.packageVersion === undefined) || !hookActions.has(action)
    ? undefined
    : hookDataFrom(repository ?? null, things, after)

/** Queues an event for webhooks in the current transaction, for any action. */
export const queueHookEvent = Effect.fnUntraced(function* (
  event: NewEvent,
  repository: Repository,
  things: EventResources = {},
  after: EventResourcesAfter = {}
) {
  yield* Effect.orDie((yield* queuedHookEvents.store).insert({ event, ...hookDataFrom(repository, things, after) }))
})

type Found =
  | "issue.edit"
  | "pull.edit"
  | "pull.merge"
  | "pull.requested-reviewer.add"
  | "pull.update"
  | "repository.fork.create"
  | "repository.status.create"
  | "workflow.progress"

/** Returns the event of a change that the server detected or made itself, without a request. */
const foundEvent = (
  at: string,
  action: Found,
  { id, name, owner }: Repository,
  by: Person | null,
  details: NewEvent["details"]
): NewEvent => ({
  at,
  action,
  outcome: "done",
  refusedBy: null,
  actor: by,
  signedInAs: null,
  signedInWith: { kind: "system" },
  address: "",
  subject: { kind: "repository", id, name: `${owner.name}/${name}` },
  organizationId: owner.kind === "organization" ? owner.id : null,
  teamId: null,
  repositoryId: id,
  details
})

/**
 * Queues a webhook event for a change that the server made as a consequence of another action. The actor is the user
 * who performed that action.
 */
export const recordConsequence = Effect.fnUntraced(function* (
  action: Found,
  repository: Repository,
  by: Person | null,
  details: NewEvent["details"],
  things: EventResources = {},
  after: EventResourcesAfter = {}
) {
  yield* queueHookEvent(foundEvent(yield* now, action, repository, by, details), repository, things, after)
})

/**
 * Records a change that the server detected, such as a merge by a git push. Unlike `recordConsequence`, it also adds
 * the event to the audit log and to activity feeds, because a user performed it outside of the API.
 */
export const recordFoundAction = Effect.fnUntraced(function* (
  action: Found,
  repository: Repository,
  by: Person,
  details: NewEvent["details"],
  things: EventResources = {},
  after: EventResourcesAfter = {}
) {
  const event = foundEvent(yield* now, action, repository, by, details)
  yield* (yield* EventStore).append(event, hookDataOf(event, repository, things, after))
})

/** Queues webhook events for commit statuses that the server sets itself. */
export const queueStatusHooks = Effect.fnUntraced(function* (
  repository: Repository,
  all: ReadonlyArray<NewEvent["details"]>
) {
  const at = yield* now
  const rows = all.map((details) => ({
    event: foundEvent(at, "repository.status.create", repository, null, details),
    ...hookDataFrom(repository, {})
  }))
  yield* Effect.orDie((yield* queuedHookEvents.store).insertMany(rows))
})
