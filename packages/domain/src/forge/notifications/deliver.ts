import { Effect } from "effect"
import { Transaction } from "../../Transaction.ts"
import { allows } from "../access/decide.ts"
import { pairFacts } from "../effective-access/EffectiveAccess.ts"
import { EffectiveAccessStore } from "../effective-access/EffectiveAccessStore.ts"
import { comments, type Issue, issues } from "../issues/Issue.ts"
import { factsOfIssue } from "../issues/views.ts"
import { JobStore, type Work } from "../jobs/Job.ts"
import { RepositoryStore } from "../repositories/RepositoryStore.ts"
import { SiteSettings } from "../settings/SiteSettings.ts"
import { NewsMail } from "./mailNews.ts"
import { NotificationStore } from "./NotificationStore.ts"

/** How many users are told at a time: those behind them are another job. */
const batch = 200

/**
 * Tells some of those whom news are for, and leaves the others to another job.
 *
 * Who can't read the issue at this moment is told nothing (invariants I7 and I8); what was told is hidden from who can't read it later.
 */
export const deliver = Effect.fnUntraced(function* (work: Extract<Work, { readonly _tag: "Notify" }>) {
  const { actorId, after, at, audience, commentId, issueId, repositoryId } = work
  const repository = yield* (yield* RepositoryStore).find(repositoryId)
  const issue: Issue | undefined = yield* (yield* issues.store).find({ repositoryId }, issueId)
  const comment = commentId === null ? undefined : yield* (yield* comments.store).find({ issueId }, commentId)
  if (repository === undefined || issue === undefined || (commentId !== null && comment === undefined)) return
  const store = yield* NotificationStore
  const { switches } = yield* SiteSettings
  const news = { issueId, commentId, audience }
  const users = yield* store.recipients(news, { actor: actorId, after, limit: batch })
  const pairs = yield* (yield* EffectiveAccessStore).find(users.map((user) => ({ user, repository: repositoryId })))
  const readers = pairs.filter(
    (pair) =>
      pair.user.active && !pair.user.prohibited && allows("issue.read", factsOfIssue(pairFacts(switches, pair), issue))
  )
  const last = users.at(-1)
  const mail = yield* NewsMail
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* store.notify(
        readers.map(({ user }) => user.id),
        { issueId, commentId, repositoryId, at }
      )
      yield* mail.send(
        readers.map(({ user }) => user),
        { repository, issue, comment }
      )
      if (last !== undefined && users.length === batch) yield* (yield* JobStore).add({ ...work, after: last }, at)
    })
  )
})
