import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import {
  type Application,
  ApplicationStore,
  type Execution,
  type ExecutionUuid,
  mostExecutions,
  type ScheduledTask,
  ScheduledTaskStore,
  type ScheduledTaskUuid
} from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment } from "../../builders.ts"
import { tenSecondLease, twoApplications } from "../base/support.ts"

const taskOf = (n: number, { uuid }: Application, facts: Partial<ScheduledTask> = {}): Omit<ScheduledTask, "id"> => ({
  uuid: `task${String(n).padStart(20, "0")}` as ScheduledTaskUuid,
  applicationUuid: uuid,
  name: `task ${n}`,
  command: "echo",
  frequency: "daily",
  container: null,
  timeout: 300,
  isEnabled: true,
  dueAt: moment(100 + n),
  isAsked: false,
  createdAt: moment(n),
  updatedAt: moment(n),
  ...facts
})

const executionOf = (n: number, { uuid }: Pick<ScheduledTask, "uuid">): Execution => ({
  uuid: `execution${String(n).padStart(15, "0")}` as ExecutionUuid,
  taskUuid: uuid,
  status: "running",
  message: null,
  startedAt: moment(n),
  finishedAt: null
})

const planted = Effect.fnUntraced(function* (task: Omit<ScheduledTask, "id">) {
  return (yield* (yield* ScheduledTaskStore).insert(task)) ?? assert.fail("the application exists")
})

/** Contract tests of the store of scheduled tasks. Every implementation must pass them. */
export const scheduledTasks: Contract<Stores> = {
  port: "ScheduledTaskStore",
  musts: {
    "list only the tasks of the given application, in the order of insertion": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* ScheduledTaskStore
      const b = yield* planted(taskOf(2, mine, { name: "b", container: "web", isEnabled: false, dueAt: null }))
      yield* planted(taskOf(3, other))
      const a = yield* planted(taskOf(1, mine, { name: "a" }))
      assert.deepStrictEqual(yield* store.ofApplication(mine.uuid), [b, a])
      const gone = { ...mine, uuid: "gone".padEnd(24, "0") } as Application
      assert.isUndefined(yield* store.insert(taskOf(4, gone)))
    }),
    "change the settings of a task without affecting the worker that runs it": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* ScheduledTaskStore
      const task = yield* planted(taskOf(1, mine))
      yield* store.ask(task.uuid)
      assert.isDefined(yield* store.claim(tenSecondLease("a", 0)))
      const changed = {
        ...task,
        name: "other",
        command: "date",
        frequency: "hourly",
        container: "web",
        timeout: 5,
        isEnabled: false,
        dueAt: null,
        updatedAt: moment(9)
      }
      yield* store.replace(changed)
      assert.deepStrictEqual(yield* store.ofApplication(mine.uuid), [{ ...changed, isAsked: true }])
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 1)))
      // The other worker has advanced the task; otherwise it would run once more.
      const due = yield* planted(taskOf(2, mine))
      yield* store.begin(due.uuid, moment(500), null)
      yield* store.replace({ ...due, name: "renamed" })
      const [, renamed] = yield* store.ofApplication(mine.uuid)
      assert.deepStrictEqual([renamed?.name, renamed?.dueAt], ["renamed", moment(500)])
    }),
    "remove a task only through its application": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* ScheduledTaskStore
      const { uuid } = yield* planted(taskOf(1, mine))
      assert.isFalse(yield* store.remove(other.uuid, uuid))
      assert.isTrue(yield* store.remove(mine.uuid, uuid))
      assert.isFalse(yield* store.remove(mine.uuid, uuid))
      assert.deepStrictEqual(yield* store.ofApplication(mine.uuid), [])
    }),
    "remove the tasks of a removed application": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* ScheduledTaskStore
      const task = yield* planted(taskOf(1, mine))
      yield* store.begin(task.uuid, null, executionOf(1, task))
      yield* Effect.orDie((yield* ApplicationStore).remove(mine.uuid))
      assert.deepStrictEqual(yield* store.ofApplication(mine.uuid), [])
      assert.deepStrictEqual(yield* store.executions(task.uuid), [])
      assert.isUndefined(yield* store.claim(tenSecondLease("a", 900)))
    }),
    "assign each due or requested task to one worker": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* ScheduledTaskStore
      const due = yield* planted(taskOf(1, mine, { dueAt: moment(10) }))
      const asked = yield* planted(taskOf(2, mine, { dueAt: null }))
      yield* planted(taskOf(3, mine, { dueAt: moment(500) }))
      assert.isUndefined(yield* store.claim(tenSecondLease("a", 9)))
      yield* store.ask(asked.uuid)
      const claims = yield* Effect.all(
        [1, 2, 3].map((n) => store.claim(tenSecondLease(`w${n}`, 10))),
        { concurrency: 3 }
      )
      assert.deepStrictEqual(claims.map((each) => each?.uuid).toSorted(), [due.uuid, asked.uuid, undefined])
      const again = yield* store.claim(tenSecondLease("b", 12))
      assert.isUndefined(again)
      yield* store.begin(asked.uuid, null, null)
      for (const worker of ["w1", "w2", "w3"]) yield* store.giveBack(asked.uuid, worker)
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 13)))
    }),
    "limit the concurrent tasks of one application": Effect.gen(function* () {
      const [mine, other] = yield* twoApplications
      const store = yield* ScheduledTaskStore
      const tasks = yield* Effect.forEach([1, 2, 3, 4], (n) => planted(taskOf(n, mine)))
      const others = yield* planted(taskOf(5, other))
      const claimed = (worker: string) => Effect.map(store.claim(tenSecondLease(worker, 200)), (task) => task?.uuid)
      const [first, second, third] = tasks.map(({ uuid }) => uuid)
      assert.deepStrictEqual(
        [yield* claimed("a"), yield* claimed("b"), yield* claimed("c"), yield* claimed("d")],
        [first, second, others.uuid, undefined]
      )
      yield* store.begin(first ?? others.uuid, moment(500), null)
      yield* store.giveBack(first ?? others.uuid, "a")
      assert.strictEqual(yield* claimed("e"), third)
      // An execution from a killed process counts, and the task is claimed again.
      yield* store.endLeases
      assert.strictEqual((yield* store.claim(tenSecondLease("f", 200)))?.uuid, second)
    }),
    "reassign work after its lease expires, and all work after all leases are released": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* ScheduledTaskStore
      const { uuid } = yield* planted(taskOf(1, mine, { dueAt: moment(10) }))
      yield* store.claim(tenSecondLease("a", 10))
      yield* store.begin(uuid, moment(500), null)
      assert.isFalse(yield* store.renew(uuid, tenSecondLease("b", 11)))
      assert.isTrue(yield* store.renew(uuid, tenSecondLease("a", 15)))
      assert.isUndefined(yield* store.claim(tenSecondLease("b", 24)))
      assert.strictEqual((yield* store.claim(tenSecondLease("b", 25)))?.uuid, uuid)
      yield* store.giveBack(uuid, "a")
      assert.isFalse(yield* store.renew(uuid, tenSecondLease("a", 26)))
      assert.isUndefined(yield* store.claim(tenSecondLease("c", 26)))
      yield* store.endLeases
      assert.strictEqual((yield* store.claim(tenSecondLease("c", 26)))?.uuid, uuid)
      yield* store.giveBack(uuid, "c")
      assert.isUndefined(yield* store.claim(tenSecondLease("d", 27)))
    }),
    "keep the newest executions of a task, and list them newest first": Effect.gen(function* () {
      const [mine] = yield* twoApplications
      const store = yield* ScheduledTaskStore
      const task = yield* planted(taskOf(1, mine))
      const other = yield* planted(taskOf(2, mine))
      yield* store.begin(other.uuid, moment(7), executionOf(1_000, other))
      for (let n = 1; n <= mostExecutions + 1; n++) yield* store.begin(task.uuid, moment(7), executionOf(n, task))
      const last = executionOf(mostExecutions + 1, task)
      const done = { ...last, status: "success", message: "done", finishedAt: moment(999) } as const
      yield* store.finish(done)
      const executions = yield* store.executions(task.uuid)
      assert.deepStrictEqual([executions[0], executions.length], [done, mostExecutions])
      assert.deepStrictEqual(executions.at(-1), executionOf(2, task))
      assert.deepStrictEqual(yield* store.executions(other.uuid), [executionOf(1_000, other)])
      assert.strictEqual((yield* store.ofApplication(mine.uuid))[0]?.dueAt, moment(7))
    })
  }
}
