import { storable } from "@slipway/domain"
import { ReleaseStore } from "@slipway/domain/deploy/apps"
import type { HealthCheck, ServerProxy } from "@slipway/domain/deploy/containers"
import { healthCheckOf, judge, longestHealthOutput, servesDomains } from "@slipway/domain/deploy/containers"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { mainOf, type PlannedContainer } from "@slipway/domain/deploy/runtime"
import { Clock, Effect } from "effect"
import { inTime } from "../../infrastructure/servers/validate.ts"
import { type DeployTarget, failureReasonOf, openServing } from "../pipeline/deployContext.ts"
import { planFor, refOf } from "../pipeline/execute.ts"
import { addressOf } from "../pipeline/routes.ts"

/** The answer of one container to a health check. */
export interface CheckedContainer {
  readonly container: string
  readonly service: string | null
  /** Why it is unhealthy; null if it is healthy. */
  readonly because: string | null
  /** The status of its response; null if none arrived. */
  readonly status: number | null
  /** The first characters of its response. */
  readonly output: string
  readonly milliseconds: number
}

/** The result of a health check. */
export interface CheckResult {
  /** Why no check was sent; null if one was. */
  readonly because: string | null
  readonly containers: ReadonlyArray<CheckedContainer>
}

const notSent = (because: string): CheckResult => ({ because, containers: [] })

/** The longest wait for a response, in seconds; a check of a deployment may wait longer. */
const longestWait = 15

const shorten = (body: string): string => storable(body.slice(0, longestHealthOutput))

/** Sends a health check to one container. */
const ask = Effect.fnUntraced(function* (
  { engine, proxy }: { readonly engine: DeployTarget["engine"]; readonly proxy: ServerProxy },
  plan: Parameters<typeof addressOf>[0] & Parameters<typeof refOf>[0],
  planned: PlannedContainer,
  check: HealthCheck
) {
  const { name, owner } = planned.spec
  const started = yield* Clock.currentTimeMillis
  const ended = Effect.fnUntraced(function* (facts: Pick<CheckedContainer, "because" | "output" | "status">) {
    const milliseconds = (yield* Clock.currentTimeMillis) - started
    return { container: name, service: owner.service, milliseconds, ...facts } satisfies CheckedContainer
  })
  const failed = (because: string) => ended({ because, status: null, output: "" })
  const found = yield* engine
    .inspect(refOf(plan, planned))
    .pipe(Effect.catchTag("ContainerNotFound", () => Effect.undefined))
  const host = found === undefined ? undefined : addressOf(plan, planned.spec, found)
  const port = check.port ?? planned.port
  if (host === undefined) return yield* failed("the container does not run")
  if (port === null) return yield* failed("the container exposes no port")
  const request = { ...check.request, timeout: Math.min(check.request.timeout, longestWait) }
  return yield* proxy.probe({ host, port }, request).pipe(
    Effect.flatMap((answer) =>
      ended({ because: judge(check, answer), status: answer.status, output: shorten(answer.body) })
    ),
    Effect.catchTag("ProbeFailed", ({ because }) => failed(because))
  )
})

/**
 * Sends the health check of an application's current settings once to the containers that receive its requests.
 *
 * The settings need not be deployed, and the check need not be enabled. Changes nothing.
 */
export const run = Effect.fnUntraced(function* ({ resource }: Authorized<"application.health.check">) {
  const { configuration, uuid } = resource.application
  const releases = yield* ReleaseStore
  const serving = yield* releases.serving(uuid)
  const release = serving === undefined ? undefined : yield* releases.find(serving.releaseUuid)
  const server = serving === undefined ? undefined : yield* (yield* ServerStore).find(serving.serverUuid)
  if (serving === undefined || release === undefined || server === undefined) return notSent("no release is serving")
  if (!servesDomains(server.proxyType)) return notSent("no proxy can send the health check")
  const check = healthCheckOf({ ...configuration, health_check_enabled: true })
  if (check === null) return notSent("the application has no health check")
  const sent = Effect.gen(function* () {
    const target = yield* openServing(serving)
    const plan = yield* planFor(target.network, serving.deploymentUuid, release)
    const { service } = mainOf(plan).spec.owner
    const receiving = plan.containers.filter(({ spec }) => spec.owner.service === service)
    const containers = yield* Effect.forEach(receiving, (planned) => ask(target, plan, planned, check), {
      concurrency: "unbounded"
    })
    return { because: null, containers } satisfies CheckResult
  })
  return yield* sent.pipe(
    Effect.scoped,
    // The plan of the serving release may exceed settings of the instance that changed since.
    Effect.catchTag(["DeploymentFailed", "VariableTooLong"], (error) =>
      Effect.succeed(notSent(failureReasonOf(error)))
    ),
    inTime(server)
  )
})
