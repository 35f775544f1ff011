import { InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import {
  ApplicationNotFound,
  ApplicationStore,
  mostTasks,
  nextRun,
  type ScheduledTask,
  type ScheduledTaskInput,
  ScheduledTaskNotFound,
  ScheduledTaskStore,
  ScheduledTaskUuid
} from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { notifyWorkers } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { requireOriginal } from "../additional-destinations/copies.ts"

const dueOf = ({ frequency, isEnabled }: ScheduledTaskInput, at: string): string | null =>
  isEnabled ? (nextRun(frequency, at) ?? null) : null

/** Lists the scheduled tasks of an application or a service. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"task.list" | "service.task.list">) {
  return yield* (yield* ScheduledTaskStore).ofApplication(resource.application.uuid)
})

/** Adds a scheduled task to an application or a service. */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"task.create" | "service.task.create">,
  input: ScheduledTaskInput
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      // Locked, so that concurrently added tasks are counted one after the other.
      const locked = yield* (yield* ApplicationStore).lock(resource.application.uuid)
      if (locked === undefined) return yield* new ApplicationNotFound()
      yield* requireOriginal(locked.uuid)
      const store = yield* ScheduledTaskStore
      if ((yield* store.ofApplication(locked.uuid)).length >= mostTasks) {
        const sentence = `An application has at most ${mostTasks} scheduled tasks.`
        return yield* new InvalidInput({ problems: { name: [sentence] } })
      }
      const at = yield* now
      const added = yield* store.insert({
        ...input,
        uuid: yield* makeUuid(ScheduledTaskUuid),
        applicationUuid: locked.uuid,
        dueAt: dueOf(input, at),
        isAsked: false,
        createdAt: at,
        updatedAt: at
      })
      return added ?? (yield* new ApplicationNotFound())
    })
  )
})

/** Changes a scheduled task; omitted fields stay unchanged. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"task.update" | "service.task.update">,
  input: Partial<ScheduledTaskInput>
) {
  const { application, task } = resource
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      // Locked, so that concurrent changes do not overwrite each other.
      yield* (yield* ApplicationStore).lock(application.uuid)
      const store = yield* ScheduledTaskStore
      const present = (yield* store.ofApplication(application.uuid)).find(({ uuid }) => uuid === task.uuid)
      if (present === undefined) return yield* new ScheduledTaskNotFound()
      const at = yield* now
      const set = { ...present, ...input, updatedAt: at }
      const isMoved = set.frequency !== present.frequency || set.isEnabled !== present.isEnabled
      const changed: ScheduledTask = isMoved ? { ...set, dueAt: dueOf(set, at) } : set
      yield* store.replace(changed)
      return changed
    })
  )
})

/** Removes a scheduled task with its execution history. */
export const remove = Effect.fnUntraced(function* ({ resource }: Authorized<"task.delete" | "service.task.delete">) {
  yield* (yield* ScheduledTaskStore).remove(resource.application.uuid, resource.task.uuid)
})

/** Requests an immediate execution in addition to the schedule. It starts after a running execution has ended. */
export const execute = Effect.fnUntraced(function* ({ resource }: Authorized<"task.execute" | "service.task.execute">) {
  yield* (yield* ScheduledTaskStore).ask(resource.task.uuid)
  yield* notifyWorkers
})

/** Lists the executions of a scheduled task, newest first. */
export const executions = Effect.fnUntraced(function* ({
  resource
}: Authorized<"task.executions" | "service.task.executions">) {
  return yield* (yield* ScheduledTaskStore).executions(resource.task.uuid)
})
