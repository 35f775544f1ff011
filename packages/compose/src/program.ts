import { constants } from "node:fs"
import { access } from "node:fs/promises"
import { join } from "node:path"
import { RunFailure, type RunLimits, run as runProgram } from "@slipway/subprocess"
import { Data, Duration, Effect } from "effect"

/** The two generations of the program, which read and print differently. */
export type Generation = "first" | "second"

/** The program as a machine has it. */
export interface Program {
  /** The words that it is run by, its arguments left out. */
  readonly command: ReadonlyArray<string>
  readonly generation: Generation
}

/** Reports that the program failed, with what it said. */
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

/** How many bytes the program may fill: a few lines of ports could fill a machine's memory (invariant I25). */
export const usualMemory = 512 * 1024 * 1024

const limiter = "/usr/bin/prlimit"
const outOfMemory = /\bMemoryError\b|\bout of memory\b|cannot allocate memory/i

/** The messages for files that exceed a limit, by the limit. */
export const tookTooMuch = {
  memory: "reading the files took too much memory",
  time: "reading the files took too long"
} as const

const didNotRun = (why: string) => `the program didn't run (${why})`

/** Runs a program, which has nothing to put away, and answers with what it wrote. */
export const run = (
  [program = "", ...args]: ReadonlyArray<string>,
  limits: RunLimits = usual
): Effect.Effect<string, ProgramFailed> =>
  Effect.mapError(runProgram({ program, args, environment, limits }), ({ reason, said }) => {
    const why = RunFailure.$match(reason, {
      Exited: () => (outOfMemory.test(said) ? tookTooMuch.memory : said.trim()),
      WroteTooMuch: () => "the files say more than can be read",
      TookTooLong: () => tookTooMuch.time,
      NotStarted: ({ code }) => didNotRun(code),
      Killed: ({ signal }) => didNotRun(signal ?? "for no known reason")
    })
    return new ProgramFailed({ said: why })
  })

/** Where the engines' packages put the program as a plugin, which runs by itself as well. */
const pluginFolders = [
  "/usr/libexec/docker/cli-plugins",
  "/usr/lib/docker/cli-plugins",
  "/usr/local/libexec/docker/cli-plugins",
  "/usr/local/lib/docker/cli-plugins"
]

/** The folders in which the program is looked for, in their order. */
export const usualFolders: ReadonlyArray<string> = [...pluginFolders, "/usr/local/bin", "/usr/bin", "/bin"]

const isExecutable = (path: string) =>
  Effect.promise(() =>
    access(path, constants.X_OK).then(
      () => true,
      () => false
    )
  )

/** Finds the program, which may fill so many bytes of memory; nothing when the machine has none that answers. */
export const findProgram = Effect.fnUntraced(function* (folders: ReadonlyArray<string>, memory = usualMemory) {
  const before = (yield* isExecutable(limiter)) ? [limiter, `--data=${memory}`, "--core=0", "--"] : []
  for (const folder of folders) {
    const path = join(folder, "docker-compose")
    if (!(yield* isExecutable(path))) continue
    const version = yield* Effect.option(run([path, "version", "--short"]))
    if (version._tag === "None") continue
    const generation: Generation = /^v?1\./.test(version.value.trim()) ? "first" : "second"
    return { command: [...before, path], generation } satisfies Program
  }
  return undefined
})
