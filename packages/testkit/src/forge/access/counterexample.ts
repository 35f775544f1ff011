import { levelWord } from "@slipway/access"
import { type Proof, type Prover, type Request, type Statement, unusualFacts } from "@slipway/access/proof"
import {
  type ItemKind,
  isAboutCaller,
  itemVocabularies,
  newSiteSwitches,
  PolicySet,
  type ScopeCategory,
  scopeCategories,
  scopeFacts,
  type Unit,
  unitFacts,
  unitKeys,
  wordsOf
} from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { askPure } from "../ask.ts"
import { ownKindsOf, ownVocabularyOf } from "../customResources.ts"
import { factsOf } from "../facts.ts"
import { parseQuestions, parseWorld } from "../parse.ts"
import { formatLine } from "./format.ts"

type Facts = Request["facts"]

const organization = "acme"

/**
 * Collects the lines of a scenario, and returns them in the order in which a reader needs them. Equal lines are added
 * once.
 */
class Lines {
  private readonly sections = new Map<string, Set<string>>()
  readonly owners = new Set<string>()

  add(section: string, ...words: ReadonlyArray<string | false | undefined>): void {
    const lines = this.sections.get(section) ?? new Set()
    this.sections.set(section, lines.add(words.filter(Boolean).join(" ")))
  }

  get all(): ReadonlyArray<string> {
    if (this.owners.size > 0) this.add("team", `team ${organization}/Owners: ${[...this.owners].join(", ")}`)
    return ["site", "user", "organization", "repository", "collaborator", "team", "item", "block"].flatMap(
      (section) => [...(this.sections.get(section) ?? [])]
    )
  }
}

/** A caller of a scenario: the name, and the words that state the credential in a question. */
interface Caller {
  readonly name: string
  readonly isAnonymous: boolean
  readonly asks: string
}

const callerOf = (facts: Facts, name: string): Caller => {
  if (facts.signedIn !== true) return { name: "anonymous", isAnonymous: true, asks: "anonymous" }
  if (facts.withPassword === true) return { name, isAnonymous: false, asks: name }
  const levels = Object.fromEntries(scopeCategories.map((each) => [each, facts[scopeFacts[each]]]))
  const words = wordsOf({
    // BOUNDARY: the record has the fact of each category.
    levels: levels as Record<ScopeCategory, 0 | 1 | 2>,
    publicOnly: facts.publicOnly === true
  })
  return { name, isAnonymous: false, asks: `${name} with ${words.join(", ")}` }
}

const addCaller = (lines: Lines, facts: Facts, { isAnonymous, name }: Caller): void => {
  for (const [fact, usual] of Object.entries(newSiteSwitches)) {
    if (facts[fact] !== undefined && facts[fact] !== usual)
      lines.add("site", "site", `${facts[fact] ? "+" : "-"}${fact}`)
  }
  if (isAnonymous) return
  const ownVisibility = facts.repositoryOwner === true || facts.self === true
  lines.add(
    "user",
    "user",
    name,
    ownVisibility && visibilityOf(facts.userVisibility ?? facts.ownerVisibility),
    facts.siteAdmin === true && "admin",
    facts.restricted === true && "restricted",
    facts.secondFactor === true && "second-factor",
    facts.mayCreateOrganizations === false && "no-organizations"
  )
}

const visibilityOf = (value: Facts[string] | undefined): string | undefined =>
  value === undefined || value === "public" ? undefined : String(value)

const shortUnit = (unit: Unit): string => unit.replace("repo.", "")

/** Adds an organization to the lines, and the teams that make the caller a member. */
const addOrganization = (lines: Lines, facts: Facts, { isAnonymous, name }: Caller, repository?: string): void => {
  lines.add(
    "organization",
    "organization",
    organization,
    visibilityOf(facts.organizationVisibility ?? facts.ownerVisibility)
  )
  if (isAnonymous || facts.organizationMember !== true) return
  if (facts.organizationOwner === true) {
    lines.owners.add(name)
    return
  }
  const units =
    facts.teamAdmin === true
      ? ["admin"]
      : unitKeys.flatMap((unit) => {
          const level = Number(facts[unitFacts[unit].team] ?? 0)
          return level === 0 ? [] : [`${shortUnit(unit)}=${levelWord(level as 0)}`]
        })
  const on = repository === undefined ? [] : ["on", repository]
  lines.add(
    "team",
    `team ${organization}/${name}-team`,
    facts.mayCreateRepositories === true && "creates",
    ...units,
    ...on,
    `: ${name}`
  )
}

/** Adds a repository to the lines, and the access of the caller to it. Returns its path. */
const addRepository = (lines: Lines, facts: Facts, caller: Caller): string => {
  const owner = facts.repositoryOwner === true ? caller.name : organization
  const path = `${owner}/site`
  if (owner === organization) addOrganization(lines, facts, caller, "site")
  const off = unitKeys.filter((unit) => facts[unitFacts[unit].on] === false).map(shortUnit)
  lines.add(
    "repository",
    `repository ${path}`,
    facts.private === true && "private",
    facts.archived === true && "archived",
    facts.mirror === true && "mirror",
    off.length > 0 && `off=${off.join(",")}`
  )
  const level = Number(facts.collaborator ?? 0)
  if (level > 0) lines.add("collaborator", "collaborator", caller.name, levelWord(level as 0), path)
  if (facts.blocked === true) lines.add("block", "block", owner, caller.name)
  return path
}

const addItem = (lines: Lines, facts: Facts, caller: Caller, kind: ItemKind): string => {
  const path = `${addRepository(lines, facts, caller)}#1`
  const flags = Object.keys(itemVocabularies[kind]).filter((fact) => facts[fact] === true)
  const words = flags.map((fact) => (isAboutCaller(fact) ? `${fact}=${caller.name}` : fact))
  if (facts.found === true) lines.add("item", kind, path, ...words)
  return path
}

const addUser = (lines: Lines, facts: Facts, caller: Caller): string => {
  if (facts.self === true) return caller.name
  lines.add("user", "user", "cleo", visibilityOf(facts.userVisibility))
  if (facts.blocked === true) lines.add("block", "block", "cleo", caller.name)
  return "cleo"
}

const addTeam = (lines: Lines, facts: Facts, caller: Caller): string => {
  addOrganization(lines, facts, caller)
  if (facts.ownersTeam === true) {
    if (lines.owners.size === 0) {
      lines.add("user", "user olga")
      lines.owners.add("olga")
    }
    return `${organization}/Owners`
  }
  const members = facts.teamMember === true ? [caller.name] : []
  lines.add(
    "team",
    `team ${organization}/crew`,
    facts.teamVisibility !== "private" && String(facts.teamVisibility),
    ":",
    ...members
  )
  return `${organization}/crew`
}

/** Adds the resource of a request to the lines, and returns its name in questions. */
const addResource = (
  lines: Lines,
  kind: string,
  facts: Facts,
  caller: Caller,
  policy: AnyPolicySet
): ReadonlyArray<string> => {
  switch (kind) {
    case "site":
      return []
    case "signedLink":
      return [facts.signatureValid === true ? "valid" : "forged"]
    case "organization":
      addOrganization(lines, facts, caller)
      return facts.self === true ? [organization, caller.name] : [organization]
    case "organizationUser":
      addOrganization(lines, facts, caller)
      return [organization, addUser(lines, facts, caller)]
    case "team":
      return [addTeam(lines, facts, caller)]
    case "teamRepository": {
      const path = addRepository(lines, facts, caller)
      return [addTeam(lines, facts, caller), path]
    }
    case "user":
      return [addUser(lines, facts, caller)]
    case "packageOwner":
      if (facts.self === true) return [caller.name]
      addOrganization(lines, facts, caller, "site")
      return [organization]
    case "repository":
      return [addRepository(lines, facts, caller)]
    default:
      if (Object.hasOwn(itemVocabularies, kind)) return [addItem(lines, facts, caller, kind as ItemKind)]
      if (ownKindsOf(policy.rulebook).includes(kind)) {
        const words = Object.entries(ownVocabularyOf(policy.rulebook, kind)).flatMap(([name, fact]) => {
          const value = facts[name]
          if (fact.kind === "flag") return value === true ? [name] : []
          return [`${name}=${fact.kind === "level" ? fact.words[Number(value)] : value}`]
        })
        lines.add("item", kind, "some", ...words)
      }
      return ["some"]
  }
}

const answerOf = ({ decision }: Request): string => {
  const by = decision.by.length === 0 ? "" : ` by ${decision.by.join(" ")}`
  return `${decision.allowed ? "allowed" : decision.answer.status}${by}`
}

/**
 * Returns whether the lines of a scenario express exactly the facts and answers of the requests. A fact is a value that
 * access rules test.
 */
const states = (
  world: string,
  questions: string,
  { prover, requests }: { readonly prover: Prover; readonly requests: ReadonlyArray<Request> },
  policy: AnyPolicySet
): boolean => {
  try {
    const parsedWorld = parseWorld(world, policy)
    return parseQuestions(questions, parsedWorld.tokens).every((question, at) => {
      const { answer, by } = askPure(parsedWorld, question)
      if (answer !== question.answer || by.join() !== question.by.join()) return false
      const facts = factsOf(parsedWorld, question.asker, prover.action(question.action).on, question.things)
      return Object.entries(requests[at]?.facts ?? {}).every(([name, value]) => facts[name] === value)
    })
  } catch {
    // A name that the world lacks: these facts need more than a scenario can state.
    return false
  }
}

const sentences = (prover: Prover, request: Request): ReadonlyArray<string> => {
  const vocabulary = prover.vocabularyOf(prover.action(request.action).on)
  return unusualFacts(prover, request).flatMap((name) => {
    const fact = vocabulary[name]
    const value = request.facts[name]
    if (fact === undefined) return []
    if (fact.kind === "flag") return [value === true ? fact.yes : fact.no]
    return [`${fact.of} is ${fact.kind === "level" ? fact.words[Number(value)] : value}`]
  })
}

/** Returns requests as comment lines, one fact per line. Used if a scenario cannot express these facts. */
export const factLines = (prover: Prover, requests: ReadonlyArray<Request>): ReadonlyArray<string> =>
  requests.flatMap((request) => [
    ...sentences(prover, request).map((each) => `# ${each}`),
    `# ${request.action} -> ${answerOf(request)}`
  ])

/**
 * Returns the requests of a counterexample as a scenario that `slipway access test` accepts.
 *
 * Runs the scenario first: if its answers differ, because a scenario cannot express a fact, it returns the facts as
 * comments.
 */
export const scenarioLines = (
  prover: Prover,
  { counterexample, statement }: Pick<Proof, "counterexample"> & { readonly statement: Pick<Statement, "form"> },
  policy: AnyPolicySet = PolicySet.builtIn
): ReadonlyArray<string> => {
  const lines = new Lines()
  const resources = new Set<string>()
  const questions = counterexample.map((request, at) => {
    const { facts } = request
    const caller = callerOf(facts, statement.form === "callers" && at > 0 ? "bob" : "ann")
    addCaller(lines, facts, caller)
    const things = addResource(lines, prover.action(request.action).on, facts, caller, policy)
    resources.add(things.join(" "))
    return [caller.asks, request.action, ...things, "->", answerOf(request)].join(" ")
  })
  const world = lines.all.map(formatLine)
  // Two callers are compared on one resource, but an owner's repository has another name.
  const isOne = statement.form !== "callers" || resources.size <= 1
  return isOne && states(world.join("\n"), questions.join("\n"), { prover, requests: counterexample }, policy)
    ? [...world, ...questions]
    : factLines(prover, counterexample)
}
