import { Effect } from "effect"
import { addJob } from "../jobs/addJob.ts"
import type { Task } from "../tasks/Task.ts"
import { GitRepositories } from "./GitRepositories.ts"
import { GitWriter } from "./GitWriter.ts"
import { type GitId, wikiOf } from "./gitIds.ts"

/** Puts one git repository in order, and has it measured anew; answers whether it is to be tried again. */
const maintain = Effect.fnUntraced(function* (id: GitId) {
  const result = yield* (yield* GitWriter).maintain(id).pipe(
    Effect.catchTags({
      // It may have gone since it was listed.
      GitMissing: () => Effect.succeed("nothing" as const),
      GitOverloaded: () => Effect.succeed("busy" as const)
    }),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError(`repository ${id} could not be put in order`, defect), "nothing" as const)
    )
  )
  if (result === "done" && typeof id === "number") {
    yield* addJob({ _tag: "MeasureGit", repositoryId: id })
  }
  return result === "busy"
})

/** Puts the git repositories in order that have changed, one after the other; those that are busy once more at the end. */
export const gitMaintenance = {
  name: "git_gc_repos",
  schedule: "17 3 * * *",
  run: Effect.gen(function* () {
    const ids = (yield* (yield* GitRepositories).list).flatMap((id): ReadonlyArray<GitId> => [id, wikiOf(id)])
    yield* Effect.forEach(yield* Effect.filter(ids, maintain), maintain, { discard: true })
  })
} satisfies Task<unknown>
