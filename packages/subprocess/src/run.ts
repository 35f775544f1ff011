import { type ChildProcess, type ExecFileException, execFile } from "node:child_process"
import { Data, Duration, Effect, Fiber } from "effect"

/** How much of the machine a run may take. */
export interface RunLimits {
  readonly timeout: Duration.Duration
  /** In bytes, of its standard output and of its standard error. */
  readonly output: number
}

/** A run of a program. */
export interface Run {
  /** A path, or a name that is looked for in the `PATH` of its environment. */
  readonly program: string
  /** Each arrives as it is, for no shell reads it; its paths begin at the root, where the program is run. */
  readonly args: ReadonlyArray<string>
  /** The whole environment: nothing of this process's own is added. */
  readonly environment: Readonly<Record<string, string>>
  /** What it is given to read. */
  readonly input?: string | Uint8Array
  readonly limits: RunLimits
  /** How long an interrupted program has to put things away before it is killed; it is killed at once unless this is set. */
  readonly grace?: Duration.Duration
}

/** The ways in which a run fails. */
export type RunFailure = Data.TaggedEnum<{
  NotStarted: { readonly code: string }
  Exited: { readonly exitCode: number }
  WroteTooMuch: Record<never, never>
  TookTooLong: Record<never, never>
  /** Ended by a signal that isn't from here. */
  Killed: { readonly signal: string | undefined }
}>

/** Makes the ways in which a run fails, and tells them apart. */
export const RunFailure = Data.taggedEnum<RunFailure>()

/** Reports that a run of a program failed. */
export class RunFailed extends Data.TaggedError("RunFailed")<{
  readonly reason: RunFailure
  /** What it wrote to its standard error. */
  readonly said: string
  /** The first line of Node's words, which may hold the arguments. */
  readonly message: string
}> {}

/** What Node tells of a run that failed. */
type ProcessError = Pick<ExecFileException, "code" | "killed" | "message" | "signal">

const reasonOf = ({ code, killed, signal }: ProcessError): RunFailure => {
  if (typeof code === "number") return RunFailure.Exited({ exitCode: code })
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return RunFailure.WroteTooMuch()
  if (killed === true) return RunFailure.TookTooLong()
  return typeof code === "string" ? RunFailure.NotStarted({ code }) : RunFailure.Killed({ signal })
}

const failedBy = (error: ProcessError, said: string) =>
  new RunFailed({ reason: reasonOf(error), said, message: error.message.split("\n")[0] ?? "" })

const ended = (child: ChildProcess, signal: NodeJS.Signals) =>
  Effect.callback<void>((resume) => {
    const over = () => resume(Effect.void)
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return over()
    child.once("exit", over)
    child.kill(signal)
  })

/**
 * Ends a program and waits until it has: what it writes to can be removed afterwards.
 *
 * One that is given some grace is asked first, and killed after it.
 */
export const end = Effect.fnUntraced(function* (child: ChildProcess, grace: Duration.Duration = Duration.zero) {
  if (Duration.isZero(grace)) return yield* ended(child, "SIGKILL")
  const graceOver = yield* Effect.sleep(grace).pipe(
    Effect.andThen(Effect.sync(() => child.kill("SIGKILL"))),
    Effect.interruptible,
    Effect.forkChild
  )
  yield* ended(child, "SIGTERM")
  yield* Fiber.interrupt(graceOver)
})

type Over = (error: ProcessError | null, written: string, said: string) => void

/** Starts a program; of some that can't be, as for arguments that are too long, Node tells by throwing. */
const started = (over: Over, start: () => ChildProcess): ChildProcess | undefined => {
  try {
    return start()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    over(error, "", "")
    return undefined
  }
}

/** Runs a program, without a shell, and answers with what it wrote; an interruption ends it, and waits for that. */
export const run = ({ args, environment, input = "", limits, grace, program }: Run): Effect.Effect<string, RunFailed> =>
  Effect.callback<string, RunFailed>((resume) => {
    const over: Over = (error, written, said) =>
      resume(error === null ? Effect.succeed(written) : Effect.fail(failedBy(error, said)))
    const child = started(over, () =>
      execFile(
        program,
        args,
        {
          env: environment,
          // The service may well be started in a folder whose settings a program would read.
          cwd: "/",
          timeout: Duration.toMillis(limits.timeout),
          killSignal: "SIGKILL",
          maxBuffer: limits.output,
          encoding: "utf8"
        },
        over
      )
    )
    if (child === undefined) return
    // A program that ends before it has read everything is told of by its exit.
    child.stdin?.on("error", () => {})
    child.stdin?.end(input)
    return end(child, grace)
  })
