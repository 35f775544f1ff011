import { type Level, levelWords, parseLevel, parseVisibility, type Visibility } from "@slipway/access"
import { closest } from "@slipway/access/proof"
import {
  everyUnit,
  type ItemKind,
  itemKinds,
  itemVocabularies,
  normaliseUnits,
  parseScopeWord,
  parseTeamVisibility,
  parseUnit,
  type Rulebook,
  type ScopeWord,
  type SwitchFacts,
  scopeWords,
  switchVocabulary,
  type Unit,
  type Units,
  unitKeys
} from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { isItemKind } from "@slipway/domain/forge/entry"
import { DateTime, Option } from "effect"
import { ownFactsOf, ownKindsOf } from "./customResources.ts"
import type {
  OwnFacts,
  WorldItem,
  WorldOrganization,
  WorldPermitted,
  WorldProtection,
  WorldRepository,
  WorldTeam,
  WorldUser
} from "./World.ts"

/** The invalid word of a line, and the words that are valid in its place. */
export interface InvalidWord {
  readonly word: string
  readonly known?: Iterable<string>
}

/** A line of a test world or an access question is invalid. */
export class WorldError extends Error {
  /** The invalid line, without its comment. */
  readonly line: string
  /** The reason, without the line. */
  readonly why: string
  /** The invalid word; undefined if the whole line is invalid. */
  readonly word: string | undefined
  /** A similar valid word. */
  readonly suggestion: string | undefined
  constructor(line: string, why: string, invalid?: InvalidWord) {
    const suggestion = invalid && closest(invalid.word, invalid.known ?? [])
    super(`${why}: \`${line}\`${suggestion === undefined ? "" : `; did you mean \`${suggestion}\`?`}`)
    this.name = "WorldError"
    this.line = line
    this.why = why
    this.word = invalid?.word
    this.suggestion = suggestion
  }
}

/** Returns a line without its comment and surrounding spaces. */
export const bareLine = (line: string): string => line.replace(/(^|\s)#.*$/, "").trim()

/** Returns the lines of a text that are not empty, without comments. */
export const bareLines = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map(bareLine)
    .filter((line) => line !== "")

const visibilityIn = (words: ReadonlyArray<string>): Visibility =>
  words.map(parseVisibility).find((each) => each !== undefined) ?? "public"

const only = (line: string, words: ReadonlyArray<string>, allowed: ReadonlyArray<string>) => {
  for (const word of words) {
    if (!allowed.includes(word)) throw new WorldError(line, `\`${word}\` is unknown here`, { word, known: allowed })
  }
}

/** The names of units (parts of a repository, such as issues) in lines about teams. */
export const unitWords = unitKeys.map((unit) => unit.replace("repo.", ""))

const unitOf = (line: string, word: string): Unit => {
  const unit = parseUnit(`repo.${word}`)
  if (unit === undefined) {
    throw new WorldError(line, `\`${word}\` is not a unit`, { word, known: unitWords })
  }
  return unit
}

const levelOf = (line: string, word: string): Level => {
  const level = parseLevel(word)
  if (level === undefined) {
    throw new WorldError(line, `\`${word}\` is not a level`, { word, known: levelWords })
  }
  return level
}

/**
 * Splits a path into its two names, such as `acme` and `site`. Throws an error with the line if the path is invalid.
 */
export const pathOf = (line: string, path: string): readonly [string, string] => {
  const [owner, name, ...more] = path.split("/")
  if (!owner || !name || more.length > 0) {
    throw new WorldError(line, `\`${path}\` is not an owner/name`, { word: path })
  }
  return [owner, name]
}

const user = (line: string, name: string, words: ReadonlyArray<string>): WorldUser => {
  only(line, words, ["public", "limited", "private", "admin", "restricted", "second-factor", "no-organizations"])
  return {
    name,
    visibility: visibilityIn(words),
    admin: words.includes("admin"),
    restricted: words.includes("restricted"),
    secondFactor: words.includes("second-factor"),
    createsOrganizations: !words.includes("no-organizations")
  }
}

const organization = (line: string, name: string, words: ReadonlyArray<string>): WorldOrganization => {
  only(line, words, ["public", "limited", "private"])
  return { name, visibility: visibilityIn(words) }
}

const team = (line: string, path: string, rest: string): WorldTeam => {
  const [owner, name] = pathOf(line, path)
  const [described = "", people = ""] = rest.split(":")
  const [rights = "", held = ""] = described.split(/\bon\b/)
  const words = rights.trim().split(/\s+/).filter(Boolean)
  const owners = name === "Owners"
  let units: Units = owners || words.includes("admin") ? everyUnit(3) : {}
  let visibility: WorldTeam["visibility"] = "private"
  for (const word of words) {
    const [unit, level] = word.split("=")
    const seen = parseTeamVisibility(word)
    if (unit && level) units = { ...units, [unitOf(line, unit)]: levelOf(line, level) }
    else if (seen) visibility = seen
    else only(line, [word], ["admin", "creates"])
  }
  const repositories = held.trim().split(/\s+/).filter(Boolean)
  return {
    organization: owner,
    name,
    visibility,
    units: normaliseUnits(units),
    owners,
    createsRepositories: owners || words.includes("creates"),
    repositories: owners || repositories.includes("*") ? "all" : repositories,
    members: people
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean)
  }
}

const repository = (line: string, path: string, words: ReadonlyArray<string>): WorldRepository => {
  const [owner, name] = pathOf(line, path)
  const off = words.filter((word) => word.startsWith("off=")).flatMap((word) => word.slice(4).split(","))
  only(
    line,
    words.filter((word) => !word.startsWith("off=")),
    ["public", "private", "archived", "mirror"]
  )
  return {
    owner,
    name,
    private: words.includes("private"),
    archived: words.includes("archived"),
    mirror: words.includes("mirror"),
    off: off.map((word) => unitOf(line, word)),
    collaborators: new Map()
  }
}

const item = (line: string, kind: ItemKind, path: string, words: ReadonlyArray<string>): WorldItem => {
  if (!/^[^/#]+\/[^/#]+#.+$/.test(path)) {
    throw new WorldError(line, `\`${path}\` is not an owner/name#number`, { word: path })
  }
  const facts = new Map<string, true | { readonly user: string }>()
  for (const word of words) {
    const [fact = "", name] = word.split("=")
    only(line, [fact], Object.keys(itemVocabularies[kind]))
    facts.set(fact, name === undefined ? true : { user: name })
  }
  return { kind, path, facts }
}

const permitted = (words: ReadonlyArray<string>, name: "push" | "force"): WorldPermitted => {
  const value = words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
  return value === "*" ? "*" : (value ?? "").split(",").filter(Boolean)
}

const protection = (
  line: string,
  repository: string,
  [rule = "", ...words]: ReadonlyArray<string>
): WorldProtection => {
  pathOf(line, repository)
  if (rule === "") throw new WorldError(line, "the branch is missing")
  only(
    line,
    words.map((word) => word.split("=")[0] ?? ""),
    ["push", "force"]
  )
  return { repository, rule, push: permitted(words, "push"), force: permitted(words, "force") }
}

/** Returns the current time, which is the default time at which custom rules are evaluated. */
export const presentTime = (): string => DateTime.formatIso(DateTime.nowUnsafe())

/**
 * Parses a time in a line, and returns it in the format that custom rules use. Throws an error with the line if it is
 * invalid.
 */
export const timeOf = (line: string, text: string): string => {
  const time = DateTime.make(text)
  if (Option.isNone(time)) throw new WorldError(line, `\`${text}\` is not a time`, { word: text })
  return DateTime.formatIso(time.value)
}

const scopeIn = (line: string, words: ReadonlyArray<string>): ReadonlyArray<ScopeWord> =>
  words.map((word) => {
    const scope = parseScopeWord(word)
    if (scope === undefined) {
      throw new WorldError(line, `\`${word}\` is not a scope`, { word, known: scopeWords })
    }
    return scope
  })

const switchesIn = (line: string, words: ReadonlyArray<string>): Partial<SwitchFacts> => {
  const switches: { -readonly [K in keyof SwitchFacts & string]?: boolean } = {}
  for (const word of words) {
    const fact = word.slice(1)
    if (!(fact in switchVocabulary) || !/^[+-]/.test(word)) {
      const sign = word.startsWith("-") ? "-" : "+"
      const known = Object.keys(switchVocabulary).map((name) => `${sign}${name}`)
      throw new WorldError(line, `\`${word}\` is not a switch`, { word, known })
    }
    switches[fact as keyof SwitchFacts & string] = word.startsWith("+")
  }
  return switches
}

/** The first words of the lines of a world without custom rules. */
export const resourceWords: ReadonlyArray<string> = [
  ...["site", "user", "organization", "team", "repository", "collaborator", "block", "token", "protection"],
  ...itemKinds
]

/** Returns the first words of the lines of a scenario file that are not expectations. */
export const scenarioWords = (rulebook: Rulebook): ReadonlyArray<string> => [
  "scenario",
  ...resourceWords,
  ...ownKindsOf(rulebook),
  "at"
]

/** The parsed content of one line of a test world. */
export type WorldLine =
  | { readonly type: "site"; readonly switches: Partial<SwitchFacts> }
  | { readonly type: "user"; readonly user: WorldUser }
  | { readonly type: "organization"; readonly organization: WorldOrganization }
  | { readonly type: "team"; readonly team: WorldTeam }
  | { readonly type: "repository"; readonly repository: WorldRepository }
  | { readonly type: "collaborator"; readonly name: string; readonly level: Level; readonly path: string }
  | { readonly type: "block"; readonly blocker: string; readonly blocked: string }
  | { readonly type: "token"; readonly name: string; readonly scopes: ReadonlyArray<ScopeWord> }
  | { readonly type: "protection"; readonly protection: WorldProtection }
  | { readonly type: "item"; readonly item: WorldItem }
  | { readonly type: "at"; readonly at: string }
  | { readonly type: "own"; readonly key: string; readonly facts: OwnFacts }

/** Parses a line of a test world, without its comment. Throws a {@link WorldError} if the line itself is invalid. */
export const parseWorldLine = (line: string, policy?: AnyPolicySet): WorldLine => {
  const [type = "", name = "", ...words] = line.split(/\s+/)
  const own = policy === undefined ? [] : [...ownKindsOf(policy.rulebook), "at"]
  const known = [...resourceWords, ...own]
  if (!known.includes(type)) throw new WorldError(line, `\`${type}\` is not a resource type`, { word: type, known })
  if (name === "") throw new WorldError(line, `\`${type}\` needs a name`, { word: type })
  switch (type) {
    case "site":
      return { type, switches: switchesIn(line, [name, ...words]) }
    case "user":
      return { type, user: user(line, name, words) }
    case "organization":
      return { type, organization: organization(line, name, words) }
    case "team": {
      const path = name.replace(/:$/, "")
      return { type, team: team(line, path, line.slice(line.indexOf(name) + path.length)) }
    }
    case "repository":
      return { type, repository: repository(line, name, words) }
    case "collaborator": {
      const [level = "", path = ""] = words
      pathOf(line, path)
      return { type, name, level: levelOf(line, level), path }
    }
    case "block":
      return { type, blocker: name, blocked: words[0] ?? "" }
    case "token":
      pathOf(line, name)
      return { type, name, scopes: scopeIn(line, words) }
    case "protection":
      return { type, protection: protection(line, name, words) }
    case "at":
      return { type, at: timeOf(line, name) }
    default: {
      if (isItemKind(type) || policy === undefined) {
        return { type: "item", item: item(line, type as ItemKind, name, words) }
      }
      const wrong = (word: string) => new WorldError(line, `\`${word}\` is unknown here`, { word })
      return { type: "own", key: `${type} ${name}`, facts: ownFactsOf(policy.rulebook, type, words, wrong) }
    }
  }
}
