import { matchedAmong, type Pieces } from "../patterns/patterns.ts"

/** The possible paths of the file in a template repository that lists, as globs, the files with variables. */
export const templateFiles: ReadonlyArray<string> = [".gitea/template", ".forgejo/template"]

/** Returns the paths that match a glob in a template's list of files with variables; lines with `#` are comments. */
export const expandedFiles = (text: string, paths: ReadonlyArray<string>): Pieces<ReadonlyArray<string>> => {
  const lines = text.split("\n").map((line) => line.trim())
  return matchedAmong(
    lines.filter((line) => line !== "" && !line.startsWith("#")),
    paths
  )
}

const words = (text: string): ReadonlyArray<string> =>
  text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()

/** The transformations of a variable's value, by the suffix of the variable's name, such as `_SNAKE`. */
const transforms: Readonly<Record<string, (text: string) => string>> = {
  SNAKE: (text) => words(text).join("_").toLowerCase(),
  KEBAB: (text) => words(text).join("-").toLowerCase(),
  CAMEL: (text) =>
    words(text)
      .map((word, at) => (at === 0 ? word.toLowerCase() : capital(word)))
      .join(""),
  PASCAL: (text) => words(text).map(capital).join(""),
  LOWER: (text) => text.toLowerCase(),
  UPPER: (text) => text.toUpperCase(),
  TITLE: (text) => text.replace(/\p{L}+/gu, capital)
}

/** The URLs of a repository: its web page, and its clone URLs over HTTPS and SSH. */
export interface RepositoryAddresses {
  readonly page: string
  readonly https: string
  readonly ssh: string
}

/** The data of a repository from which template variables are computed. */
export interface VariableSource {
  readonly name: string
  readonly description: string
  readonly owner: string
  readonly addresses: RepositoryAddresses
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December"
]

/**
 * Returns the values of all template variables, by variable name.
 *
 * Names, descriptions and owners also have variables in other notations, such as `REPO_NAME_SNAKE`.
 */
export const templateVariables = (
  source: VariableSource,
  template: VariableSource,
  at: string
): Readonly<Record<string, string>> => {
  const [year = "", month = "", day = ""] = at.slice(0, 10).split("-")
  const plain = {
    YEAR: year,
    MONTH: month,
    MONTH_ENGLISH: months[Number(month) - 1] ?? "",
    DAY: day,
    REPO_LINK: source.addresses.page,
    TEMPLATE_LINK: template.addresses.page,
    REPO_HTTPS_URL: source.addresses.https,
    TEMPLATE_HTTPS_URL: template.addresses.https,
    REPO_SSH_URL: source.addresses.ssh,
    TEMPLATE_SSH_URL: template.addresses.ssh
  }
  const written = Object.entries({
    REPO_NAME: source.name,
    TEMPLATE_NAME: template.name,
    REPO_DESCRIPTION: source.description,
    TEMPLATE_DESCRIPTION: template.description,
    REPO_OWNER: source.owner,
    TEMPLATE_OWNER: template.owner
  }).flatMap(([name, value]) => [
    [name, value] as const,
    ...Object.entries(transforms).map(([ending, write]) => [`${name}_${ending}`, write(value)] as const)
  ])
  return { ...plain, ...Object.fromEntries(written) }
}

/** The maximum number of characters that template variables can add to a text. */
const mostAdded = 1_000_000

/**
 * Replaces template variables (`$NAME` and `${NAME}`) in a text by their values; unknown names stay unchanged.
 *
 * If the text would grow by more than 1,000,000 characters, it is returned unchanged.
 *
 * @example
 * expandVariables("# ${REPO_NAME}, $YEAR: $5 $HOME", { REPO_NAME: "door", YEAR: "2026" }) // => "# door, 2026: $5 $HOME"
 */
export const expandVariables = (text: string, variables: Readonly<Record<string, string>>): string => {
  const parts: Array<string> = []
  let [end, left] = [0, mostAdded]
  for (const { 0: whole, 1: braced, 2: bare, index } of text.matchAll(/\$(?:\{(\w+)\}|(\w+))/g)) {
    const name = braced ?? bare ?? ""
    const value = Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole
    left -= value.length - whole.length
    if (left < 0) return text
    parts.push(text.slice(end, index), value)
    end = index + whole.length
  }
  return [...parts, text.slice(end)].join("")
}
