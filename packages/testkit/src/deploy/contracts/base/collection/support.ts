import { assert } from "@effect/vitest"
import type { Kind, Relation, Stores } from "@slipway/domain/deploy"
import { Cause, Effect, Exit } from "effect"
import type { Promised } from "../../../../contract.ts"
import { type AnyRow, kindNames, kinds, type Planted } from "../../../kinds.ts"

/** One test on stores. */
export type Test = Promised<Stores>

/** Makes a test for each resource type, by its name, with the rows stored that rows of the type reference. */
export const each = (test: (planted: Planted, kind: Kind) => Test): Readonly<Record<string, Test>> =>
  Object.fromEntries(
    kindNames.map((kind) => [kind, Effect.flatMap(kinds[kind].plant, (planted) => test(planted, kind))])
  )

/** Makes a test for each relation, with its `from` row stored. */
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

/** Asserts equality of rows without a static type. */
export const equal = (actual: unknown, expected: unknown): void => assert.deepStrictEqual(actual, expected)

/** Inserts the rows 1 to `count`. */
export const fill = (planted: Planted, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index + 1),
    (n) => planted.store.insert(planted.full(n))
  )

/** A window that contains all rows of a test. */
export const all = { limit: 1_000 }
/** Returns the uuids of rows. */
export const uuids = (rows: ReadonlyArray<AnyRow>) => rows.map((row) => row.uuid)

/** Returns whether an effect died. */
export const isDefect = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.hasDies(exit.cause)
