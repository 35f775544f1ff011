/** Extracts prose from files: pages without code, and comments, test titles and messages of sources. */
import { type Node, parseSync, Visitor } from "oxc-parser"

/** A piece of prose and the line of the file on which it stands. */
export interface Prose {
  readonly line: number
  readonly text: string
}

const withoutCode = (text: string): string => text.replaceAll(/`[^`]*`/g, "``")

/** Returns the lines of a Markdown page outside of code blocks, inline code blanked. */
export const proseOfPage = (page: string): ReadonlyArray<Prose> => {
  let isCode = false
  return page.split("\n").flatMap((text, at) => {
    const isFence = /^\s*```/.test(text)
    if (isFence) isCode = !isCode
    return isCode || isFence || /^ {4}/.test(text) ? [] : [{ line: at + 1, text: withoutCode(text) }]
  })
}

/** The functions that take a title as their first argument. */
const titled = new Set(["it", "test", "describe", "scenario"])

/** The methods that take the cases of a parameterized test, such as `it.each`. */
const tableMethods = new Set(["each", "for"])

/** Returns the object of a chain of members and calls, such as `it` in `it.effect.each(rows)`. */
const rootOf = (node: Node): string | undefined =>
  node.type === "Identifier"
    ? node.name
    : node.type === "MemberExpression"
      ? rootOf(node.object)
      : node.type === "CallExpression"
        ? rootOf(node.callee)
        : node.type === "TaggedTemplateExpression"
          ? rootOf(node.tag)
          : undefined

/** Returns a string or template with its start, placeholders blanked; undefined for any other expression. */
const literalOf = (node: Node | undefined | null): { readonly start: number; readonly text: string } | undefined => {
  if (node?.type === "Literal" && typeof node.value === "string") return { start: node.start, text: node.value }
  if (node?.type !== "TemplateLiteral") return undefined
  return { start: node.start, text: node.quasis.map(({ value }) => value.cooked ?? value.raw).join("…") }
}

/** Returns an array without a type assertion such as `as const`. */
const arrayIn = (node: Node | undefined): ReadonlyArray<Node | null> =>
  node?.type === "TSAsExpression" || node?.type === "TSSatisfiesExpression"
    ? arrayIn(node.expression)
    : node?.type === "ArrayExpression"
      ? (node.elements as ReadonlyArray<Node | null>)
      : []

/** Returns the cells of a table of cases that appear in a title: the first ones for `%s`, and `name` for `$name`. */
const cellsOf = (rows: ReadonlyArray<Node | null>, title: string): ReadonlyArray<Node> => {
  const places = title.match(/%s/g)?.length ?? 0
  const names = new Set([...title.matchAll(/\$(\w+)/g)].map(([, name]) => name))
  return rows.flatMap((row): ReadonlyArray<Node> => {
    if (row === null) return []
    if (row.type === "ObjectExpression") {
      return row.properties.flatMap((property) =>
        property.type === "Property" && property.key.type === "Identifier" && names.has(property.key.name)
          ? [property.value]
          : []
      )
    }
    const cells = row.type === "ArrayExpression" ? arrayIn(row) : [row]
    return cells.slice(0, places).flatMap((cell) => (cell === null ? [] : [cell]))
  })
}

/** Returns the title of a test or suite, with the cells of its table that appear in it. */
const titlesOf = (call: Extract<Node, { type: "CallExpression" }>): ReadonlyArray<Node> => {
  const [first] = call.arguments
  const title = literalOf(first)
  if (first === undefined || title === undefined || !titled.has(rootOf(call.callee) ?? "")) return []
  const { callee } = call
  const isTable =
    callee.type === "CallExpression" &&
    callee.callee.type === "MemberExpression" &&
    callee.callee.property.type === "Identifier" &&
    tableMethods.has(callee.callee.property.name)
  return isTable ? [first, ...cellsOf(arrayIn(callee.arguments[0]), title.text)] : [first]
}

/** Returns whether a text is a message: it has at least three words, and is no statement of SQL. */
const isMessage = (text: string): boolean =>
  /^\S+ \S+ \S/m.test(text) && !/\b(?:SELECT|UPDATE|INSERT|DELETE|CREATE|ALTER|DROP|WITH|WHERE|FROM) /.test(text)

/** Returns the lines of a source's comments, the titles of its tests, and its messages if it is no test. */
export const proseOfSource = (path: string, source: string): ReadonlyArray<Prose> => {
  const { comments, program } = parseSync(path, source)
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineAt = (offset: number): number => starts.findLastIndex((start) => start <= offset) + 1
  const linesOf = ({ start, text }: { readonly start: number; readonly text: string }): ReadonlyArray<Prose> => {
    const first = lineAt(start)
    return text.split("\n").map((line, at) => ({ line: first + at, text: withoutCode(line) }))
  }
  const ofComments = comments.flatMap(({ start, value }) => {
    const first = lineAt(start)
    let isExample = false
    return value.split("\n").flatMap((line, at) => {
      const text = line.replace(/^\s*\*? ?/, "")
      if (text.startsWith("```") || text.startsWith("@example")) isExample = text !== "```" || !isExample
      else if (text.trim() === "" && !text.startsWith("```")) isExample = false
      return isExample ? [] : [{ line: first + at, text: withoutCode(text) }]
    })
  })
  const titles = new Set<Node>()
  const messages: Array<Node> = []
  const hasMessages = path.includes("/src/")
  const add = (node: Node) => {
    const literal = literalOf(node)
    if (literal !== undefined && isMessage(literal.text)) messages.push(node)
  }
  new Visitor({
    CallExpression: (call) => {
      for (const title of titlesOf(call)) titles.add(title)
    },
    ...(hasMessages ? { Literal: add, TemplateLiteral: add } : {})
  }).visit(program)
  const texts = [...titles, ...messages.filter((node) => !titles.has(node))].flatMap((node) => {
    const literal = literalOf(node)
    return literal === undefined ? [] : linesOf(literal)
  })
  return [...ofComments, ...texts]
}
