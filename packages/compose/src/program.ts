import { constants } from "node:fs"
import { access } from "node:fs/promises"
import { join } from "node:path"
import { RunFailure, type RunLimits, type RunOutput, runWithMessages } from "@slipway/subprocess"
import { Data, Duration, Effect } from "effect"

/** The major version of the compose program: `first` is 1.x, `second` is 2.x. The two differ in input and output. */
export type Generation = "first" | "second"

/** The installed compose program: its command and its generation. */
export interface Program {
  /** The command without its arguments. */
  readonly command: ReadonlyArray<string>
  readonly generation: Generation
}

/** The error of a failed run of the compose program, with the program's message. */
export class ProgramFailed extends Data.TaggedError("ProgramFailed")<{ readonly said: string }> {}

const usual: RunLimits = { timeout: Duration.seconds(30), output: 4 * 1024 * 1024 }

// Compose files can refer to these variables, so none of the platform's own is included.
const environment = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/nonexistent",
  LC_ALL: "C.UTF-8",
  DOCKER_CONFIG: "/nonexistent",
  COMPOSE_EXPERIMENTAL_GIT_REMOTE: "false",
  COMPOSE_EXPERIMENTAL_OCI_REMOTE: "false"
}

/**
 * Default memory limit of the compose program in bytes. Without a limit, a few lines with port ranges could use all
 * memory of the machine (invariant I25: bounded resources).
 */
export const usualMemory = 512 * 1024 * 1024

const limiter = "/usr/bin/prlimit"
const outOfMemory = /\bMemoryError\b|\bout of memory\b|cannot allocate memory/i

/** The error messages for compose files that exceed a limit, by the name of the limit. */
export const limitMessages = {
  memory: "reading the files took too much memory",
  time: "reading the files took too long"
} as const

const didNotRun = (why: string) => `the program did not run (${why})`

/**
 * Runs a program, and returns its output and its messages on standard error. An interruption kills the program
 * immediately.
 */
export const run = (
  [program = "", ...args]: ReadonlyArray<string>,
  limits: RunLimits = usual
): Effect.Effect<RunOutput, ProgramFailed> =>
  Effect.mapError(runWithMessages({ program, args, environment, limits }), ({ reason, said }) => {
    const why = RunFailure.$match(reason, {
      Exited: () => (outOfMemory.test(said) ? limitMessages.memory : said.trim()),
      WroteTooMuch: () => "the files are too large to read",
      TookTooLong: () => limitMessages.time,
      NotStarted: ({ code }) => didNotRun(code),
      Killed: ({ signal }) => didNotRun(signal ?? "for no known reason")
    })
    return new ProgramFailed({ said: why })
  })

/** The folders of Docker's CLI plugins. The compose plugin in these folders also runs as a standalone program. */
const pluginFolders = [
  "/usr/libexec/docker/cli-plugins",
  "/usr/lib/docker/cli-plugins",
  "/usr/local/libexec/docker/cli-plugins",
  "/usr/local/lib/docker/cli-plugins"
]

/** The folders in which the compose program is searched, in this order. */
export const usualFolders: ReadonlyArray<string> = [...pluginFolders, "/usr/local/bin", "/usr/bin", "/bin"]

/** Maximum number of variables without a value that are reported. */
const mostUnset = 50

/**
 * Parses the warnings of the compose program, in the formats of both generations, and returns the names of the
 * variables without a value.
 *
 * @example
 * unsetIn(`The word variable is not set. Defaulting to a blank string.`) // => ["word"]
 * unsetIn(`time="1" level=warning msg="The \\"A_1\\" variable is not set. Defaulting to a blank string."`) // => ["A_1"]
 */
export const unsetIn = (said: string): ReadonlyArray<string> => {
  const named = said.matchAll(/The [\\"']{0,2}([A-Za-z_][A-Za-z0-9_]{0,200})[\\"']{0,2} variable is not set/g)
  return [...new Set([...named].map(([, name = ""]) => name))].slice(0, mostUnset)
}

const isExecutable = (path: string) =>
  Effect.promise(() =>
    access(path, constants.X_OK).then(
      () => true,
      () => false
    )
  )

/**
 * Finds the installed compose program in the folders and sets its memory limit in bytes. Returns undefined if no folder
 * contains a working program.
 */
export const findProgram = Effect.fnUntraced(function* (folders: ReadonlyArray<string>, memory = usualMemory) {
  const before = (yield* isExecutable(limiter)) ? [limiter, `--data=${memory}`, "--core=0", "--"] : []
  for (const folder of folders) {
    const path = join(folder, "docker-compose")
    if (!(yield* isExecutable(path))) continue
    const version = yield* Effect.option(run([path, "version", "--short"]))
    if (version._tag === "None") continue
    const generation: Generation = /^v?1\./.test(version.value.written.trim()) ? "first" : "second"
    return { command: [...before, path], generation } satisfies Program
  }
  return undefined
})
