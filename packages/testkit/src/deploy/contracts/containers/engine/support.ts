import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  type ContainerEngine,
  type ContainerSpec,
  containerName,
  containerSpec,
  ContainerEngine as Engines,
  type Owner,
  type Terminal
} from "@slipway/domain/deploy/containers"
import { Effect, Fiber, Schedule, Stream } from "effect"
import { uuidOf } from "../../../builders.ts"
import { EngineWorld } from "../../../engineWorld.ts"

/** The services that the contract tests of container engines need. */
export type EngineTested = ContainerEngine | EngineWorld

/** Returns the uuid of test deployment number `n`. */
export const deployment = (n: number): DeploymentUuid => uuidOf("deployment", n)

/** Opens the container engine of the test environment. */
export const openEngine = Effect.gen(function* () {
  const world = yield* EngineWorld
  const engine = yield* (yield* Engines).open(world.access)
  const owner = (application: number, n: number): Owner => ({
    application: world.application(application),
    deployment: deployment(n),
    service: null
  })
  /**
   * Returns the specification of a container of deployment number `n` of an application. The container runs until it is
   * stopped.
   */
  const spec = (application: number, n: number, facts: Partial<ContainerSpec> = {}): ContainerSpec =>
    containerSpec({
      owner: owner(application, n),
      name: containerName(owner(application, n)),
      image: world.image,
      entrypoint: [],
      command: world.programs.says([], []),
      ...facts
    })
  const refOf = ({ name, owner }: ContainerSpec) => ({ application: owner.application, name })
  /** Creates a container and starts it. */
  const run = (wanted: ContainerSpec) =>
    Effect.andThen(engine.create(wanted), Effect.as(engine.start(refOf(wanted)), refOf(wanted)))
  return { engine, owner, refOf, run, spec, world }
})

/** Repeats an effect until its result satisfies the predicate `wanted`. */
export const eventually = <A, E, R>(ask: Effect.Effect<A, E, R>, wanted: (answer: A) => boolean) =>
  Effect.repeat(ask, { until: wanted, schedule: Schedule.spaced("50 millis") })

/** Returns the UTF-8 bytes of a text. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Reads the output of a terminal in the background: the text so far, and an effect that waits for its end. */
export const readScreen = Effect.fnUntraced(function* ({ output }: Terminal) {
  const decoder = new TextDecoder()
  let text = ""
  const reading = yield* Effect.forkScoped(
    Stream.runForEach(output, (bytes) =>
      Effect.sync(() => {
        text += decoder.decode(bytes, { stream: true })
      })
    )
  )
  return { text: Effect.sync(() => text), ended: Effect.ignore(Fiber.join(reading)) }
})
