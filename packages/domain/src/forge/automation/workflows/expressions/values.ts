import type { PlainRecord, PlainValue } from "../Workflow.ts"
import { type Sign, type Tree, Unreadable } from "./tree.ts"

/** The values that an expression can use: contexts, functions in addition to the built-in ones, and the step limit. */
export interface Scope {
  readonly contexts: PlainRecord
  /** The names of inputs with values that are not known yet. */
  readonly later?: ReadonlySet<string> | undefined
  readonly functions?: Readonly<Record<string, () => PlainValue>> | undefined
  readonly budget: Budget
}

/**
 * The remaining steps for the evaluation of a group of expressions, which limits the computing time. Each character of
 * an expression, and each character or value that it reads, costs one step.
 */
export interface Budget {
  left: number
}

/** Creates the step limit for a group of expressions: 2,000,000 steps. */
export const makeBudget = (): Budget => ({ left: 2_000_000 })

/** Subtracts steps from the limit; throws `Unreadable` if none are left. */
export const consumeSteps = ({ budget }: Scope, steps: number) => {
  budget.left -= steps
  if (budget.left < 0) throw new Unreadable({ because: "it takes too long, together with the previous ones" })
}

const sizeOf = (value: PlainValue): number =>
  typeof value === "string" ? value.length : Array.isArray(value) ? (value as ReadonlyArray<PlainValue>).length : 1

/** Returns the number of steps to read a value completely, by its number of parts, their lengths and their depth. */
const weightOf = (value: PlainValue, depth = 0): number => {
  if (typeof value === "string") return depth + value.length
  if (typeof value !== "object" || value === null) return depth + 1
  const parts = Object.entries(value)
  return parts.reduce((sum, [name, part]) => sum + name.length + weightOf(part as PlainValue, depth + 1), depth + 1)
}

/** The maximum length of the text result of an expression, in characters. */
export const longestText = 1_048_576

const isRecord = (value: PlainValue): value is PlainRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const tooLong = () => new Unreadable({ because: "its result is too long" })

const bounded = (text: string): string => {
  if (text.length > longestText) throw tooLong()
  return text
}

/** Converts a value of an expression to text; null becomes the empty text, and maps and lists become JSON. */
export const textOf = (value: PlainValue): string =>
  value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value)

/** Returns whether a value counts as true: not null, false, 0 or the empty text. */
export const isTrue = (value: PlainValue): boolean => Boolean(value)

const numberOf = (value: PlainValue): number => {
  if (value === null) return 0
  if (typeof value === "object") return Number.NaN
  return typeof value === "string" && value.trim() === "" ? 0 : Number(value)
}

const looselyEqual = (one: PlainValue, other: PlainValue): boolean => {
  if (typeof one === "string" && typeof other === "string") return one.toLowerCase() === other.toLowerCase()
  return one === other || numberOf(one) === numberOf(other)
}

const compared = (sign: Sign, one: PlainValue, other: PlainValue): boolean => {
  const areTexts = typeof one === "string" && typeof other === "string"
  const [left, right] = areTexts ? [one.toLowerCase(), other.toLowerCase()] : [numberOf(one), numberOf(other)]
  if (sign === "<") return left < right
  if (sign === "<=") return left <= right
  return sign === ">" ? left > right : left >= right
}

const found = (value: PlainValue, key: PlainValue, scope: Scope): PlainValue => {
  if (Array.isArray(value)) return typeof key === "number" ? ((value as ReadonlyArray<PlainValue>)[key] ?? null) : null
  if (!isRecord(value)) return null
  const name = textOf(key)
  if (Object.hasOwn(value, name)) return value[name] ?? null
  consumeSteps(scope, Object.keys(value).length)
  const same = Object.keys(value).find((each) => each.toLowerCase() === name.toLowerCase())
  return same === undefined ? null : (value[same] ?? null)
}

const filled = (form: string, values: ReadonlyArray<PlainValue>): string => {
  let length = form.length
  return form.replace(/\{\{|\}\}|\{(\d+)\}/g, (all, place?: string) => {
    if (place === undefined) return all.slice(1)
    const text = textOf(values[Number(place)] ?? null)
    length += text.length
    if (length > longestText) throw tooLong()
    return text
  })
}

const partsIn = (value: PlainValue): ReadonlyArray<PlainValue> =>
  Array.isArray(value) ? (value as ReadonlyArray<PlainValue>) : isRecord(value) ? Object.values(value) : []

/** The maximum nesting depth of maps and lists in a value, which limits recursion. */
const deepest = 100

const isDeep = (value: PlainValue): boolean => {
  let parts = [value]
  for (let depth = 0; depth <= deepest && parts.length > 0; depth++) parts = parts.flatMap((part) => partsIn(part))
  return parts.length > 0
}

const json = (text: string): PlainValue => {
  try {
    return JSON.parse(text) as PlainValue
  } catch {
    throw new Unreadable({ because: "`fromJSON` got invalid JSON" })
  }
}

const parsed = (text: string): PlainValue => {
  const value = json(text)
  if (isDeep(value)) throw new Unreadable({ because: "`fromJSON` got JSON that is nested too deeply" })
  return value
}

const lower = (value: PlainValue = null) => textOf(value).toLowerCase()

const functions: Readonly<Record<string, (...args: ReadonlyArray<PlainValue>) => PlainValue>> = {
  contains: (all = null, one = null) =>
    Array.isArray(all) ? partsIn(all).some((each) => looselyEqual(each, one)) : lower(all).includes(lower(one)),
  startswith: (text, start) => lower(text).startsWith(lower(start)),
  endswith: (text, end) => lower(text).endsWith(lower(end)),
  format: (form = null, ...values) => filled(textOf(form), values),
  join: (all = null, between = ",") => {
    const texts = (Array.isArray(all) ? partsIn(all) : [all]).map(textOf)
    const gaps = texts.length * textOf(between).length
    if (texts.reduce((sum, { length }) => sum + length, gaps) > longestText) throw tooLong()
    return texts.join(textOf(between))
  },
  tojson: (value = null) => bounded(JSON.stringify(value, null, 2)),
  fromjson: (value = null) => parsed(textOf(value))
}

/** The number of characters that a text search compares for the cost of one step. */
const comparedPerStep = 4_096

/** Returns the number of steps that a function call costs, for the worst case of a text search. */
const costOf = (name: string, args: ReadonlyArray<PlainValue>): number => {
  const weights = args.map((each) => weightOf(each))
  const [all = 0, one = 0] = weights
  const sought = name === "contains" ? Math.floor((all * one) / comparedPerStep) : 0
  return weights.reduce((sum, each) => sum + each, sought)
}

/** Returns whether expressions have a built-in function with this name in lower case. */
export const isFunction = (name: string): boolean => Object.hasOwn(functions, name)

const nameOf = (name: string, { contexts, later }: Scope): PlainValue => {
  const same = Object.hasOwn(contexts, name) ? name : name.toLowerCase()
  if (!Object.hasOwn(contexts, same)) throw new Unreadable({ because: `\`${name}\` is not available here` })
  if (same === "inputs" && later !== undefined && later.size > 0) {
    throw new Unreadable({ because: "an input is not known yet" })
  }
  return contexts[same] ?? null
}

const foundAt = ({ key: keyTree, of, spread }: Extract<Tree, { kind: "at" }>, scope: Scope): PlainValue => {
  const key = valueIn(keyTree, scope)
  const isInput = of.kind === "name" && of.name.toLowerCase() === "inputs"
  if (isInput && scope.later?.has(textOf(key)) === true) {
    throw new Unreadable({ because: `the input \`${textOf(key)}\` is not known yet` })
  }
  const value = valueIn(of, isInput ? { ...scope, later: undefined } : scope)
  if (!spread) return found(value, key, scope)
  consumeSteps(scope, sizeOf(value))
  return partsIn(value).flatMap((each) => found(each, key, scope) ?? [])
}

const ofTwo = ({ left, right, sign }: Extract<Tree, { kind: "two" }>, scope: Scope): PlainValue => {
  const one = valueIn(left, scope)
  if (sign === "&&") return isTrue(one) ? valueIn(right, scope) : one
  if (sign === "||") return isTrue(one) ? one : valueIn(right, scope)
  const other = valueIn(right, scope)
  consumeSteps(scope, sizeOf(one) + sizeOf(other))
  if (sign === "==") return looselyEqual(one, other)
  return sign === "!=" ? !looselyEqual(one, other) : compared(sign, one, other)
}

/** Evaluates the syntax tree of an expression; throws `Unreadable` for unknown names and exceeded limits. */
export const valueIn = (tree: Tree, scope: Scope): PlainValue => {
  consumeSteps(scope, 1)
  switch (tree.kind) {
    case "value":
      return tree.value
    case "name":
      return nameOf(tree.name, scope)
    case "at":
      return foundAt(tree, scope)
    case "each": {
      const parts = partsIn(valueIn(tree.of, scope))
      const each = tree.spread ? parts.flatMap(partsIn) : parts
      consumeSteps(scope, parts.length + each.length)
      return each
    }
    case "not":
      return !isTrue(valueIn(tree.of, scope))
    case "two":
      return ofTwo(tree, scope)
    case "call": {
      const { functions: asked = {} } = scope
      const own = Object.hasOwn(asked, tree.name) ? asked[tree.name] : undefined
      if (own !== undefined) return own()
      const use = Object.hasOwn(functions, tree.name) ? functions[tree.name] : undefined
      if (use === undefined) throw new Unreadable({ because: `\`${tree.name}\` is not available here` })
      const args = tree.args.map((each) => valueIn(each, scope))
      consumeSteps(scope, costOf(tree.name, args))
      const value = use(...args)
      consumeSteps(scope, weightOf(value))
      return value
    }
  }
}
