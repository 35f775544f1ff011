import {
  type Command,
  CommandFailed,
  type CommandResult,
  ContainerNotFound,
  ContainerNotRunning,
  type ContainerRef,
  type Engine,
  type EngineFailure,
  EngineRefused,
  FileSizeDiffers,
  type LogsQuery,
  type WrittenFile
} from "@slipway/domain/deploy/containers"
import { Effect, Redacted, Result, Schedule, Schema, Stream } from "effect"
import { Tar } from "effect/encoding"
import { type Api, answerDecoder, refusal } from "./client.ts"
import { findOwned } from "./containers.ts"
import { demultiplex, framedLines, parseTimestamp } from "./streams.ts"

const readMade = answerDecoder(Schema.Struct({ Id: Schema.String }))
const readEnded = answerDecoder(Schema.Struct({ ExitCode: Schema.NullOr(Schema.Number), Running: Schema.Boolean }))

// Only the last lines of a program's output are kept: many may run concurrently (invariant I25).
const most = { lines: 1_000, characters: 2 ** 20 }
// The exit code of a shell that doesn't find the program.
const noSuchProgram = 127

const isMissingProgram = (because: string): boolean =>
  /executable file not found|no such file or directory|OCI runtime exec failed|permission denied/i.test(because)

const failedToRun = (because: string): CommandResult => ({
  exitCode: noSuchProgram,
  output: [{ stream: "stderr", text: because }]
})

interface Written {
  readonly lines: Array<CommandResult["output"][number]>
  characters: number
}

const lastOf = (written: Written, line: CommandResult["output"][number]): Written => {
  written.lines.push(line)
  written.characters += line.text.length
  while (written.lines.length > most.lines || written.characters > most.characters) {
    written.characters -= written.lines.shift()?.text.length ?? 0
  }
  return written
}

/** Creates an exec instance for a command in a running container, and returns its id. */
export const createExec = Effect.fnUntraced(function* (
  api: Api,
  ref: ContainerRef,
  command: Command,
  more: { readonly AttachStdin?: boolean; readonly Tty?: boolean } = {}
) {
  const container = yield* findOwned(api, ref)
  if (container.state !== "running") return yield* new ContainerNotRunning({ name: ref.name })
  const { argv, environment = [], user, workdir } = command
  const execution = yield* api.ask({
    method: "POST",
    path: `/containers/${container.id}/exec`,
    json: {
      AttachStdout: true,
      AttachStderr: true,
      ...more,
      Cmd: argv,
      Env: environment.map(([name, value]) => `${name}=${Redacted.value(value)}`),
      ...(user === undefined ? {} : { User: user }),
      ...(workdir === undefined ? {} : { WorkingDir: workdir })
    }
  })
  if (execution.status === 404) return yield* new ContainerNotFound({ name: ref.name })
  if (execution.status === 409) return yield* new ContainerNotRunning({ name: ref.name })
  return (yield* readMade(execution)).Id
})

/** Starts an exec instance, and streams the output of its command. */
const startExec = (api: Api, id: string) =>
  demultiplex(
    api.follow({ method: "POST", path: `/exec/${id}/start`, json: { Detach: false, Tty: false } }, (answer) =>
      refusal(answer)
    )
  )

const exitCodeOf = Effect.fnUntraced(function* (api: Api, id: string) {
  const { ExitCode } = yield* Effect.flatMap(api.ask({ method: "GET", path: `/exec/${id}/json` }), readEnded)
  return ExitCode ?? noSuchProgram
})

const exec = Effect.fnUntraced(function* (api: Api, ref: ContainerRef, command: Command) {
  const id = yield* createExec(api, ref, command)
  const ran = framedLines(startExec(api, id)).pipe(
    Stream.runFold((): Written => ({ lines: [], characters: 0 }), lastOf),
    Effect.map(({ lines }) => ({ output: lines })),
    Effect.catchTag("EngineRefused", (refused) =>
      isMissingProgram(refused.because)
        ? Effect.succeed({ failed: failedToRun(refused.because) })
        : Effect.fail(refused)
    )
  )
  const result = yield* ran
  if ("failed" in result) return result.failed
  return { exitCode: yield* exitCodeOf(api, id), output: result.output } satisfies CommandResult
})

const mostErrors = 4_096

const execOutput = (api: Api, ref: ContainerRef, command: Command) =>
  Stream.unwrap(
    Effect.map(createExec(api, ref, command), (id) => {
      const decoder = new TextDecoder()
      let errors = ""
      const ended = Effect.flatMap(exitCodeOf(api, id), (exitCode) =>
        exitCode === 0 ? Effect.void : Effect.fail(new CommandFailed({ exitCode, errors: errors.trimEnd() }))
      )
      return startExec(api, id).pipe(
        Stream.filterMap(({ bytes, stream }) => {
          if (stream === "stdout") return Result.succeed(bytes)
          errors = (errors + decoder.decode(bytes, { stream: true })).slice(-mostErrors)
          return Result.fail(undefined)
        }),
        Stream.catchTag("EngineRefused", ({ because }) =>
          Stream.fail(
            isMissingProgram(because)
              ? new CommandFailed({ exitCode: noSuchProgram, errors: because })
              : new EngineRefused({ because })
          )
        ),
        Stream.concat(Stream.drain(Stream.fromEffect(ended)))
      )
    })
  )

/**
 * Writes a file into a running or new container. The file is sent as an archive with one entry, which the engine
 * unpacks.
 */
const writeFile = Effect.fnUntraced(function* <E, R>(
  api: Api,
  ref: ContainerRef,
  { path, size }: WrittenFile,
  bytes: Stream.Stream<Uint8Array, E, R>
) {
  const container = yield* findOwned(api, ref)
  if (container.state !== "running" && container.state !== "created") {
    return yield* new ContainerNotRunning({ name: ref.name })
  }
  const slash = path.lastIndexOf("/")
  const services = yield* Effect.context<R>()
  let broken: E | FileSizeDiffers | undefined
  // The client reports a failure of the archive as one of the connection: the original is kept here.
  const keep = (error: E | FileSizeDiffers) =>
    Effect.sync(() => {
      broken = error
    })
  const archive = Stream.make(Tar.fileStream(path.slice(slash + 1), size, Stream.tapError(bytes, keep))).pipe(
    Stream.pipeThroughChannel(Tar.encode<never, unknown, Tar.Entry<E, R>>()),
    Stream.tapError(() => (broken === undefined ? keep(new FileSizeDiffers({ size })) : Effect.void)),
    Stream.provideContext(services)
  )
  const question = {
    method: "PUT",
    path: `/containers/${container.id}/archive`,
    query: { path: slash === 0 ? "/" : path.slice(0, slash) },
    archive,
    seconds: null
  } as const
  const answer = yield* Effect.result(api.ask(question))
  if (broken !== undefined) return yield* Effect.fail(broken)
  if (answer._tag === "Failure") return yield* Effect.fail(answer.failure)
  if (answer.success.status >= 400) return yield* refusal(answer.success)
})

/** Sends a tar archive, which the engine unpacks into a directory of a container. */
const unpack = Effect.fnUntraced(function* <E, R>(
  api: Api,
  ref: ContainerRef,
  directory: string,
  bytes: Stream.Stream<Uint8Array, E, R>
) {
  const { id } = yield* findOwned(api, ref)
  const services = yield* Effect.context<R>()
  let broken: { readonly error: E } | undefined
  const archive = bytes.pipe(
    // The client reports a failure of the archive as one of the connection: the original is kept here.
    Stream.tapError((error) =>
      Effect.sync(() => {
        broken = { error }
      })
    ),
    Stream.provideContext(services)
  )
  const path = `/containers/${id}/archive`
  const answer = yield* Effect.result(
    api.ask({ method: "PUT", path, query: { path: directory }, archive, seconds: null })
  )
  if (broken !== undefined) return yield* Effect.fail(broken.error)
  if (answer._tag === "Failure") return yield* Effect.fail(answer.failure)
  if (answer.success.status >= 400) return yield* refusal(answer.success)
})

/** Streams a file or directory of a container as a tar archive. */
const archive = (api: Api, ref: ContainerRef, path: string) =>
  Stream.unwrap(
    Effect.map(findOwned(api, ref), ({ id }) =>
      api.follow({ method: "GET", path: `/containers/${id}/archive`, query: { path }, seconds: null }, refusal)
    )
  )

/** Returns whether Podman failed to read a log because the last line was not completely written. */
const isHalfWritten = (failure: EngineFailure | ContainerNotFound): boolean =>
  failure._tag === "EngineRefused" && /is not a valid container log line/.test(failure.because)

/**
 * The retry schedule for logs with an incomplete last line. Podman fails before it returns any data, so a retry repeats
 * no lines.
 */
const untilWritten = Schedule.spaced("20 millis").pipe(
  Schedule.upTo({ times: 50 }),
  Schedule.while(({ input }: { readonly input: EngineFailure | ContainerNotFound }) => isHalfWritten(input))
)

const logs = (api: Api, ref: ContainerRef, { follow = false, since, tail }: LogsQuery) =>
  Stream.unwrap(
    Effect.map(findOwned(api, ref), ({ id }) => {
      const bytes = api.follow(
        {
          method: "GET",
          path: `/containers/${id}/logs`,
          query: {
            stdout: "true",
            stderr: "true",
            timestamps: "true",
            follow: String(follow),
            tail: tail === undefined ? "all" : String(tail),
            ...(since === undefined ? {} : { since: sinceOf(since) })
          }
        },
        (answer): EngineFailure | ContainerNotFound =>
          answer.status === 404 ? new ContainerNotFound({ name: ref.name }) : refusal(answer)
      )
      const lines = parseTimestamp(framedLines(demultiplex(Stream.retry(bytes, untilWritten)), true))
      // Podman also sends some of the lines written since it began to answer: only the first ones are contiguous.
      return follow || tail === undefined ? lines : Stream.take(lines, tail)
    })
  )

/** Converts a time to the format that both engines parse: seconds since 1970, with nanoseconds. */
const sinceOf = (moment: string): string => {
  const [whole = "", fraction = ""] = moment.replace(/(?:Z|[+-]\d\d:\d\d)$/, "").split(".")
  const zone = /(?:Z|[+-]\d\d:\d\d)$/.exec(moment)?.[0] ?? "Z"
  return `${Math.floor(Date.parse(`${whole}${zone}`) / 1_000)}.${fraction.padEnd(9, "0").slice(0, 9)}`
}

/** Returns the engine operations on programs in containers, their output and their files. */
export const programsOf = (
  api: Api
): Pick<Engine, "archive" | "exec" | "execOutput" | "logs" | "unpack" | "writeFile"> => ({
  archive: (ref, path) => archive(api, ref, path),
  exec: (ref, command) => exec(api, ref, command),
  execOutput: (ref, command) => execOutput(api, ref, command),
  logs: (ref, query = {}) => logs(api, ref, query),
  unpack: (ref, directory, bytes) => unpack(api, ref, directory, bytes),
  writeFile: (ref, file, bytes) => writeFile(api, ref, file, bytes)
})
