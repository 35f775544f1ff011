import { type ChildProcess, execFile, spawn } from "node:child_process"
import { Data, Duration, Effect, Fiber, Stream } from "effect"

/** A run of the git program: its arguments, with paths that begin at the root, and what it is given to read. */
export interface GitRun {
  readonly args: ReadonlyArray<string>
  readonly input?: string | Uint8Array
  /** Settings besides those of each run, `name=value`, which anybody on the machine may read. */
  readonly settings?: ReadonlyArray<string>
  /** What is added to the environment, for this run alone. */
  readonly environment?: Readonly<Record<string, string>>
}

/** How much of the machine a run may take. */
export interface GitLimits {
  readonly timeout: Duration.Duration
  /** In bytes. */
  readonly output: number
}

/** Reports that the git program failed, with what it said. */
export class GitFailed extends Data.TaggedError("GitFailed")<{
  /** The first words of the command, without anything that a user sent. */
  readonly command: string
  readonly exitCode: number | undefined
  readonly said: string
}> {
  override get message(): string {
    return `git ${this.command} failed (${this.exitCode ?? "killed"}): ${this.said.slice(0, 2_000)}`
  }
}

/** What each run is told before its command: nothing of the machine's own settings, hooks or helpers counts. */
const ownSettings = [
  "core.hooksPath=/dev/null",
  "core.fsync=all",
  "core.fsyncMethod=fsync",
  "credential.helper=",
  "gc.auto=0",
  "protocol.allow=never"
]
const told = (more: ReadonlyArray<string>) => [...ownSettings, ...more].flatMap((setting) => ["-c", setting])

const environment = {
  PATH: process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin",
  HOME: "/nonexistent",
  LC_ALL: "C.UTF-8",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  // For each piece: a few bytes of a pack can stand for an object that no memory holds (invariant I25).
  GIT_ALLOC_LIMIT: "512m",
  GIT_OPTIONAL_LOCKS: "0"
}

const usual: GitLimits = { timeout: Duration.seconds(60), output: 16 * 1024 * 1024 }

/** How long a program has to put away its locks before it is killed. */
const grace = Duration.seconds(1)

/** Ends a program and waits until it has: what it writes to can be removed afterwards. */
const end = Effect.fnUntraced(function* (child: ChildProcess) {
  const impatience = yield* Effect.sleep(grace).pipe(
    Effect.andThen(Effect.sync(() => child.kill("SIGKILL"))),
    Effect.interruptible,
    Effect.forkChild
  )
  yield* Effect.callback<void>((resume) => {
    const over = () => resume(Effect.void)
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return over()
    child.once("exit", over)
    child.kill("SIGTERM")
  })
  yield* Fiber.interrupt(impatience)
})

/** Runs the git program, without a shell, and answers with what it wrote; an interruption ends it, and waits for that. */
export const runGit = (
  { args, environment: more = {}, input = "", settings = [] }: GitRun,
  { output, timeout }: GitLimits = usual
): Effect.Effect<string, GitFailed> =>
  Effect.callback<string, GitFailed>((resume) => {
    const child = execFile(
      "git",
      [...told(settings), ...args],
      {
        env: { ...environment, ...more },
        // The service may well be started in a clone, whose settings are not its own.
        cwd: "/",
        timeout: Duration.toMillis(timeout),
        killSignal: "SIGKILL",
        maxBuffer: output,
        encoding: "utf8"
      },
      (error, written, said) => {
        if (error === null) return resume(Effect.succeed(written))
        const { code } = error as { readonly code?: number | string }
        const exitCode = typeof code === "number" ? code : undefined
        // What didn't start, or wrote too much, says so in the error alone.
        const failure = exitCode === undefined ? `${error.message.split("\n")[0]} ${said}` : said
        resume(Effect.fail(new GitFailed({ command: args[0] ?? "", exitCode, said: failure.trim() })))
      }
    )
    // A program that ends before it has read everything is told of by its exit.
    child.stdin?.on("error", () => {})
    child.stdin?.end(input)
    return end(child)
  })

const mostSaid = 4_096

/** Runs the git program, and streams what it writes, no faster than it is read; it ends with the stream. */
export const streamGit = ({
  args,
  environment: more = {},
  settings = []
}: Omit<GitRun, "input">): Stream.Stream<Uint8Array, GitFailed> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn("git", [...told(settings), ...args], {
            env: { ...environment, ...more },
            cwd: "/",
            stdio: ["ignore", "pipe", "pipe"]
          })
        ),
        end
      )
      let said = ""
      child.stderr.on("data", (chunk) => {
        if (said.length < mostSaid) said += String(chunk)
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
