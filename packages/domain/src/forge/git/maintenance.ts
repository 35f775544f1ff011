import { Duration, Effect } from "effect"
import { addJob } from "../pushes/addJob.ts"
import type { RepositoryId } from "../repositories/Repository.ts"
import type { Task } from "../tasks/Task.ts"
import { GitRepositories } from "./GitRepositories.ts"
import { GitWriter } from "./GitWriter.ts"

/** Puts one repository in order, and has it measured anew; answers whether it is to be tried again. */
const maintain = Effect.fnUntraced(function* (repositoryId: RepositoryId) {
  const result = yield* (yield* GitWriter).maintain(repositoryId).pipe(
    Effect.catchTags({
      // It may have gone since it was listed.
      GitMissing: () => Effect.succeed("nothing" as const),
      GitOverloaded: () => Effect.succeed("busy" as const)
    }),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError(`repository ${repositoryId} could not be put in order`, defect), "nothing" as const)
    )
  )
  if (result === "done") yield* addJob({ _tag: "MeasureGit", repositoryId }, Duration.zero)
  return result === "busy"
})

/** Puts the git repositories in order that have changed, one after the other; those that are busy once more at the end. */
export const gitMaintenance = {
  name: "git_gc_repos",
  schedule: "17 3 * * *",
  run: Effect.gen(function* () {
    const ids = yield* (yield* GitRepositories).list
    yield* Effect.forEach(yield* Effect.filter(ids, maintain), maintain, { discard: true })
  })
} satisfies Task<unknown>
