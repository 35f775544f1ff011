import { Result } from "effect"
import { expandText } from "../../apps/variables/expand.ts"
import { isOwnLabel } from "./names.ts"

/**
 * The maximum total length of an application's container labels after variables are replaced by their values, in
 * characters.
 */
export const longestLabels = 100_000

const mostLabels = 1_000

/** A container label that a user set. */
export type Label = readonly [name: string, value: string]

/**
 * Parses the stored labels of an application, one `name=value` per line; omits empty lines and lines that begin with
 * `#`.
 *
 * Fails with all problems. Names that begin with `slipway.` are rejected, because the platform identifies its own
 * containers by them (invariant I22).
 */
export const readLabels = (stored: string): Result.Result<ReadonlyArray<Label>, ReadonlyArray<string>> => {
  const labels = new Map<string, string>()
  const problems: Array<string> = []
  let count = 0
  for (const line of stored.split(/\r?\n/)) {
    const text = line.trim()
    if (text === "" || text.startsWith("#")) continue
    // Engines return the labels of all containers with each container list.
    if (++count > mostLabels) return Result.fail([`Must have at most ${mostLabels} labels.`])
    const [name = "", value = ""] = text.split(/=(.*)/s).map((part) => part.trim())
    const shown = name.slice(0, 100)
    if (name === "") problems.push("A label needs a name.")
    else if (isOwnLabel(name)) problems.push(`The label \`${shown}\` is reserved for the platform.`)
    else labels.set(name, value)
  }
  return problems.length === 0 ? Result.succeed([...labels]) : Result.fail(problems)
}

/**
 * Replaces variables in stored labels; undefined if the result exceeds {@link longestLabels}.
 *
 * `$$` is a dollar sign, and `$NAME` and `${NAME}` are variables of the application. By default, labels are stored with
 * each `$` doubled, so that no variable is replaced (decision "Label escaping").
 */
export const expandLabels = (
  labels: ReadonlyArray<Label>,
  variables: ReadonlyMap<string, string>
): ReadonlyArray<Label> | undefined => {
  const expanded: Array<Label> = []
  let left = longestLabels
  for (const [name, value] of labels) {
    const text = expandText(value, variables, left)
    if (text === undefined) return undefined
    left -= text.length
    expanded.push([name, text])
  }
  return expanded
}
