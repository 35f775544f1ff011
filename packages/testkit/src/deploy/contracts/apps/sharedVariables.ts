import { assert } from "@effect/vitest"
import { type Sealed, Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import {
  EnvironmentStore,
  ProjectStore,
  type SharedOwner,
  type SharedVariable,
  SharedVariableStore,
  type SharedVariableUuid
} from "@slipway/domain/deploy/apps"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newEnvironment, newProject, newServer } from "../../builders.ts"

const team: SharedOwner = { scope: "team", owner: "" }

const variableOf = (n: number, owner: SharedOwner, key = `KEY_${n}`): Omit<SharedVariable, "id"> => ({
  ...owner,
  uuid: `shared${String(n).padStart(18, "0")}` as SharedVariableUuid,
  key,
  value: "sealed" as Sealed,
  isLiteral: false,
  isMultiline: true,
  isShownOnce: false,
  comment: null,
  createdAt: moment(n),
  updatedAt: moment(n)
})

const ofServer = Effect.gen(function* () {
  const { uuid } = yield* (yield* ServerStore).insert(newServer(1))
  return { scope: "server", owner: uuid } satisfies SharedOwner
})

/** Contract tests of the store of shared variables. Every implementation must pass them. */
export const sharedVariables: Contract<Stores> = {
  port: "SharedVariableStore",
  musts: {
    "list only the shared variables of the given owners, in the order of insertion": Effect.gen(function* () {
      const server = yield* ofServer
      const store = yield* SharedVariableStore
      const b = yield* store.insert(variableOf(1, server, "B"))
      const a = yield* store.insert(variableOf(2, team, "A"))
      assert.deepStrictEqual(yield* store.ofOwners([team]), a === undefined ? [] : [a])
      assert.deepStrictEqual(
        yield* store.ofOwners([team, server]),
        [b, a].flatMap((row) => row ?? [])
      )
      assert.deepStrictEqual(yield* store.ofOwners([]), [])
    }),
    "keep one shared variable per key and owner": Effect.gen(function* () {
      const server = yield* ofServer
      const store = yield* SharedVariableStore
      const first = (yield* store.insert(variableOf(1, team, "A"))) ?? assert.fail()
      assert.isUndefined(yield* store.insert(variableOf(2, team, "A")))
      assert.isDefined(yield* store.insert(variableOf(3, server, "A")))
      assert.isDefined(yield* store.insert(variableOf(4, team, "B")))
      assert.isFalse(yield* store.replace({ ...first, key: "B" }))
      const changed = { ...first, key: "C", value: "again" as Sealed, comment: "c", updatedAt: moment(9) }
      assert.isTrue(yield* store.replace(changed))
      assert.deepStrictEqual((yield* store.ofOwners([team]))[0], changed)
    }),
    "keep every one of several concurrent changes to a shared variable": Effect.gen(function* () {
      const store = yield* SharedVariableStore
      const transaction = yield* Transaction
      const { uuid } = (yield* store.insert(variableOf(1, team))) ?? assert.fail()
      const change = (facts: Partial<SharedVariable>) =>
        transaction.run(
          Effect.gen(function* () {
            const present = (yield* store.lock(uuid)) ?? assert.fail()
            assert.isTrue(yield* store.replace({ ...present, ...facts }))
          })
        )
      const changes = [{ value: "again" as Sealed }, { comment: "c" }, { isLiteral: true }]
      yield* Effect.forEach(changes, change, { concurrency: "unbounded" })
      const [{ comment, isLiteral, value } = assert.fail()] = yield* store.ofOwners([team])
      assert.deepStrictEqual([value, comment, isLiteral], ["again", "c", true])
      assert.isUndefined(yield* store.lock(variableOf(404, team).uuid))
    }),
    "remove a shared variable once": Effect.gen(function* () {
      const store = yield* SharedVariableStore
      const { uuid } = (yield* store.insert(variableOf(1, team))) ?? assert.fail()
      assert.isTrue(yield* store.remove(uuid))
      assert.isFalse(yield* store.remove(uuid))
    }),
    "remove the shared variables of a removed owner": Effect.gen(function* () {
      const projects = yield* ProjectStore
      const project = yield* projects.insert(newProject(1))
      const environment = yield* (yield* EnvironmentStore).insert(newEnvironment(1, project))
      const owners: ReadonlyArray<SharedOwner> = [
        { scope: "project", owner: project.uuid },
        { scope: "environment", owner: environment.uuid },
        yield* ofServer
      ]
      const store = yield* SharedVariableStore
      const rows = yield* Effect.forEach(owners, (owner, n) => store.insert(variableOf(n, owner)))
      yield* projects.remove(project.uuid)
      assert.deepStrictEqual(
        yield* store.ofOwners(owners),
        rows.slice(2).flatMap((row) => row ?? [])
      )
    })
  }
}
