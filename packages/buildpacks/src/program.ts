import { PackerFailed } from "@slipway/domain/deploy/containers"
import { mostLines } from "@slipway/domain/deploy/runtime"
import { Effect, type Redacted, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"

/** A run of a build-pack program: its arguments, environment and limits. */
export interface Run {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly home: string
  readonly environment?: Readonly<Record<string, string | Redacted.Redacted>>
}

const mostOutput = 8 * 1024 * 1024
const grace = "5 seconds"

const spawn = Effect.fnUntraced(function* ({ args, environment, home, program }: Run, path: string) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  return yield* spawner
    .spawn(
      ChildProcess.make(program, args, {
        // Without the platform's own environment, which contains its secrets.
        env: { ...environment, PATH: path, HOME: home, TMPDIR: home, LC_ALL: "C.UTF-8" },
        cwd: home,
        stdin: "ignore",
        forceKillAfter: grace
      })
    )
    .pipe(
      Effect.mapError((error) =>
        error.reason._tag === "NotFound"
          ? new PackerFailed({ because: `the program ${program} isn't installed on the platform's machine` })
          : new PackerFailed({ because: `the program ${program} can't be started: ${error.message}` })
      )
    )
})

const broken = (program: string) => () => new PackerFailed({ because: `the output of ${program} can't be read` })

const succeeds = Effect.fnUntraced(function* (program: string, handle: ChildProcessSpawner.ChildProcessHandle) {
  const code = yield* Effect.mapError(handle.exitCode, broken(program))
  if (code !== 0) return yield* new PackerFailed({ because: `${program} exited with ${code}` })
})

/**
 * Runs a program and reports each line of its standard output and standard error as it arrives. An interruption stops
 * the program.
 */
export const runReportingLines = (run: Run, path: string, say: (line: string) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const handle = yield* spawn(run, path)
    let left = mostOutput
    let lines = 0
    yield* handle.all.pipe(
      // By bytes, because a program may write forever without ending a line (invariant I25).
      Stream.map((bytes) => {
        const output = bytes.subarray(0, Math.max(0, left))
        left -= bytes.length
        return output
      }),
      Stream.decodeText,
      Stream.splitLines,
      Stream.mapError(broken(run.program)),
      Stream.runForEach((line) => (++lines > mostLines ? Effect.void : say(line)))
    )
    yield* succeeds(run.program, handle)
  }).pipe(Effect.scoped)

/** Runs a program, and returns its standard output, up to 8 MiB (invariant I25: bounded resources). */
export const runReading = (run: Run, path: string) =>
  Effect.gen(function* () {
    const handle = yield* spawn(run, path)
    let size = 0
    const text = yield* handle.stdout.pipe(
      Stream.tap((chunk) => {
        size += chunk.length
        return size > mostOutput ? new PackerFailed({ because: `${run.program} wrote too much` }) : Effect.void
      }),
      Stream.decodeText,
      Stream.mkString,
      Effect.mapError((error) => (error._tag === "PackerFailed" ? error : broken(run.program)()))
    )
    yield* succeeds(run.program, handle)
    return text
  }).pipe(Effect.scoped)
