import { assert } from "@effect/vitest"
import type { Sealed } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import {
  type Application,
  ApplicationStore,
  type Variable,
  VariableStore,
  type VariableUuid
} from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import type { Contract } from "../../../../contract.ts"
import { moment } from "../../../builders.ts"
import { twoApplications, twoDatabases } from "../../base/support.ts"

const variableOf = (
  n: number,
  { uuid }: Pick<Application, "uuid">,
  facts: Partial<Variable> = {}
): Omit<Variable, "id"> => ({
  uuid: `variable${String(n).padStart(16, "0")}` as VariableUuid,
  applicationUuid: uuid,
  key: `KEY_${n}`,
  value: "sealed" as Sealed,
  isLiteral: false,
  isMultiline: true,
  isShownOnce: false,
  isPreview: false,
  isBuildtime: true,
  isRuntime: true,
  comment: null,
  createdAt: moment(n),
  updatedAt: moment(n),
  ...facts
})

const insertOne = (store: VariableStore["Service"], row: Omit<Variable, "id">) =>
  Effect.map(store.insertMany([row]), ([added]) => added)

/** Contract tests of the store of variables. Every implementation must pass them. */
export const variables: Contract<Stores> = {
  port: "VariableStore",
  musts: {
    "list only the variables of the given application, in the order of insertion": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* VariableStore
      const b = yield* insertOne(store, variableOf(1, mine, { key: "B" }))
      yield* insertOne(store, variableOf(2, other))
      const a = yield* insertOne(store, variableOf(3, mine, { key: "A" }))
      assert.deepStrictEqual(
        yield* store.ofApplication(mine.uuid),
        [b, a].flatMap((row) => row ?? [])
      )
    }),
    "keep one variable per key, separately for previews": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* VariableStore
      const first = yield* insertOne(store, variableOf(1, mine, { key: "A" }))
      assert.isUndefined(yield* insertOne(store, variableOf(2, mine, { key: "A" })))
      assert.isDefined(yield* insertOne(store, variableOf(3, mine, { key: "a" })))
      assert.isDefined(yield* insertOne(store, variableOf(4, mine, { key: "A", isPreview: true })))
      const flags = { isLiteral: true, isBuildtime: false, isRuntime: false, comment: "by hand" }
      const changed = { ...(first ?? assert.fail()), ...flags, value: "again" as Sealed, updatedAt: moment(9) }
      yield* store.replaceMany([changed])
      assert.deepStrictEqual((yield* store.ofApplication(mine.uuid))[0], changed)
    }),
    "add and change several variables in one call": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* VariableStore
      const [b, taken, a] = ["B", "B", "A"].map((key, n) => variableOf(n, mine, { key }))
      const added = yield* store.insertMany([b, taken, a].flatMap((row) => row ?? []))
      assert.deepStrictEqual(
        added.map(({ key, uuid }) => [key, uuid]),
        [b, a].map((row) => [row?.key, row?.uuid])
      )
      const changed = added.map((row) => ({ ...row, comment: `of ${row.key}` }))
      yield* store.replaceMany(changed)
      yield* store.replaceMany([])
      assert.deepStrictEqual(yield* store.ofApplication(mine.uuid), changed)
      assert.deepStrictEqual(yield* store.insertMany([]), [])
    }),
    "remove a variable only through its application": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* VariableStore
      const { uuid } = (yield* insertOne(store, variableOf(1, mine))) ?? assert.fail()
      assert.isFalse(yield* store.remove(other.uuid, uuid))
      assert.isTrue(yield* store.remove(mine.uuid, uuid))
      assert.isFalse(yield* store.remove(mine.uuid, uuid))
    }),
    "remove the variables of a removed application": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* VariableStore
      yield* insertOne(store, variableOf(1, mine))
      yield* (yield* ApplicationStore).remove(mine.uuid)
      assert.deepStrictEqual(yield* store.ofApplication(mine.uuid), [])
      assert.isUndefined(yield* insertOne(store, variableOf(2, mine)))
    }),
    "store the variables of databases in the same way": Effect.gen(function* () {
      const { one, other, remove } = yield* twoDatabases
      const store = yield* VariableStore
      const first = (yield* insertOne(store, variableOf(1, one, { key: "A" }))) ?? assert.fail()
      assert.strictEqual(first.applicationUuid, one.uuid)
      assert.isUndefined(yield* insertOne(store, variableOf(2, one, { key: "A" })))
      assert.isDefined(yield* insertOne(store, variableOf(3, other, { key: "A" })))
      yield* store.replaceMany([{ ...first, comment: "changed" }])
      assert.deepStrictEqual(yield* store.ofApplication(one.uuid), [{ ...first, comment: "changed" }])
      assert.isFalse(yield* store.remove(other.uuid, first.uuid))
      assert.isTrue(yield* store.remove(one.uuid, first.uuid))
      assert.isTrue(yield* remove(other))
      assert.deepStrictEqual(yield* store.ofApplication(other.uuid), [])
      assert.isUndefined(yield* insertOne(store, variableOf(4, other)))
    })
  }
}
