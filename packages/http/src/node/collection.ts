import { performance } from "node:perf_hooks"
import { Effect, Schedule } from "effect"

/** Thresholds of the event loop utilization (0 to 1): at least `busy` under load, at most `idle` when idle. */
export const loads = { busy: 0.2, idle: 0.05 } as const

/** The interval at which the utilization is checked, in seconds. */
export const interval = 3

/** Makes a function that returns the event loop utilization (0 to 1) since its previous call. */
const measured = (): (() => number) => {
  let previous = performance.eventLoopUtilization()
  return () => {
    const current = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(current, previous)
    previous = current
    return utilization
  }
}

/** Runs a full garbage collection; does nothing unless Node runs with `--expose-gc`. */
export const collect = Effect.sync(() => globalThis.gc?.({ type: "major", flavor: "last-resort" }))

/**
 * Collects garbage when the service is idle for the first time after a load.
 *
 * V8 collects only while objects are created, so an idle service would keep the garbage of its last load. The
 * collection of 100 MB pauses the service for 200 ms.
 */
export const collectWhenIdle = (utilization = measured(), collection: Effect.Effect<void> = collect) => {
  let wasBusy = false
  const check = Effect.suspend(() => {
    const share = utilization()
    if (share >= loads.busy) wasBusy = true
    if (!wasBusy || share > loads.idle) return Effect.void
    wasBusy = false
    return collection
  })
  return Effect.repeat(check, Schedule.spaced(`${interval} seconds`))
}
