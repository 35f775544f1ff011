import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import { Effect } from "effect"
import { addJob } from "../../base/jobs/addJob.ts"

/** Queues an update of the index of code search for a repository, if the site has code search. */
export const queueCodeIndex = Effect.fnUntraced(function* (repositoryId: RepositoryId) {
  if ((yield* SiteSettings).switches.codeSearch) yield* addJob({ _tag: "IndexCode", repositoryId })
})
