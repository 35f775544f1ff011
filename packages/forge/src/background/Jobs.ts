import type { Duration } from "effect"
import { Effect } from "effect"
import * as Running from "../base/jobs/jobWorker.ts"
import { layerBackground } from "./subscribers/layer.ts"

export { addJob as add } from "../base/jobs/addJob.ts"
export { keep } from "../base/jobs/jobWorker.ts"

const provided = Effect.provide(layerBackground)

/** Runs a committed job now; a worker retries it if it fails. Returns false if it failed here. */
export const runNow = (job: Parameters<typeof Running.runNow>[0]) => provided(Running.runNow(job))

/** Runs all due jobs and returns their number. */
export const runDue = provided(Running.runDue)

/** Runs jobs as they become due until it is interrupted, the lanes concurrently. */
export const worker = (every?: Duration.Input) => provided(Running.worker(every))
