import type { EnvironmentVariable } from "@slipway/client/deploy"

/** A variable that a text sets. */
export interface TypedVariable {
  readonly key: string
  readonly value: string
}

/** A change that a text makes; `before` is null if the value of the variable is hidden, undefined if it is new. */
export interface VariableChange extends TypedVariable {
  readonly before: string | null | undefined
}

const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/

/** Parses lines such as `KEY=value`; returns the variables, or the number of the first invalid line. */
export const variablesIn = (
  text: string
): { readonly data: ReadonlyArray<TypedVariable> } | { readonly badLine: number } => {
  const data: Array<TypedVariable> = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue
    const [, key, value] = assignment.exec(line) ?? []
    if (key === undefined || value === undefined) return { badLine: index + 1 }
    data.push({ key, value })
  }
  return { data }
}

/** Returns what setting the variables of a text changes. Variables that are missing in the text stay as they are. */
export const changesOf = (
  variables: ReadonlyArray<EnvironmentVariable>,
  data: ReadonlyArray<TypedVariable>
): ReadonlyArray<VariableChange> => {
  // The text sets values of the resource, not those of previews.
  const present = new Map(variables.flatMap((each) => (each.is_preview ? [] : [[each.key, each.value] as const])))
  const typed = new Map(data.map(({ key, value }) => [key, value]))
  return [...typed].flatMap(([key, value]) => {
    const before = present.get(key)
    return before === value ? [] : [{ key, value, before }]
  })
}
