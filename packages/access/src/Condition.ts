/** The names of the boolean facts in a record; a fact is a value that access rules test. */
export type FlagOf<F> = { [K in keyof F]: F[K] extends boolean ? K : never }[keyof F] & string
/** The names of the facts in a record that have ordered values, such as access levels. */
export type LevelOf<F> = { [K in keyof F]: F[K] extends number ? K : never }[keyof F] & string
/** The names of the facts in a record that hold one word of a fixed list. */
export type WordOf<F> = { [K in keyof F]: F[K] extends string ? K : never }[keyof F] & string

/** A condition as a tree of operators and operands, without the type of the facts that it tests. */
export type Node =
  | { readonly op: "flag"; readonly fact: string }
  | { readonly op: "is"; readonly fact: string; readonly word: string }
  | { readonly op: "atLeast"; readonly fact: string; readonly level: number }
  | { readonly op: "not"; readonly of: Node }
  | { readonly op: "all"; readonly of: ReadonlyArray<Node> }
  | { readonly op: "any"; readonly of: ReadonlyArray<Node> }

/** Tracks at compile time which facts a condition uses. It also applies to a record with more facts. */
export interface Over<in F> {
  readonly over?: (facts: F) => void
}

/**
 * A condition over a record of facts, as plain data.
 *
 * The set of operators is fixed: a rule that they cannot express needs a new fact, not a new operator.
 */
export type Condition<F> = Node & Over<F>

/** The functions that build conditions on a record of facts (values that access rules test), one per operator. */
export interface Conditions<F> {
  readonly flag: (fact: FlagOf<F>) => Condition<F>
  readonly is: <K extends WordOf<F>>(fact: K, word: F[K] & string) => Condition<F>
  readonly atLeast: <K extends LevelOf<F>>(fact: K, level: F[K] & number) => Condition<F>
  readonly not: (of: Condition<F>) => Condition<F>
  readonly all: (...of: ReadonlyArray<Condition<F>>) => Condition<F>
  readonly any: (...of: ReadonlyArray<Condition<F>>) => Condition<F>
}

/** Returns the functions that build conditions on the facts `F`. */
export const conditionsOn = <F>(): Conditions<F> => ({
  flag: (fact) => ({ op: "flag", fact }),
  is: (fact, word) => ({ op: "is", fact, word }),
  atLeast: (fact, level) => ({ op: "atLeast", fact, level }),
  not: (of) => ({ op: "not", of }),
  all: (...of) => ({ op: "all", of }),
  any: (...of) => ({ op: "any", of })
})

/** An interpretation of conditions, one function for each operator: enforcement, SQL, prose or explanations. */
export interface Reading<F, A> {
  readonly flag: (fact: FlagOf<F>) => A
  readonly is: (fact: WordOf<F>, word: string) => A
  readonly atLeast: (fact: LevelOf<F>, level: number) => A
  readonly not: (of: A) => A
  readonly all: (of: ReadonlyArray<A>) => A
  readonly any: (of: ReadonlyArray<A>) => A
}

/** Evaluates a condition bottom-up with the functions of an interpretation, and returns the overall result. */
export const fold = <F, A>(condition: Condition<F>, reading: Reading<F, A>): A => {
  switch (condition.op) {
    case "flag":
      return reading.flag(condition.fact as FlagOf<F>)
    case "is":
      return reading.is(condition.fact as WordOf<F>, condition.word)
    case "atLeast":
      return reading.atLeast(condition.fact as LevelOf<F>, condition.level)
    case "not":
      return reading.not(fold<F, A>(condition.of, reading))
    case "all":
      return reading.all(condition.of.map((each) => fold<F, A>(each, reading)))
    case "any":
      return reading.any(condition.of.map((each) => fold<F, A>(each, reading)))
  }
}

/** A function that returns whether a condition is true for a record of facts (the values that access rules test). */
export type Predicate<F> = (facts: F) => boolean

const yes = () => true
const no = () => false

const both =
  <F>(a: Predicate<F>, b: Predicate<F>): Predicate<F> =>
  (facts) =>
    a(facts) && b(facts)
const either =
  <F>(a: Predicate<F>, b: Predicate<F>): Predicate<F> =>
  (facts) =>
    a(facts) || b(facts)

/** Joins predicates pairwise into a balanced tree of two-argument calls, so that a decision iterates over no array. */
const join = <F>(
  of: ReadonlyArray<Predicate<F>>,
  empty: Predicate<F>,
  two: (a: Predicate<F>, b: Predicate<F>) => Predicate<F>
): Predicate<F> => {
  if (of.length === 0) return empty
  if (of.length === 1) return of[0] as Predicate<F>
  const middle = of.length >> 1
  return two(join(of.slice(0, middle), empty, two), join(of.slice(middle), empty, two))
}

/** Compiles a condition into a function that tests a record of facts. Compile once, test often. */
export const compile = <F>(condition: Condition<F>): Predicate<F> =>
  fold<F, Predicate<F>>(condition, {
    flag: (fact) => (facts) => facts[fact] === true,
    is: (fact, word) => (facts) => facts[fact] === word,
    atLeast: (fact, level) => (facts) => (facts[fact] as number) >= level,
    not: (of) => (facts) => !of(facts),
    all: (of) => join(of, yes, both),
    any: (of) => join(of, no, either)
  })

/** Returns the names of the facts that a condition uses, each once, in order of use. */
export const factsIn = <F>(condition: Condition<F>): ReadonlyArray<keyof F & string> => {
  const leaf = (fact: keyof F & string): ReadonlyArray<keyof F & string> => [fact]
  const merge = (of: ReadonlyArray<ReadonlyArray<keyof F & string>>) => [...new Set(of.flat())]
  return fold<F, ReadonlyArray<keyof F & string>>(condition, {
    flag: leaf,
    is: leaf,
    atLeast: leaf,
    not: (of) => of,
    all: merge,
    any: merge
  })
}

/**
 * Simplifies a condition with the known facts: the result uses only the unknown facts.
 *
 * List queries use it: the caller is known before the query, so only the facts of each row remain for SQL. A condition
 * that is always true is returned as an empty `all`, a condition that is never true as an empty `any`.
 */
export const specialise = <F>(condition: Condition<F>, known: Partial<F>): Condition<F> => {
  const always: Condition<F> = { op: "all", of: [] }
  const never: Condition<F> = { op: "any", of: [] }
  const settled = (holds: boolean) => (holds ? always : never)
  const isAlways = (each: Condition<F>) => each.op === "all" && each.of.length === 0
  const isNever = (each: Condition<F>) => each.op === "any" && each.of.length === 0
  return fold<F, Condition<F>>(condition, {
    flag: (fact) => (known[fact] === undefined ? { op: "flag", fact } : settled(known[fact] === true)),
    is: (fact, word) => (known[fact] === undefined ? { op: "is", fact, word } : settled(known[fact] === word)),
    atLeast: (fact, level) =>
      known[fact] === undefined ? { op: "atLeast", fact, level } : settled((known[fact] as number) >= level),
    not: (of) => (isAlways(of) ? never : isNever(of) ? always : { op: "not", of }),
    all: (of) => {
      if (of.some(isNever)) return never
      const left = of.filter((each) => !isAlways(each))
      return left.length === 1 ? (left[0] as Condition<F>) : { op: "all", of: left }
    },
    any: (of) => {
      if (of.some(isAlways)) return always
      const left = of.filter((each) => !isNever(each))
      return left.length === 1 ? (left[0] as Condition<F>) : { op: "any", of: left }
    }
  })
}
