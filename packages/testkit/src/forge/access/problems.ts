import { closest } from "@slipway/access/proof"
import { PolicySet, type Rulebook } from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { isItemKind } from "@slipway/domain/forge/entry"
import { listNames } from "../ask.ts"
import { parseQuestion } from "../parse.ts"
import { branchVerbs, isBranchVerb } from "../pushes.ts"
import type { World } from "../World.ts"
import { bareLine, parseWorldLine, WorldError, type WorldLine } from "../worldLine.ts"
import { type Mark, type QuestionWords, type ReadLine, readLine, type Word } from "./marks.ts"
import { allRules, type RuleWords } from "./ruleWords.ts"

/** A problem in a scenario file. Lines and columns start at 0; `end` is the column after the problem. */
export interface Problem {
  readonly line: number
  readonly start: number
  readonly end: number
  /**
   * The severity. A file with an error cannot be checked; a warning marks an expectation or a grant that has no effect.
   */
  readonly severity: "error" | "warning"
  readonly message: string
  /** A similar valid word. */
  readonly suggestion: string | undefined
}

/**
 * A range of lines in a scenario file: one scenario, or the lines before the first scenario, which all scenarios share.
 */
export interface FilePart {
  /** The name of the scenario; undefined for the shared lines. */
  readonly name: string | undefined
  readonly first: number
  /** The line after the last one. */
  readonly end: number
}

/** The location where a scenario file defines a resource. */
export interface Definition extends Mark {
  readonly line: number
}

/** An analysed scenario file: its lines, its scenarios and its problems. */
export interface FileAnalysis {
  readonly lines: ReadonlyArray<ReadLine>
  readonly parts: ReadonlyArray<FilePart>
  readonly problems: ReadonlyArray<Problem>
  /** Returns the definitions that a given line can refer to, by type and name. */
  readonly definitionsAt: (line: number) => ReadonlyMap<string, Definition>
}

interface KnownLine {
  readonly bare: string
  readonly read: ReadLine
  readonly meaning: WorldLine | undefined
  readonly error: WorldError | undefined
}

const named: Readonly<Record<Mark["kind"], string>> = {
  user: "a user",
  organization: "an organization",
  owner: "an owner",
  team: "a team",
  member: "a user or team",
  repository: "a repository",
  item: "an item",
  token: "a token"
}

const isEffectless = (mark: Mark, { question, words }: ReadLine): boolean =>
  question === undefined
    ? words[0]?.text === "team" && mark.kind === "repository"
    : question.answers.some(({ start }) => start === mark.start)

/** Finds the problems of scenario files. Caches analysed lines, so that an edit analyses only the changed line. */
export class FileAnalyser {
  readonly rulebook: Rulebook
  /** Every rule that an expectation can name. */
  readonly rules: ReadonlyMap<string, RuleWords>
  private readonly policy: AnyPolicySet | undefined
  private readonly actions: ReadonlyArray<string>
  private known = new Map<string, KnownLine>()

  constructor(policy?: AnyPolicySet) {
    this.policy = policy
    this.rulebook = (policy ?? PolicySet.builtIn).rulebook
    this.rules = allRules(this.rulebook)
    this.actions = [...Object.keys(this.rulebook.tables.actions), ...branchVerbs, "lists"]
  }

  /** Analyses a scenario file, even if it has errors. */
  analyse(text: string): FileAnalysis {
    const before = this.known
    const now = new Map<string, KnownLine>()
    const lines = text.split(/\r?\n/).map((line) => {
      const known = now.get(line) ?? before.get(line) ?? this.readLine(line)
      now.set(line, known)
      return known
    })
    this.known = now
    const parts = partsOf(lines)
    const scopes = parts.map((part) => definitionsIn(lines, part))
    const [shared = new Map<string, Definition>(), ...own] = scopes
    const joined = own.map((each) => new Map([...shared, ...each]))
    const problems = parts.flatMap((part, at) => {
      const visible = at > 0 ? joined.slice(at - 1, at) : joined.length === 0 ? [shared] : joined
      return this.problemsIn(lines, part, visible)
    })
    return {
      lines: lines.map(({ read }) => read),
      parts,
      problems,
      definitionsAt: (line) => {
        const at = parts.findIndex(({ end, first }) => line >= first && line < end)
        return at > 0 ? (joined[at - 1] ?? shared) : shared
      }
    }
  }

  private readLine(line: string): KnownLine {
    const read = readLine(line, this.rulebook)
    const bare = bareLine(line)
    const isWorld = read.question === undefined && bare !== "" && !/^scenario\s/.test(bare)
    if (!isWorld) return { bare, read, meaning: undefined, error: undefined }
    try {
      return { bare, read, meaning: parseWorldLine(bare, this.policy), error: undefined }
    } catch (problem) {
      if (!(problem instanceof WorldError)) throw problem
      return { bare, read, meaning: undefined, error: problem }
    }
  }

  private problemsIn(
    lines: ReadonlyArray<KnownLine>,
    { end, first }: FilePart,
    scopes: ReadonlyArray<ReadonlyMap<string, Definition>>
  ): ReadonlyArray<Problem> {
    const tokens = tokensOf(lines, scopes)
    return lines.slice(first, end).flatMap((known, at) => {
      const line = first + at
      const error = known.error ?? (known.read.question === undefined ? undefined : questionError(known.bare, tokens))
      if (error !== undefined) return [errorAt(line, known.read, error)]
      const { question } = known.read
      return [
        ...known.read.marks.flatMap((mark) => this.unresolved(line, mark, known.read, scopes)),
        ...(question === undefined ? [] : this.questionProblems(line, question))
      ]
    })
  }

  private unresolved(
    line: number,
    mark: Mark,
    read: ReadLine,
    scopes: ReadonlyArray<ReadonlyMap<string, Definition>>
  ): ReadonlyArray<Problem> {
    if (mark.defines || mark.text === "") return []
    // Items may be missing: expectations about missing items are usual.
    if (mark.kind === "item" && isItemKind(mark.keys[0]?.split(" ")[0] ?? "")) return []
    // Collaborators need a repository that precedes them.
    const needsEarlier = read.words[0]?.text === "collaborator" && mark.kind === "repository"
    const isKnown = (scope: ReadonlyMap<string, Definition>) =>
      mark.keys.some((key) => {
        const found = scope.get(key)
        return found !== undefined && !(needsEarlier && found.line > line)
      })
    const lacking = scopes.find((scope) => !isKnown(scope))
    if (lacking === undefined) return []
    if (mark.keys.some((key) => lacking.has(key))) {
      return [problem(line, mark, "error", "must be defined above this line", undefined)]
    }
    const types = mark.keys.map((key) => key.split(" ")[0])
    const names = [...lacking.keys()].flatMap((key) => {
      const [type, name = ""] = key.split(" ")
      return types.includes(type) ? [name] : []
    })
    const prefix = mark.keys[0]?.slice((mark.keys[0]?.indexOf(" ") ?? 0) + 1, -mark.text.length || undefined) ?? ""
    const local = names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
    const what = `is not ${named[mark.kind]} in this world`
    return [problem(line, mark, isEffectless(mark, read) ? "warning" : "error", what, closest(mark.text, local))]
  }

  private questionProblems(line: number, { action, answers, rules, things }: QuestionWords): ReadonlyArray<Problem> {
    if (action === undefined) return []
    if (!this.actions.includes(action.text)) {
      return [problem(line, action, "error", "is not an action", closest(action.text, this.actions))]
    }
    const found: Array<Problem> = []
    const isList = action.text === "lists"
    const [one] = things
    if (isList && one !== undefined && !listNames.includes(one.text)) {
      found.push(problem(line, one, "error", "is not a list", closest(one.text, listNames)))
    }
    const needed = this.thingsOf(action.text)
    if (things.length < needed.length) {
      const missing = needed.slice(things.length).join(" and ")
      found.push(problem(line, action, "error", `needs ${missing}`, undefined))
    }
    for (const answer of isList ? [] : answers) {
      if (!/^(allowed|[1-5]\d\d)$/.test(answer.text)) {
        const why = "is not an answer, which is `allowed` or the status of the refusal"
        found.push(problem(line, answer, "warning", why, closest(answer.text, ["allowed"])))
      }
    }
    for (const rule of rules) {
      if (!this.rules.has(rule.text)) {
        found.push(problem(line, rule, "warning", "is not a rule", closest(rule.text, this.rules.keys())))
      }
    }
    return found
  }

  /** Returns a description of each name that follows an action in a question, such as `a repository`. */
  thingsOf(action: string): ReadonlyArray<string> {
    if (action === "lists") return ["the name of a list"]
    if (isBranchVerb(action)) return ["a repository", "a branch"]
    const kind = this.rulebook.actionOf(action).on
    if (kind === "site") return []
    if (kind === "signedLink") return ["`valid` or `forged`"]
    if (kind === "organizationUser") return ["an organization", "a user"]
    if (kind === "teamRepository") return ["a team", "a repository"]
    if (kind === "packageOwner") return ["an owner"]
    return [`${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`]
  }
}

const problem = (
  line: number,
  { end, start, text }: Word,
  severity: Problem["severity"],
  why: string,
  suggestion: string | undefined
): Problem => ({
  line,
  start,
  end,
  severity,
  message: `\`${text}\` ${why}${suggestion === undefined ? "" : `; did you mean \`${suggestion}\`?`}`,
  suggestion
})

const partsOf = (lines: ReadonlyArray<KnownLine>): ReadonlyArray<FilePart> => {
  const titles = lines.flatMap(({ bare }, line) => {
    const name = /^scenario\s+(.+)$/.exec(bare)?.[1]
    return name === undefined ? [] : [{ name, first: line }]
  })
  return [{ name: undefined, first: 0 }, ...titles].map((part, at) => ({
    ...part,
    end: titles[at]?.first ?? lines.length
  }))
}

const definitionsIn = (lines: ReadonlyArray<KnownLine>, { end, first }: FilePart): ReadonlyMap<string, Definition> => {
  const found = new Map<string, Definition>()
  for (let line = first; line < end; line++) {
    for (const mark of lines[line]?.read.marks ?? []) {
      const [key] = mark.keys
      if (mark.defines && key !== undefined && !found.has(key)) found.set(key, { ...mark, line })
    }
  }
  return found
}

/** Returns the tokens that are defined in every scenario of the file. */
const tokensOf = (
  lines: ReadonlyArray<KnownLine>,
  scopes: ReadonlyArray<ReadonlyMap<string, Definition>>
): World["tokens"] =>
  new Map(
    [...(scopes[0]?.values() ?? [])].flatMap(({ keys: [key = ""], kind, line }) => {
      const meaning = lines[line]?.meaning
      const isToken = kind === "token" && meaning?.type === "token" && scopes.every((scope) => scope.has(key))
      return isToken ? [[meaning.name, meaning.scopes] as const] : []
    })
  )

const questionError = (line: string, tokens: World["tokens"]): WorldError | undefined => {
  try {
    parseQuestion(line, tokens)
    return undefined
  } catch (problem) {
    if (problem instanceof WorldError) return problem
    throw problem
  }
}

/** Converts an error of the parser to a problem, located at the invalid word, or else at the whole line. */
const errorAt = (line: number, { words }: ReadLine, { suggestion, why, word }: WorldError): Problem => {
  const [first, last] = [words[0], words.at(-1)]
  const whole = { start: first?.start ?? 0, end: last?.end ?? 0 }
  const holder = word === undefined || word === "" ? undefined : words.find(({ text }) => text.includes(word))
  const start = (holder?.start ?? 0) + (holder?.text.indexOf(word ?? "") ?? 0)
  const place = holder === undefined ? whole : { start, end: start + (word?.length ?? 0) }
  const message = `${why}${suggestion === undefined ? "" : `; did you mean \`${suggestion}\`?`}`
  return { line, ...place, severity: "error", message, suggestion }
}

/** Returns the problems of a scenario file in the text format. */
export const problemsOf = (text: string, policy?: AnyPolicySet): ReadonlyArray<Problem> =>
  new FileAnalyser(policy).analyse(text).problems
