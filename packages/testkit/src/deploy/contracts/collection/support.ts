import { assert } from "@effect/vitest"
import type { Kind, Relation, Stores } from "@slipway/domain/deploy"
import { Cause, Effect, Exit } from "effect"
import type { Promised } from "../../../contract.ts"
import { type AnyRow, kindNames, kinds, type Planted } from "../../kinds.ts"

export type Test = Promised<Stores>

export const each = (test: (planted: Planted, kind: Kind) => Test): Readonly<Record<string, Test>> =>
  Object.fromEntries(
    kindNames.map((kind) => [kind, Effect.flatMap(kinds[kind].plant, (planted) => test(planted, kind))])
  )

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

export const equal = (actual: unknown, expected: unknown): void => assert.deepStrictEqual(actual, expected)

export const fill = (planted: Planted, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index + 1),
    (n) => planted.store.insert(planted.full(n))
  )

export const all = { limit: 1_000 }
export const uuids = (rows: ReadonlyArray<AnyRow>) => rows.map((row) => row.uuid)

export const isDefect = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.hasDies(exit.cause)
