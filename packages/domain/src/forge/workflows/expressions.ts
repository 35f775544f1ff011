import type { Plain, PlainRecord } from "./Workflow.ts"

/** What expressions read before a job has a runner. */
export interface Contexts {
  readonly github: PlainRecord
  readonly inputs: PlainRecord
  readonly matrix: PlainRecord
  readonly vars: PlainRecord
}

// Names with dots between them: whatever else there is in expressions is the runner's to read.
const simple = /\$\{\{\s*([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)\s*\}\}/g

const found = (contexts: Contexts, path: string): Plain | undefined => {
  let value: Plain | undefined = { ...contexts, github: contexts.github }
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
    const record = value as PlainRecord
    if (!Object.hasOwn(record, name)) return undefined
    value = record[name]
  }
  return value
}

/** Returns the value of a text that is one expression and no more; nothing where it isn't, or names what isn't there. */
export const valueOf = (text: string, contexts: Contexts): Plain | undefined => {
  const [whole, path] = [...text.trim().matchAll(simple)][0] ?? []
  return whole === text.trim() && path !== undefined ? found(contexts, path) : undefined
}

/**
 * Puts values in the place of the expressions of a text; nothing where one says more than a name, or names what isn't there.
 *
 * @example
 * interpolated("on ${{ matrix.os }}", { github: {}, inputs: {}, matrix: { os: "linux" }, vars: {} }) // => "on linux"
 * interpolated("${{ toJSON(matrix) }}", { github: {}, inputs: {}, matrix: {}, vars: {} }) // => undefined
 */
export const interpolated = (text: string, contexts: Contexts): string | undefined => {
  let isWhole = true
  const filled = text.replace(simple, (_, path: string) => {
    const value = found(contexts, path)
    if (value === undefined) isWhole = false
    return typeof value === "object" ? JSON.stringify(value) : String(value)
  })
  return isWhole && !filled.includes("${{") ? filled : undefined
}
