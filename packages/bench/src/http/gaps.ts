import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"

/** The pauses of a busy loop while other programs use the processor. */
export interface Gaps {
  /** The fraction of time without a processor, counting only pauses of at least half a millisecond. */
  readonly share: number
  /** Number of pauses of at least half a millisecond per second, over all processors. */
  readonly often: number
  /** The longest pause in milliseconds. */
  readonly longest: number
}

const program = `
const { parentPort, workerData: milliseconds } = require("node:worker_threads")
let [last, lost, pauses, longest] = [performance.now(), 0, 0, 0]
for (const until = last + milliseconds; last < until; ) {
  const now = performance.now()
  if (now - last >= 0.5) [lost, pauses, longest] = [lost + now - last, pauses + 1, Math.max(longest, now - last)]
  last = now
}
parentPort.postMessage({ lost, pauses, longest })
`

/** Runs a busy loop on each processor for a duration in milliseconds, and returns its pauses. */
export const gaps = async (milliseconds = 5_000): Promise<Gaps> => {
  const found = await Promise.all(
    Array.from(
      { length: availableParallelism() },
      () =>
        new Promise<{ readonly lost: number; readonly pauses: number; readonly longest: number }>((resolve, reject) => {
          new Worker(program, { eval: true, workerData: milliseconds }).once("message", resolve).once("error", reject)
        })
    )
  )
  const sum = (of: ReadonlyArray<number>) => of.reduce((all, each) => all + each, 0)
  return {
    share: sum(found.map(({ lost }) => lost)) / (found.length * milliseconds),
    often: (sum(found.map(({ pauses }) => pauses)) * 1_000) / milliseconds,
    longest: Math.max(...found.map(({ longest }) => longest))
  }
}
