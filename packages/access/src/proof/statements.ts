import type { Node } from "../Condition.ts"
import type { Fact } from "../Facts.ts"
import { closest } from "./distance.ts"
import type { Theory } from "./Theory.ts"

/** A set of names, selected by globs with `*`: the names that match a glob of `only` and no glob of `except`. */
export interface Pattern {
  readonly only: ReadonlyArray<string>
  readonly except: ReadonlyArray<string>
}

/** A statement to prove about all possible records of facts. */
export type Statement = { readonly text: string; readonly line: number } & (
  | { readonly form: "never"; readonly who: Node; readonly actions: Pattern }
  | { readonly form: "callers"; readonly left: Node; readonly right: Node; readonly actions: Pattern }
  | { readonly form: "actions"; readonly left: Pattern; readonly right: Pattern }
  | { readonly form: "equal"; readonly left: string; readonly right: string }
  | { readonly form: "dead" | "live"; readonly rules: Pattern }
)

/** The error for a statement with a syntax error or an unknown name, with line and column. */
export class StatementError extends Error {
  readonly line: number
  readonly column: number
  constructor(line: number, column: number, why: string) {
    super(`${line}:${column}: ${why}`)
    this.name = "StatementError"
    this.line = line
    this.column = column
  }
}

interface Token {
  readonly text: string
  readonly column: number
}

const tokensOf = (line: string): ReadonlyArray<Token> =>
  [...line.matchAll(/>=|[(),=]|[^\s(),=>]+|>/g)].map((found) => ({ text: found[0], column: found.index + 1 }))

/** Returns whether a name matches at least one glob; `*` matches any characters. */
export const isMatch = (globs: ReadonlyArray<string>, name: string): boolean =>
  globs.some((glob) => {
    const parts = glob.split("*")
    const [first = ""] = parts
    if (parts.length === 1) return glob === name
    let at = first.length
    if (!name.startsWith(first)) return false
    for (const part of parts.slice(1, -1)) {
      const found = name.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    const last = parts.at(-1) ?? ""
    return name.length - last.length >= at && name.endsWith(last)
  })

/** Returns the names that a pattern matches. */
export const matchingNames = ({ except, only }: Pattern, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name) => isMatch(only, name) && !isMatch(except, name))

/** Parses one line of statements. */
class Reader {
  private at = 0
  private readonly tokens: ReadonlyArray<Token>
  private readonly line: number
  private readonly end: number
  private readonly theory: Theory
  private readonly classes: ReadonlyMap<string, Node>

  constructor(text: string, line: number, theory: Theory, classes: ReadonlyMap<string, Node>) {
    this.tokens = tokensOf(text)
    this.line = line
    this.end = text.length + 1
    this.theory = theory
    this.classes = classes
  }

  get next(): string | undefined {
    return this.tokens[this.at]?.text
  }

  fail(why: string, at = this.at): never {
    throw new StatementError(this.line, this.tokens[at]?.column ?? this.end, why)
  }

  take(what: string): string {
    const { next } = this
    if (next === undefined) return this.fail(`${what} is missing`)
    this.at++
    return next
  }

  skip(text: string): boolean {
    if (this.next !== text) return false
    this.at++
    return true
  }

  expect(text: string): void {
    if (!this.skip(text)) this.fail(`expected \`${text}\`${this.next === undefined ? "" : `, found \`${this.next}\``}`)
  }

  done(): void {
    if (this.next !== undefined) this.fail(`\`${this.next}\` is not expected here`)
  }

  /** Throws `StatementError` for an unknown name, and suggests the most similar known name. */
  unknown(name: string, what: string, known: Iterable<string>): never {
    const near = closest(name, known)
    return this.fail(
      `\`${name}\` is not ${what}${near === undefined ? "" : `; did you mean \`${near}\`?`}`,
      this.at - 1
    )
  }

  names(what: string, known: ReadonlyArray<string>): Pattern {
    const list = (): ReadonlyArray<string> => {
      const globs: Array<string> = []
      do {
        const glob = this.take(what)
        if (!known.some((name) => isMatch([glob], name))) this.unknown(glob, what, known)
        globs.push(glob)
      } while (this.skip(","))
      return globs
    }
    const only = list()
    return { only, except: this.skip("except") ? list() : [] }
  }

  actions(): Pattern {
    return this.names("an action", Object.keys(this.theory.actions))
  }

  rules(): Pattern {
    return this.names("a rule", ruleIds(this.theory))
  }

  action(): string {
    const name = this.take("an action")
    if (!Object.hasOwn(this.theory.actions, name)) this.unknown(name, "an action", Object.keys(this.theory.actions))
    return name
  }

  isCondition(): boolean {
    const { next } = this
    return (
      next === "(" ||
      next === "not" ||
      (next !== undefined && (this.classes.has(next) || this.factOf(next) !== undefined))
    )
  }

  condition(): Node {
    const of = [this.conjunction()]
    while (this.skip("or")) of.push(this.conjunction())
    return of.length === 1 ? (of[0] as Node) : { op: "any", of }
  }

  private conjunction(): Node {
    const of = [this.operand()]
    while (this.skip("and")) of.push(this.operand())
    return of.length === 1 ? (of[0] as Node) : { op: "all", of }
  }

  private operand(): Node {
    if (this.skip("not")) return { op: "not", of: this.operand() }
    if (this.skip("(")) {
      const inner = this.condition()
      this.expect(")")
      return inner
    }
    const name = this.take("a class of callers or a fact")
    const known = this.classes.get(name)
    if (known !== undefined) return known
    const fact = this.factOf(name)
    if (fact === undefined)
      return this.unknown(name, "a class of callers or a fact", [...this.classes.keys(), ...this.factNames()])
    return this.test(name, fact)
  }

  private test(fact: string, described: Fact): Node {
    if (described.kind === "flag") return { op: "flag", fact }
    const values = described.words.join(", ")
    if (described.kind === "word") {
      if (!this.skip("=")) this.fail(`expected \`=\` and a value of \`${fact}\`: ${values}`)
      const word = this.take("a value")
      return described.words.includes(word)
        ? { op: "is", fact, word }
        : this.unknown(word, `a value of \`${fact}\` (${values})`, described.words)
    }
    if (!this.skip(">=")) this.fail(`expected \`>=\` and a level of \`${fact}\`: ${values}`)
    const word = this.take("a level")
    const level = described.words.indexOf(word)
    return level >= 0
      ? { op: "atLeast", fact, level }
      : this.unknown(word, `a level of \`${fact}\` (${values})`, described.words)
  }

  private factNames(): ReadonlyArray<string> {
    return Object.values(this.theory.vocabularies).flatMap((vocabulary) => Object.keys(vocabulary))
  }

  private factOf(name: string): Fact | undefined {
    for (const vocabulary of Object.values(this.theory.vocabularies)) {
      if (Object.hasOwn(vocabulary, name)) return vocabulary[name]
    }
    return undefined
  }
}

/** Returns the ids of all access rules. */
export const ruleIds = ({ actions }: Theory): ReadonlyArray<string> => [
  ...new Set(
    Object.values(actions).flatMap(({ policy }) =>
      policy.checks.flatMap(({ forbids, grants }) => [...grants, ...forbids].map(({ id }) => id))
    )
  )
]

const statement = (reader: Reader, shared: { readonly text: string; readonly line: number }): Statement => {
  reader.expect("prove")
  if (reader.skip("never")) return { ...shared, form: "never", who: reader.condition(), actions: reader.actions() }
  if (reader.skip("equal")) return { ...shared, form: "equal", left: reader.action(), right: reader.action() }
  if (reader.skip("dead")) return { ...shared, form: "dead", rules: reader.rules() }
  if (reader.skip("live")) return { ...shared, form: "live", rules: reader.rules() }
  if (reader.isCondition()) {
    const left = reader.condition()
    reader.expect("implies")
    const right = reader.condition()
    reader.expect("on")
    return { ...shared, form: "callers", left, right, actions: reader.actions() }
  }
  const left = reader.actions()
  reader.expect("implies")
  return { ...shared, form: "actions", left, right: reader.actions() }
}

/**
 * Parses statements about access rules, one per line; `#` starts a comment.
 *
 * Each line is one of these forms:
 * - `class trusted = signed-in and not restricted` names a class of callers.
 * - `prove never anonymous *.delete`
 * - `prove public-only implies anonymous on repository.read`
 * - `prove repository.* except repository.list implies repository.read`
 * - `prove equal repository.edit repository.rename`
 * - `prove dead repository.mirror`
 * - `prove live *`
 *
 * Throws `StatementError` with line and column.
 */
export const parseStatements = (text: string, theory: Theory): ReadonlyArray<Statement> => {
  const classes = new Map(Object.entries(theory.classes))
  const statements: Array<Statement> = []
  for (const [index, full] of text.split("\n").entries()) {
    const bare = full.replace(/(^|\s)#.*$/, "").trimEnd()
    if (bare.trim() === "") continue
    const reader = new Reader(bare, index + 1, theory, classes)
    if (reader.skip("class")) {
      const name = reader.take("the name of the class")
      if (classes.has(name) || Object.hasOwn(theory.actions, name)) reader.fail(`\`${name}\` already exists`)
      reader.expect("=")
      classes.set(name, reader.condition())
    } else statements.push(statement(reader, { text: bare.trim(), line: index + 1 }))
    reader.done()
  }
  return statements
}
