import { Effect } from "effect"
import { Transaction } from "../../Transaction.ts"
import { JobStore, type Work } from "../jobs/Job.ts"
import { releases } from "../releases/Release.ts"
import { NewsMail } from "./NewsMail.ts"
import { NotificationStore } from "./NotificationStore.ts"
import { planLetters } from "./planLetters.ts"
import { readersOf } from "./readers.ts"

/** How many users are told at a time: those behind them are another job. */
const batch = 200

/** Tells some of those who watch a repository of a release, by letters, and leaves the others to another job. */
export const tellRelease = Effect.fnUntraced(function* (work: Extract<Work, { readonly _tag: "TellRelease" }>) {
  const { actorId, after, at, releaseId, repositoryId } = work
  if (!(yield* NewsMail).on) return
  const release = yield* (yield* releases.store).find({ repositoryId }, releaseId)
  if (release === undefined || release.draft) return
  const watchers = yield* (yield* NotificationStore).watchers(repositoryId, { after, limit: batch })
  const readers = yield* readersOf({ _tag: "Release", release }, repositoryId, watchers)
  const last = watchers.at(-1)
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* planLetters(
        { repositoryId, about: { _tag: "Release", releaseId }, what: "published", actorId, at },
        readers.map((user) => ({
          user,
          because: user.id === actorId ? ("your_activity" as const) : ("subscribed" as const),
          personal: false
        }))
      )
      if (last !== undefined && watchers.length === batch) yield* (yield* JobStore).add({ ...work, after: last }, at)
    })
  )
})
