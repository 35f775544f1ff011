import { now } from "@slipway/domain"
import type { Runner } from "@slipway/domain/forge/automation"
import { SiteSettings } from "@slipway/domain/forge/base"
import { addressOf } from "@slipway/domain/forge/identity"
import { RunnerJobs, Runners } from "@slipway/forge/automation"
import { Effect, Redacted } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"
import { answerWithPublicUrl, PublicUrl } from "../../base/PublicUrl.ts"
import { entryRequest } from "../../entry/guard.ts"
import { CallFailed, ofRunner, open } from "./connect.ts"
import type { RunnerMessage } from "./schema.ts"
import { numberOf, resultOf, showTask, textOf, timeOf } from "./values.ts"

const runnerService = "/api/actions/runner.v1.RunnerService"

/** The paths of the runner protocol. */
export const runnerPaths = {
  ping: "/api/actions/ping.v1.PingService/Ping",
  register: `${runnerService}/Register`,
  declare: `${runnerService}/Declare`,
  fetchTask: `${runnerService}/FetchTask`,
  updateTask: `${runnerService}/UpdateTask`,
  updateLog: `${runnerService}/UpdateLog`
} as const

const small = 64 * 1024
const middle = 1024 * 1024
const ofLogs = 4 * middle

/** The codes of runner states in the runner protocol. */
const statuses = { idle: 1, active: 2 } as const

const runnerMessage = (runner: Runner, at: string): Partial<RunnerMessage> => ({
  id: BigInt(runner.id),
  uuid: runner.uuid,
  name: runner.name,
  status: Runners.stateOf(runner, at).active ? statuses.active : statuses.idle,
  version: runner.version,
  labels: runner.labels,
  agentLabels: runner.labels,
  ephemeral: runner.ephemeral
})

const invalid = ({ field, problem }: Runners.RunnerInvalid) =>
  Effect.fail(new CallFailed({ code: "invalid_argument", message: `${field} ${problem}` }))

const ping = open({
  request: "PingRequest",
  response: "PingResponse",
  largest: small,
  answer: ({ data }) => Effect.succeed({ data: `Hello, ${data}!` })
})

/** The IP address of the client, behind trusted proxies too. */
const callerAddress = Effect.gen(function* () {
  const sent = entryRequest(yield* HttpServerRequest.HttpServerRequest, yield* PublicUrl)
  return NetAddress.formatIp(addressOf(sent, (yield* SiteSettings).signIn))
})

const register = open({
  request: "RegisterRequest",
  response: "RegisterResponse",
  largest: small,
  answer: ({ agentLabels, ephemeral, labels, name, token, version }) =>
    Effect.gen(function* () {
      // Older runners send only one list.
      const said = { name, version, ephemeral, labels: labels.length === 0 ? agentLabels : labels }
      const address = yield* callerAddress
      const { runner, token: secret } = yield* Runners.register(Redacted.make(token), said, address)
      return { runner: { ...runnerMessage(runner, yield* now), token: Redacted.value(secret) } }
    }).pipe(
      Effect.catchTags({
        RegistrationUnknown: () =>
          Effect.fail(new CallFailed({ code: "unauthenticated", message: "the registration token is not valid" })),
        RunnerInvalid: invalid,
        PlaceFull: ({ most }) =>
          Effect.fail(
            new CallFailed({ code: "failed_precondition", message: `at most ${most} runners are allowed here` })
          )
      })
    )
})

const gone = () => Effect.fail(new CallFailed({ code: "unauthenticated", message: "the runner was deleted" }))

const declare = ofRunner({
  request: "DeclareRequest",
  response: "DeclareResponse",
  largest: middle,
  answer: (said, runner) =>
    Effect.gen(function* () {
      return { runner: runnerMessage(yield* Runners.declare(runner, said), yield* now) }
    }).pipe(Effect.catchTags({ RunnerInvalid: invalid, RunnerNotFound: gone }))
})

const fetchTask = ofRunner({
  request: "FetchTaskRequest",
  response: "FetchTaskResponse",
  largest: middle,
  answer: (_, runner) =>
    Effect.map(
      answerWithPublicUrl(Effect.flatMap(PublicUrl, ({ rootUrl }) => RunnerJobs.fetch(runner, rootUrl))),
      (task) => ({
        // Without a version every request looks for a job, regardless of the result of the last one.
        tasksVersion: 0n,
        ...(task === undefined ? {} : { task: showTask(task) })
      })
    )
})

const missing = () =>
  Effect.fail(new CallFailed({ code: "not_found", message: "the task does not belong to the runner" }))

const updateTask = ofRunner({
  request: "UpdateTaskRequest",
  response: "UpdateTaskResponse",
  largest: middle,
  answer: ({ outputs, state }, runner) =>
    Effect.gen(function* () {
      if (state === undefined) return yield* missing()
      const { result, sentOutputs } = yield* RunnerJobs.update(runner, {
        id: numberOf(state.id),
        result: resultOf(state.result),
        startedAt: timeOf(state.startedAt),
        stoppedAt: timeOf(state.stoppedAt),
        steps: state.steps.map((step) => ({
          id: numberOf(step.id),
          result: resultOf(step.result),
          startedAt: timeOf(step.startedAt),
          stoppedAt: timeOf(step.stoppedAt),
          logIndex: numberOf(step.logIndex),
          logLength: numberOf(step.logLength)
        })),
        outputs: Object.fromEntries(Object.entries(outputs).map(([name, value]) => [textOf(name), textOf(value)]))
      })
      return { state: { id: state.id, result }, sentOutputs }
    }).pipe(Effect.catchTag("WorkflowJobNotFound", missing))
})

const updateLog = ofRunner({
  request: "UpdateLogRequest",
  response: "UpdateLogResponse",
  largest: ofLogs,
  answer: ({ index, noMore, rows, taskId }, runner) =>
    Effect.gen(function* () {
      const at = yield* now
      const lines = yield* RunnerJobs.log(runner, {
        id: numberOf(taskId),
        index: numberOf(index),
        rows: rows.map(({ content, time }) => ({ time: timeOf(time) ?? at, content: textOf(content) })),
        noMore
      })
      return { ackIndex: BigInt(lines) }
    }).pipe(Effect.catchTag("WorkflowJobNotFound", missing))
})

/** Layer with the routes of the runner protocol: registering, fetching jobs and reporting their state and logs. */
export const runnerRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("POST", runnerPaths.ping, ping)
    yield* router.add("POST", runnerPaths.register, register)
    yield* router.add("POST", runnerPaths.declare, declare)
    yield* router.add("POST", runnerPaths.fetchTask, fetchTask)
    yield* router.add("POST", runnerPaths.updateTask, updateTask)
    yield* router.add("POST", runnerPaths.updateLog, updateLog)
  })
)
