import type { Node } from "../Condition.ts"
import type { Policy } from "../Decision.ts"
import type { Vocabulary } from "../Facts.ts"
import { type AnyRecord, type Diagram, Diagrams } from "./Diagrams.ts"

/** An action that proofs can refer to: its resource type and its compiled rules. */
export interface TheoryAction {
  readonly on: string
  // BOUNDARY: the facts of policies in one table differ, and are known by name only.
  readonly policy: Policy<string, never>
}

/**
 * A condition that all fact records in practice satisfy, such as "an owner is signed in". It applies to the resource
 * type `on`; without `on`, to every resource type that has the facts of the condition.
 */
export interface Consistency {
  readonly when: Node
  readonly on?: string
}

/** The input of proofs about access rules: the facts, the actions and the relations between facts. */
export interface Theory {
  /** The facts of each resource type. Proofs are faster if related facts are next to each other. */
  readonly vocabularies: Readonly<Record<string, Vocabulary>>
  readonly actions: Readonly<Record<string, TheoryAction>>
  /** The named classes of callers, such as `anonymous`. */
  readonly classes: Readonly<Record<string, Node>>
  /** The conditions that relate facts to each other. Proofs consider only fact records that satisfy all of them. */
  readonly consistency: ReadonlyArray<Consistency>
  /** Returns whether a fact (a value that rules test) depends on the caller, and not on the resource or the site. */
  readonly isAboutCaller: (fact: string) => boolean
  /** The usual value of each fact. Counterexamples differ from these values in as few facts as possible. */
  readonly usual: AnyRecord
}

/** Removes alternatives of a condition that use facts outside the vocabulary; undefined if nothing remains. */
export const applicable = (condition: Node, vocabulary: Vocabulary): Node | undefined => {
  switch (condition.op) {
    case "flag":
    case "is":
    case "atLeast":
      return Object.hasOwn(vocabulary, condition.fact) ? condition : undefined
    case "not": {
      const of = applicable(condition.of, vocabulary)
      return of && { op: "not", of }
    }
    case "all": {
      const of = condition.of.flatMap((each) => applicable(each, vocabulary) ?? [])
      return of.length === condition.of.length ? { op: "all", of } : undefined
    }
    case "any": {
      const of = condition.of.flatMap((each) => applicable(each, vocabulary) ?? [])
      return of.length === 0 ? undefined : { op: "any", of }
    }
  }
}

/** The combined facts of one or two resource types, with the decision diagrams of conditions on these facts. */
export class Space {
  readonly vocabulary: Vocabulary
  readonly diagrams: Diagrams
  /** The set of records that satisfy all relations between facts. */
  readonly possible: Diagram
  private readonly conditions = new Map<Node, Diagram>()

  constructor(vocabulary: Vocabulary, consistency: ReadonlyArray<Node>) {
    this.vocabulary = vocabulary
    this.diagrams = new Diagrams(vocabulary)
    this.possible = this.diagrams.all(
      ...consistency.filter((each) => usesOnly(each, vocabulary)).map((each) => this.diagrams.of(each))
    )
  }

  /** Returns the set of fact records for which a condition is true. */
  of(condition: Node): Diagram {
    const known = this.conditions.get(condition)
    if (known !== undefined) return known
    const diagram = this.diagrams.of(condition)
    this.conditions.set(condition, diagram)
    return diagram
  }

  /** Returns the records that are in all sets and satisfy the relations between facts. */
  possibly(...of: ReadonlyArray<Diagram>): Diagram {
    return this.diagrams.all(...of, this.possible)
  }
}

const usesOnly = (condition: Node, vocabulary: Vocabulary): boolean =>
  condition.op === "not"
    ? usesOnly(condition.of, vocabulary)
    : condition.op === "all" || condition.op === "any"
      ? condition.of.every((each) => usesOnly(each, vocabulary))
      : Object.hasOwn(vocabulary, condition.fact)

/** Proves statements about the rules of a theory, and caches the decision diagrams. */
export class Prover {
  readonly theory: Theory
  private readonly spaces = new Map<string, Space>()

  constructor(theory: Theory) {
    this.theory = theory
  }

  /** Returns the combined facts of several resource types. Throws if two of them define the same fact differently. */
  space(...kinds: ReadonlyArray<string>): Space {
    const key = [...new Set(kinds)].sort().join(" ")
    const known = this.spaces.get(key)
    if (known !== undefined) return known
    const merged: Record<string, Vocabulary[string]> = {}
    for (const kind of kinds) {
      for (const [name, fact] of Object.entries(this.vocabularyOf(kind))) {
        const other = merged[name]
        if (other !== undefined && JSON.stringify(other) !== JSON.stringify(fact)) {
          throw new Error(`the fact \`${name}\` means different things for ${kinds.join(" and ")}`)
        }
        merged[name] = fact
      }
    }
    const relations = this.theory.consistency.filter(({ on }) => on === undefined || kinds.includes(on))
    const space = new Space(
      merged,
      relations.map(({ when }) => when)
    )
    this.spaces.set(key, space)
    return space
  }

  /** Returns the descriptions of the facts of a resource type. */
  vocabularyOf(kind: string): Vocabulary {
    const { vocabularies } = this.theory
    if (!Object.hasOwn(vocabularies, kind)) throw new Error(`\`${kind}\` is not a resource type`)
    return vocabularies[kind] as Vocabulary
  }

  /** Returns an action by its name. */
  action(name: string): TheoryAction {
    const { actions } = this.theory
    if (!Object.hasOwn(actions, name)) throw new Error(`\`${name}\` is not an action`)
    return actions[name] as TheoryAction
  }

  /** Returns the set of records for which an action is allowed. */
  allowed(name: string, space: Space = this.space(this.action(name).on)): Diagram {
    return space.of(this.action(name).policy.condition)
  }
}
