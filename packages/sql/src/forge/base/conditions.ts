import { type Condition, fold } from "@slipway/access"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** How a fact of a row is read: from the row itself, or by a set or a look-up, at a higher cost. */
export interface RowFact {
  readonly sql: Fragment
  readonly cost: number
}

/**
 * The expressions for a row's facts; a level has the condition that it is at least some level. None of them is null.
 */
export type RowFacts<F> = {
  readonly [K in keyof F]: F[K] extends boolean | string ? RowFact : (level: number) => RowFact
}

/** A fact in the row itself. */
export const inRow = (sql: Fragment): RowFact => ({ sql, cost: 0 })
/** A fact that is tested against a set; `cost` orders the sets by the cost of making them. */
export const inSet = (sql: Fragment, cost = 1): RowFact => ({ sql, cost })

const cheapFirst = (parts: ReadonlyArray<RowFact>): ReadonlyArray<RowFact> =>
  parts.toSorted((one, other) => one.cost - other.cost)

const sum = (parts: ReadonlyArray<RowFact>): number => parts.reduce((total, part) => total + part.cost, 0)

/**
 * Returns a condition as SQL over the facts of a row.
 *
 * The order of rules has no meaning, and PostgreSQL evaluates alternatives in the order of the text: facts of the row
 * itself come first, so that no set is tested, or even made, for public rows.
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
