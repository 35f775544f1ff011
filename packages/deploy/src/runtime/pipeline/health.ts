import type { Container, ContainerRef, Engine } from "@slipway/domain/deploy/containers"
import { Clock, Effect } from "effect"

/** The time of the next health check of each container, by name. With a null interval, there are no checks. */
export type HealthCheckState = Map<string, { readonly interval: number | null; next: number }>

const concurrency = 4

/**
 * Runs container health checks at their intervals if the engine does not schedule them itself. Removes the state of
 * containers that are not in the list.
 */
export const runHealthChecks = Effect.fnUntraced(function* (
  engine: Engine,
  containers: ReadonlyArray<Pick<Container, "name" | "owner">>,
  looks: HealthCheckState
) {
  const names = new Set(containers.map(({ name }) => name))
  for (const name of looks.keys()) if (!names.has(name)) looks.delete(name)
  const lookAt = Effect.fnUntraced(function* (ref: ContainerRef) {
    const at = yield* Clock.currentTimeMillis
    const known = looks.get(ref.name)
    const look = known ?? { interval: (yield* engine.inspect(ref)).healthInterval, next: at }
    looks.set(ref.name, look)
    if (look.interval === null || look.next > at) return
    look.next = at + look.interval * 1_000
    yield* engine.probeHealth(ref)
  })
  yield* Effect.forEach(
    containers,
    ({ name, owner }) =>
      // Other code handles a missing or broken container.
      Effect.catchTag(
        lookAt({ application: owner.application, name }),
        ["ContainerNotFound", "EngineRefused"],
        () => Effect.void
      ),
    { concurrency: concurrency, discard: true }
  )
})
