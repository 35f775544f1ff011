import { assert } from "@effect/vitest"
import type { Sealed } from "@slipway/domain"
import {
  type Application,
  ApplicationStore,
  type Stores,
  type Variable,
  VariableStore,
  type VariableUuid
} from "@slipway/domain/deploy"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment } from "../../builders.ts"
import { twoApplications } from "./support.ts"

const variableOf = (n: number, { uuid }: Application, facts: Partial<Variable> = {}): Omit<Variable, "id"> => ({
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

/** What the store of variables promises. */
export const variables: Contract<Stores> = {
  port: "VariableStore",
  musts: {
    "list the variables of one application alone, in the order of their insertion": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* VariableStore
      const b = yield* store.insert(variableOf(1, mine, { key: "B" }))
      yield* store.insert(variableOf(2, other))
      const a = yield* store.insert(variableOf(3, mine, { key: "A" }))
      assert.deepStrictEqual(
        yield* store.ofApplication(mine.uuid),
        [b, a].flatMap((row) => row ?? [])
      )
    }),
    "keep one variable of a key, for previews apart": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* VariableStore
      const first = yield* store.insert(variableOf(1, mine, { key: "A" }))
      assert.isUndefined(yield* store.insert(variableOf(2, mine, { key: "A" })))
      assert.isDefined(yield* store.insert(variableOf(3, mine, { key: "a" })))
      assert.isDefined(yield* store.insert(variableOf(4, mine, { key: "A", isPreview: true })))
      const flags = { isLiteral: true, isBuildtime: false, isRuntime: false, comment: "by hand" }
      const changed = { ...(first ?? assert.fail()), ...flags, value: "again" as Sealed, updatedAt: moment(9) }
      yield* store.replace(changed)
      assert.deepStrictEqual((yield* store.ofApplication(mine.uuid))[0], changed)
    }),
    "remove a variable of its application alone": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* VariableStore
      const { uuid } = (yield* store.insert(variableOf(1, mine))) ?? assert.fail()
      assert.isFalse(yield* store.remove(other.uuid, uuid))
      assert.isTrue(yield* store.remove(mine.uuid, uuid))
      assert.isFalse(yield* store.remove(mine.uuid, uuid))
    }),
    "forget the variables of an application that is removed": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* VariableStore
      yield* store.insert(variableOf(1, mine))
      yield* (yield* ApplicationStore).remove(mine.uuid)
      assert.deepStrictEqual(yield* store.ofApplication(mine.uuid), [])
      assert.isUndefined(yield* store.insert(variableOf(2, mine)))
    })
  }
}
