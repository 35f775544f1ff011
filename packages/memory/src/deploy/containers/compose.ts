import {
  ComposeReader,
  type ComposeReading,
  ComposeRefused,
  type ComposeRequest,
  type ComposeTextRequest
} from "@slipway/domain/deploy/containers"
import { Context, Effect, Layer, Predicate, Redacted } from "effect"

/**
 * Returns the output of the simulated `docker compose` program for a request. A returned `ComposeRefused` makes the
 * request fail.
 */
export type SimulatedCompose = (request: ComposeRequest, variables: ReadonlyMap<string, string>) => unknown

/** Controls the simulated compose reader: tests set the files, and the output of the program. */
export class ComposeSimulation extends Context.Service<
  ComposeSimulation,
  {
    /** Adds a file for readers. */
    readonly write: (path: string, text: string) => Effect.Effect<void>
    /** Sets the program's output for requests in which the last file has this text. */
    readonly answer: (text: string, compose: SimulatedCompose) => Effect.Effect<void>
  }
>()("@slipway/memory/deploy/ComposeSimulation") {}

const refuse = (because: string) => Effect.fail(new ComposeRefused({ because }))

/** Returns the segments of a relative path; undefined if the path leads out of its directory. */
const stepsOf = (path: string): ReadonlyArray<string> | undefined => {
  const steps = path.split("/").filter((step) => step !== "" && step !== ".")
  return steps.includes("..") ? undefined : steps
}

/**
 * Parses JSON, which is also valid YAML, so that tests need not set an output for it. Returns undefined for any other
 * text.
 */
const jsonIn = (text: string): object | undefined => {
  try {
    const parsed: unknown = JSON.parse(text)
    return Predicate.isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

const make = Effect.sync(() => {
  const texts = new Map<string, string>()
  const answers = new Map<string, SimulatedCompose>()

  const read = Effect.fnUntraced(function* (request: ComposeRequest) {
    if (stepsOf(request.folder) === undefined) return yield* refuse("the folder points outside of the repository")
    let last: string | undefined
    for (const file of request.files) {
      const steps = stepsOf(file)
      if (steps === undefined) return yield* refuse("a file points outside of the repository")
      last = texts.get([request.directory, ...steps].join("/"))
      if (last === undefined) return yield* refuse(`there is no \`${steps.join("/")}\` in the repository`)
    }
    return yield* answered(request, last ?? "")
  })

  const answered = Effect.fnUntraced(function* (request: ComposeRequest, text: string) {
    const json = jsonIn(text)
    const answer = answers.get(text) ?? (json === undefined ? undefined : () => json)
    if (answer === undefined) return yield* refuse("there is no compose file")
    const printed = answer(
      request,
      new Map(request.variables.map(([name, value]) => [name, Redacted.value(value)] as const))
    )
    if (printed instanceof ComposeRefused) return yield* printed
    const names = new Set(request.variables.map(([name]) => name))
    // The names in the text of the last file, as a program would find them; `$$` is a dollar sign.
    const named = [...text.matchAll(/\$\$|\$\{?([A-Za-z_]\w*)/g)].flatMap(([, name]) => name ?? [])
    const unset = [...new Set(named)].filter((name) => !names.has(name))
    return { config: printed, unset } satisfies ComposeReading
  })

  const readText = Effect.fnUntraced(function* ({ text, variables }: ComposeTextRequest) {
    const directory = "/text"
    return { ...(yield* answered({ directory, folder: "/", files: [], profiles: [], variables }, text)), directory }
  })

  /**
   * Returns the services of a compose file. Returns none if the file is not JSON and no test has set an output for it.
   */
  const outline = Effect.fnUntraced(function* (text: string) {
    if (!answers.has(text) && jsonIn(text) === undefined) return []
    const { config } = yield* readText({ text, variables: [] })
    const services = (config as { readonly services?: Readonly<Record<string, { readonly image?: string }>> }).services
    if (Object.keys(services ?? {}).length === 0) return yield* refuse("it has no service")
    return Object.entries(services ?? {}).map(([name, { image = null }]) => ({ name, image }))
  })

  return Context.make(ComposeReader, { read, readText, outline }).pipe(
    Context.add(ComposeSimulation, {
      write: (path, text) => Effect.sync(() => void texts.set(path, text)),
      answer: (text, compose) => Effect.sync(() => void answers.set(text, compose))
    })
  )
})

/** Reads compose files in memory. Tests set the files and the program's output. */
export const compose: Layer.Layer<ComposeReader | ComposeSimulation> = Layer.effectContext(make)
