import { Clock, Effect, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { makeUuid } from "../../Ids.ts"
import { now, timeIn, timeOf } from "../../Time.ts"
import { Transaction } from "../../Transaction.ts"
import { wordsOf } from "../engine/words.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import { nextRun } from "../scheduled-tasks/frequency.ts"
import { type Execution, ExecutionUuid, longestMessage, type ScheduledTask } from "../scheduled-tasks/ScheduledTask.ts"
import { ScheduledTaskStore } from "../scheduled-tasks/ScheduledTaskStore.ts"
import { openServing, whyOf } from "./deployContext.ts"
import { chosenAmong, servingContainers } from "./execute.ts"
import { makePlaces, type Place } from "./places.ts"
import { looksAreApart, WorkSignal } from "./WorkSignal.ts"

/** How an execution ends. */
type Ended = Pick<Execution, "message" | "status">

const failed = (message: string): Ended => ({ status: "failed", message })

// PostgreSQL keeps no NUL, and what programs write may hold any byte.
const kept = (text: string): string => text.slice(-longestMessage).replaceAll("\0", "").toWellFormed()

/** Runs the command of a task in the container that serves, and says what came of it. */
const attempt = Effect.fnUntraced(function* ({ applicationUuid, command, container }: ScheduledTask, place: Place) {
  const argv = Result.getOrElse(wordsOf(command), () => [])
  const serving = yield* (yield* ReleaseStore).serving(applicationUuid)
  if (serving === undefined) return failed("the application doesn't run")
  const { engine, running } = yield* place.reaching(
    Effect.flatMap(openServing(serving), ({ engine, network }) =>
      Effect.map(servingContainers({ engine, network }, serving), (running) => ({ engine, running }))
    )
  )
  const chosen = chosenAmong(running, container ?? "")
  if (chosen === undefined) {
    return failed(container === null ? "no container runs" : `no container \`${container}\` runs`)
  }
  const { exitCode, output } = yield* engine.exec({ application: applicationUuid, name: chosen.name }, { argv })
  const text = output.map((line) => line.text).join("\n")
  return exitCode === 0
    ? { status: "success" as const, message: kept(text) }
    : failed(kept(`${text}${text === "" ? "" : "\n"}the command ended with ${exitCode}`))
}, Effect.scoped)

const lost = failed("the platform ended while it ran: nobody knows what became of it")

/** Takes the next task, ends what a killed process left of it, and begins an execution when one is due. */
const take = Effect.fnUntraced(function* (worker: string, lease: number) {
  const store = yield* ScheduledTaskStore
  const transaction = yield* Transaction
  const time = yield* Clock.currentTimeMillis
  const [at, until] = [time, time + lease * 1_000].map(timeOf)
  if (at === undefined || until === undefined) return undefined
  return yield* transaction.run(
    Effect.gen(function* () {
      const task = yield* store.claim({ worker, at, until })
      if (task === undefined) return undefined
      for (const execution of yield* store.executions(task.uuid)) {
        if (execution.status === "running") yield* store.finish({ ...execution, ...lost, finishedAt: at })
      }
      const isDue = task.dueAt !== null && task.dueAt <= at
      // What nobody has deployed has nothing to run in, and says so to whoever asks.
      const begins =
        task.isAsked || (isDue && (yield* (yield* ReleaseStore).serving(task.applicationUuid)) !== undefined)
      const dueAt = isDue ? (nextRun(task.frequency, at) ?? null) : task.dueAt
      const execution: Execution | null = begins
        ? {
            uuid: yield* makeUuid(ExecutionUuid),
            taskUuid: task.uuid,
            status: "running",
            message: null,
            startedAt: at,
            finishedAt: null
          }
        : null
      yield* store.begin(task.uuid, dueAt, execution)
      if (execution === null) yield* store.giveBack(task.uuid, worker)
      return { task, execution }
    })
  )
})

const finish = Effect.fnUntraced(function* (worker: string, execution: Execution, ended: Ended) {
  const store = yield* ScheduledTaskStore
  yield* store.finish({ ...execution, ...ended, finishedAt: yield* now })
  yield* store.giveBack(execution.taskUuid, worker)
})

const work = Effect.fnUntraced(function* (
  worker: string,
  task: ScheduledTask,
  execution: Execution,
  lease: number,
  place: Place
) {
  const store = yield* ScheduledTaskStore
  const tooLong = `it took longer than ${task.timeout} seconds; what it began may go on in the container`
  const ended = attempt(task, place).pipe(
    Effect.timeoutOrElse({ duration: task.timeout * 1_000, orElse: () => Effect.succeed(failed(tooLong)) }),
    Effect.catch((error) => Effect.succeed(failed(whyOf(error)))),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("a scheduled task failed unexpectedly", defect), failed("an unexpected error"))
    )
  )
  const third = (lease * 1_000) / 3
  /** Says that this process goes on with it, until the task is another's or gone. */
  const watch = Effect.gen(function* () {
    for (;;) {
      yield* Effect.sleep(third)
      const until = yield* timeIn({ seconds: lease })
      const renewed = store.renew(task.uuid, { worker, at: yield* now, until }).pipe(
        // Whose store is too slow stops before its lease ends: another may begin from then on.
        Effect.timeoutOrElse({ duration: third, orElse: () => Effect.succeed(false) })
      )
      if (!(yield* renewed)) return undefined
    }
  })
  const outcome = yield* Effect.raceFirst(ended, watch)
  if (outcome !== undefined) yield* finish(worker, execution, outcome)
})

/** How many executions a process has under way, besides those whose servers are silent: each may last for hours. */
const atOnce = 100

/** Runs the tasks that are due, one at a time of each, one look a second, until it is interrupted. */
export const runTasks = Effect.fnUntraced(function* (settings: { readonly lease: number; readonly alone: boolean }) {
  const random = yield* SecureRandom.SecureRandom
  const process = [...(yield* random.randomBytes(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("")
  let turns = 0
  const scope = yield* Effect.scope
  const store = yield* ScheduledTaskStore
  const { notify, subscribe } = yield* WorkSignal
  const places = makePlaces(atOnce, notify)
  const notified = yield* subscribe
  let leftover = settings.alone
  const look = Effect.gen(function* () {
    if (leftover) yield* store.endLeases
    leftover = false
    while (places.isFree()) {
      // A name for each turn: a process may take again what it still seems to work on, once the lease has ended.
      const worker = `${process}-${++turns}`
      const taken = yield* take(worker, settings.lease)
      if (taken === undefined) break
      const { execution, task } = taken
      if (execution === null) continue
      const told = finish(worker, execution, failed("the platform was ended while it ran")).pipe(
        Effect.interruptible,
        Effect.timeout("2 seconds"),
        Effect.ignoreCause
      )
      const place = yield* places.begin
      const working = Effect.onInterrupt(work(worker, task, execution, settings.lease, place), () => told)
      yield* Effect.forkIn(Effect.ensuring(working, place.end), scope)
    }
  })
  return yield* look.pipe(
    Effect.catchCause((cause) => Effect.logWarning("looking for scheduled tasks failed", cause)),
    Effect.andThen(Effect.raceFirst(notified, Effect.sleep(looksAreApart))),
    Effect.forever
  )
}, Effect.scoped)
