import { makeUuid } from "@slipway/domain"
import {
  ApplicationStore,
  type Execution,
  ExecutionUuid,
  ReleaseStore,
  type ScheduledTask,
  ScheduledTaskStore
} from "@slipway/domain/deploy/apps"
import { wordsOf } from "@slipway/domain/deploy/base"
import { taskMessage } from "@slipway/domain/deploy/infrastructure"
import { Effect, Result } from "effect"
import { isManaged } from "../../infrastructure/servers/isManaged.ts"
import { chosenAmong } from "./commands.ts"
import { openServing } from "./deployContext.ts"
import { failedWith, runDue, storedOutput } from "./due.ts"
import { servingContainers } from "./execute.ts"
import type { Place } from "./places.ts"

/** Runs the command of a scheduled task in a container of the current release, and returns the result. */
const attempt = Effect.fnUntraced(function* (
  { applicationUuid, command, container }: ScheduledTask,
  _: Execution,
  place: Place
) {
  const argv = Result.getOrElse(wordsOf(command), () => [])
  const serving = yield* (yield* ReleaseStore).serving(applicationUuid)
  if (serving === undefined) return failedWith("the application is not running")
  const { engine, running } = yield* place.reaching(
    Effect.flatMap(openServing(serving), ({ engine, network }) =>
      Effect.map(servingContainers({ engine, network }, serving), (running) => ({ engine, running }))
    )
  )
  const chosen = chosenAmong(running, container ?? "")
  if (chosen === undefined) {
    return failedWith(container === null ? "no container runs" : `no container \`${container}\` runs`)
  }
  const { exitCode, output } = yield* engine.exec({ application: applicationUuid, name: chosen.name }, { argv })
  const text = output.map((line) => line.text).join("\n")
  return exitCode === 0
    ? { status: "success" as const, message: storedOutput(text) }
    : failedWith(storedOutput(`${text}${text === "" ? "" : "\n"}the command exited with ${exitCode}`))
}, Effect.scoped)

const runOf = Effect.fnUntraced(function* ({ uuid }: ScheduledTask, at: string) {
  return {
    uuid: yield* makeUuid(ExecutionUuid),
    taskUuid: uuid,
    status: "running",
    message: null,
    startedAt: at,
    finishedAt: null
  } satisfies Execution
})

const messageOf = Effect.fnUntraced(function* (task: ScheduledTask, { status }: Execution) {
  const application = yield* (yield* ApplicationStore).find(task.applicationUuid)
  if (application === undefined) return undefined
  const { configuration, placement, uuid } = application
  const content = taskMessage({ name: configuration.name ?? "", uuid }, task, status === "failed")
  return { teamId: placement.teamId, content }
})

const isDeployed = Effect.fnUntraced(function* ({ applicationUuid }: ScheduledTask) {
  const serving = yield* (yield* ReleaseStore).serving(applicationUuid)
  return serving !== undefined && (yield* isManaged(serving.serverUuid))
})

/** Runs due scheduled tasks until it is interrupted, at most one execution at a time per task. Polls every second. */
export const runTasks = Effect.fnUntraced(function* (settings: { readonly lease: number; readonly alone: boolean }) {
  const store = yield* ScheduledTaskStore
  const timeoutOf = ({ timeout }: ScheduledTask) => timeout
  const job = { called: "scheduled task", store, messageOf, canBegin: isDeployed, runOf, timeoutOf, attempt }
  return yield* runDue(job, settings)
})
