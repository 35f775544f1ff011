import type { Condition } from "./Condition.ts"
import { fold } from "./Condition.ts"
import type { Vocabulary } from "./Facts.ts"

/** A sentence and its negation; `joined` is true if it combines several statements and needs parentheses. */
interface Statement {
  readonly yes: string
  readonly no: string
  readonly joined: boolean
}

const inner = (said: Statement, side: "yes" | "no") => (said.joined ? `(${said[side]})` : said[side])

const leaf = (vocabulary: Vocabulary) => ({
  flag: (fact: string): Statement => {
    const described = vocabulary[fact]
    if (described?.kind !== "flag") throw new Error(`\`${fact}\` is not a flag of this vocabulary`)
    return { yes: described.yes, no: described.no, joined: false }
  },
  is: (fact: string, word: string): Statement => {
    const described = vocabulary[fact]
    if (described?.kind !== "word") throw new Error(`\`${fact}\` is not a word of this vocabulary`)
    return { yes: `${described.of} is ${word}`, no: `${described.of} is not ${word}`, joined: false }
  },
  atLeast: (fact: string, level: number): Statement => {
    const described = vocabulary[fact]
    if (described?.kind !== "level") throw new Error(`\`${fact}\` is not a level of this vocabulary`)
    const word = described.words[level] ?? String(level)
    return { yes: `${described.of} is at least ${word}`, no: `${described.of} is below ${word}`, joined: false }
  }
})

const statementOf = <F>(condition: Condition<F>, vocabulary: Vocabulary): Statement =>
  fold<F, Statement>(condition, {
    ...leaf(vocabulary),
    not: (of) => ({ yes: of.no, no: of.yes, joined: of.joined }),
    all: (of) => sentence(of, " and ", " or ", "always", "never"),
    any: (of) => sentence(of, " or ", " and ", "never", "always")
  })

const sentence = (
  of: ReadonlyArray<Statement>,
  and: string,
  or: string,
  empty: string,
  contrary: string
): Statement => {
  if (of.length === 0) return { yes: empty, no: contrary, joined: false }
  if (of.length === 1) return of[0] as Statement
  return {
    yes: of.map((each) => inner(each, "yes")).join(and),
    no: of.map((each) => inner(each, "no")).join(or),
    joined: true
  }
}

/** Returns a condition as an English sentence, for the documentation. */
export const toProse = <F>(condition: Condition<F>, vocabulary: Vocabulary): string =>
  statementOf(condition, vocabulary).yes

/** An evaluated condition: its sentence, its result, and the parts that determine the result. */
export interface Tree {
  readonly says: string
  readonly holds: boolean
  readonly of: ReadonlyArray<Tree>
}

/** Explains why a condition is true or false for the given facts, as a tree of true statements. */
export const toTree = <F>(condition: Condition<F>, facts: F, vocabulary: Vocabulary): Tree => {
  const words = leaf(vocabulary)
  const at = (statement: Statement, holds: boolean): Tree => ({
    says: holds ? statement.yes : statement.no,
    holds,
    of: []
  })
  return fold<F, Tree>(condition, {
    flag: (fact) => at(words.flag(fact), facts[fact] === true),
    is: (fact, word) => at(words.is(fact, word), facts[fact] === word),
    atLeast: (fact, level) => at(words.atLeast(fact, level), (facts[fact] as number) >= level),
    not: (of) => ({ ...of, holds: !of.holds }),
    all: (of) => {
      const holds = of.every((each) => each.holds)
      return { says: holds ? "all of these" : "not all of these", holds, of: of.filter((each) => each.holds === holds) }
    },
    any: (of) => {
      const holds = of.some((each) => each.holds)
      return { says: holds ? "one of these" : "none of these", holds, of: of.filter((each) => each.holds === holds) }
    }
  })
}

/** Returns the statements at the leaves of a tree, in order, each once. */
export const statements = (tree: Tree): ReadonlyArray<string> =>
  tree.of.length === 0 ? [tree.says] : [...new Set(tree.of.flatMap(statements))]
