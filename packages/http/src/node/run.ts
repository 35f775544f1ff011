import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, type Exit } from "effect"
import { layerObservability } from "./observability/layer.ts"
import { observabilitySettings } from "./observability/settings.ts"
import { readTogether } from "./settings.ts"

/** Returns why a service cannot start: one line for each expected error, or all details of an unexpected one. */
const reasonOf = (cause: Cause.Cause<unknown>): string => {
  if (!cause.reasons.some(Cause.isFailReason)) return Cause.pretty(cause)
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}

/**
 * Runs a service as the main program of the process.
 *
 * SIGTERM and SIGINT stop the service with exit code 0. An expected failure prints its message and exits with code 1.
 * Log lines go to standard error; standard output is only for messages to the operator at the start.
 */
export const runService = <Settings, A, E>(
  name: string,
  settings: Effect.Effect<Settings, { readonly message: string }>,
  service: (chosen: Settings) => Effect.Effect<A, E>
): void => {
  const read = readTogether({ observed: observabilitySettings(name.toUpperCase()), chosen: settings })
  const observed = Effect.flatMap(read, ({ chosen, observed }) =>
    Effect.provide(service(chosen as Settings), layerObservability(name, observed))
  )
  NodeRuntime.runMain(observed, {
    disableErrorReporting: true,
    teardown: <A2, E2>(exit: Exit.Exit<A2, E2>, onExit: (code: number) => void) => {
      if (exit._tag === "Success" || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
      process.stderr.write(`${reasonOf(exit.cause).replace(/^(?=\S)/gm, `slipway ${name}: `)}\n`)
      onExit(1)
    }
  })
}
