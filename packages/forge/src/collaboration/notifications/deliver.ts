import { Transaction } from "@slipway/domain"
import { type Job, JobStore, type Work } from "@slipway/domain/forge/background"
import type { Repository } from "@slipway/domain/forge/code"
import { RepositoryStore } from "@slipway/domain/forge/code"
import type { NotificationReason } from "@slipway/domain/forge/collaboration"
import { issues, NotificationStore } from "@slipway/domain/forge/collaboration"
import { asViewer } from "@slipway/domain/forge/explanation"
import type { UserId } from "@slipway/domain/forge/identity"
import { UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { namedIn } from "../issues/texts.ts"
import { NotificationMail } from "./NotificationMail.ts"
import { readNotificationText } from "./notificationText.ts"
import { queueNotificationEmails } from "./queueNotificationEmails.ts"
import { readersOf } from "./readers.ts"

/** The number of users that are notified in one run of the job, so that other jobs can run in between. */
const batch = 200

type NotifyWork = Extract<Work, { readonly _tag: "Notify" }>
type NotifyJob = Pick<Job, "attempts" | "id"> & { readonly work: NotifyWork }

/** Returns the type of the event of a job; jobs of earlier releases do not contain it. */
const whatOf = ({ audience, commentId, what }: NotifyWork) => {
  if (what !== undefined) return what
  return audience === "assignees" ? "assigned" : commentId === null ? "opened" : "commented"
}

const peopleNamed = Effect.fnUntraced(function* (actorId: UserId | null, repository: Repository, text: string) {
  const actor = actorId === null || text === "" ? undefined : yield* (yield* UserStore).find(actorId)
  return actor === undefined ? new Set<UserId>() : yield* namedIn(asViewer(actor), repository, text)
})

/**
 * Notifies a batch of users of an event: in the inbox of the web interface, and by email.
 *
 * Returns whether all users are notified; undefined if another process runs the job.
 *
 * Users who cannot read the issue now are skipped (invariants I7 and I8). Progress is stored in the same transaction,
 * so a crash causes no duplicate emails. The actor gets no notification in the inbox, and an email only if the actor
 * enabled emails about own actions.
 */
export const deliver = Effect.fnUntraced(function* (job: NotifyJob) {
  const { work } = job
  const { actorId, after, at, audience, commentId, issueId, only, remarkId, repositoryId, reviewId } = work
  const repository = yield* (yield* RepositoryStore).find(repositoryId)
  const issue = yield* (yield* issues.store).find({ repositoryId }, issueId)
  const what = whatOf(work)
  const said = issue === undefined ? undefined : yield* readNotificationText(issue, { ...work, what })
  if (repository === undefined || issue === undefined || said === undefined) return true
  const store = yield* NotificationStore
  const found = yield* store.recipients({ issueId, audience }, { after, limit: batch })
  const meant = only === undefined ? found : found.filter(({ userId }) => only.includes(userId))
  const ties = new Map<UserId, NotificationReason>(meant.map(({ because, userId }) => [userId, because]))
  const readers = yield* readersOf({ _tag: "Issue", issue }, repositoryId, [...ties.keys()], actorId)
  const isForThem = audience !== "followers"
  /** Returns whether a notification is personal: the user is mentioned, assigned, or requested as a reviewer. */
  const isPersonal = (user: UserId): boolean => {
    const tie = ties.get(user)
    const isOpenedFor = what === "opened" && (tie === "assign" || tie === "review_requested")
    return isForThem || isOpenedFor || named.has(user)
  }
  const named =
    (yield* NotificationMail).on && !isForThem
      ? yield* peopleNamed(actorId, repository, what === "opened" ? `${issue.title}\n\n${said.text}` : said.text)
      : new Set<UserId>()
  const becauseOf = (user: UserId): NotificationReason => {
    if (user === actorId) return "your_activity"
    return named.has(user) ? "mention" : (ties.get(user) ?? "subscribed")
  }
  const last = found.at(-1)?.userId ?? after
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      if (!(yield* (yield* JobStore).keep(job, { ...work, after: last }))) return undefined
      yield* store.notify(
        readers.flatMap(({ id }) => (id === actorId ? [] : [id])),
        { issueId, commentId, repositoryId, at }
      )
      const place = {
        commentId,
        ...(reviewId === undefined ? {} : { reviewId }),
        ...(remarkId === undefined ? {} : { remarkId })
      }
      yield* queueNotificationEmails(
        { repositoryId, about: { _tag: "Issue", issueId, ...place }, what, actorId, at },
        readers.map((user) => ({
          user,
          because: becauseOf(user.id),
          personal: isPersonal(user.id)
        }))
      )
      return found.length < batch
    })
  )
})
