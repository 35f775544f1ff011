/** Generates the forge's rules without the texts of the tables, for browsers: the data of `@slipway/domain/forge/rules`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Condition } from "@slipway/access"
import { type ActionName, actionNames, policyOf } from "@slipway/domain/forge/access"
import type { Compact, CompactTable } from "@slipway/domain/forge/rules"

const compact = (condition: Condition<never>): Compact => {
  switch (condition.op) {
    case "flag":
      return condition.fact
    case "is":
      return [condition.fact, condition.word]
    case "atLeast":
      return [condition.fact, condition.level]
    case "not":
      return [0, compact(condition.of)]
    case "all":
    case "any":
      return condition.of.length === 1
        ? compact(condition.of[0] as Condition<never>)
        : [condition.op === "all" ? 1 : 2, ...condition.of.map(compact)]
  }
}

/** Numbers values in the order of their first use. */
const numbered = <T>() => {
  const places = new Map<string, number>()
  const values: Array<T> = []
  const placeOf = (value: T): number => {
    const key = JSON.stringify(value)
    const place = places.get(key) ?? values.push(value) - 1
    places.set(key, place)
    return place
  }
  return { placeOf, values }
}

/** Returns the rules with numbers in place of names. */
export const compactRules = (names: ReadonlyArray<ActionName> = actionNames): CompactTable => {
  const rules = numbered<CompactTable["rules"][number]>()
  const answers = numbered<CompactTable["answers"][number]>()
  const checks = numbered<CompactTable["checks"][number]>()
  const policies = new Map<string, Array<string>>()
  for (const name of names) {
    const policy = policyOf(name)
    const placesOf = (of: ReadonlyArray<{ readonly id: string; readonly when: Condition<never> }>) =>
      of.map(({ id, when }) => rules.placeOf([id, compact(when)]))
    const asked = policy.checks.map(({ answer: { message, status }, forbids, grants, id }) =>
      checks.placeOf([id, placesOf(grants), placesOf(forbids), answers.placeOf([status, message])])
    )
    const key = JSON.stringify([asked, placesOf(policy.grants)])
    policies.set(key, [...(policies.get(key) ?? []), name])
  }
  return {
    rules: rules.values,
    answers: answers.values,
    checks: checks.values,
    policies: [...policies].map(([key, of]) => {
      const [asked, grants] = JSON.parse(key) as [Array<number>, Array<number>]
      return [asked, grants, of.join(" ")] as const
    })
  }
}

/** The generated file. */
export const file = join(import.meta.dirname, "../packages/domain/src/forge/rules/generated/table.ts")

/** Returns the rules in JSON, one row on each line. */
const json = (): string => {
  const parts = Object.entries<ReadonlyArray<unknown>>({ ...compactRules() }).map(
    ([name, rows]) => `${JSON.stringify(name)}:[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]`
  )
  return `{${parts.join(",\n")}}`
}

/** Returns the content of the generated file. */
export const source = (): string =>
  `// Written by \`npm run access-tables\`.
// biome-ignore format: one row on each line
// biome-ignore-all lint/style: generated
/** The rules of the library in JSON, in the form of \`CompactTable\`. */
export const text = \`${json().replace(/[\\`]|\$(?=\{)/g, "\\$&")}\`
`

if (import.meta.main) writeFileSync(file, source())
