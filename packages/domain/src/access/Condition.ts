/** Names the facts of a record that are yes or no. */
export type FlagOf<F> = { [K in keyof F]: F[K] extends boolean ? K : never }[keyof F] & string
/** Names the facts of a record that are ordered numbers, such as levels. */
export type LevelOf<F> = { [K in keyof F]: F[K] extends number ? K : never }[keyof F] & string
/** Names the facts of a record that are one word out of a closed list. */
export type WordOf<F> = { [K in keyof F]: F[K] extends string ? K : never }[keyof F] & string

/**
 * A condition over a record of facts, as plain data.
 *
 * The vocabulary is closed: when a rule doesn't fit, add a fact, never an operator.
 */
export type Condition<F> =
  | { readonly op: "flag"; readonly fact: FlagOf<F> }
  | { readonly op: "is"; readonly fact: WordOf<F>; readonly word: string }
  | { readonly op: "atLeast"; readonly fact: LevelOf<F>; readonly level: number }
  | { readonly op: "not"; readonly of: Condition<F> }
  | { readonly op: "all"; readonly of: ReadonlyArray<Condition<F>> }
  | { readonly op: "any"; readonly of: ReadonlyArray<Condition<F>> }

/** The constructors of conditions over one record of facts. */
export interface Conditions<F> {
  readonly flag: (fact: FlagOf<F>) => Condition<F>
  readonly is: <K extends WordOf<F>>(fact: K, word: F[K] & string) => Condition<F>
  readonly atLeast: <K extends LevelOf<F>>(fact: K, level: F[K] & number) => Condition<F>
  readonly not: (of: Condition<F>) => Condition<F>
  readonly all: (...of: ReadonlyArray<Condition<F>>) => Condition<F>
  readonly any: (...of: ReadonlyArray<Condition<F>>) => Condition<F>
}

/** Returns the constructors of conditions over the facts `F`. */
export const conditionsOn = <F>(): Conditions<F> => ({
  flag: (fact) => ({ op: "flag", fact }),
  is: (fact, word) => ({ op: "is", fact, word }),
  atLeast: (fact, level) => ({ op: "atLeast", fact, level }),
  not: (of) => ({ op: "not", of }),
  all: (...of) => ({ op: "all", of }),
  any: (...of) => ({ op: "any", of })
})

/** One reading of a condition: what each operator becomes. */
export interface Reading<F, A> {
  readonly flag: (fact: FlagOf<F>) => A
  readonly is: (fact: WordOf<F>, word: string) => A
  readonly atLeast: (fact: LevelOf<F>, level: number) => A
  readonly not: (of: A) => A
  readonly all: (of: ReadonlyArray<A>) => A
  readonly any: (of: ReadonlyArray<A>) => A
}

/** Folds a condition into one reading; enforcement, SQL, prose and explanation are all readings of this fold. */
export const fold = <F, A>(condition: Condition<F>, reading: Reading<F, A>): A => {
  switch (condition.op) {
    case "flag":
      return reading.flag(condition.fact)
    case "is":
      return reading.is(condition.fact, condition.word)
    case "atLeast":
      return reading.atLeast(condition.fact, condition.level)
    case "not":
      return reading.not(fold(condition.of, reading))
    case "all":
      return reading.all(condition.of.map((each) => fold(each, reading)))
    case "any":
      return reading.any(condition.of.map((each) => fold(each, reading)))
  }
}

/** Compiles a condition once into a synchronous predicate on facts. */
export const compile = <F>(condition: Condition<F>): ((facts: F) => boolean) =>
  fold<F, (facts: F) => boolean>(condition, {
    flag: (fact) => (facts) => facts[fact] === true,
    is: (fact, word) => (facts) => facts[fact] === word,
    atLeast: (fact, level) => (facts) => (facts[fact] as number) >= level,
    not: (of) => (facts) => !of(facts),
    all: (of) => (facts) => of.every((each) => each(facts)),
    any: (of) => (facts) => of.some((each) => each(facts))
  })
