import type { ActionName } from "../access/actions.ts"
import type { NewEvent } from "../events/Event.ts"
import type { Repository } from "../repositories/Repository.ts"
import type { NewsThings, NewsToTell } from "./HookDelivery.ts"

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

/** Returns what webhooks are told with an event; nothing where they have nothing to tell. */
export const newsOf = (
  { action }: Pick<NewEvent, "action">,
  repository: Repository | undefined,
  { comment, issue }: NewsThings = {}
): NewsToTell | undefined =>
  repository === undefined || !newsActions.has(action)
    ? undefined
    : { repository, before: { ...(issue && { issue }), ...(comment && { comment }) } }
