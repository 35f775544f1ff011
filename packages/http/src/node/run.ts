import { NodeRuntime } from "@effect/platform-node"
import { Cause, type Effect, type Exit, Predicate } from "effect"

/** Says why a service can't start, in one line: the message of what failed, without a stack. */
const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (Predicate.hasProperty(error, "cause") && Predicate.hasProperty(error.cause, "code")) {
    const { address, code, port } = error.cause as { code: unknown; address?: unknown; port?: unknown }
    if (code === "EADDRINUSE")
      return `port ${port} on ${address} is in use: stop what listens there, or set another port`
    if (code === "EACCES") return `port ${port} needs privileges: set one from 1024 upwards`
  }
  return error instanceof Error ? error.message : String(error)
}

const isExpected = (cause: Cause.Cause<unknown>) => cause.reasons.some(Cause.isFailReason)

/**
 * Runs a service as the process: SIGTERM and SIGINT stop it and exit 0, an expected failure prints its message and exits 1.
 */
export const runService = <E, A>(name: string, service: Effect.Effect<A, E>): void =>
  NodeRuntime.runMain(service, {
    disableErrorReporting: true,
    teardown: <E2, A2>(exit: Exit.Exit<A2, E2>, onExit: (code: number) => void) => {
      if (exit._tag === "Success" || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
      const text = isExpected(exit.cause) ? reasonOf(exit.cause) : Cause.pretty(exit.cause)
      process.stderr.write(`slipway ${name}: ${text}\n`)
      onExit(1)
    }
  })
