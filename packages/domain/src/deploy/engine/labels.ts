import { Result } from "effect"
import { isOwnLabel } from "./names.ts"

/** A user's label. */
export type Label = readonly [name: string, value: string]

/**
 * Reads labels as an application stores them, one `name=value` a line; empty lines and lines that begin with `#` are left
 * out. Fails with all that is wrong: the names that begin with `slipway.` are the platform's own (invariant I22).
 */
export const readLabels = (stored: string): Result.Result<ReadonlyArray<Label>, ReadonlyArray<string>> => {
  const labels = new Map<string, string>()
  const problems: Array<string> = []
  for (const line of stored.split(/\r?\n/)) {
    const text = line.trim()
    if (text === "" || text.startsWith("#")) continue
    const [name = "", value = ""] = text.split(/=(.*)/s).map((part) => part.trim())
    const shown = name.slice(0, 100)
    if (name === "") problems.push("A label needs a name.")
    else if (isOwnLabel(name)) problems.push(`The label \`${shown}\` is the platform's own.`)
    else labels.set(name, value)
  }
  return problems.length === 0 ? Result.succeed([...labels]) : Result.fail(problems)
}

const variable = /\$(?:\$|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g

/**
 * Returns a stored label's value as the container gets it: `$$` is a dollar sign, `$NAME` and `${NAME}` are variables of
 * the application (decision "Label escaping": stored labels have each `$` doubled unless escaping is off).
 */
export const expandLabel = (value: string, variables: ReadonlyMap<string, string>): string =>
  value.replaceAll(variable, (whole: string, braced?: string, bare?: string) =>
    whole === "$$" ? "$" : (variables.get(braced ?? bare ?? "") ?? "")
  )
