import { realpath, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { WorkShares } from "@slipway/domain"
import {
  ComposeReader,
  type ComposeReading,
  ComposeRefused,
  type ComposeRequest,
  type ComposeTextReading,
  type ComposeTextRequest
} from "@slipway/domain/deploy/containers"
import { type FolderKind, privateFolder, sweepFolders } from "@slipway/subprocess"
import { makeFairQueue } from "@slipway/threads"
import { Duration, Effect, Layer, Redacted, type Scope } from "effect"
import { checkFiles, insideOf, type Root, readVariablesFile } from "./check.ts"
import { findProgram, type Program, type ProgramFailed, run, unsetIn, usualFolders } from "./program.ts"
import { printedJson, unescapeDollars } from "./texts.ts"
import { variablesFile } from "./variablesFile.ts"
import { makeYamlThreads, type YamlThreads } from "./yamlThreads.ts"

/** The project name of every run. It has no effect on containers, because the platform chooses their names. */
const projectName = "slipway"
/**
 * The temporary folders with secret variables (invariant I15). Leftover folders are removed after an hour, which is
 * longer than reading a compose file takes.
 */
const readings: FolderKind = { prefix: "slipway-compose-", abandoned: Duration.hours(1) }
const concurrency = 2
const longestReason = 2_000

const refused = (because: string) => new ComposeRefused({ because })

const noProgram = refused(
  "no program for compose files is installed: install Docker's compose plugin, or Debian's docker-compose"
)

interface Prepared {
  readonly root: Root
  readonly folder: string
  readonly files: ReadonlyArray<string>
  /** The path of the temporary `.env` file with the variables. */
  readonly variables: string
}

const argumentsOf = ({ generation }: Program, { profiles }: ComposeRequest, { files, folder, variables }: Prepared) => [
  `--project-name=${projectName}`,
  `--project-directory=${folder}`,
  `--env-file=${variables}`,
  ...files.map((file) => `--file=${file}`),
  ...profiles.map((profile) => `--profile=${profile}`),
  "config",
  ...(generation === "second" ? ["--format=json"] : [])
]

/**
 * Maximum number of secret values, and of lines of values, to remove from the messages of the compose program
 * (invariant I25: bounded resources).
 */
const mostSecrets = 5_000
const shortestSecret = 4
const tooManySecrets = "the program rejected the files, and its message is hidden because it may contain secrets"

/**
 * Groups possible secrets by their first characters, longest secrets first; undefined if there are too many secrets.
 */
const secretsByStart = (secrets: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<string>> | undefined => {
  const all = new Set<string>()
  for (const secret of secrets) {
    // Lines are also searched separately, since programs may change line ends.
    for (const each of [secret, ...secret.split(/[\r\n]+/, mostSecrets + 1)]) {
      if (each.length >= shortestSecret) all.add(each)
    }
    if (all.size > mostSecrets) return undefined
  }
  // The longest first, since one may be the prefix of another.
  return Map.groupBy(
    [...all].toSorted((one, other) => other.length - one.length),
    (each) => each.slice(0, shortestSecret)
  )
}

/**
 * Returns the beginning of a text, in which possible secrets are replaced by `…`. The text is cut after the
 * replacement, so that no part of a secret is shown.
 */
const withoutSecrets = (text: string, secrets: ReadonlyMap<string, ReadonlyArray<string>>): string => {
  let shown = ""
  for (let at = 0; at < text.length && shown.length < longestReason; ) {
    const here = secrets.get(text.slice(at, at + shortestSecret))?.find((secret) => text.startsWith(secret, at))
    shown += here === undefined ? text.charAt(at) : "…"
    at += here?.length ?? 1
  }
  return shown
}

/** Returns the error message of the compose program, without paths of this machine and without possible secrets. */
const reasonOf = ({ said }: ProgramFailed, { root, variables }: Prepared, values: ReadonlyArray<string>): string => {
  // The fault is in the repository's file, and the rest of the message may be secret, in any quotes.
  if (said.includes(variables)) return "`.env` can't be read"
  const secrets = secretsByStart(values)
  if (secrets === undefined) return tooManySecrets
  return withoutSecrets(said.replaceAll(`${root.path}/`, "").replaceAll(root.path, "."), secrets)
}

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Removes the services of profiles that are not active. Version 1 of the compose program also prints these services.
 */
const enabled = (config: unknown, profiles: ReadonlyArray<string>): unknown => {
  if (!isFields(config) || !isFields(config.services)) return config
  const services = Object.entries(config.services).filter(([, service]) => {
    const own = isFields(service) ? service.profiles : undefined
    return !Array.isArray(own) || own.length === 0 || own.some((each) => profiles.includes(String(each)))
  })
  return { ...config, services: Object.fromEntries(services) }
}

const plainName = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/

const read = Effect.fnUntraced(function* (
  program: Program,
  yaml: YamlThreads,
  request: ComposeRequest,
  parent: string
) {
  const real = yield* Effect.tryPromise({
    try: () => realpath(request.directory),
    catch: () => refused("the repository's files are gone")
  })
  const root: Root = { path: resolve(request.directory), real }
  if (!request.profiles.every((profile) => plainName.test(profile))) {
    return yield* refused("a profile name may only contain letters, digits, `_`, `.` and `-`")
  }
  if (request.files.length === 0) return yield* refused("there is no compose file")
  const folder = yield* insideOf(root, request.folder)
  const files = yield* Effect.forEach(request.files, (file) => insideOf(root, file))
  yield* checkFiles(yaml, root, folder, files)
  const values = request.variables.map(([name, value]) => [name, Redacted.value(value)] as const)
  const beside = yield* readVariablesFile(root, folder)
  const variables = join(yield* privateFolder(readings, parent), "variables")
  const prepared: Prepared = { root, folder, files, variables }
  // The last definition wins: the application's own variables override those of the repository.
  const content = `${beside}\n${variablesFile(program.generation, values)}`
  yield* Effect.promise(() => writeFile(variables, content, { mode: 0o600, flag: "wx" }))
  const { said, written: printed } = yield* Effect.mapError(
    run([...program.command, ...argumentsOf(program, request, prepared)]),
    (failed) =>
      refused(
        reasonOf(
          failed,
          prepared,
          values.map(([, value]) => value)
        )
      )
  )
  const config = program.generation === "second" ? printedJson(printed) : yield* yaml.printed(printed)
  if ("because" in config) return yield* refused(`the output of the program is unreadable: ${config.because}`)
  const plain = unescapeDollars(config.said)
  const whole = program.generation === "second" ? plain : enabled(plain, request.profiles)
  return { config: whole, unset: unsetIn(said) } satisfies ComposeReading
})

/** The name of the temporary file that contains the compose text. */
const textFile = "compose.yaml"

/** Reads a compose text that is the only file of a new temporary directory. */
const readText = Effect.fnUntraced(function* (
  program: Program,
  yaml: YamlThreads,
  { text, variables }: ComposeTextRequest,
  parent: string
) {
  const directory = yield* privateFolder(readings, parent)
  yield* Effect.promise(() => writeFile(join(directory, textFile), text, { mode: 0o600, flag: "wx" }))
  const request = { directory, folder: "/", files: [textFile], profiles: [], variables }
  const reading = yield* read(program, yaml, request, parent)
  return { ...reading, directory } satisfies ComposeTextReading
})

const outline = Effect.fnUntraced(function* (yaml: YamlThreads, text: string) {
  const found = yield* yaml.outline(text)
  return "because" in found ? yield* refused(found.because) : found.said
})

/** The options of the compose reader. */
export interface ReaderOptions {
  /** The folder in which temporary folders with the input of the compose program are created. */
  readonly parent?: string
  /** Memory limit of the compose program in bytes. */
  readonly memory?: number
  /** Timeout of the compose program for one file. */
  readonly timeout?: Duration.Input
}

/** Provides a reader of compose files, which runs the compose program in one of these folders. */
export const layerComposeReaderIn = (
  folders: ReadonlyArray<string>,
  { memory, parent = tmpdir(), timeout }: ReaderOptions = {}
): Layer.Layer<ComposeReader> =>
  Layer.effect(
    ComposeReader,
    Effect.gen(function* () {
      yield* sweepFolders(readings, parent)
      const places = makeFairQueue(concurrency)
      const yaml = yield* makeYamlThreads(concurrency, timeout)
      let known: Program | undefined
      const program = Effect.gen(function* () {
        known ??= yield* findProgram(folders, memory)
        return known ?? (yield* noProgram)
      })
      const inTurn = <A, R>(work: (found: Program) => Effect.Effect<A, ComposeRefused, R | Scope.Scope>) =>
        Effect.flatMap(Effect.service(WorkShares), (keys) =>
          places.withTurn(keys)(Effect.flatMap(program, (found) => Effect.scoped(work(found))))
        )
      return {
        read: (request) => inTurn((found) => read(found, yaml, request, parent)),
        readText: (request) => inTurn((found) => readText(found, yaml, request, parent)),
        outline: (text) => outline(yaml, text)
      }
    })
  )

/** Provides a reader of compose files, which runs the installed program: Docker's compose plugin, or docker-compose. */
export const layerComposeReader: Layer.Layer<ComposeReader> = layerComposeReaderIn(usualFolders)
