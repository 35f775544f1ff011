import type { Condition } from "./Condition.ts"
import { factsIn, fold } from "./Condition.ts"
import type { Fact, Vocabulary } from "./Facts.ts"

/** A possible value of a fact (a value that access rules test): a boolean, a word or a number. */
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
 * Returns, for each fact that a condition uses, the values that can lead to different results.
 *
 * All levels between two tested levels give the same result, so only the lowest of them is returned.
 */
export const distinctions = <F>(
  condition: Condition<F>,
  vocabulary: Vocabulary
): ReadonlyArray<readonly [fact: string, values: ReadonlyArray<Value>]> => {
  const asked = thresholds(condition)
  return factsIn(condition).map((name) => {
    const fact = vocabulary[name]
    if (fact === undefined) throw new Error(`\`${name}\` is not a fact of this vocabulary`)
    return [name, valuesOf(fact, asked.get(name) ?? new Set<number>())] as const
  })
}

/** Returns the number of fact records that `enumerate` yields for a condition. */
export const countDistinct = <F>(condition: Condition<F>, vocabulary: Vocabulary): number =>
  distinctions(condition, vocabulary).reduce((count, [, values]) => count * values.length, 1)

/**
 * Yields every combination of fact values that can change the result of a condition. `rest` supplies the facts that the
 * condition does not use.
 *
 * With a `step` above 1, only every step-th record is yielded. If the step and the number of records have no common
 * factor, the sample still contains all values of all facts.
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
