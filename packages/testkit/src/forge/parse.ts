import { parseScopeWord, type ScopeWord, type SwitchFacts, scopeWords } from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"
import type {
  Asker,
  OwnFacts,
  World,
  WorldItem,
  WorldOrganization,
  WorldProtection,
  WorldRepository,
  WorldTeam,
  WorldUser
} from "./World.ts"
import { bareLines, parseWorldLine, presentTime, WorldError } from "./worldLine.ts"

/**
 * Reads a test world (users, resources and permissions) from text, one resource per line.
 *
 * Examples of lines: `site +secondFactorRequired -stars` · `user ann admin` · `organization acme limited` · `team
 * acme/builders limited code=write issues=read on site vault: bob, cy` · `repository acme/site private off=wiki` ·
 * `collaborator cleo write acme/site` · `block acme eve` · `issue acme/site#1 author=cleo locked` · `token bob/ci
 * read:repository public-only` · `protection acme/site main push=bob,builders force=olga`.
 *
 * The team named `Owners` contains the owners of its organization. A permission that a protection does not mention is
 * granted to no user; `*` means all users with write access.
 *
 * With custom rules, lines can also declare custom resources, such as `printer tray-1 reserved size=a4 borrowed=bob`,
 * and the time of the decision, such as `at 2026-11-20T12:00:00Z`. Without such a line, the current time applies.
 */
export const parseWorld = (text: string, policy?: AnyPolicySet): World => {
  let site: Partial<SwitchFacts> = {}
  const users = new Map<string, WorldUser>()
  const organizations = new Map<string, WorldOrganization>()
  const teams: Array<WorldTeam> = []
  const repositories: Array<WorldRepository> = []
  const items: Array<WorldItem> = []
  const blocks: Array<World["blocks"][number]> = []
  const tokens = new Map<string, ReadonlyArray<ScopeWord>>()
  const protections: Array<WorldProtection> = []
  const own: Record<string, OwnFacts> = {}
  let at = presentTime()
  for (const line of bareLines(text)) {
    const read = parseWorldLine(line, policy)
    if (read.type === "site") site = { ...site, ...read.switches }
    else if (read.type === "user") users.set(read.user.name, read.user)
    else if (read.type === "organization") organizations.set(read.organization.name, read.organization)
    else if (read.type === "team") teams.push(read.team)
    else if (read.type === "repository") repositories.push(read.repository)
    else if (read.type === "collaborator") {
      const { level, name, path } = read
      const place = repositories.findIndex((each) => `${each.owner}/${each.name}` === path)
      const known = repositories[place]
      if (known === undefined) {
        const paths = repositories.map((each) => `${each.owner}/${each.name}`)
        throw new WorldError(line, `\`${path}\` is not in this world`, { word: path, known: paths })
      }
      repositories[place] = { ...known, collaborators: new Map(known.collaborators).set(name, level) }
    } else if (read.type === "block") blocks.push({ blocker: read.blocker, blocked: read.blocked })
    else if (read.type === "token") tokens.set(read.name, read.scopes)
    else if (read.type === "protection") protections.push(read.protection)
    else if (read.type === "item") items.push(read.item)
    else if (read.type === "at") at = read.at
    else own[read.key] = read.facts
  }
  const world: World = {
    ...{ site, users, organizations, teams, repositories, tokens, protections, items, blocks },
    ...(policy === undefined ? {} : { own, rules: { policy, at } })
  }
  checkWorld(world)
  return world
}

const ownerOf = (path: string): string => path.split("/")[0] ?? ""

/** Throws an error if a world refers to a resource that it does not contain. */
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

/** An access question about a world: the caller, the action, the resources, and the expected answer. */
export interface Question {
  readonly text: string
  readonly asker: Asker
  readonly action: string
  readonly things: ReadonlyArray<string>
  /** The expected answer: `allowed`, an HTTP status, or the names in a list. */
  readonly answer: string
  readonly by: ReadonlyArray<string>
}

/** Reads the token in a question: returns its scopes, and the words after it. */
const tokenIn = (line: string, name: string, rest: ReadonlyArray<string>, tokens: World["tokens"]) => {
  const words = [...rest]
  const token: Array<ScopeWord> = []
  const scopes = (word: string) => parseScopeWord(word) ?? tokens.get(`${name}/${word}`)
  for (let found = scopes(words[0] ?? ""); found !== undefined; found = scopes(words[0] ?? "")) {
    token.push(...[found].flat())
    words.shift()
  }
  if (token.length === 0) {
    const [word = ""] = words
    const own = [...tokens.keys()].flatMap((each) => (ownerOf(each) === name ? [each.slice(name.length + 1)] : []))
    const known = [...own, ...scopeWords]
    throw new WorldError(line, `\`${word}\` is neither a scope nor a token of ${name}`, { word, known })
  }
  return { token, words }
}

/**
 * Reads one access question, without its comment: the caller, the action and the resources, then the expected answer
 * and the deciding rules.
 *
 * A token is given by its scopes, or by its name in the world.
 */
export const parseQuestion = (line: string, tokens: World["tokens"] = new Map()): Question => {
  const [asked = "", expected = "", ...more] = line.split("->").map((each) => each.trim())
  if (more.length > 0) throw new WorldError(line, "a line has one expected answer; remove the second `->`")
  if (expected === "" && !line.endsWith("->")) throw new WorldError(line, "the expected answer is missing")
  const [name = "", ...rest] = asked.split(/[\s,]+/)
  const { token, words } =
    rest[0] === "with" ? tokenIn(line, name, rest.slice(1), tokens) : { token: undefined, words: rest }
  const [action = "", ...things] = words
  if (action === "") throw new WorldError(line, "the action is missing")
  const [answer = "", reasons = ""] = expected.split(/\s+by\s+/)
  return {
    text: line,
    asker: { name: name === "anonymous" ? undefined : name, token },
    action,
    things,
    answer,
    by: reasons.split(/[\s,]+/).filter(Boolean)
  }
}

/**
 * Reads access questions from text, one per line.
 *
 * Examples of lines: `bob repository.contents.change acme/site -> allowed by repository.team` · `bob with
 * read:repository, public-only repository.read acme/vault -> 403 by token.public-only` · `bob pushes acme/site main ->
 * 403 by protection.push` · `anonymous lists repository -> acme/site, ann/notes`.
 */
export const parseQuestions = (text: string, tokens: World["tokens"] = new Map()): ReadonlyArray<Question> =>
  bareLines(text).map((line) => parseQuestion(line, tokens))
