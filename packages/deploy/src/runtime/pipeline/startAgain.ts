import type { ContainerSpec, Engine } from "@slipway/domain/deploy/containers"
import type { Plan } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { type DeployContext, isPassing } from "./deployContext.ts"
import { isDone, refOf } from "./execute.ts"

/** Creates the missing networks of a plan on a server, and returns their names. */
export const recreateNetworks = Effect.fnUntraced(function* (engine: Engine, networks: Plan["networks"]) {
  const lost = new Set<string>()
  for (const { application, name } of networks) {
    const found = engine.inspectNetwork(name).pipe(
      Effect.as(true),
      Effect.catchTag("NetworkNotFound", () => Effect.succeed(false))
    )
    if (!(yield* found)) lost.add(name)
    yield* engine.ensureNetwork(name, application)
  }
  return lost as ReadonlySet<string>
})

/**
 * Starts a stopped container. Recreates the container if it is missing or if one of its networks was recreated.
 *
 * @param lost names of networks that were recreated: containers refer to a network by an id, which is gone for good
 */
export const startAgain = Effect.fnUntraced(function* (engine: Engine, spec: ContainerSpec, lost: ReadonlySet<string>) {
  const ref = { application: spec.owner.application, name: spec.name }
  const isRunning = engine.inspect(ref).pipe(
    Effect.map(({ state }) => state === "running" || state === "restarting"),
    Effect.catchTag("ContainerNotFound", () => Effect.succeed(false))
  )
  const isCutOff = spec.networks.some(({ network }) => lost.has(network))
  if (isCutOff && !(yield* isRunning)) yield* engine.remove(ref)
  yield* engine
    .start(ref)
    .pipe(
      Effect.catchTag("ContainerNotFound", () =>
        engine
          .create(spec)
          .pipe(
            Effect.andThen(engine.start(ref)),
            Effect.andThen(Effect.logWarning(`the container ${ref.name} was missing and is recreated`))
          )
      )
    )
})

/**
 * Starts the containers of a resumed deployment that stopped together with their engine. Running and completed
 * containers stay unchanged.
 *
 * Failures are ignored here, because the later steps of the deployment report them.
 */
export const resumeContainers = Effect.fnUntraced(function* ({ engine }: DeployContext, plan: Plan) {
  for (const planned of plan.containers) {
    const ref = refOf(plan, planned)
    const resumed = Effect.gen(function* () {
      const details = yield* engine.inspect(ref)
      const isDown = details.state === "exited" || details.state === "dead"
      if (isDown && !isDone(planned, details)) yield* engine.start(ref)
    })
    yield* Effect.catchIf(
      resumed,
      (error) => !isPassing(error),
      () => Effect.void
    )
  }
})
