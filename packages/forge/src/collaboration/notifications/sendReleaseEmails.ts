import { Transaction } from "@slipway/domain"
import { type Job, JobStore, type Work } from "@slipway/domain/forge/background"
import { NotificationStore, releases } from "@slipway/domain/forge/collaboration"
import { Effect } from "effect"
import { NotificationMail } from "./NotificationMail.ts"
import { queueNotificationEmails } from "./queueNotificationEmails.ts"
import { readersOf } from "./readers.ts"

/** The number of users that are notified in one run of the job, so that other jobs can run in between. */
const batch = 200

type ReleaseJob = Pick<Job, "attempts" | "id"> & { readonly work: Extract<Work, { readonly _tag: "NotifyRelease" }> }

/**
 * Queues release emails for a batch of users who watch a repository.
 *
 * Returns whether all users are processed; undefined if another process runs the job.
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
