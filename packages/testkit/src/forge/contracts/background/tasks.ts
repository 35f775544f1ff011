import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import { TaskStore } from "@slipway/domain/forge/background"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment } from "../../builders.ts"
import { equal } from "../base/fixtures.ts"

const planned = (name: string, at: number, schedule = "0 3 * * *") => ({ name, schedule, dueAt: moment(at) })
const state = (name: string, at: number) => ({ ...planned(name, at), begunAt: null, runs: 0 })

const fixture = Effect.gen(function* () {
  const store = yield* TaskStore
  yield* store.plan([planned("b", 5), planned("a", 3), planned("c", 9)])
  return store
})

/** Contract tests of the store of scheduled tasks. Every implementation must pass them. */
export const tasks: Contract<Stores> = {
  port: "TaskStore",
  musts: {
    "schedule a task once, and reschedule it only when its schedule changes": Effect.gen(function* () {
      const store = yield* fixture
      yield* store.plan([planned("a", 40), planned("b", 41, "0 4 * * *"), planned("d", 42)])
      equal(yield* store.list, [
        state("a", 3),
        { ...state("b", 41), schedule: "0 4 * * *" },
        state("c", 9),
        state("d", 42)
      ])
    }),
    "assign each due task to one process until its lease expires": Effect.gen(function* () {
      const store = yield* fixture
      const taken = yield* Effect.forEach([1, 2, 3, 4], () => store.take(["a", "b", "c"], moment(6), moment(20)), {
        concurrency: "unbounded"
      })
      equal(
        taken
          .flat()
          .map(({ name }) => name)
          .sort(),
        ["a", "b"]
      )
      equal(yield* store.take(["a", "b"], moment(19), moment(30)), [])
      equal((yield* store.take(["a"], moment(20), moment(30))).length, 1)
    }),
    "assign only the requested tasks": Effect.gen(function* () {
      const store = yield* fixture
      equal(
        (yield* store.take(["b", "z"], moment(50), moment(60))).map(({ name }) => name),
        ["b"]
      )
      equal(yield* store.take([], moment(50), moment(60)), [])
    }),
    "count the starts of a task, and store the time of the last one": Effect.gen(function* () {
      const store = yield* fixture
      const [first] = yield* store.take(["a"], moment(6), moment(20))
      equal(first, { ...state("a", 3), begunAt: moment(6), runs: 1 })
      assert.isTrue(yield* store.finish({ name: "a", runs: 1 }, moment(30)))
      equal((yield* store.list)[0], { ...state("a", 30), begunAt: moment(6), runs: 1 })
      equal(yield* store.take(["a"], moment(29), moment(40)), [])
      equal((yield* store.take(["a"], moment(30), moment(40)))[0]?.runs, 2)
    }),
    "ignore updates from a process after another process has started the task": Effect.gen(function* () {
      const store = yield* fixture
      yield* store.take(["a"], moment(6), moment(20))
      assert.isTrue(yield* store.renew({ name: "a", runs: 1 }, moment(22)))
      equal(yield* store.take(["a"], moment(21), moment(40)), [])
      equal((yield* store.take(["a"], moment(22), moment(40))).length, 1)
      assert.isFalse(yield* store.renew({ name: "a", runs: 1 }, moment(90)))
      assert.isFalse(yield* store.finish({ name: "a", runs: 1 }, moment(90)))
      assert.isTrue(yield* store.finish({ name: "a", runs: 2 }, moment(80)))
      assert.isFalse(yield* store.finish({ name: "a", runs: 2 }, moment(90)))
      equal((yield* store.list)[0]?.dueAt, moment(80))
    }),
    "make a task due immediately, and report when it is missing": Effect.gen(function* () {
      const store = yield* fixture
      assert.isTrue(yield* store.hasten("c", moment(2)))
      assert.isTrue(yield* store.hasten("a", moment(4)))
      assert.isFalse(yield* store.hasten("z", moment(2)))
      equal(
        (yield* store.list).map(({ dueAt }) => dueAt),
        [moment(3), moment(5), moment(2)]
      )
      equal((yield* store.take(["c"], moment(2), moment(9))).length, 1)
    }),
    "list tasks by name": Effect.gen(function* () {
      const store = yield* fixture
      yield* store.plan([planned("B", 1)])
      equal(yield* store.list, [state("B", 1), state("a", 3), state("b", 5), state("c", 9)])
    })
  }
}
