import { Effect } from "effect"
import { timeAgo } from "../../Time.ts"
import type { Task } from "../tasks/Task.ts"
import { runners } from "./Runner.ts"

/** Removes runners that were there for one job and haven't been heard of for a day: nothing else would. */
export const runnerCleanup = {
  name: "cleanup_offline_runners",
  schedule: "17 2 * * *",
  run: Effect.gen(function* () {
    const lastOnlineAt = { before: yield* timeAgo("1 day") }
    yield* (yield* runners.store).removeEverywhere({ ephemeral: true, lastOnlineAt })
  })
} satisfies Task<unknown>
