import { type Condition, fold } from "@slipway/access"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * The SQL expression for a value of a row that access rules test (a fact), and its relative cost. A look-up in a set
 * costs more than a column.
 */
export interface RowFact {
  readonly sql: Fragment
  readonly cost: number
}

/**
 * The SQL expressions for the facts of a row: the values that access rules test. They are never null.
 *
 * For a fact that is an access level, a function returns the condition that the level is at least a minimum.
 */
export type RowFacts<F> = {
  readonly [K in keyof F]: F[K] extends boolean | string ? RowFact : (level: number) => RowFact
}

/** Makes a fact from a column or an expression of the row. It has no subquery and costs 0. */
export const inRow = (sql: Fragment): RowFact => ({ sql, cost: 0 })
/** Makes a fact from a test of membership in a set. `cost` is the relative cost of building the set. */
export const inSet = (sql: Fragment, cost = 1): RowFact => ({ sql, cost })

const cheapFirst = (parts: ReadonlyArray<RowFact>): ReadonlyArray<RowFact> =>
  parts.toSorted((one, other) => one.cost - other.cost)

const sum = (parts: ReadonlyArray<RowFact>): number => parts.reduce((total, part) => total + part.cost, 0)

/**
 * Translates an access condition to SQL.
 *
 * PostgreSQL evaluates alternatives in the order of the text, while the order of rules has no meaning. So conditions on
 * the row itself come first: for public rows, PostgreSQL builds and tests no set.
 */
export const conditionOn = <F>(sql: SqlClient, condition: Condition<F>, facts: RowFacts<F>): Fragment =>
  factOf(sql, condition, facts).sql

/**
 * Translates a condition to SQL like `conditionOn`, and returns its cost too. The cost is 0 if all facts are in the row
 * itself.
 */
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
