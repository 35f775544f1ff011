import { performance } from "node:perf_hooks"
import { Effect, Schedule } from "effect"

/** The shares of time in which the event loop works: at least for a load, and at most for an idle service. */
export const loads = { busy: 0.2, idle: 0.05 } as const

/** The interval of the checks, in seconds. */
export const interval = 3

/** Returns the share of time, from 0 to 1, in which the event loop worked since the previous call. */
const measured = (): (() => number) => {
  let previous = performance.eventLoopUtilization()
  return () => {
    const current = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(current, previous)
    previous = current
    return utilization
  }
}

/** Collects all garbage. Node provides `gc` with `--expose-gc`; without that flag nothing happens. */
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
