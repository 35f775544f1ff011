import { Result } from "effect"
import { isInnerPath } from "../../apps/fields/paths.ts"
import { wordsOf } from "../../base/words/words.ts"
import { shown } from "./project/location.ts"

/** The parsed options of an application's custom `docker compose` command. */
export interface ComposeCommand {
  /** The paths of compose files; if empty, the application's configured file is used. */
  readonly files: ReadonlyArray<string>
  readonly profiles: ReadonlyArray<string>
  /** The names of the services to start or build; empty for all. */
  readonly services: ReadonlyArray<string>
  /** Whether the build cache is disabled. */
  readonly noCache: boolean
  readonly pull: boolean
}

const none: ComposeCommand = { files: [], profiles: [], services: [], noCache: false, pull: false }

type Reader = (command: ComposeCommand, value: string) => ComposeCommand | string

interface Row {
  readonly names: ReadonlyArray<string>
  /** Whether the option is a flag without a value; otherwise the next word is its value. */
  readonly alone?: true
  readonly read: Reader
}

const mostWords = 200
const serviceForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/
const unchanged: Reader = (command) => command

const file: Reader = (command, value) =>
  value === "" || value.includes("\0") || !isInnerPath(value)
    ? "must be a path inside the repository, without `..`"
    : { ...command, files: [...command.files, value] }
const profile: Reader = (command, value) =>
  serviceForm.test(value) ? { ...command, profiles: [...command.profiles, value] } : "must be the name of a profile"
const pulling: Reader = (command, value) =>
  value === "always" || value === "true" ? { ...command, pull: true } : command
const fresh: Reader = (command) => ({ ...command, noCache: true })

const general: ReadonlyArray<Row> = [
  { names: ["--file", "-f"], read: file },
  { names: ["--profile"], read: profile },
  { names: ["--progress"], read: unchanged },
  { names: ["--ansi"], read: unchanged }
]

const ofBuild: ReadonlyArray<Row> = [
  { names: ["--no-cache"], alone: true, read: fresh },
  { names: ["--pull"], alone: true, read: pulling },
  { names: ["--quiet", "-q"], alone: true, read: unchanged },
  { names: ["--progress"], read: unchanged }
]

/** The options of `docker compose up` that are accepted; most have no effect, because the platform decides them. */
const ofStart: ReadonlyArray<Row> = [
  { names: ["--detach", "-d"], alone: true, read: unchanged },
  { names: ["--build"], alone: true, read: unchanged },
  { names: ["--force-recreate"], alone: true, read: unchanged },
  { names: ["--remove-orphans"], alone: true, read: unchanged },
  { names: ["--wait"], alone: true, read: unchanged },
  { names: ["--quiet-pull"], alone: true, read: unchanged },
  { names: ["--yes", "-y"], alone: true, read: unchanged },
  { names: ["--pull"], read: pulling }
]

const commands: Readonly<Record<string, ReadonlyArray<Row>>> = { build: ofBuild, up: ofStart }

/** Returns the index of the first word after `docker-compose` or `docker compose`; undefined for another program. */
const after = (words: ReadonlyArray<string>): number | undefined => {
  if (words[0] === "docker-compose") return 1
  return words[0] === "docker" && words[1] === "compose" ? 2 : undefined
}

const shells = /[;&|<>`]|\$\(/

const meaningless = (word: string): string =>
  shells.test(word)
    ? `\`${shown(word)}\` needs a shell, and the command runs without one.`
    : word.startsWith("-")
      ? `The option ${shown(word.split("=")[0] ?? "")} is not supported.`
      : `\`${shown(word)}\` is not a service.`

/**
 * Parses the custom compose command of an application with an allowlist of options; fails with all problems.
 *
 * The command itself is never executed; only the parsed options are used (invariant I23: no shell).
 */
export const readComposeCommand = (line: string): Result.Result<ComposeCommand, ReadonlyArray<string>> => {
  const split = wordsOf(line)
  if (Result.isFailure(split)) return Result.fail([`${split.failure}.`])
  const words = split.success
  if (words.length === 0) return Result.succeed(none)
  if (words.length > mostWords) return Result.fail([`Must have at most ${mostWords} words.`])
  const start = after(words)
  if (start === undefined) return Result.fail(["Must begin with `docker compose`."])
  const problems: Array<string> = []
  let command = none
  let rows = general
  let chosen: string | undefined
  for (let at = start; at < words.length; at++) {
    const word = words[at] ?? ""
    if (!word.startsWith("-") && chosen === undefined) {
      chosen = word
      rows = Object.hasOwn(commands, word) ? (commands[word] ?? []) : []
      if (rows.length === 0) return Result.fail([...problems, `\`${shown(word)}\` must be \`build\` or \`up\`.`])
      continue
    }
    const [name = "", inline] = word.split(/=(.*)/s)
    const row = rows.find(({ names }) => names.includes(name))
    if (row === undefined) {
      if (chosen !== undefined && serviceForm.test(word))
        command = { ...command, services: [...command.services, word] }
      else problems.push(meaningless(word))
      continue
    }
    const value = inline ?? (row.alone ? "true" : words[++at])
    const read = value === undefined ? undefined : row.read(command, value)
    if (read === undefined) problems.push(`The option ${name} needs a value.`)
    else if (typeof read === "string") problems.push(`The value of ${name} ${read}.`)
    else command = read
  }
  if (chosen === undefined) problems.push("Must contain `build` or `up`.")
  return problems.length === 0 ? Result.succeed(command) : Result.fail([...new Set(problems)])
}
