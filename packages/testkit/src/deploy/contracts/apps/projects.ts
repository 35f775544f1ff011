import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { EnvironmentStore, ProjectStore } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { newEnvironment, newProject, uuidOf } from "../../builders.ts"

/** Contract tests of the store of environments, in addition to the contract of every collection. */
export const environments: Contract<Stores> = {
  port: "EnvironmentStore",
  musts: {
    "list only the environments of the given project, in the order of insertion": Effect.gen(function* () {
      const projects = yield* ProjectStore
      const store = yield* EnvironmentStore
      const one = yield* projects.insert(newProject(1))
      const other = yield* projects.insert(newProject(2))
      const rows = yield* Effect.forEach([6, 5, 4, 3, 2, 1], (n) =>
        store.insert(newEnvironment(n, n % 2 === 0 ? one : other))
      )
      const mine = rows.filter((row) => row.projectUuid === one.uuid)
      const [first] = mine
      assert.deepStrictEqual(yield* store.ofProject(one.uuid), mine)
      assert.isDefined(first)
      yield* store.replace({ ...first, projectUuid: other.uuid })
      assert.deepStrictEqual(yield* store.ofProject(one.uuid), mine.slice(1))
      assert.deepStrictEqual(yield* store.ofProject(uuidOf("project", 404)), [])
    })
  }
}
