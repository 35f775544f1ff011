import { assert } from "@effect/vitest"
import type { Kind, Relation, Stores } from "@slipway/domain/deploy"
import { Cause, Effect, Exit } from "effect"
import type { Promised } from "../../../../contract.ts"
import { type AnyRow, kindNames, kinds, type Planted } from "../../../kinds.ts"

/** One test that runs with empty stores. */
export type Test = Promised<Stores>

/**
 * Makes a test for each resource type, by the name of the type. Before the test, the rows that the type references are
 * stored.
 */
export const each = (test: (planted: Planted, kind: Kind) => Test): Readonly<Record<string, Test>> =>
  Object.fromEntries(
    kindNames.map((kind) => [kind, Effect.flatMap(kinds[kind].plant, (planted) => test(planted, kind))])
  )

/** Makes a test for each foreign key, with the referencing row stored. */
export const eachRelation = (
  of: ReadonlyArray<Relation>,
  test: (relation: Relation, planted: Planted) => Test
): Readonly<Record<string, Test>> =>
  Object.fromEntries(
    of.map((relation) => [
      `${relation.from}.${relation.fact}`,
      Effect.flatMap(kinds[relation.from].plant, (planted) => test(relation, planted))
    ])
  )

/** Asserts deep equality of rows, without comparing their static types. */
export const equal = (actual: unknown, expected: unknown): void => assert.deepStrictEqual(actual, expected)

/** Inserts the rows 1 to `count`. */
export const fill = (planted: Planted, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index + 1),
    (n) => planted.store.insert(planted.full(n))
  )

/** A list window that is large enough for all rows of a test. */
export const all = { limit: 1_000 }
/** Returns the uuids of rows. */
export const uuids = (rows: ReadonlyArray<AnyRow>) => rows.map((row) => row.uuid)

/** Returns whether an effect ended with a defect. */
export const isDefect = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.hasDies(exit.cause)
