import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { DeploymentStore } from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import { DeploymentLogStore } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newDeployment, targetOf } from "../../builders.ts"

const one = targetOf(1)
const two = targetOf(2)

/** Contract tests of the store of deployment logs. Every implementation must pass them. */
export const logs: Contract<Stores> = {
  port: "DeploymentLogStore",
  musts: {
    "return the lines of one deployment after a given line, in order": Effect.gen(function* () {
      const store = yield* DeploymentLogStore
      const line = (text: string) => ({ at: moment(1), stream: "stdout", text }) as const
      const [mine, other] = ["deployment00000000000001", "deployment00000000000002"].map(
        (each) => each as DeploymentUuid
      )
      if (mine === undefined || other === undefined) assert.fail()
      yield* store.append(mine, [line("one"), line("two")])
      yield* store.append(other, [line("another's")])
      yield* store.append(mine, [])
      yield* store.append(mine, [{ ...line("three"), stream: "stderr" }])
      const all = yield* store.page(mine, 0, 10)
      assert.deepStrictEqual(
        all.map(({ stream, text }) => `${stream} ${text}`),
        ["stdout one", "stdout two", "stderr three"]
      )
      assert.deepStrictEqual(yield* store.page(mine, all[0]?.id ?? 0, 1), all.slice(1, 2))
    }),
    "return the last lines of several deployments in one call": Effect.gen(function* () {
      const store = yield* DeploymentLogStore
      const line = (text: string) => ({ at: moment(1), stream: "stdout", text }) as const
      const [mine, other, silent] = ([1, 2, 3] as const).map((n) => `deployment0000000000000${n}0` as DeploymentUuid)
      if (mine === undefined || other === undefined || silent === undefined) assert.fail()
      yield* store.append(mine, [line("one"), line("two"), line("three")])
      yield* store.append(other, [line("another's")])
      const seen = yield* store.tails([mine, silent, other], { lines: 2, characters: 100 })
      const textsOf = (uuid: DeploymentUuid) => (seen.get(uuid) ?? []).map(({ text }) => text)
      assert.deepStrictEqual([mine, silent, other].map(textsOf), [["two", "three"], [], ["another's"]])
      assert.deepStrictEqual(yield* store.page(mine, (seen.get(mine)?.[0]?.id ?? 0) - 1, 9), seen.get(mine))
      assert.strictEqual((yield* store.tails([], { lines: 9, characters: 100 })).size, 0)
    }),
    "return at most the requested number of characters per deployment": Effect.gen(function* () {
      const store = yield* DeploymentLogStore
      const line = (text: string) => ({ at: moment(1), stream: "stdout", text }) as const
      const [long, short] = ([1, 2] as const).map((n) => `deployment0000000000000${n}0` as DeploymentUuid)
      if (long === undefined || short === undefined) assert.fail()
      yield* store.append(long, [line("one"), line("x".repeat(9)), line("y".repeat(10)), line("two")])
      yield* store.append(short, [line("one"), line("two")])
      const seen = yield* store.tails([long, short], { lines: 9, characters: 13 })
      const textsOf = (uuid: DeploymentUuid) => (seen.get(uuid) ?? []).map(({ text }) => text)
      assert.deepStrictEqual(textsOf(long), ["y".repeat(10), "two"])
      assert.deepStrictEqual(textsOf(short), ["one", "two"])
      const none = yield* store.tails([long], { lines: 9, characters: 2 })
      assert.deepStrictEqual(none.get(long) ?? [], [])
    }),
    "return the status of a deployment together with its lines": Effect.gen(function* () {
      const deployments = yield* DeploymentStore
      const store = yield* DeploymentLogStore
      const { uuid } = yield* deployments.insert(newDeployment(1, one))
      const over = { status: "failed", reason: "it broke" } as const
      const other = yield* deployments.insert(newDeployment(2, two, over))
      assert.deepStrictEqual(yield* store.look(uuid, 0, 10), { status: "queued", reason: null, lines: [] })
      const line = (text: string) => ({ at: moment(1), stream: "stdout", text }) as const
      yield* store.append(uuid, [line("one"), line("two"), line("three")])
      yield* store.append(other.uuid, [line("another's")])
      const all = yield* store.page(uuid, 0, 10)
      const seen = yield* store.look(uuid, all[0]?.id ?? 0, 1)
      assert.deepStrictEqual(seen, { status: "queued", reason: null, lines: all.slice(1, 2) })
      const page = yield* store.page(other.uuid, 0, 10)
      assert.deepStrictEqual(yield* store.look(other.uuid, 0, 10), { ...over, lines: page })
      assert.isUndefined(yield* store.look("deployment00000000000009" as DeploymentUuid, 0, 10))
    }),
    "delete the log lines of an application's deployments, except for the newest deployments": Effect.gen(function* () {
      const deployments = yield* DeploymentStore
      const store = yield* DeploymentLogStore
      const rows = yield* Effect.forEach([1, 2, 3, 4], (n) => deployments.insert(newDeployment(n, n === 2 ? two : one)))
      for (const { uuid } of rows) yield* store.append(uuid, [{ at: moment(1), stream: "stdout", text: uuid }])
      const lineCounts = Effect.forEach(rows, ({ uuid }) => Effect.map(store.page(uuid, 0, 9), (lines) => lines.length))
      yield* store.prune(one.applicationUuid, 2)
      assert.deepStrictEqual(yield* lineCounts, [0, 1, 1, 1])
      yield* store.prune(one.applicationUuid, 0)
      assert.deepStrictEqual(yield* lineCounts, [0, 1, 0, 0])
    })
  }
}
