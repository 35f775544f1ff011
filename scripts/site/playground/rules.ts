import { type Condition, defineRules, Facts, type Rules, type Vocabulary } from "@slipway/access"

/** A problem in a text, with its line, from 1. */
export interface Problem {
  readonly line: number
  readonly text: string
}

/** The facts of a caller and a resource, in the world of the playground. */
export interface Situation {
  readonly name: string
  readonly facts: Readonly<Record<string, boolean>>
}

/** The parsed rules of the playground; undefined rules if the text has problems. */
export interface ParsedRules {
  readonly rules: Rules<Readonly<Record<string, boolean>>, string> | undefined
  readonly facts: ReadonlyArray<string>
  readonly actions: ReadonlyArray<string>
  readonly problems: ReadonlyArray<Problem>
}

type AnyCondition = Condition<Readonly<Record<string, boolean>>>

interface Parsed {
  readonly condition: AnyCondition
  readonly facts: ReadonlyArray<string>
}

const always: AnyCondition = { op: "all", of: [] }

/** Parses a condition of facts with `and`, `or`, `not` and parentheses. Throws with the reason if it is invalid. */
export const parseCondition = (text: string): Parsed => {
  const tokens = text.match(/[()]|[^\s()]+/g) ?? []
  const facts = new Set<string>()
  let at = 0
  const isNext = (word: string) => tokens[at] === word
  const one = (): AnyCondition => {
    const token = tokens[at++]
    if (token === undefined) throw new Error("the condition ends too early")
    if (token === "not") return { op: "not", of: one() }
    if (token === "always") return always
    if (token === "(") {
      const inner = either()
      if (tokens[at++] !== ")") throw new Error("a `)` is missing")
      return inner
    }
    if ([")", "and", "or"].includes(token)) throw new Error(`\`${token}\` is not a fact`)
    facts.add(token)
    return { op: "flag", fact: token }
  }
  const series = (op: "all" | "any", word: string, next: () => AnyCondition): AnyCondition => {
    const of = [next()]
    while (isNext(word)) {
      at += 1
      of.push(next())
    }
    const [first] = of
    return of.length === 1 && first !== undefined ? first : { op, of }
  }
  const both = () => series("all", "and", one)
  const either = (): AnyCondition => series("any", "or", both)
  const condition = either()
  if (at < tokens.length) throw new Error(`\`${tokens[at]}\` is not expected here`)
  return { condition, facts: [...facts] }
}

interface Draft {
  readonly line: number
  readonly allow: Record<string, { when: AnyCondition; because: string }>
  readonly deny: Record<string, { when: AnyCondition; because: string }>
  readonly requires: Array<string>
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Parses the rules of the playground: `fact <name>: <sentence>`, `action <name>`, and below an action
 * `requires <action>`, `allow <rule>: <condition>` and `deny <rule>: <condition>`. A line with `#` is a comment.
 */
export const parseRules = (text: string): ParsedRules => {
  const problems: Array<Problem> = []
  const vocabulary: Record<string, Vocabulary[string]> = {}
  const drafts = new Map<string, Draft>()
  const used: Array<{ readonly line: number; readonly fact: string }> = []
  let current: Draft | undefined
  for (const [index, raw] of text.split("\n").entries()) {
    const line = index + 1
    const content = raw.trim()
    if (content === "" || content.startsWith("#")) continue
    const fact = /^fact ([A-Za-z][\w.-]*): (.+)$/.exec(content)
    const action = /^action ([A-Za-z][\w.-]*)$/.exec(content)
    const requires = /^requires ([A-Za-z][\w.-]*)$/.exec(content)
    const rule = /^(allow|deny) ([A-Za-z][\w.-]*): (.+)$/.exec(content)
    if (fact !== null) {
      const [, name = "", sentence = ""] = fact
      if (Object.hasOwn(vocabulary, name)) problems.push({ line, text: `the fact \`${name}\` is declared twice` })
      vocabulary[name] = Facts.flag(sentence, `it is not true that ${sentence}`)
    } else if (action !== null) {
      const [, name = ""] = action
      if (drafts.has(name)) problems.push({ line, text: `the action \`${name}\` is declared twice` })
      current = { line, allow: {}, deny: {}, requires: [] }
      drafts.set(name, current)
    } else if (current !== undefined && requires !== null) current.requires.push(requires[1] ?? "")
    else if (current !== undefined && rule !== null) {
      const [, kind, name = "", condition = ""] = rule
      try {
        const { condition: when, facts } = parseCondition(condition)
        for (const each of facts) used.push({ line, fact: each })
        const declared = current[kind === "allow" ? "allow" : "deny"]
        if (Object.hasOwn(declared, name)) problems.push({ line, text: `the rule \`${name}\` is declared twice` })
        declared[name] = { when, because: condition }
      } catch (error) {
        problems.push({ line, text: messageOf(error) })
      }
    } else {
      const text = current === undefined ? "expected `fact` or `action`" : "expected `requires`, `allow` or `deny`"
      problems.push({ line, text })
    }
  }
  for (const { fact, line } of used) {
    if (!Object.hasOwn(vocabulary, fact)) problems.push({ line, text: `the fact \`${fact}\` is not declared` })
  }
  for (const { line, requires } of drafts.values()) {
    for (const name of requires) {
      if (!drafts.has(name)) problems.push({ line, text: `the action \`${name}\` is not declared` })
    }
  }
  const actions = [...drafts.keys()]
  const parsed = { facts: Object.keys(vocabulary), actions }
  if (problems.length > 0)
    return { ...parsed, rules: undefined, problems: problems.toSorted((a, b) => a.line - b.line) }
  try {
    // BOUNDARY: the names of facts and actions are only known at run time.
    const rules = defineRules(vocabulary, () => Object.fromEntries(drafts) as never)
    return { ...parsed, rules: rules as unknown as NonNullable<ParsedRules["rules"]>, problems: [] }
  } catch (error) {
    return { ...parsed, rules: undefined, problems: [{ line: 1, text: messageOf(error) }] }
  }
}

/** Parses the world of the playground: a line `<name>: <fact> <fact>` for each caller and resource. */
export const parseWorld = (
  text: string,
  facts: ReadonlyArray<string>
): { readonly situations: ReadonlyArray<Situation>; readonly problems: ReadonlyArray<Problem> } => {
  const situations: Array<Situation> = []
  const problems: Array<Problem> = []
  for (const [index, raw] of text.split("\n").entries()) {
    const content = raw.trim()
    if (content === "" || content.startsWith("#")) continue
    const [, name, list = ""] = /^([^:]+):(.*)$/.exec(content) ?? []
    if (name === undefined) {
      problems.push({ line: index + 1, text: "expected `<name>: <fact> <fact>`" })
      continue
    }
    const named = new Set(list.split(/\s+/).filter((each) => each !== ""))
    for (const fact of named) {
      if (!facts.includes(fact)) problems.push({ line: index + 1, text: `the fact \`${fact}\` is not declared` })
    }
    situations.push({ name: name.trim(), facts: Object.fromEntries(facts.map((fact) => [fact, named.has(fact)])) })
  }
  return { situations, problems }
}

/** The texts of the playground. */
export interface Shared {
  readonly rules: string
  readonly world: string
}

/** The maximum number of bytes that are converted to characters in one call. */
const longestPiece = 8_192

/** Encodes the texts of the playground for the fragment of a link. */
export const encodeShared = ({ rules, world }: Shared): string => {
  const bytes = new TextEncoder().encode(JSON.stringify([rules, world]))
  // A call has a maximum number of arguments.
  const pieces = Array.from({ length: Math.ceil(bytes.length / longestPiece) }, (_, index) =>
    String.fromCharCode(...bytes.subarray(index * longestPiece, (index + 1) * longestPiece))
  )
  return btoa(pieces.join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

/** Decodes the fragment of a link; undefined if it is not one of the playground. */
export const decodeShared = (fragment: string): Shared | undefined => {
  try {
    const bytes = Uint8Array.from(atob(fragment.replaceAll("-", "+").replaceAll("_", "/")), (each) =>
      each.charCodeAt(0)
    )
    const [rules, world] = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as ReadonlyArray<unknown>
    return typeof rules === "string" && typeof world === "string" ? { rules, world } : undefined
  } catch {
    return undefined
  }
}
