import { now, Transaction, timeAgo } from "@slipway/domain"
import type { Task } from "@slipway/domain/forge/background"
import { SiteSettings } from "@slipway/domain/forge/base"
import { CodeIndexStore } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { addJobs } from "../../base/jobs/addJob.ts"

/** The maximum number of repositories of one transaction. */
const most = 200

/** Queues jobs for repositories with a missing or outdated index; returns their number. */
const queueDue = Effect.gen(function* () {
  // A failing job is retried at least each hour, and begins an update each time.
  const since = yield* timeAgo({ hours: 2 })
  const at = yield* now
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const due = yield* (yield* CodeIndexStore).due(at, since, most)
      yield* addJobs(due.map((repositoryId) => ({ _tag: "IndexCode", repositoryId })))
      return due.length
    })
  )
})

const removeAll = Effect.flatMap(CodeIndexStore, ({ clear }) => clear(most))

/**
 * The scheduled task that queues jobs for repositories with a missing or outdated index of code search, such as after it
 * was switched on. While code search is off, it removes the index.
 */
export const codeIndexUpdate = {
  name: "update_code_index",
  schedule: "*/5 * * * *",
  run: Effect.gen(function* () {
    const step = (yield* SiteSettings).switches.codeSearch ? queueDue : removeAll
    yield* Effect.repeat(step, { while: (count) => count === most })
  })
} satisfies Task<unknown>
