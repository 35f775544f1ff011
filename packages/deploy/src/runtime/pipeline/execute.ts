import type { Deployment, Release, ServingRelease } from "@slipway/domain/deploy/apps"
import { DeploymentStore, ReleaseStore, ServiceStore, ServiceUuid } from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import type {
  Container,
  ContainerDetails,
  ContainerRef,
  Engine,
  EngineFailure
} from "@slipway/domain/deploy/containers"
import {
  InstancePolicy,
  openCompose,
  ProbeFailed,
  servesDomains,
  untilHealthy
} from "@slipway/domain/deploy/containers"
import type { Condition, Plan, PlannedCommand, PlannedContainer } from "@slipway/domain/deploy/runtime"
import { mainOf, planOf } from "@slipway/domain/deploy/runtime"
import { Clock, Effect, Result, Stream } from "effect"
import { filesOf, mountedBy, mountsOf } from "../../apps/storages/Storages.ts"
import { open as openVariables } from "../../apps/variables/Variables.ts"
import { runCommand } from "./commands.ts"
import {
  type DeployContext,
  fail,
  failureReasonOf,
  isPassing,
  logLines,
  sentences,
  type Waiting
} from "./deployContext.ts"
import { addressOf, requireAddresses, routesFor, routeToErrorPage, upstreamsOf } from "./routes.ts"

const none: ReadonlySet<string> = new Set()

/** Returns the names of the service parts that a user stopped; none for a release of an ordinary application. */
const stoppedParts = Effect.fnUntraced(function* ({ applicationUuid, compose, configuration }: Release) {
  if (compose === null || configuration.git_repository !== null) return none
  const service = yield* (yield* ServiceStore).find(ServiceUuid.make(applicationUuid))
  return new Set((service?.parts ?? []).flatMap(({ isStopped, name }) => (isStopped ? [name] : [])))
})

/** Plans the containers, networks and commands with which a deployment runs its release. */
export const planFor = Effect.fnUntraced(function* (network: string, deployment: DeploymentUuid, release: Release) {
  const storages = yield* mountedBy(release.applicationUuid)
  const plan = planOf({
    deployment,
    release,
    network,
    variables: yield* openVariables(release.variables),
    allowed: yield* InstancePolicy,
    storages: mountsOf(storages),
    files: yield* filesOf(storages),
    compose: yield* openCompose(release),
    stopped: yield* stoppedParts(release)
  })
  return Result.isFailure(plan) ? yield* fail(sentences(plan.failure)) : plan.success
})

/** Returns the reference to a planned container: its application and its name. */
export const refOf = (plan: Pick<Plan, "application">, { spec }: PlannedContainer): ContainerRef => ({
  application: plan.application,
  name: spec.name
})

const containersBefore = ({ deployment, engine }: DeployContext) =>
  Effect.map(engine.list({ application: deployment.applicationUuid }), (all) =>
    all.filter(({ owner }) => owner.deployment !== deployment.uuid)
  )

/** Lists the running containers of an application's release. The container that receives requests comes first. */
export const servingContainers = Effect.fnUntraced(function* (
  { engine, network }: Pick<DeployContext, "engine" | "network">,
  { applicationUuid: application, deploymentUuid, releaseUuid }: ServingRelease
) {
  const release = yield* (yield* ReleaseStore).find(releaseUuid)
  if (release === undefined) return []
  const main = yield* planFor(network, deploymentUuid, release).pipe(
    Effect.map((plan) => plan.main),
    // The running services may exceed the instance's limits; then any container will do.
    Effect.catchTag("DeploymentFailed", () => Effect.succeed(undefined))
  )
  const all = yield* engine.list({ application, deployment: deploymentUuid })
  const running = all.filter(({ state }) => state === "running")
  return [...running.filter(({ name }) => name === main), ...running.filter(({ name }) => name !== main)]
})

/** Runs the pre-deployment command in a container of the current release; skips it if none runs. */
const runBefore = Effect.fnUntraced(function* (context: DeployContext, command: PlannedCommand) {
  const serving = yield* (yield* ReleaseStore).serving(context.deployment.applicationUuid)
  const among = serving === undefined ? [] : yield* servingContainers(context, serving)
  if (among.length > 0) yield* runCommand(context, command, among)
})

/** Returns whether a container stays stopped after it exits with code 0, according to its restart policy. */
export const endsByItself = ({ spec }: PlannedContainer): boolean =>
  spec.restart._tag === "Never" || spec.restart._tag === "OnFailure"

/** Returns whether a container has completed its work: it exited with code 0 and is not restarted. */
export const isDone = (planned: PlannedContainer, { exitCode, state }: ContainerDetails): boolean =>
  state === "exited" && exitCode === 0 && endsByItself(planned)

const nameFor = ({ spec }: PlannedContainer): string =>
  spec.owner.service === null ? "the container" : `the container of \`${spec.owner.service}\``

const whyBroken = (planned: PlannedContainer, details: ContainerDetails): string | null => {
  const { exitCode, health, healthOutput, outOfMemory, restarts, state } = details
  if (isDone(planned, details)) return null
  const which = nameFor(planned)
  if (state === "exited" || state === "dead" || restarts > 2) {
    if (outOfMemory) return `${which} was killed because it ran out of memory (${exitCode ?? "an error"})`
    if (exitCode === null && restarts > 0) return `${which} exited ${restarts} times`
    return `${which} exited with ${exitCode ?? "an error"}`
  }
  if (health !== "unhealthy") return null
  return healthOutput === null ? `${which} is unhealthy` : `${which} is unhealthy: ${healthOutput}`
}

const meets = (planned: PlannedContainer, details: ContainerDetails, state: Condition["state"]): boolean => {
  if (state === "completed") return isDone(planned, details)
  if (state === "healthy") return details.health === "healthy"
  return details.state === "running" || isDone(planned, details)
}

/** The number of polls of a container's health after which a container without a health status fails the wait. */
const looksForHealth = 60

/** Returns a function that runs due health checks of a container, for engines that do not schedule them. */
const makeLooks = (engine: Engine) => {
  const next = new Map<string, number>()
  return Effect.fnUntraced(function* (ref: ContainerRef, { health, healthInterval }: ContainerDetails) {
    if (health !== "starting" || healthInterval === null) return
    const at = yield* Clock.currentTimeMillis
    const due = next.get(ref.name) ?? at + healthInterval * 1_000 + grace
    next.set(ref.name, due <= at ? at + healthInterval * 1_000 : due)
    // A missing or broken container is reported by the code that waits for it.
    if (due <= at) {
      yield* Effect.catchTag(engine.probeHealth(ref), ["ContainerNotFound", "EngineRefused"], () => Effect.void)
    }
  })
}

/** The milliseconds after a health check is due during which the engine may still run it itself. */
const grace = 2_000

/** Waits until containers reach their required states. Fails if a container can no longer reach its state. */
export const until = Effect.fnUntraced(function* (
  { engine, waiting }: Pick<DeployContext, "engine"> & { readonly waiting: Waiting },
  plan: Pick<Plan, "application" | "containers">,
  conditions: ReadonlyArray<Condition>
) {
  const looks = makeLooks(engine)
  for (const { container, state } of conditions) {
    const planned = plan.containers.find(({ spec }) => spec.name === container)
    if (planned === undefined) continue
    for (let asked = 0; ; asked++) {
      const details = yield* engine.inspect(refOf(plan, planned))
      if (meets(planned, details, state)) break
      yield* waiting.on(`${nameFor(planned)} to be ${state}`)
      yield* looks(refOf(plan, planned), details)
      const broken = whyBroken(planned, details)
      if (broken !== null) return yield* fail(broken)
      if (state === "healthy" && details.health === null && asked > looksForHealth) {
        return yield* fail(`${nameFor(planned)} has no health check to wait for`)
      }
      yield* Effect.sleep("500 millis")
    }
  }
})

/** Returns whether an old container is replaced by a planned one: its service is the same, or no longer exists. */
const isBefore =
  ({ containers }: Plan, { spec }: PlannedContainer) =>
  ({ owner }: Container): boolean =>
    spec.owner.service === null ||
    owner.service === spec.owner.service ||
    !containers.some((planned) => planned.spec.owner.service === owner.service)

/** Starts the new containers while the old ones keep serving. */
export const startContainers = Effect.fnUntraced(function* (context: DeployContext, plan: Plan) {
  const { deployment, engine } = context
  const before = yield* containersBefore(context)
  if (plan.before !== null) yield* runBefore(context, plan.before)
  for (const { application, name } of plan.networks) yield* engine.ensureNetwork(name, application)
  // The previous containers stop, and start again if this deployment fails.
  const makeRoom = (all: ReadonlyArray<Container>) =>
    Effect.forEach(all, ({ name }) => Effect.ignore(engine.stop({ application: plan.application, name })))
  for (const planned of plan.containers) {
    const ref = refOf(plan, planned)
    yield* engine.create(planned.spec)
    yield* until(context, plan, planned.after)
    if (planned.takesTurns) yield* makeRoom(before.filter(isBefore(plan, planned)))
    // A container that exits by itself is not restarted after it has exited.
    if (isDone(planned, yield* engine.inspect(ref))) continue
    yield* engine.start(ref).pipe(
      // Services may have exchanged ports.
      Effect.catchTag("PortTaken", () => Effect.andThen(makeRoom(before), engine.start(ref)))
    )
    yield* logLines(deployment, [`started ${planned.spec.name}`])
  }
})

/** Waits until the engine and the proxy report the new containers as healthy. */
export const checkHealth = Effect.fnUntraced(function* (context: DeployContext, plan: Plan) {
  const { deployment, engine, proxy, server, waiting } = context
  const isAsked = servesDomains(server.proxyType)
  const check = isAsked ? plan.check : null
  const main = mainOf(plan)
  if (!isAsked && plan.check !== null) {
    yield* logLines(deployment, [
      `no proxy can send the health check: the container counts as healthy after ${plan.startPeriod} seconds`
    ])
  }
  const inspected = Effect.forEach(plan.containers, (planned) =>
    Effect.map(engine.inspect(refOf(plan, planned)), (details) => ({ planned, details }))
  )
  const requireWorking = Effect.fnUntraced(function* (all: Effect.Success<typeof inspected>) {
    for (const { details, planned } of all) {
      const broken = whyBroken(planned, details)
      if (broken !== null) return yield* fail(broken)
    }
  })
  const watch = Effect.gen(function* () {
    for (;;) {
      yield* requireWorking(yield* inspected)
      yield* Effect.sleep("500 millis")
    }
  })
  const looks = makeLooks(engine)
  const settled = Effect.gen(function* () {
    for (;;) {
      const all = yield* inspected
      const starting = all.filter(({ details }) => details.health === "starting")
      // A container may have become unhealthy since the last check of `watch`.
      if (starting.length === 0) return yield* requireWorking(all)
      const which = starting.map(({ planned }) => nameFor(planned)).join(", ")
      yield* waiting.on(`the engine to report ${which} as healthy`)
      for (const { details, planned } of starting) yield* looks(refOf(plan, planned), details)
      yield* Effect.sleep("500 millis")
    }
  })
  const replicas = plan.containers.filter(({ spec }) => spec.owner.service === main.spec.owner.service)
  const upstreamOf = Effect.fnUntraced(function* (planned: PlannedContainer) {
    const host = addressOf(plan, planned.spec, yield* engine.inspect(refOf(plan, planned)))
    const port = check?.port ?? planned.port
    if (port === null) return yield* fail("the container exposes no port")
    // A restarting container has no address for a moment.
    if (host === undefined) return yield* new ProbeFailed({ because: "the container has no address" })
    return { host, port }
  })
  const answers =
    check === null
      ? Effect.sleep(plan.startPeriod * 1000)
      : Effect.forEach(
          replicas,
          (planned) =>
            untilHealthy(
              check,
              Effect.flatMap(upstreamOf(planned), (there) => proxy.probe(there, check.request)),
              (because) =>
                Effect.andThen(
                  logLines(deployment, [`not healthy yet: ${because}`]),
                  waiting.on(`a healthy response to the health check`)
                )
            ),
          { concurrency: "unbounded", discard: true }
        )
  yield* Effect.raceFirst(Effect.andThen(answers, settled), watch).pipe(
    Effect.catchTag("Unhealthy", ({ because, tries }) => fail(`not healthy after ${tries} tries: ${because}`))
  )
  yield* logLines(deployment, [
    plan.containers.length === 1 ? "the container is healthy" : "the containers are healthy"
  ])
})

const refusedRoutes = {
  RouteTaken: ({ address }: { readonly address: string }) =>
    fail(`the address ${address} belongs to another application`),
  ProxyRefused: ({ because }: { readonly because: string }) => fail(`the proxy refused the routes: ${because}`)
}

/** Removes a container that is no longer needed; only logs a refusal of the engine. */
const removed = (
  { deployment }: Pick<DeployContext, "deployment">,
  name: string,
  goes: Effect.Effect<unknown, EngineFailure>
) =>
  Effect.catchTag(goes, "EngineRefused", ({ because }) =>
    logLines(deployment, [`could not remove ${name}: ${because}`], "stderr")
  )

/** Finds the release that served before a deployment, even if the deployment is already stored as the serving one. */
const servedBefore = Effect.fnUntraced(function* ({ applicationUuid, id, uuid }: Deployment) {
  const releases = yield* ReleaseStore
  const serving = yield* releases.serving(applicationUuid)
  if (serving?.deploymentUuid !== uuid) return serving ?? null
  const earlier = yield* (yield* DeploymentStore).ofApplication(applicationUuid, { after: id, limit: 100 })
  const finished = earlier.filter(({ status }) => status === "finished")
  const [before] = finished
  if (before === undefined || before.action === "stop") return null
  // A restart runs what served before it.
  const { action, releaseUuid, ...origin } = finished.find((each) => each.action !== "restart") ?? before
  const release = action === "deploy" ? (yield* releases.ofDeployment(origin.uuid))?.uuid : releaseUuid
  if (release == null) return null
  const { destinationUuid, serverUuid } = before
  return { applicationUuid, deploymentUuid: before.uuid, releaseUuid: release, destinationUuid, serverUuid }
})

const withoutProxy = "the server has no proxy: its ports are forwarded to the containers, and domains are not served"

/** Routes requests to the new containers, then stops the previous containers. */
export const switchOver = Effect.fnUntraced(function* (
  context: DeployContext,
  plan: Plan,
  release: Release,
  drain: number
) {
  const { deployment, engine, proxy } = context
  const releases = yield* ReleaseStore
  const isServed = servesDomains(context.server.proxyType)
  const routes = isServed ? yield* routesFor(release, yield* upstreamsOf(context, plan)) : []
  const served = yield* servedBefore(deployment)
  // Stored before it is applied, so that a concurrent route restore does not undo it.
  yield* releases.serve(plan.application, {
    applicationUuid: plan.application,
    releaseUuid: release.uuid,
    deploymentUuid: deployment.uuid,
    serverUuid: deployment.serverUuid,
    destinationUuid: deployment.destinationUuid
  })
  yield* requireAddresses(context.application, release).pipe(
    Effect.andThen(proxy.apply(plan.application, routes)),
    Effect.catchTags(refusedRoutes),
    Effect.tapErrorTag("DeploymentFailed", () => releases.serve(plan.application, served))
  )
  yield* logLines(deployment, [isServed ? `traffic is routed to ${mainOf(plan).spec.name}` : withoutProxy])
  if (plan.after !== null) {
    const main = mainOf(plan)
    const among = [main, ...plan.containers.filter((each) => each !== main)].map(({ spec }) => spec)
    // The new containers serve already: later failures do not undo that.
    yield* runCommand(context, plan.after, among).pipe(
      Effect.catchIf(
        (error) => !isPassing(error),
        (error) => logLines(deployment, [failureReasonOf(error)], "stderr")
      )
    )
  }
  const before = yield* containersBefore(context)
  if (before.length > 0) {
    const seconds = plan.drain ?? drain
    if (plan.drain !== null) yield* logLines(deployment, [`draining the previous containers for ${seconds} seconds`])
    yield* Effect.sleep(seconds * 1000)
  }
  yield* Effect.forEach(before, ({ name }) => {
    const ref = { application: plan.application, name }
    const stopped = Effect.catchTag(engine.stop(ref), "ContainerNotFound", () => Effect.void)
    return removed(context, name, Effect.andThen(stopped, engine.remove(ref)))
  })
})

/** Stops all containers of an application. Its routes stay and respond with an error page. */
export const stopAll = Effect.fnUntraced(function* (context: DeployContext) {
  const { application, deployment, engine } = context
  yield* (yield* ReleaseStore).serve(application.uuid, null)
  yield* routeToErrorPage(context)
  for (const { name } of yield* engine.list({ application: application.uuid })) {
    const ref = { application: application.uuid, name }
    yield* Effect.catchTag(engine.stop(ref), "ContainerNotFound", () => Effect.void)
    yield* engine.remove(ref)
  }
  yield* logLines(deployment, ["stopped"])
})

const lastLines = 50

/** Removes the containers of a failed deployment, and keeps their last log lines in the deployment log. */
export const undo = Effect.fnUntraced(function* ({ deployment, engine }: Pick<DeployContext, "deployment" | "engine">) {
  const application = deployment.applicationUuid
  for (const { name } of yield* engine.list({ application, deployment: deployment.uuid })) {
    const lines = yield* engine.logs({ application, name }, { tail: lastLines }).pipe(
      Stream.runCollect,
      // An engine may keep no logs; a broken container is removed anyway.
      Effect.catchTag(["ContainerNotFound", "EngineRefused"], () => Effect.succeed([]))
    )
    yield* logLines(
      deployment,
      lines.map(({ text }) => text),
      "stderr"
    )
    yield* removed({ deployment }, name, engine.remove({ application, name }))
  }
})
