import { now } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { News } from "@slipway/domain/forge/collaboration"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { addJobs } from "../jobs/addJob.ts"

/** News of an issue or a pull request of a repository. */
export interface PlacedNews extends News {
  readonly repositoryId: RepositoryId
}

/** Leaves what somebody did to jobs, in the running transaction: those whom it is news for hear of it once that is committed. */
export const tell = Effect.fnUntraced(function* (actorId: UserId | null, news: ReadonlyArray<PlacedNews>) {
  const at = yield* now
  yield* addJobs(news.map((each) => ({ _tag: "Notify", ...each, actorId, at, after: 0 })))
})
