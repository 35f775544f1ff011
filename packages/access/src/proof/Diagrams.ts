import { type Condition, fold, type Node } from "../Condition.ts"
import type { Value } from "../Enumerate.ts"
import type { Fact, Vocabulary } from "../Facts.ts"

/** A record of facts with names that the type system does not check. */
export type AnyRecord = Readonly<Record<string, Value>>

/** A set of fact records, as the index of a node in `Diagrams`. Two sets are equal if their indexes are equal. */
export type Diagram = number

/** The diagram of the empty set. */
export const never: Diagram = 0
/** The diagram of the set of all fact records. */
export const always: Diagram = 1

/** A fact as a variable of the decision diagrams: its name and all its values. */
interface Variable {
  readonly name: string
  readonly values: ReadonlyArray<Value>
}

const valuesOf = (fact: Fact): ReadonlyArray<Value> =>
  fact.kind === "flag" ? [false, true] : fact.kind === "word" ? fact.words : fact.levels

/** The cost of a fact that differs from its usual value. A larger difference of levels adds a little to the cost. */
const changed = 1_000

/** Maximum number of nodes. A JavaScript `Map` holds at most 2 ** 24 entries. */
const mostNodes = 2 ** 22

/**
 * Reduced ordered decision diagrams over the facts of a vocabulary; each diagram represents a set of fact records.
 *
 * A node tests one fact and has one child for each of its values. Equal sets of records share one node, so two
 * conditions are equivalent if their node indexes are equal. Nodes are never freed: use one instance for a group of
 * related questions. The number of nodes depends on the order of facts in the vocabulary.
 */
export class Diagrams {
  readonly variables: ReadonlyArray<Variable>
  private readonly places: ReadonlyMap<string, number>
  /** The index of the variable that each node tests. The two end nodes have an index after all variables. */
  private readonly tested: Array<number>
  private readonly children: Array<ReadonlyArray<Diagram>> = [[], []]
  private readonly nodes = new Map<string, Diagram>()
  private readonly joined = new Map<number, Diagram>()
  private readonly negated = new Map<Diagram, Diagram>()

  constructor(vocabulary: Vocabulary) {
    this.variables = Object.entries(vocabulary).map(([name, fact]) => ({ name, values: valuesOf(fact) }))
    this.places = new Map(this.variables.map(({ name }, place) => [name, place]))
    this.tested = [this.variables.length, this.variables.length]
  }

  /** The number of nodes in all diagrams of this instance. */
  get size(): number {
    return this.children.length
  }

  /** Returns the set of fact records for which a condition is true. Throws for an unknown fact, word or level. */
  of<F>(condition: Condition<F> | Node): Diagram {
    return fold<Record<string, Value>, Diagram>(condition as Node, {
      flag: (name) => this.leaf(name, true, (value) => value === true),
      is: (name, word) => this.leaf(name, word, (value) => value === word),
      atLeast: (name, level) => this.leaf(name, level, (value) => typeof value === "number" && value >= level),
      not: (of) => this.not(of),
      all: (of) => this.all(...of),
      any: (of) => this.any(...of)
    })
  }

  /** Returns the set of all fact records that are not in a set. */
  not(one: Diagram): Diagram {
    if (one <= always) return 1 - one
    const known = this.negated.get(one)
    if (known !== undefined) return known
    const negation = this.node(
      this.testedBy(one),
      this.childrenOf(one).map((child) => this.not(child))
    )
    this.negated.set(one, negation)
    this.negated.set(negation, one)
    return negation
  }

  /** Returns the records that are in all of the sets. */
  all(...of: ReadonlyArray<Diagram>): Diagram {
    return of.reduce((one, other) => this.both(one, other), always)
  }

  /** Returns the records that are in at least one of the sets. */
  any(...of: ReadonlyArray<Diagram>): Diagram {
    return this.not(this.all(...of.map((each) => this.not(each))))
  }

  /** Returns the records that are in the set for at least one choice of the free facts (existential quantification). */
  some(one: Diagram, isFree: (fact: string) => boolean): Diagram {
    const known = new Map<Diagram, Diagram>()
    const walk = (at: Diagram): Diagram => {
      if (at <= always) return at
      const found = known.get(at)
      if (found !== undefined) return found
      const place = this.testedBy(at)
      const children = this.childrenOf(at).map(walk)
      const diagram = isFree(this.variable(place).name) ? this.any(...children) : this.node(place, children)
      known.set(at, diagram)
      return diagram
    }
    return walk(one)
  }

  /** Returns the records that are in the set for every choice of the free facts (universal quantification). */
  every(one: Diagram, isFree: (fact: string) => boolean): Diagram {
    return this.not(this.some(this.not(one), isFree))
  }

  /** Returns the set of all records that have the given values. */
  withValues(facts: AnyRecord): Diagram {
    return this.all(
      ...Object.entries(facts)
        .filter(([name]) => this.places.has(name))
        .map(([name, wanted]) => this.leaf(name, wanted, (value) => value === wanted))
    )
  }

  /** Returns whether a fact record is in a set. */
  has(one: Diagram, facts: AnyRecord): boolean {
    let at = one
    while (at > always) {
      const { name, values } = this.variable(this.testedBy(at))
      at = this.childrenOf(at)[values.indexOf(facts[name] as Value)] ?? unknown(name, facts[name])
    }
    return at === always
  }

  /** Returns the number of fact records in a set. */
  count(one: Diagram): bigint {
    const known = new Map<Diagram, bigint>()
    const between = (from: number, to: number) =>
      this.variables.slice(from, to).reduce((product, { values }) => product * BigInt(values.length), 1n)
    const walk = (at: Diagram): bigint => {
      if (at <= always) return BigInt(at)
      const found = known.get(at)
      if (found !== undefined) return found
      const place = this.testedBy(at)
      const sum = this.childrenOf(at).reduce(
        (total, child) => total + walk(child) * between(place + 1, this.testedBy(child)),
        0n
      )
      known.set(at, sum)
      return sum
    }
    return walk(one) * between(0, this.testedBy(one))
  }

  /**
   * Returns the record of a set that differs from the usual values in the fewest facts; undefined for the empty set.
   *
   * For a fact without an entry in `usual`, the first value of the fact counts as usual.
   */
  smallest(one: Diagram, usual: AnyRecord): AnyRecord | undefined {
    if (one === never) return undefined
    const known = new Map<Diagram, { readonly cost: number; readonly value?: number }>()
    const best = (at: Diagram): { readonly cost: number; readonly value?: number } => {
      if (at === always) return { cost: 0 }
      if (at === never) return { cost: Number.POSITIVE_INFINITY }
      const found = known.get(at)
      if (found !== undefined) return found
      const { name, values } = this.variable(this.testedBy(at))
      const base = usualPlace(name, values, usual)
      const costs = this.childrenOf(at).map(
        (child, value) => best(child).cost + (value === base ? 0 : changed + Math.abs(value - base))
      )
      const cost = Math.min(...costs)
      const choice = { cost, value: costs.indexOf(cost) }
      known.set(at, choice)
      return choice
    }
    best(one)
    const record: Record<string, Value> = {}
    for (const { name, values } of this.variables) record[name] = values[usualPlace(name, values, usual)] as Value
    for (let at = one; at > always; ) {
      const { value = 0 } = best(at)
      const { name, values } = this.variable(this.testedBy(at))
      record[name] = values[value] as Value
      at = this.childrenOf(at)[value] as Diagram
    }
    return record
  }

  /** Returns the names of the facts with a value that differs from the usual one, in order. */
  unusual(facts: AnyRecord, usual: AnyRecord): ReadonlyArray<string> {
    return this.variables.flatMap(({ name, values }) =>
      Object.hasOwn(facts, name) && facts[name] !== values[usualPlace(name, values, usual)] ? [name] : []
    )
  }

  private leaf(name: string, wanted: Value, holds: (value: Value) => boolean): Diagram {
    const place = this.places.get(name)
    if (place === undefined) throw new Error(`\`${name}\` is not a fact of this vocabulary`)
    const { values } = this.variable(place)
    if (!values.includes(wanted)) return unknown(name, wanted)
    return this.node(
      place,
      values.map((value) => (holds(value) ? always : never))
    )
  }

  private both(one: Diagram, other: Diagram): Diagram {
    if (one === other || other === always) return one
    if (one === always) return other
    if (one === never || other === never) return never
    // Sets are joined in one order only, and indexes stay below the square root of the largest exact number.
    const key = one < other ? one * 2 ** 26 + other : other * 2 ** 26 + one
    const known = this.joined.get(key)
    if (known !== undefined) return known
    const place = Math.min(this.testedBy(one), this.testedBy(other))
    const [left, right] = [this.split(one, place), this.split(other, place)]
    const intersection = this.node(
      place,
      this.variable(place).values.map((_, value) => this.both(left(value), right(value)))
    )
    // Only a memory of results: without it, they are computed again.
    if (this.joined.size >= mostNodes) this.joined.clear()
    this.joined.set(key, intersection)
    return intersection
  }

  private split(one: Diagram, place: number): (value: number) => Diagram {
    if (this.testedBy(one) !== place) return () => one
    const children = this.childrenOf(one)
    return (value) => children[value] as Diagram
  }

  private node(place: number, children: ReadonlyArray<Diagram>): Diagram {
    const [first] = children
    if (first !== undefined && children.every((child) => child === first)) return first
    const key = `${place} ${children.join(" ")}`
    const known = this.nodes.get(key)
    if (known !== undefined) return known
    const diagram = this.children.push(children) - 1
    if (diagram >= mostNodes) throw new Error("the conditions are too large to be proven")
    this.tested.push(place)
    this.nodes.set(key, diagram)
    return diagram
  }

  private testedBy(one: Diagram): number {
    return this.tested[one] as number
  }

  private childrenOf(one: Diagram): ReadonlyArray<Diagram> {
    return this.children[one] as ReadonlyArray<Diagram>
  }

  private variable(place: number): Variable {
    return this.variables[place] as Variable
  }
}

const usualPlace = (name: string, values: ReadonlyArray<Value>, usual: AnyRecord): number =>
  Math.max(0, values.indexOf(usual[name] as Value))

const unknown = (name: string, value: unknown): never => {
  throw new Error(`\`${String(value)}\` is not a value of the fact \`${name}\``)
}
