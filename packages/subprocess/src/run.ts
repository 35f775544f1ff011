import { Data, Duration, Effect, Fiber } from "effect"
import type { Program } from "./Program.ts"
import { spawn } from "./spawn.ts"

/** The limits of a program run: its timeout and the size of its output. */
export interface RunLimits {
  readonly timeout: Duration.Duration
  /** The maximum size in bytes, separately for standard output and standard error. */
  readonly output: number
}

/** A request to run a program until it exits. */
export interface Run {
  /** The path of the program, or a name to look up in the `PATH` of the given environment. */
  readonly program: string
  /** The arguments, passed unchanged and without a shell; the working directory is `/`. */
  readonly args: ReadonlyArray<string>
  /** The complete environment; the program inherits no variable of this process. */
  readonly environment: Readonly<Record<string, string>>
  /** Its standard input. */
  readonly input?: string | Uint8Array
  readonly limits: RunLimits
  /** The time between the stop signal and the kill. If omitted, the program is killed immediately. */
  readonly grace?: Duration.Duration
}

/** The reasons why a run of a program failed. */
export type RunFailure = Data.TaggedEnum<{
  NotStarted: { readonly code: string }
  Exited: { readonly exitCode: number }
  WroteTooMuch: Record<never, never>
  TookTooLong: Record<never, never>
  /** Killed by a signal from elsewhere. */
  Killed: { readonly signal: string | undefined }
}>

/** The constructors and matchers of `RunFailure`. */
export const RunFailure = Data.taggedEnum<RunFailure>()

/** A run of a program failed. */
export class RunFailed extends Data.TaggedError("RunFailed")<{
  readonly reason: RunFailure
  /** Its standard error. */
  readonly said: string
  readonly message: string
}> {}

const messageOf = (program: string, reason: RunFailure): string =>
  RunFailure.$match(reason, {
    NotStarted: ({ code }) => `${program} could not be started (${code})`,
    Exited: ({ exitCode }) => `${program} exited with code ${exitCode}`,
    WroteTooMuch: () => `${program} wrote too much`,
    TookTooLong: () => `${program} took too long`,
    Killed: ({ signal }) => `${program} was killed by ${signal ?? "an unknown signal"}`
  })

const ended = (program: Program, signal: NodeJS.Signals) =>
  Effect.callback<void>((resume) => {
    const over = () => resume(Effect.void)
    if (program.exitCode !== null || program.signalCode !== null) return over()
    program.once("exit", over)
    program.once("error", over)
    program.kill(signal)
  })

/**
 * Stops a program and waits for its exit, so that its output files can be removed.
 *
 * With a grace period, the program first gets SIGTERM, and SIGKILL after the period.
 */
export const end = Effect.fnUntraced(function* (program: Program, grace: Duration.Duration = Duration.zero) {
  if (Duration.isZero(grace)) return yield* ended(program, "SIGKILL")
  const graceOver = yield* Effect.sleep(grace).pipe(
    Effect.andThen(Effect.sync(() => program.kill("SIGKILL"))),
    Effect.interruptible,
    Effect.forkChild
  )
  yield* ended(program, "SIGTERM")
  yield* Fiber.interrupt(graceOver)
})

/** Collects one output stream of a program. Calls `tooMuch` when its size exceeds the limit. */
const gathered = (from: Program["stdout"], most: number, tooMuch: () => void) => {
  const pieces: Array<Buffer> = []
  let length = 0
  from.on("data", (piece: Buffer) => {
    length += piece.length
    if (length > most) tooMuch()
    else pieces.push(piece)
  })
  return () => Buffer.concat(pieces).toString("utf8")
}

/** Calls a function after a delay. The returned timer can be cancelled. */
const after = (time: Duration.Duration, work: () => void) => setTimeout(work, Duration.toMillis(time))

/** The output of a successful program: `written` is its standard output, and `said` its standard error. */
export interface RunOutput {
  readonly written: string
  readonly said: string
}

/**
 * Runs a program without a shell, and returns its standard output. An interruption stops the program and waits for its
 * exit.
 */
export const run = (request: Run): Effect.Effect<string, RunFailed> =>
  Effect.map(runWithMessages(request), ({ written }) => written)

/** Runs a program like `run`, and also returns its standard error. */
export const runWithMessages = ({
  args,
  environment,
  input = "",
  limits,
  grace,
  program
}: Run): Effect.Effect<RunOutput, RunFailed> =>
  Effect.callback<RunOutput, RunFailed>((resume) => {
    const child = spawn(program, args, { environment })
    /** Why it was ended from here. */
    let because: RunFailure | undefined
    const stop = (reason: RunFailure) => {
      because ??= reason
      // Its child processes may keep the output pipes open.
      child.stdout.destroy()
      child.stderr.destroy()
      child.kill("SIGKILL")
    }
    const timer = after(limits.timeout, () => stop(RunFailure.TookTooLong()))
    const written = gathered(child.stdout, limits.output, () => stop(RunFailure.WroteTooMuch()))
    const said = gathered(child.stderr, limits.output, () => stop(RunFailure.WroteTooMuch()))
    const fail = (reason: RunFailure) => {
      clearTimeout(timer)
      resume(Effect.fail(new RunFailed({ reason, said: said(), message: messageOf(program, reason) })))
    }
    child.once("error", ({ code = "" }) => fail(RunFailure.NotStarted({ code })))
    child.once("close", (exitCode, signal) => {
      if (because !== undefined) return fail(because)
      if (exitCode === null) return fail(RunFailure.Killed({ signal: signal ?? undefined }))
      if (exitCode !== 0) return fail(RunFailure.Exited({ exitCode }))
      clearTimeout(timer)
      resume(Effect.succeed({ written: written(), said: said() }))
    })
    // If a program exits before it has read its input, its exit code reports that.
    child.stdin.on("error", () => {})
    child.stdin.end(input)
    return Effect.ensuring(
      end(child, grace),
      Effect.sync(() => clearTimeout(timer))
    )
  })
