import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, type Exit } from "effect"
import { layerObservability } from "./observability/layer.ts"
import { observabilitySettings } from "./observability/settings.ts"
import { readTogether } from "./settings.ts"

/** Returns why a service can't start: a line for each expected problem, else all details. */
const reasonOf = (cause: Cause.Cause<unknown>): string => {
  if (!cause.reasons.some(Cause.isFailReason)) return Cause.pretty(cause)
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}

/**
 * Runs a service as the process: SIGTERM and SIGINT stop it and exit 0, an expected failure prints its message and
 * exits 1.
 *
 * It logs to standard error, one line each; standard output is for the messages to the operator at the start.
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
