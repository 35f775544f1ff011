import { type Level, parseLevel, parseVisibility, type Visibility } from "@slipway/access"
import {
  everyUnit,
  type ItemKind,
  itemVocabularies,
  normaliseUnits,
  parseScopeWord,
  parseTeamVisibility,
  parseUnit,
  type ScopeWord,
  type SwitchFacts,
  switchVocabulary,
  type Unit,
  type Units
} from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { isItemKind } from "@slipway/domain/forge/entry"
import { DateTime, Option } from "effect"
import { ownFactsOf, ownKindsOf } from "./customResources.ts"
import type {
  Asker,
  OwnFacts,
  World,
  WorldItem,
  WorldOrganization,
  WorldPermitted,
  WorldProtection,
  WorldRepository,
  WorldTeam,
  WorldUser
} from "./World.ts"

/** Reports the line of a world or of its questions that can't be parsed. */
export class WorldError extends Error {
  /** The invalid line, without its comment. */
  readonly line: string
  constructor(line: string, why: string) {
    super(`${why}: \`${line}\``)
    this.name = "WorldError"
    this.line = line
  }
}

/** Returns a line without its comment and surrounding spaces. */
export const bareLine = (line: string): string => line.replace(/(^|\s)#.*$/, "").trim()

/** Returns the non-empty lines of a text. */
export const bareLines = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map(bareLine)
    .filter((line) => line !== "")

const visibilityIn = (words: ReadonlyArray<string>): Visibility =>
  words.map(parseVisibility).find((each) => each !== undefined) ?? "public"

const only = (line: string, words: ReadonlyArray<string>, allowed: ReadonlyArray<string>) => {
  for (const word of words) if (!allowed.includes(word)) throw new WorldError(line, `\`${word}\` is unknown here`)
}

const unitOf = (line: string, word: string): Unit => {
  const unit = parseUnit(`repo.${word}`)
  if (unit === undefined) throw new WorldError(line, `\`${word}\` is not a unit`)
  return unit
}

const levelOf = (line: string, word: string): Level => {
  const level = parseLevel(word)
  if (level === undefined) throw new WorldError(line, `\`${word}\` is not a level`)
  return level
}

/** Returns the two names of a path, or fails with its line. */
export const pathOf = (line: string, path: string): readonly [string, string] => {
  const [owner, name, ...more] = path.split("/")
  if (!owner || !name || more.length > 0) throw new WorldError(line, `\`${path}\` is not an owner/name`)
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
  if (!/^[^/#]+\/[^/#]+#.+$/.test(path)) throw new WorldError(line, `\`${path}\` is not an owner/name#number`)
  const facts = new Map<string, true | { readonly user: string }>()
  for (const word of words) {
    const [fact = "", name] = word.split("=")
    only(line, [fact], Object.keys(itemVocabularies[kind]))
    facts.set(fact, name === undefined ? true : { user: name })
  }
  return { kind, path, facts }
}

const permitted = (words: ReadonlyArray<string>, name: "push" | "force"): WorldPermitted => {
  const given = words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
  return given === "*" ? "*" : (given ?? "").split(",").filter(Boolean)
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

/** Returns the current time, at which custom facts are evaluated by default. */
export const presentTime = (): string => DateTime.formatIso(DateTime.nowUnsafe())

/** Returns a time in the format of custom facts. */
export const timeOf = (line: string, text: string): string => {
  const time = DateTime.make(text)
  if (Option.isNone(time)) throw new WorldError(line, `\`${text}\` is not a time`)
  return DateTime.formatIso(time.value)
}

const scopeIn = (line: string, words: ReadonlyArray<string>): ReadonlyArray<ScopeWord> =>
  words.map((word) => {
    const scope = parseScopeWord(word)
    if (scope === undefined) throw new WorldError(line, `\`${word}\` is not a scope`)
    return scope
  })

/**
 * Reads a world from text, one resource per line.
 *
 * `site +secondFactorRequired -stars` · `user ann admin` · `organization acme limited` · `team acme/builders limited
 * code=write issues=read on site vault: bob, cy` · `repository acme/site private off=wiki` · `collaborator cleo write
 * acme/site` · `block acme eve` · `issue acme/site#1 author=cleo locked` · `token bob/ci read:repository public-only` ·
 * `protection acme/site main push=bob,builders force=olga`. The team named `Owners` owns its organization. A permission
 * that a protection doesn't mention is granted to no user; `*` means all users with write access.
 *
 * With custom rules, lines can also declare custom resources, such as `printer tray-1 reserved size=a4 borrowed=bob`,
 * and the time of the decision, such as `at 2026-11-20T12:00:00Z`; without it, the current time applies.
 */
export const parseWorld = (text: string, policy?: AnyPolicySet): World => {
  const site: { -readonly [K in keyof SwitchFacts & string]?: boolean } = {}
  const users = new Map<string, WorldUser>()
  const organizations = new Map<string, WorldOrganization>()
  const teams: Array<WorldTeam> = []
  const repositories: Array<WorldRepository> = []
  const items: Array<WorldItem> = []
  const blocks: Array<World["blocks"][number]> = []
  const tokens = new Map<string, ReadonlyArray<ScopeWord>>()
  const protections: Array<WorldProtection> = []
  const own: Record<string, OwnFacts> = {}
  const ownKinds = policy === undefined ? [] : ownKindsOf(policy.rulebook)
  let at = presentTime()
  for (const line of bareLines(text)) {
    const [kind = "", name = "", ...words] = line.split(/\s+/)
    if (kind === "site") {
      for (const word of [name, ...words]) {
        const fact = word.slice(1)
        if (!(fact in switchVocabulary) || !/^[+-]/.test(word))
          throw new WorldError(line, `\`${word}\` is not a switch`)
        site[fact as keyof SwitchFacts & string] = word.startsWith("+")
      }
    } else if (kind === "user") users.set(name, user(line, name, words))
    else if (kind === "organization") organizations.set(name, organization(line, name, words))
    else if (kind === "team")
      teams.push(team(line, name.replace(/:$/, ""), line.slice(line.indexOf(name) + name.replace(/:$/, "").length)))
    else if (kind === "repository") repositories.push(repository(line, name, words))
    else if (kind === "collaborator") {
      const [level = "", path = ""] = words
      const [owner, repositoryName] = pathOf(line, path)
      const found = repositories.findIndex((each) => each.owner === owner && each.name === repositoryName)
      const known = repositories[found]
      if (known === undefined) throw new WorldError(line, `\`${path}\` is not in this world`)
      repositories[found] = { ...known, collaborators: new Map(known.collaborators).set(name, levelOf(line, level)) }
    } else if (kind === "block") {
      const [blocked = ""] = words
      blocks.push({ blocker: name, blocked })
    } else if (kind === "token") {
      pathOf(line, name)
      tokens.set(name, scopeIn(line, words))
    } else if (kind === "protection") protections.push(protection(line, name, words))
    else if (isItemKind(kind)) items.push(item(line, kind, name, words))
    else if (policy !== undefined && kind === "at") at = timeOf(line, name)
    else if (policy !== undefined && ownKinds.includes(kind)) {
      const wrong = (word: string) => new WorldError(line, `\`${word}\` is unknown here`)
      own[`${kind} ${name}`] = ownFactsOf(policy.rulebook, kind, words, wrong)
    } else throw new WorldError(line, `\`${kind}\` is not a resource type`)
  }
  const world: World = {
    ...{ site, users, organizations, teams, repositories, tokens, protections, items, blocks },
    ...(policy === undefined ? {} : { own, rules: { policy, at } })
  }
  checkWorld(world)
  return world
}

const ownerOf = (path: string): string => path.split("/")[0] ?? ""

/** Throws when a world refers to a missing resource. */
export const checkWorld = (world: World): void => {
  const people = world.teams.flatMap((each) => each.members)
  const helpers = world.repositories.flatMap((each) => [...each.collaborators.keys()])
  const bearers = [...world.tokens.keys()].map(ownerOf)
  for (const name of [...people, ...helpers, ...bearers, ...world.blocks.map(({ blocked }) => blocked)]) {
    if (!world.users.has(name)) throw new WorldError(name, "no such user in this world")
  }
  for (const { facts, path } of world.items) {
    if (!world.repositories.some(({ name, owner }) => `${owner}/${name}` === path.split("#")[0])) {
      throw new WorldError(path, "no such repository")
    }
    for (const fact of facts.values()) {
      if (fact !== true && !world.users.has(fact.user)) throw new WorldError(fact.user, "no such user in this world")
    }
  }
  for (const fact of Object.values(world.own ?? {}).flatMap((facts) => Object.values(facts))) {
    if (typeof fact === "object" && !world.users.has(fact.user)) {
      throw new WorldError(fact.user, "no such user in this world")
    }
  }
  for (const { force, push, repository } of world.protections) {
    if (!world.repositories.some(({ name, owner }) => `${owner}/${name}` === repository)) {
      throw new WorldError(repository, "no such repository")
    }
    for (const name of [push, force].flatMap((each) => (each === "*" ? [] : each))) {
      const isTeam = world.teams.some((team) => team.organization === ownerOf(repository) && team.name === name)
      if (!isTeam && !world.users.has(name)) throw new WorldError(name, "no such user or team in this world")
    }
  }
  for (const each of world.teams) {
    if (!world.organizations.has(each.organization)) throw new WorldError(each.organization, "no such organization")
  }
  for (const owner of [
    ...world.repositories.map((each) => each.owner),
    ...world.blocks.map(({ blocker }) => blocker)
  ]) {
    if (!world.organizations.has(owner) && !world.users.has(owner)) throw new WorldError(owner, "no such owner")
  }
}

/** A question to a world, with the expected answer. */
export interface Question {
  readonly text: string
  readonly asker: Asker
  readonly action: string
  readonly things: ReadonlyArray<string>
  /** `allowed`, a status, or the names of a list. */
  readonly answer: string
  readonly by: ReadonlyArray<string>
}

/**
 * Reads questions, one per line: the caller, the action and its resources, then the expected answer and the deciding
 * rules. A token is given by its scope, or by its name in the world.
 *
 * `bob repository.contents.change acme/site -> allowed by repository.team` ·
 * `bob with read:repository, public-only repository.read acme/vault -> 403 by token.public-only` ·
 * `bob pushes acme/site main -> 403 by protection.push` · `anonymous lists repository -> acme/site, ann/notes`.
 */
export const parseQuestions = (text: string, tokens: World["tokens"] = new Map()): ReadonlyArray<Question> =>
  bareLines(text).map((line) => {
    const [asked = "", expected = ""] = line.split("->").map((each) => each.trim())
    if (expected === "" && !line.endsWith("->")) throw new WorldError(line, "the expected answer is missing")
    const [name = "", ...words] = asked.split(/[\s,]+/)
    const token: Array<ScopeWord> = []
    const withToken = words[0] === "with"
    if (withToken) {
      words.shift()
      const scopes = (word: string) => parseScopeWord(word) ?? tokens.get(`${name}/${word}`)
      for (let given = scopes(words[0] ?? ""); given !== undefined; given = scopes(words[0] ?? "")) {
        token.push(...[given].flat())
        words.shift()
      }
      if (token.length === 0) throw new WorldError(line, `\`${words[0]}\` is neither a scope nor a token of ${name}`)
    }
    const [action = "", ...things] = words
    const [answer = "", reasons = ""] = expected.split(/\s+by\s+/)
    return {
      text: line,
      asker: { name: name === "anonymous" ? undefined : name, token: withToken ? token : undefined },
      action,
      things,
      answer,
      by: reasons.split(/[\s,]+/).filter(Boolean)
    }
  })
