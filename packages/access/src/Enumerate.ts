import type { Condition } from "./Condition.ts"
import { factsIn, fold } from "./Condition.ts"
import type { Fact, Vocabulary } from "./Facts.ts"

/** The values of a fact that conditions distinguish. */
export type Value = boolean | string | number

const thresholds = <F>(condition: Condition<F>): ReadonlyMap<string, ReadonlySet<number>> => {
  const asked = new Map<string, Set<number>>()
  const nothing = () => undefined
  fold<F, void>(condition, {
    flag: nothing,
    is: nothing,
    atLeast: (fact, level) => {
      asked.set(fact, (asked.get(fact) ?? new Set([0])).add(level))
    },
    not: nothing,
    all: nothing,
    any: nothing
  })
  return asked
}

const valuesOf = (fact: Fact, asked: ReadonlySet<number>): ReadonlyArray<Value> => {
  switch (fact.kind) {
    case "flag":
      return [false, true]
    case "word":
      return fact.words
    case "level":
      return [...asked].sort((a, b) => a - b)
  }
}

/**
 * Returns, for each fact that a condition uses, the values that it distinguishes.
 *
 * All levels between two tested levels give the same result, so the lowest of them represents the others.
 */
export const distinctions = <F>(
  condition: Condition<F>,
  vocabulary: Vocabulary
): ReadonlyArray<readonly [fact: string, values: ReadonlyArray<Value>]> => {
  const asked = thresholds(condition)
  return factsIn(condition).map((name) => {
    const fact = vocabulary[name]
    if (fact === undefined) throw new Error(`\`${name}\` is not a fact of this vocabulary`)
    return [name, valuesOf(fact, asked.get(name) ?? new Set([0]))] as const
  })
}

/** Returns the number of fact records that a condition distinguishes. */
export const countDistinct = <F>(condition: Condition<F>, vocabulary: Vocabulary): number =>
  distinctions(condition, vocabulary).reduce((count, [, values]) => count * values.length, 1)

/**
 * Yields every record of facts that a condition distinguishes, merged with `rest` for the facts that it does not use.
 *
 * With `step` above one it yields every step-th of them; a step that shares no factor with the number of values visits
 * all values of all facts.
 */
export const enumerate = function* <F extends object>(
  condition: Condition<F>,
  vocabulary: Vocabulary,
  rest: F,
  step = 1
): Generator<F> {
  const facts = distinctions(condition, vocabulary)
  const count = facts.reduce((product, [, values]) => product * values.length, 1)
  for (let place = 0; place < count; place += step) {
    const record: Record<string, Value> = { ...(rest as Record<string, Value>) }
    let left = place
    for (const [name, values] of facts) {
      record[name] = values[left % values.length] as Value
      left = Math.floor(left / values.length)
    }
    yield record as F
  }
}
