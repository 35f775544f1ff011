import { Result } from "effect"
import { wordsOf } from "../../base/words/words.ts"
import { noOptions, type RunOptions } from "./ContainerSpec.ts"
import { type Row, table } from "./options/table.ts"

/** The access to its servers that the operator of the instance allows to applications. */
export interface HostAccess {
  /** Whether applications can mount paths of the server and run privileged containers. */
  readonly hostAccess: boolean
  /** The names of server networks that compose files can join as external networks. */
  readonly networks?: ReadonlyArray<string>
}

const rows: ReadonlyMap<string, Row> = new Map(table.flatMap((row) => row.names.map((name) => [name, row] as const)))

/** The names of the supported `docker run` options, in the order of the options table. */
export const optionNames: ReadonlyArray<string> = table.flatMap((row) => ("read" in row ? row.names : []))

interface Option {
  readonly name: string
  readonly value: string | undefined
}

/** Groups words into options with values; a value follows `=` in the same word, or is the next word. */
const optionsIn = (words: ReadonlyArray<string>): ReadonlyArray<Option> => {
  const options: Array<Option> = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ""
    const [name = "", value] = word.startsWith("-") ? word.split(/=(.*)/s) : [word]
    const row = rows.get(name)
    const takesNext = value === undefined && row !== undefined && row.alone !== true
    options.push({ name, value: takesNext ? words[at + 1] : value })
    if (takesNext) at++
  }
  return options
}

const tooLong = 500

const readOne = (
  options: RunOptions,
  { name, value }: Option,
  allowed: HostAccess
): Result.Result<RunOptions, string> => {
  const shown = name.slice(0, 100)
  const row = rows.get(name)
  if (row === undefined) {
    return Result.fail(
      name.startsWith("-") ? `The option ${shown} is not supported.` : `\`${shown}\` is not an option.`
    )
  }
  if ("instead" in row) return Result.fail(`The option ${shown} is not supported: use ${row.instead}.`)
  const set = value ?? (row.alone === true ? "true" : undefined)
  if (set === undefined) return Result.fail(`The option ${shown} needs a value.`)
  const opens = row.opensServer?.(set) === true
  if (opens && !allowed.hostAccess) {
    const said = value === undefined ? shown : `${shown} ${value.slice(0, 100)}`
    return Result.fail(
      `The option ${said} gives the container access to the server, which this instance does not allow.`
    )
  }
  const read = opens ? (row.readOpening ?? row.read) : row.read
  return Result.mapError(read(options, set), (mustBe) => `The value of ${shown} ${mustBe}.`)
}

/**
 * Parses the `docker run` options of an application; only options of an allowlist are accepted. Fails with all
 * problems.
 *
 * Values are literal, because no shell is used.
 */
export const readRunOptions = (line: string, allowed: HostAccess): Result.Result<RunOptions, ReadonlyArray<string>> => {
  const words = wordsOf(line)
  if (Result.isFailure(words)) return Result.fail([`${words.failure}.`])
  if (words.success.length > tooLong) return Result.fail([`Must have at most ${tooLong} words.`])
  const problems: Array<string> = []
  let options = noOptions
  for (const option of optionsIn(words.success)) {
    const read = readOne(options, option, allowed)
    if (Result.isSuccess(read)) options = read.success
    else problems.push(read.failure)
  }
  return problems.length === 0 ? Result.succeed(options) : Result.fail(problems)
}
