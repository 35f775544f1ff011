import { Data } from "effect"
import type { PlainValue } from "../Workflow.ts"
import { type Token, tokensOf } from "./tokens.ts"

/** Reports why an expression has no value: a syntax error, an unknown name, or an exceeded limit. */
export class Unreadable extends Data.TaggedError("Unreadable")<{ readonly because: string }> {}

const signs = ["==", "!=", "<", "<=", ">", ">=", "&&", "||"] as const
/** A binary operator of workflow expressions. */
export type Sign = (typeof signs)[number]

/** The syntax tree of a workflow expression. */
export type Tree =
  | { readonly kind: "value"; readonly value: PlainValue }
  | { readonly kind: "name"; readonly name: string }
  /** A member access, such as `a.b` or `a['b']`; with `spread` (`a.*.b`), on each element. */
  | { readonly kind: "at"; readonly of: Tree; readonly key: Tree; readonly spread: boolean }
  | { readonly kind: "each"; readonly of: Tree; readonly spread: boolean }
  | { readonly kind: "call"; readonly name: string; readonly args: ReadonlyArray<Tree> }
  | { readonly kind: "not"; readonly of: Tree }
  | { readonly kind: "two"; readonly sign: Sign; readonly left: Tree; readonly right: Tree }

/** The maximum length of an expression, in characters. */
export const longestExpression = 10_000
const deepest = 50
/** The maximum number of member accesses and operators of an expression, which limits the depth of its tree. */
const mostJoined = 1_000
/** The binary operators by precedence, lowest precedence first. */
const levels: ReadonlyArray<ReadonlyArray<Sign>> = [["||"], ["&&"], ["==", "!="], ["<", "<=", ">", ">="]]
const constants: Readonly<Record<string, PlainValue>> = { true: true, false: false, null: null }

const broken = (because: string) => new Unreadable({ because })

class Reader {
  private at = 0
  private depth = 0
  private joined = 0
  private readonly tokens: ReadonlyArray<Token>

  constructor(tokens: ReadonlyArray<Token>) {
    this.tokens = tokens
  }

  readonly whole = (): Tree => {
    const tree = this.level(0)
    if (this.at < this.tokens.length) throw broken("it has unexpected text after its end")
    return tree
  }

  private readonly takes = (...says: ReadonlyArray<string>): string | undefined => {
    const token = this.tokens[this.at]
    if (token?.kind !== "sign" || !says.includes(token.says)) return undefined
    this.at++
    return token.says
  }

  private readonly joins = () => {
    if (++this.joined > mostJoined) throw broken("it is nested too deeply")
  }

  private readonly needs = (sign: string) => {
    if (this.takes(sign) === undefined) throw broken(`it lacks \`${sign}\``)
  }

  private readonly level = (of: number): Tree => {
    const wanted = levels[of]
    if (wanted === undefined) return this.single()
    let left = this.level(of + 1)
    for (;;) {
      const sign = this.takes(...wanted)
      if (sign === undefined) return left
      this.joins()
      left = { kind: "two", sign: sign as Sign, left, right: this.level(of + 1) }
    }
  }

  private readonly single = (): Tree => {
    if (++this.depth > deepest) throw broken("it is nested too deeply")
    const tree: Tree = this.takes("!") === undefined ? this.path() : { kind: "not", of: this.single() }
    this.depth--
    return tree
  }

  private readonly path = (): Tree => {
    let [tree, spread] = [this.plain(), false]
    for (; ; this.joins()) {
      if (this.takes(".") !== undefined) {
        if (this.takes("*") === undefined) tree = { kind: "at", of: tree, key: this.key(), spread }
        else [tree, spread] = [{ kind: "each", of: tree, spread }, true]
      } else if (this.takes("[") !== undefined) {
        if (this.takes("*") === undefined) tree = { kind: "at", of: tree, key: this.level(0), spread }
        else [tree, spread] = [{ kind: "each", of: tree, spread }, true]
        this.needs("]")
      } else return tree
    }
  }

  private readonly key = (): Tree => {
    const token = this.tokens[this.at++]
    if (token?.kind !== "name") throw broken("a dot has no name after it")
    return { kind: "value", value: token.says }
  }

  private readonly plain = (): Tree => {
    if (this.takes("(") !== undefined) {
      const tree = this.level(0)
      this.needs(")")
      return tree
    }
    const token = this.tokens[this.at++]
    if (token === undefined || token.kind === "sign") throw broken("it lacks a value")
    if (token.kind === "text") return { kind: "value", value: token.says }
    if (token.kind === "number") return { kind: "value", value: Number(token.says) }
    if (this.takes("(") !== undefined)
      return { kind: "call", name: token.says.toLowerCase(), args: this.parseArguments() }
    const { says } = token
    return Object.hasOwn(constants, says)
      ? { kind: "value", value: constants[says] ?? null }
      : { kind: "name", name: says }
  }

  private readonly parseArguments = (): ReadonlyArray<Tree> => {
    if (this.takes(")") !== undefined) return []
    const args = [this.level(0)]
    while (this.takes(",") !== undefined) args.push(this.level(0))
    this.needs(")")
    return args
  }
}

/** Parses a workflow expression to its syntax tree; throws `Unreadable` for a syntax error. */
export const treeOf = (text: string): Tree => {
  if (text.length > longestExpression) throw broken(`it has more than ${longestExpression} characters`)
  const tokens = tokensOf(text)
  if (tokens === undefined) throw broken("it is empty")
  return new Reader(tokens).whole()
}
