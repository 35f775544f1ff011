import { Effect } from "effect"
import type { OwnedStoreOf } from "../../owned/Owned.ts"
import type { ActionName } from "../access/actions.ts"
import type { NewEvent } from "../events/Event.ts"
import type { Repository } from "../repositories/Repository.ts"
import { hookNews, type NewsThings } from "./HookDelivery.ts"

/** What keeps news until it is handed to webhooks. */
export type NewsStore = OwnedStoreOf<"hookNews">

/** The actions that webhooks have something to tell of. */
export const newsActions: ReadonlySet<ActionName> = new Set<ActionName>([
  "git.push",
  "git.wiki.push",
  "repository.mirror.sync",
  "account.repository.create",
  "admin.user.repository.create",
  "organization.repository.create",
  "organization.repository.create-deprecated",
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
  "issue.comment.delete-deprecated"
])

/** Notes an event for webhooks, in the transaction that it is added in. */
export const note = Effect.fnUntraced(function* (
  event: NewEvent,
  repository: Repository | undefined,
  { comment, issue }: NewsThings = {}
) {
  if (repository === undefined || !newsActions.has(event.action)) return
  yield* Effect.orDie(
    (yield* hookNews.store).insert({
      event,
      repository,
      before: { ...(issue && { issue }), ...(comment && { comment }) }
    })
  )
})
