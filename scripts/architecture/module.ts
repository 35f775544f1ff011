/** Reads what the architecture check needs from one source file. */
import { type Comment, parseSync } from "oxc-parser"
import { impureGlobals } from "./table.ts"

/** A name in a file, with its line. */
export interface Mention {
  readonly name: string
  readonly line: number
}

/** An exported name, with the first sentence of its docstring. */
export interface Export extends Mention {
  readonly sentence: string | undefined
}

/** The imports, exports and used globals of one source file. */
export interface Module {
  readonly imports: ReadonlyArray<Mention>
  readonly exports: ReadonlyArray<Export>
  readonly impure: ReadonlyArray<Mention>
  readonly lines: number
}

// The tree is walked by key, so unknown kinds of syntax nodes are walked as well.
type Tree = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown }

const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const children = (node: Tree): ReadonlyArray<readonly [key: string, child: Tree]> =>
  Object.entries(node).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isTree).map((child) => [key, child] as const)
  )

const walk = (node: Tree, visit: (node: Tree, parent: Tree | undefined, key: string) => void): void => {
  const go = (node: Tree, parent: Tree | undefined, key: string): void => {
    visit(node, parent, key)
    for (const [key, child] of children(node)) go(child, node, key)
  }
  go(node, undefined, "")
}

const nameOf = (node: unknown): string | undefined =>
  isTree(node) && node.type === "Identifier" ? String(node.name) : undefined

const stringOf = (node: unknown): string | undefined =>
  isTree(node) && node.type === "Literal" && typeof node.value === "string" ? node.value : undefined

/** Returns the names that a pattern binds: `{ a, b: [c = d] }` binds a and c. */
const bound = (pattern: unknown): ReadonlyArray<string> => {
  if (!isTree(pattern)) return []
  switch (pattern.type) {
    case "Identifier":
      return [String(pattern.name)]
    case "AssignmentPattern":
      return bound(pattern.left)
    case "RestElement":
      return bound(pattern.argument)
    case "Property":
      return bound(pattern.value)
    case "ObjectPattern":
    case "ArrayPattern":
      return children(pattern).flatMap(([key, child]) => (key === "typeAnnotation" ? [] : bound(child)))
    default:
      return []
  }
}

/** Returns whether an identifier is only a name inside something else, and no reference. */
const isLabel = (parent: Tree | undefined, key: string): boolean =>
  parent !== undefined &&
  ((key === "property" && parent.computed !== true) ||
    (key === "key" && parent.computed !== true) ||
    (key === "right" && parent.type === "TSQualifiedName") ||
    (key === "imported" && parent.type === "ImportSpecifier") ||
    (key === "exported" && parent.type === "ExportSpecifier"))

const isTypeAlias = (node: unknown): boolean => isTree(node) && node.type === "TSTypeAliasDeclaration"

const sentenceOf = (comment: Comment): string | undefined => {
  const words = comment.value
    .split("\n")
    .map((line) => line.replace(/^\s*\*+\s?/, "").trim())
    .join("\n")
    .trim()
  const paragraph = words.split(/\n\s*\n|\n@|^@/, 1)[0] ?? ""
  return /^(.+?[.!?])(\s|$)/s.exec(paragraph)?.[1]?.replaceAll("\n", " ")
}

/** Reads one TypeScript source file; throws when it does not parse. */
export const readModule = (file: string, source: string): Module => {
  const { program, comments, errors } = parseSync(file, source)
  const [broken] = errors
  if (broken !== undefined) throw new Error(`${file} does not parse: ${broken.message}`)

  const starts = [0, ...[...source.matchAll(/\n/g)].map((match) => match.index + 1)]
  const lineAt = (offset: number): number => starts.findLastIndex((start) => start <= offset) + 1

  const imports: Array<Mention> = []
  const used: Array<Mention> = []
  const own = new Set<string>()
  walk(program as unknown as Tree, (node, parent, key) => {
    const line = lineAt(node.start)
    const from = "source" in node ? stringOf(node.source) : undefined
    if (from !== undefined) imports.push({ name: from, line })
    if (node.type === "VariableDeclarator") for (const name of bound(node.id)) own.add(name)
    if (key === "params") for (const name of bound(node)) own.add(name)
    if (key === "local" && parent?.type.startsWith("Import")) for (const name of bound(node)) own.add(name)
    const name = nameOf(node)
    if (name !== undefined && !isLabel(parent, key)) used.push({ name, line })
    if (node.type === "MemberExpression" && node.computed !== true) {
      used.push({ name: `${nameOf(node.object)}.${nameOf(node.property)}`, line })
    }
  })

  const statements = program.body as unknown as ReadonlyArray<Tree>
  const documentation = (statement: Tree): string | undefined => {
    const before = comments.filter((comment) => comment.end <= statement.start)
    const last = before.findLast((comment) => comment.type === "Block" && comment.value.startsWith("*"))
    if (last === undefined) return undefined
    const between = before.filter((comment) => comment.start >= last.end)
    const rest = between.reduceRight(
      (text, comment) => text.slice(0, comment.start - last.end) + text.slice(comment.end - last.end),
      source.slice(last.end, statement.start)
    )
    return rest.trim() === "" ? sentenceOf(last) : undefined
  }
  const declares = (declaration: unknown): ReadonlyArray<string> => {
    if (!isTree(declaration)) return []
    if (declaration.type === "VariableDeclaration") {
      return (declaration.declarations as ReadonlyArray<Tree>).flatMap((each) => bound(each.id))
    }
    return bound(declaration.id)
  }
  const listed = new Set(
    statements.flatMap((statement) =>
      statement.type === "ExportNamedDeclaration" && statement.source === null
        ? (statement.specifiers as ReadonlyArray<Tree>).flatMap((each) => nameOf(each.local) ?? [])
        : []
    )
  )
  const exports = new Map<string, Export>()
  let above: { readonly line: number; readonly sentence: string | undefined } | undefined
  for (const statement of statements) {
    const exported = statement.type === "ExportNamedDeclaration"
    const names = exported ? declares(statement.declaration) : declares(statement).filter((name) => listed.has(name))
    const line = lineAt(statement.start)
    // A type right below its schema or value shares that docstring.
    const shares = isTypeAlias(statement.declaration) && above?.line === line - 1
    const sentence = documentation(statement) ?? (shares ? above?.sentence : undefined)
    // A name with several declarations (overloads, a schema and its type) is documented at the first.
    for (const name of names) if (!exports.has(name)) exports.set(name, { name, line, sentence })
    above = { line: lineAt(statement.end), sentence }
  }

  return {
    imports,
    exports: [...exports.values()],
    impure: used.filter(({ name }) => Object.hasOwn(impureGlobals, name) && !own.has(name)),
    lines: source.split("\n").length - (source.endsWith("\n") ? 1 : 0)
  }
}
