import { readdirSync, readFileSync } from "node:fs"
import { Effect, Schedule, type Scope } from "effect"

const lineOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
  } catch {
    return ""
  }
}

/** Watches the command lines of all processes on the machine until the scope closes. */
export const watchedArguments: Effect.Effect<() => ReadonlyArray<string>, never, Scope.Scope> = Effect.gen(
  function* () {
    const seen = new Set<string>()
    const look = Effect.sync(() => {
      for (const pid of readdirSync("/proc")) if (/^\d+$/.test(pid)) seen.add(lineOf(pid))
    })
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced("2 millis")))
    return () => [...seen]
  }
)
