import { Transaction } from "@slipway/domain"
import { type Job, JobStore, type Work } from "@slipway/domain/forge/background"
import { NotificationStore, releases } from "@slipway/domain/forge/collaboration"
import { Effect } from "effect"
import { NotificationMail } from "./NotificationMail.ts"
import { queueNotificationEmails } from "./queueNotificationEmails.ts"
import { readersOf } from "./readers.ts"

/** How many users are notified per batch, before other jobs get their turn. */
const batch = 200

type ReleaseJob = Pick<Job, "attempts" | "id"> & { readonly work: Extract<Work, { readonly _tag: "NotifyRelease" }> }

/**
 * Sends release emails to a batch of watchers of a repository.
 *
 * Returns whether no watchers remain, or undefined if another process has the job.
 */
export const sendReleaseEmails = Effect.fnUntraced(function* (job: ReleaseJob) {
  const { work } = job
  const { actorId, after, at, releaseId, repositoryId } = work
  if (!(yield* NotificationMail).on) return true
  const release = yield* (yield* releases.store).find({ repositoryId }, releaseId)
  if (release === undefined || release.draft) return true
  const watchers = yield* (yield* NotificationStore).watchers(repositoryId, { after, limit: batch })
  const readers = yield* readersOf({ _tag: "Release", release }, repositoryId, watchers, actorId)
  const last = watchers.at(-1) ?? after
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      if (!(yield* (yield* JobStore).keep(job, { ...work, after: last }))) return undefined
      yield* queueNotificationEmails(
        { repositoryId, about: { _tag: "Release", releaseId }, what: "published", actorId, at },
        readers.map((user) => ({
          user,
          because: user.id === actorId ? ("your_activity" as const) : ("subscribed" as const),
          personal: false
        }))
      )
      return watchers.length < batch
    })
  )
})
