import { traced } from "@slipway/domain"
import { end, type RunFailed, type RunLimits, run, spawn } from "@slipway/subprocess"
import { Data, Duration, Effect, Stream } from "effect"

/** A git command to run: arguments, standard input, settings and environment. Paths in `args` are absolute. */
export interface GitRun {
  readonly args: ReadonlyArray<string>
  readonly input?: string | Uint8Array
  /**
   * Additional git settings in the form `name=value`. They must not contain secrets: every local user can read the
   * command line.
   */
  readonly settings?: ReadonlyArray<string>
  /** Additional environment variables for this command. */
  readonly environment?: Readonly<Record<string, string>>
}

/** The error of a git command that failed; `said` is git's error output. */
export class GitFailed extends Data.TaggedError("GitFailed")<{
  /** The first words of the command, without user input. */
  readonly command: string
  readonly exitCode: number | undefined
  readonly said: string
}> {
  override get message(): string {
    return `git ${this.command} failed (${this.exitCode ?? "killed"}): ${this.said.slice(0, 2_000)}`
  }
}

/** The settings of every git command; they disable hooks, helpers and the settings of the machine. */
const ownSettings = [
  "core.hooksPath=/dev/null",
  "core.fsync=all",
  "core.fsyncMethod=fsync",
  "credential.helper=",
  "gc.auto=0",
  "protocol.allow=never"
]
/** Returns the git arguments for the default settings and for additional settings (`name=value`). */
export const configArguments = (more: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...ownSettings, ...more].flatMap((setting) => ["-c", setting])

/** The environment variables of every git command. */
export const environment: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin",
  HOME: "/nonexistent",
  LC_ALL: "C.UTF-8",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  // Per allocation: a few bytes of a pack can expand to an object larger than memory (invariant I25).
  GIT_ALLOC_LIMIT: "512m",
  GIT_OPTIONAL_LOCKS: "0"
}

const usual: RunLimits = { timeout: Duration.seconds(60), output: 16 * 1024 * 1024 }

/** How long an interrupted git command may remove its lock files before it is killed. */
const grace = Duration.seconds(1)

const failedBy = (command: string, { message, reason, said }: RunFailed) => {
  const exitCode = reason._tag === "Exited" ? reason.exitCode : undefined
  // A program that did not start, or exceeded its output limit, has no message.
  const failure = exitCode === undefined ? `${message} ${said}` : said
  return new GitFailed({ command, exitCode, said: failure.trim() })
}

/** Runs the git program and returns its output. An interruption stops the program and waits for its exit. */
export const runGit = (
  { args, environment: more = {}, input = "", settings = [] }: GitRun,
  limits: RunLimits = usual
): Effect.Effect<string, GitFailed> =>
  run({
    program: "git",
    args: [...configArguments(settings), ...args],
    environment: { ...environment, ...more },
    input,
    limits,
    grace
  }).pipe(
    Effect.mapError((failed) => failedBy(args[0] ?? "", failed)),
    traced("git", { command: args[0] ?? "" })
  )

const mostErrorBytes = 4_096

/** Runs the git program and streams its output with backpressure. The program is stopped when the stream ends. */
export const streamGit = ({
  args,
  environment: more = {},
  input = "",
  settings = []
}: GitRun): Stream.Stream<Uint8Array, GitFailed> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn("git", [...configArguments(settings), ...args], { environment: { ...environment, ...more } })
        ),
        (child) => end(child, grace)
      )
      // If a program exits before it has read its input, its exit code reports that.
      child.stdin.on("error", () => {})
      child.stdin.end(input)
      let said = ""
      child.stderr.on("data", (chunk) => {
        if (said.length < mostErrorBytes) said += String(chunk)
      })
      const failed = (exitCode: number | undefined, because: string) =>
        new GitFailed({ command: args[0] ?? "", exitCode, said: because.trim() })
      const ended = new Promise<GitFailed | undefined>((resolve) => {
        child.once("error", ({ message }) => resolve(failed(undefined, message)))
        child.once("close", (code) => resolve(code === 0 ? undefined : failed(code ?? undefined, said)))
      })
      const written = Stream.fromAsyncIterable<Uint8Array, GitFailed>(child.stdout, (error) =>
        failed(undefined, String(error))
      )
      const checked = Effect.flatMap(
        Effect.promise(() => ended),
        (failure) => (failure === undefined ? Effect.void : Effect.fail(failure))
      )
      return Stream.concat(written, Stream.drain(Stream.fromEffect(checked)))
    })
  )
