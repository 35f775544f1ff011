/** Finds changes of a source that a test should notice. */
import { parseSync, type Node as Syntax } from "oxc-parser"

/** One change of a source: the text from `start` to `end` becomes `text`. */
export interface Mutation {
  readonly start: number
  readonly end: number
  readonly text: string
  /** The change, as `before → after`. */
  readonly change: string
  /** The first line of the change, counted from one, and its text. */
  readonly line: number
  readonly source: string
}

/** Words of levels, visibilities and abilities, each with a replacement. */
const shifted: ReadonlyMap<string, string> = new Map(
  Object.entries({
    none: "read",
    read: "write",
    write: "read",
    admin: "write",
    owner: "admin",
    public: "limited",
    limited: "private",
    private: "limited",
    sensitive: "read",
    deploy: "write",
    root: "write",
    anyone: "read"
  })
)

const opposites: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "===": "!==",
    "!==": "===",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "&&": "||",
    "||": "&&",
    "+": "-",
    "-": "+",
    all: "any",
    any: "all",
    some: "every",
    every: "some"
  })
)

/** Syntax nodes with children that no test can observe: types and module specifiers. */
const unseen = /^(?:TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|ImportDeclaration|ExportAllDeclaration)/

const isNode = (value: unknown): value is Syntax =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"

/** Returns the changes of a source: rules dropped, levels shifted, conditions negated, constants changed. */
export const mutationsOf = (file: string, source: string): ReadonlyArray<Mutation> => {
  const found: Array<Mutation> = []
  const textOf = ({ start, end }: { readonly start: number; readonly end: number }) => source.slice(start, end)
  const short = (text: string) => (text.length > 60 ? `${text.slice(0, 57)}...` : text).replace(/\s+/g, " ")
  const add = ({ start, end }: { readonly start: number; readonly end: number }, text: string) => {
    const line = source.slice(0, start).split("\n").length
    const change =
      text === "" ? `drop ${short(source.slice(start, end))}` : `${short(source.slice(start, end))} → ${short(text)}`
    found.push({ start, end, text, change, line, source: source.split("\n")[line - 1]?.trim() ?? "" })
  }
  /** Drops an item of a list together with the comma after it. */
  const drop = (items: ReadonlyArray<Syntax | null>) => {
    for (const item of items) {
      if (item === null || item.type === "SpreadElement") continue
      const comma = /^\s*,/.exec(source.slice(item.end))?.[0].length ?? 0
      add({ start: item.start, end: item.end + comma }, "")
    }
  }
  const negate = (condition: Syntax) => {
    if (condition.type !== "LogicalExpression") add(condition, `!(${textOf(condition)})`)
  }
  const operator = (node: { readonly left: Syntax; readonly right: Syntax; readonly operator: string }) => {
    const other = opposites.get(node.operator)
    if (other === undefined) return
    const start = source.indexOf(node.operator, node.left.end)
    add({ start, end: start + node.operator.length }, other)
  }
  const visit = (node: Syntax): void => {
    if (unseen.test(node.type)) return
    switch (node.type) {
      case "ArrayExpression":
        drop(node.elements)
        break
      case "ObjectExpression":
        // A table row has a quoted name; the compiler checks object shapes.
        drop(node.properties.filter((each) => each.type === "Property" && each.key.type === "Literal"))
        break
      case "CallExpression": {
        const { callee } = node
        const name =
          callee.type === "MemberExpression" && callee.property.type === "Identifier" ? callee.property.name : undefined
        const [argument] = node.arguments
        if (name === "not" && argument !== undefined) add(node, textOf(argument))
        if (name === "all" || name === "any") drop(node.arguments)
        const other = name === undefined ? undefined : opposites.get(name)
        if (other !== undefined && callee.type === "MemberExpression") add(callee.property, other)
        if (name === "flag") add(node, `{ op: "not", of: ${textOf(node)} }`)
        break
      }
      case "MemberExpression": {
        if (node.property.type !== "Identifier" || node.object.type !== "Identifier") break
        const level = shifted.get(node.property.name)
        if (/^(?:Scope)?Level$/.test(node.object.name) && level !== undefined) add(node.property, level)
        break
      }
      case "BinaryExpression":
      case "LogicalExpression":
        operator(node as never)
        break
      case "IfStatement":
      case "ConditionalExpression":
        negate(node.test)
        break
      case "Literal":
        if (typeof node.value === "boolean") add(node, String(!node.value))
        if (typeof node.value === "number") add(node, String(node.value + 1))
        if (typeof node.value === "string" && shifted.has(node.value))
          add(node, JSON.stringify(shifted.get(node.value)))
        break
    }
    for (const [key, child] of Object.entries(node)) {
      // A property name is no value, unless a rule uses it.
      if (key === "typeAnnotation" || key === "typeArguments" || key === "returnType") continue
      if (key === "key" && node.type === "Property") continue
      for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) visit(each)
    }
  }
  visit(parseSync(file, source).program)
  return found
}
