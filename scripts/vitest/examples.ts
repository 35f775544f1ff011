/** Finds the examples in docstrings and pages, and turns each into a module that checks its values. */
import { basename } from "node:path"
import { type Expression, parseSync } from "oxc-parser"

/** One ```ts block or `@example` of a docstring. */
export interface Example {
  /** The first line of the block's code. */
  readonly line: number
  /** The block's code, without the docstring's margin. */
  readonly code: string
}

/** Returns an import of the names that an example uses of its file. */
const importOf = (file: string, exported: ReadonlyArray<string>, code: string): string => {
  const named = exported.filter((name) => new RegExp(`\\b${name}\\b`).test(code))
  return `import { ${named.join(", ")} } from "./${basename(file)}"; `
}

/** Returns the ```ts blocks of a Markdown page that compare values; a block ```ts continued belongs to the one before. */
const examplesOfPage = (text: string): ReadonlyArray<Example> => {
  const examples: Array<Example> = []
  for (const { 1: continued, 2: code = "", index } of text.matchAll(/^```ts( continued)?\n(.*?)^```$/gms)) {
    const line = text.slice(0, index).split("\n").length + 1
    const last = continued === undefined ? undefined : examples.pop()
    examples.push(last === undefined ? { line, code } : { line: last.line, code: `${last.code}\n${code}` })
  }
  return examples.flatMap(({ code, line }) => (code.includes("// =>") ? [{ line, code: code.trimEnd() }] : []))
}

/** Returns the ```ts blocks and `@example`s of a file's docstrings; the latter need not import the file's exports. */
export const examplesOf = (file: string, source: string): ReadonlyArray<Example> => {
  if (file.endsWith(".md")) return examplesOfPage(source)
  if (!/```ts|@example$/m.test(source)) return []
  const { comments, module } = parseSync(file, source)
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName, isType }) => (isType || exportName.name === null ? [] : [exportName.name]))
  )
  return comments.flatMap((comment) => {
    if (comment.type !== "Block" || !comment.value.startsWith("*")) return []
    const lines = comment.value.split("\n").map((line) => line.replace(/^\s*\*?\s?/, ""))
    const first = source.slice(0, comment.start).split("\n").length
    const examples: Array<Example> = []
    for (let at = 0; at < lines.length; at++) {
      if (lines[at]?.trim() === "@example") {
        const length = lines.slice(at + 1).findIndex((line) => line.trim() === "" || line.startsWith("@"))
        const code = lines.slice(at + 1, length === -1 ? undefined : at + 1 + length).join("\n")
        examples.push({ line: first + at + 1, code: importOf(file, exported, code) + code })
        continue
      }
      if (lines[at]?.trim() !== "```ts") continue
      const end = lines.indexOf("```", at)
      if (end === -1) throw new Error(`${file}:${first + at} opens an example with \`\`\`ts and does not close it`)
      examples.push({ line: first + at + 1, code: lines.slice(at + 1, end).join("\n") })
      at = end
    }
    return examples
  })
}

/** Returns the expression to compare: the argument of `console.log`, or the expression itself. */
const compared = (expression: Expression): Expression => {
  if (expression.type !== "CallExpression" || expression.callee.type !== "MemberExpression") return expression
  const { object, property } = expression.callee
  const isPrint = object.type === "Identifier" && object.name === "console" && property.type === "Identifier"
  const [printed] = expression.arguments
  return isPrint && printed !== undefined && printed.type !== "SpreadElement" ? printed : expression
}

/**
 * Returns the code of a module that runs an example and fails unless each `expression // => value` holds.
 *
 * @throws if an example checks nothing: it would be a test that cannot fail.
 */
export const checked = (where: string, code: string): string => {
  const { program, comments, errors } = parseSync(`${where}.ts`, code)
  if (errors[0] !== undefined) throw new Error(`${where}: the example does not parse: ${errors[0].message}`)
  let out = code
  let checks = 0
  for (const comment of [...comments].reverse()) {
    const value = comment.type === "Line" ? /^\s*=>\s*(.+)$/.exec(comment.value)?.[1] : undefined
    if (value === undefined) continue
    const statement = program.body.findLast((statement) => statement.end <= comment.start)
    if (statement?.type !== "ExpressionStatement" || code.slice(statement.end, comment.start).includes("\n")) {
      throw new Error(`${where}: \`// => ${value}\` must follow an expression on the line where it ends`)
    }
    const { start, end } = compared(statement.expression)
    out = `${out.slice(0, statement.start)};expect(${out.slice(start, end)}).toEqual((${value}));${out.slice(comment.end)}`
    checks += 1
  }
  if (checks === 0) throw new Error(`${where}: the example checks nothing: end a line with \`// => value\``)
  return `import { expect } from "vitest"; ${out}`
}
