import { traced, tracedScope } from "@slipway/domain"
import { GitOverloaded } from "@slipway/domain/forge/code"
import { end, type Program, spawn } from "@slipway/subprocess"
import { Duration, Effect, type Scope, Semaphore, Stream } from "effect"
import { configArguments, environment, GitFailed } from "../../program.ts"
import { runTiedToService as tiedProgram } from "./childProcess.ts"

/** A git command to run on a repository. */
export interface Command {
  readonly folder: string
  readonly args: ReadonlyArray<string>
  readonly input?: string | Uint8Array
  readonly settings?: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
  readonly timeout?: Duration.Duration
  /** Exit codes other than 0 that count as success; the outcome contains the exit code. */
  readonly mayEnd?: ReadonlyArray<number>
  /** Whether the program is stopped when the service is killed; excludes standard input. */
  readonly tied?: boolean
}

/** The output of a run, and its exit code. */
export interface Outcome {
  readonly output: Buffer
  readonly exitCode: number
}

/** Runs git on repositories; at the limit of concurrent programs, a command waits, or fails with `GitOverloaded`. */
export interface Programs {
  readonly run: (command: Command) => Effect.Effect<Outcome, GitFailed | GitOverloaded>
  readonly stream: (command: Command) => Stream.Stream<Uint8Array, GitFailed | GitOverloaded>
}

/** Maximum number of concurrent git programs, not counting the long-running programs of the pool. */
const concurrency = 16
const longestWait = Duration.seconds(10)
const usualTime = Duration.seconds(30)
/** The timeout of a stream, which is long because its reader may be slow. */
const streamTime = Duration.minutes(30)
const mostOutput = 64 * 1024 * 1024
const mostErrorBytes = 4_096
const timeout = Duration.seconds(1)

/** The environment variables of each command; disables replacement objects, because an object must match its id. */
const ownEnvironment = { ...environment, GIT_NO_REPLACE_OBJECTS: "1", GIT_NO_LAZY_FETCH: "1" }
const ownSettings = ["core.warnAmbiguousRefs=false", "core.protectHFS=true", "core.protectNTFS=true"]

/** Starts the git program on a repository. */
export const startGit = ({ args, environment: more = {}, folder, settings = [], tied = false }: Command): Program => {
  const all = [...configArguments([...ownSettings, ...settings]), `--git-dir=${folder}`, ...args]
  const [program, words] = tied ? ["sh", ["-c", tiedProgram, "sh", "git", ...all]] : ["git", all]
  return spawn(program, words, { environment: { ...ownEnvironment, ...more }, isDetached: tied })
}

const start = (command: Command): Effect.Effect<Program, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = startGit(command)
      // If a program exits before it has read its input, its exit code reports that.
      child.stdin.on("error", () => {})
      if (command.tied !== true) child.stdin.end(command.input ?? "")
      return child
    }),
    (child) => end(child, timeout)
  )

const failed = ({ args }: Command, exitCode: number | undefined, said: string) =>
  new GitFailed({ command: args[0] ?? "", exitCode, said: said.trim() })

/** Returns a program's outcome once it has exited. */
const ending = (child: Program, command: Command): Promise<{ exitCode: number } | GitFailed> => {
  let said = ""
  child.stderr.on("data", (chunk) => {
    if (said.length < mostErrorBytes) said += String(chunk)
  })
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve(failed(command, undefined, message)))
    child.once("close", (code) =>
      resolve(
        code === 0 || (code !== null && command.mayEnd?.includes(code) === true)
          ? { exitCode: code }
          : failed(command, code ?? undefined, said)
      )
    )
  })
}

const late = { duration: usualTime, orElse: () => Effect.fail(new GitOverloaded({ of: "time" })) }

const collect = (command: Command) =>
  Effect.gen(function* () {
    const child = yield* start(command)
    const pieces: Array<Buffer> = []
    let length = 0
    const tooMuch = new Promise<GitOverloaded>((resolve) => {
      child.stdout.on("data", (piece: Buffer) => {
        length += piece.length
        if (length > mostOutput) resolve(new GitOverloaded({ of: "output" }))
        else pieces.push(piece)
      })
    })
    const ended = yield* Effect.promise(() => Promise.race([ending(child, command), tooMuch]))
    if ("_tag" in ended) return yield* ended
    return { output: Buffer.concat(pieces), exitCode: ended.exitCode }
  }).pipe(
    Effect.scoped,
    Effect.timeoutOrElse({ ...late, duration: command.timeout ?? usualTime }),
    traced("git", { command: command.args[0] ?? "" })
  )

const written = (command: Command): Stream.Stream<Uint8Array, GitFailed | GitOverloaded> =>
  Stream.unwrap(
    Effect.gen(function* () {
      yield* tracedScope("git", { command: command.args[0] ?? "" })
      const child = yield* start(command)
      const ended = ending(child, command)
      const over = { time: false }
      const kill = Effect.sync(() => {
        over.time = true
        child.kill("SIGKILL")
      })
      yield* Effect.forkScoped(Effect.delay(kill, command.timeout ?? streamTime))
      const pieces = Stream.fromAsyncIterable<Uint8Array, GitFailed>(child.stdout, (error) =>
        failed(command, undefined, String(error))
      )
      const checked = Effect.gen(function* () {
        const how = yield* Effect.promise(() => ended)
        if (over.time) return yield* new GitOverloaded({ of: "time" })
        if ("_tag" in how) return yield* how
      })
      return Stream.concat(pieces, Stream.drain(Stream.fromEffect(checked)))
    })
  )

/** Makes the functions that run git commands, with a shared limit of concurrent programs. */
export const makePrograms: Effect.Effect<Programs> = Effect.map(Semaphore.make(concurrency), (slots) => {
  const slot = slots.takeScoped(1).pipe(
    Effect.timeoutOrElse({
      duration: longestWait,
      orElse: () => Effect.fail(new GitOverloaded({ of: "programs" }))
    })
  )
  return {
    run: (command) => Effect.scoped(Effect.andThen(slot, collect(command))),
    stream: (command) => Stream.unwrap(Effect.as(slot, written(command)))
  }
})
