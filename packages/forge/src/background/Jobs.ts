import type { Duration } from "effect"
import { Effect } from "effect"
import * as Running from "../base/jobs/jobWorker.ts"
import { layerBackground } from "./subscribers/layer.ts"

export { addJob as add } from "../base/jobs/addJob.ts"
export { keep } from "../base/jobs/jobWorker.ts"

const provided = Effect.provide(layerBackground)

/** Runs a job immediately after its transaction was committed. Returns false if it fails; a worker then retries it. */
export const runNow = (job: Parameters<typeof Running.runNow>[0]) => provided(Running.runNow(job))

/** Runs all due background jobs, and returns their number. */
export const runDue = provided(Running.runDue)

/** Runs jobs when they are due, until interrupted. The lanes (separate queues) run concurrently. */
export const worker = (every?: Duration.Input) => provided(Running.worker(every))
