import { partsOf, tokensOf } from "./expressions/tokens.ts"
import { longestExpression } from "./expressions/tree.ts"
import type { PlainRecord, PlainValue } from "./Workflow.ts"

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const jsonOf = (value: PlainValue): string =>
  JSON.stringify(value).replaceAll(/[{}$]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)

/** Formats a value as a literal of an expression, escaped so that it cannot end the expression or its line. */
const literalOf = (value: PlainValue): string => {
  if (value === null || typeof value === "boolean" || typeof value === "number") return JSON.stringify(value)
  if (typeof value === "string" && !/[\p{Cc}{}$]/u.test(value)) return quoted(value)
  if (typeof value === "string") return `fromJSON(${quoted(jsonOf(value))})`
  const entries = Object.entries(value).map(([name, each]) => `${jsonOf(name)}:${jsonOf(each as PlainValue)}`)
  return `fromJSON(${quoted(`{${entries.join()}}`)})`
}

/** The maximum number of characters that replaced inputs can add in one job. */
const mostReplaced = 4_194_304

/**
 * Replaces the names of inputs in an expression by their values; undefined if the values add more than `room`
 * characters.
 *
 * @example
 * expressionWith("inputs.os == 'x' && inputs['os']", { os: "it's" }) // => "'it''s' == 'x' && fromJSON('{\"os\":\"it''s\"}')['os']"
 */
export const expressionWith = (expression: string, inputs: PlainRecord, room = mostReplaced): string | undefined => {
  if (expression.length > longestExpression) return expression
  const tokens = tokensOf(expression) ?? []
  const isSign = (at: number, sign: string) => tokens[at]?.kind === "sign" && tokens[at]?.says === sign
  let [written, from] = ["", 0]
  for (const [at, token] of tokens.entries()) {
    const isInputs = token.kind === "name" && token.says.toLowerCase() === "inputs"
    if (!isInputs || isSign(at - 1, ".") || isSign(at + 1, "(")) continue
    const key = isSign(at + 1, ".") && tokens[at + 2]?.kind === "name" ? tokens[at + 2] : undefined
    const name = Object.keys(inputs).find((each) => each.toLowerCase() === key?.says.toLowerCase())
    const value = key === undefined ? inputs : name === undefined ? null : (inputs[name] ?? null)
    written += expression.slice(from, token.from) + literalOf(value)
    from = (key ?? token).to
    if (written.length - from > room) return undefined
  }
  return written + expression.slice(from)
}

/** The keys of maps with user-chosen keys; in these maps, a key `if` is not a condition. */
const named: ReadonlySet<string> = new Set(["env", "jobs", "outputs", "with"])

/** Replaces the names of inputs by their values in nested values, up to a total size. */
class Replacing {
  private room = mostReplaced
  private readonly inputs: PlainRecord

  constructor(inputs: PlainRecord) {
    this.inputs = inputs
  }

  get isFull(): boolean {
    return this.room < 0
  }

  private readonly expression = (text: string): string => {
    if (this.isFull) return ""
    const written = expressionWith(text, this.inputs, this.room)
    this.room = written === undefined ? -1 : this.room - Math.max(0, written.length - text.length)
    return written ?? ""
  }

  private readonly text = (text: string): string =>
    partsOf(text)
      .map((part) => (part.expression ? `\${{${this.expression(part.text)}}}` : part.text))
      .join("")

  readonly value = (written: PlainValue, key = ""): PlainValue => {
    // Conditions are expressions even without `${{ }}`.
    if (typeof written === "string") {
      return key === "if" && !written.includes("${{") ? this.expression(written) : this.text(written)
    }
    if (typeof written !== "object" || written === null) return written
    if (Array.isArray(written)) return (written as ReadonlyArray<PlainValue>).map((each) => this.value(each))
    const entries = Object.entries(written)
    return Object.fromEntries(
      entries.map(([name, value]) => [name, this.value(value as PlainValue, named.has(key) ? "" : name)])
    )
  }
}

/** Replaces the names of inputs in all expressions of a job by their values; undefined if the result is too long. */
export const withInputs = (written: PlainValue, inputs: PlainRecord): PlainValue | undefined => {
  const replacing = new Replacing(inputs)
  const value = replacing.value(written)
  return replacing.isFull ? undefined : value
}
