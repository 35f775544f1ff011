import { type Condition, fold } from "@slipway/access"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** The SQL that reads a fact of a row, and its cost: a look-up in a set costs more than a column of the row. */
export interface RowFact {
  readonly sql: Fragment
  readonly cost: number
}

/**
 * The SQL expressions for the facts of a row, which are never null. A fact that is a level has a function that returns
 * the condition for a minimum level.
 */
export type RowFacts<F> = {
  readonly [K in keyof F]: F[K] extends boolean | string ? RowFact : (level: number) => RowFact
}

/** Returns a fact that is a column or an expression of the row, without a subquery. */
export const inRow = (sql: Fragment): RowFact => ({ sql, cost: 0 })
/** Returns a fact that is tested by membership in a set; `cost` is the relative cost of building the set. */
export const inSet = (sql: Fragment, cost = 1): RowFact => ({ sql, cost })

const cheapFirst = (parts: ReadonlyArray<RowFact>): ReadonlyArray<RowFact> =>
  parts.toSorted((one, other) => one.cost - other.cost)

const sum = (parts: ReadonlyArray<RowFact>): number => parts.reduce((total, part) => total + part.cost, 0)

/**
 * Returns a condition as SQL over the facts of a row.
 *
 * PostgreSQL evaluates alternatives in the order of the text, and the order of rules has no meaning. So facts of the
 * row itself come first: for public rows, no set is tested or even built.
 */
export const conditionOn = <F>(sql: SqlClient, condition: Condition<F>, facts: RowFacts<F>): Fragment =>
  factOf(sql, condition, facts).sql

/** Returns a condition as `conditionOn` does, with its cost: 0 if the row itself has the facts. */
export const factOf = <F>(sql: SqlClient, condition: Condition<F>, facts: RowFacts<F>): RowFact => {
  const fact = (name: keyof F) => facts[name] as RowFact
  return fold<F, RowFact>(condition, {
    flag: fact,
    is: (name, word) => ({ ...fact(name), sql: sql`${fact(name).sql} = ${word}` }),
    atLeast: (name, level) => (facts[name] as (level: number) => RowFact)(level),
    not: ({ cost, sql: of }) => ({ cost, sql: sql`NOT (${of})` }),
    all: (of) => ({
      cost: sum(of),
      sql: of.length === 0 ? sql`true` : sql.and(cheapFirst(of).map((part) => part.sql))
    }),
    any: (of) => ({
      cost: sum(of),
      sql: of.length === 0 ? sql`false` : sql.or(cheapFirst(of).map((part) => part.sql))
    })
  })
}
