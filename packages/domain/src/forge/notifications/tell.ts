import { Effect } from "effect"
import { now } from "../../Time.ts"
import type { UserId } from "../accounts/User.ts"
import { addJobs } from "../jobs/addJob.ts"
import type { RepositoryId } from "../repositoryId.ts"

import type { News } from "./News.ts"

/** News of an issue or a pull request of a repository. */
export interface PlacedNews extends News {
  readonly repositoryId: RepositoryId
}

/** Leaves what somebody did to jobs, in the running transaction: those whom it is news for hear of it once that is committed. */
export const tell = Effect.fnUntraced(function* (actorId: UserId | null, news: ReadonlyArray<PlacedNews>) {
  const at = yield* now
  yield* addJobs(news.map((each) => ({ _tag: "Notify", ...each, actorId, at, after: 0 })))
})
