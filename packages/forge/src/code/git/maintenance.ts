import { now } from "@slipway/domain"
import type { Task } from "@slipway/domain/forge/background"
import { NoticeStore } from "@slipway/domain/forge/background"
import type { GitOverloaded } from "@slipway/domain/forge/code"
import { type GitId, type GitMissing, GitRepositories, GitWriter, wikiOf } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { addJob } from "../../base/jobs/addJob.ts"

/**
 * Runs an effect on each git repository, one after the other. Repositories that are in use are retried once at the end.
 */
const withEach = Effect.fnUntraced(function* <R>(
  work: (id: GitId) => Effect.Effect<"busy" | "done", GitMissing | GitOverloaded, R>
) {
  const isBusy = (id: GitId) =>
    work(id).pipe(
      Effect.map((result) => result === "busy"),
      Effect.catchTags({
        // It may have been deleted since it was listed.
        GitMissing: () => Effect.succeed(false),
        GitOverloaded: () => Effect.succeed(true)
      }),
      Effect.catchDefect((defect) =>
        Effect.as(Effect.logError(`maintenance of git repository ${id} failed`, defect), false)
      )
    )
  const ids = (yield* (yield* GitRepositories).list).flatMap((id): ReadonlyArray<GitId> => [id, wikiOf(id)])
  yield* Effect.forEach(yield* Effect.filter(ids, isBusy), isBusy, { discard: true })
})

/** Runs git maintenance on one repository, and queues a job that measures its size. */
const maintain = Effect.fnUntraced(function* (id: GitId) {
  const result = yield* (yield* GitWriter).maintain(id)
  if (result === "done" && typeof id === "number") {
    yield* addJob({ _tag: "MeasureGit", repositoryId: id })
  }
  return result === "busy" ? result : "done"
})

/** The scheduled task that runs git maintenance on repositories that changed. */
export const gitMaintenance = {
  name: "git_gc_repos",
  schedule: "17 3 * * *",
  run: withEach(maintain)
} satisfies Task<unknown>

/** Checks the integrity of one git repository. If it is damaged, administrators get a notice. */
const check = Effect.fnUntraced(function* (id: GitId) {
  const result = yield* (yield* GitWriter).check(id)
  if (result !== "damaged") return result === "busy" ? result : "done"
  yield* (yield* NoticeStore).add(`the git repository ${id} is damaged: run \`git fsck\` in its folder`, yield* now)
  return "done"
})

/** The weekly task that checks the integrity of all git repositories. */
export const gitCheck = {
  name: "repo_health_check",
  schedule: "30 4 * * 0",
  run: withEach(check)
} satisfies Task<unknown>
