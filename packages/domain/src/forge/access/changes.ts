import type { Fact, Vocabulary } from "@slipway/access"
import { factsIn } from "@slipway/access"
import type { Rulebook } from "./Rulebook.ts"

type Value = boolean | number | string

interface Change {
  readonly fact: string
  readonly value: Value
  readonly says: string
}

/** Returns the other possible values of a fact (input of access rules), nearest first, each with a description. */
const othersOf = (described: Fact, present: Value): ReadonlyArray<readonly [Value, string]> => {
  if (described.kind === "flag") return [present === true ? [false, described.no] : [true, described.yes]]
  if (described.kind === "word") {
    return described.words.filter((word) => word !== present).map((word) => [word, `${described.of} is ${word}`])
  }
  return described.levels
    .filter((level) => level !== present)
    .toSorted((one, other) => Math.abs(one - Number(present)) - Math.abs(other - Number(present)))
    .map((level) => [level, `${described.of} is ${described.words[level] ?? level}`])
}

/**
 * Returns sentences with the smallest changes of facts (inputs of access rules) that would reverse a decision.
 *
 * A change is a single fact; if no single fact reverses the decision, it is a pair of facts. For each fact, only the
 * nearest value is returned.
 */
export const changesBy = (rulebook: Rulebook, action: string, facts: object): ReadonlyArray<string> => {
  const vocabulary: Vocabulary = rulebook.vocabularies[rulebook.actionOf(action).on] ?? {}
  const { allows, condition } = rulebook.policyOf(action)
  const values = facts as Readonly<Record<string, Value>>
  const allowed = allows(facts)
  const turns = (...changes: ReadonlyArray<Change>) =>
    allows({ ...facts, ...Object.fromEntries(changes.map(({ fact, value }) => [fact, value])) }) !== allowed
  const possible = [...new Set<string>(factsIn(condition))].flatMap((fact): ReadonlyArray<Change> => {
    const described = vocabulary[fact]
    const present = values[fact]
    if (described === undefined || present === undefined) return []
    return othersOf(described, present).map(([value, says]) => ({ fact, value, says }))
  })
  const nearest = (found: ReadonlyArray<readonly [key: string, says: string]>) =>
    [...new Map(found.toReversed()).values()].toReversed()
  const alone = possible.filter((change) => turns(change))
  if (alone.length > 0) return nearest(alone.map(({ fact, says }) => [fact, says]))
  return nearest(
    possible.flatMap((one, at) =>
      possible
        .slice(at + 1)
        .filter((other) => other.fact !== one.fact && turns(one, other))
        .map((other) => [`${one.fact} ${other.fact}`, `${one.says}, and ${other.says}`] as const)
    )
  )
}
