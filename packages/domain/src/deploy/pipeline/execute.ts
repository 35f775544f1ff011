import { Effect, Result, Stream } from "effect"
import { openCompose } from "../compose/ReleasedCompose.ts"
import type { DeploymentUuid } from "../deployments/Deployment.ts"
import type { Container, ContainerDetails, ContainerRef } from "../engine/ContainerEngine.ts"
import { InstancePolicy } from "../engine/InstancePolicy.ts"
import { untilHealthy } from "../proxy/HealthCheck.ts"
import type { Release } from "../releases/Release.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import { open as openVariables } from "../variables/Variables.ts"
import { type Condition, mainOf, type Plan, type PlannedCommand, type PlannedContainer, planOf } from "./plan.ts"
import { addressOf, leadNowhere, routesFor, upstreamsOf } from "./routes.ts"
import { fail, say, sentences, type Workshop } from "./workshop.ts"

/** Plans what a deployment does with its release. */
export const planFor = Effect.fnUntraced(function* (network: string, deployment: DeploymentUuid, release: Release) {
  const plan = planOf({
    deployment,
    release,
    network,
    variables: yield* openVariables(release.variables),
    allowed: yield* InstancePolicy,
    compose: yield* openCompose(release)
  })
  return Result.isFailure(plan) ? yield* fail(sentences(plan.failure)) : plan.success
})

/** Names a container of a plan. */
export const refOf = (plan: Plan, { spec }: PlannedContainer): ContainerRef => ({
  application: plan.application,
  name: spec.name
})

const containersBefore = ({ deployment, engine }: Workshop) =>
  Effect.map(engine.list({ application: deployment.applicationUuid }), (all) =>
    all.filter(({ owner }) => owner.deployment !== deployment.uuid)
  )

const runCommand = Effect.fnUntraced(function* (
  { deployment, engine }: Workshop,
  { argv, container }: PlannedCommand,
  among: ReadonlyArray<Pick<Container, "name" | "owner">>
) {
  const chosen =
    container === "" ? among[0] : among.find(({ name, owner }) => [name, owner.service].includes(container))
  if (chosen === undefined) return yield* fail(`there is no container ${container} to run ${argv[0]} in`)
  yield* say(deployment, [`running ${argv[0]} in ${chosen.name}`])
  const { exitCode, output } = yield* engine.exec(
    { application: deployment.applicationUuid, name: chosen.name },
    { argv }
  )
  yield* say(
    deployment,
    output.map(({ text }) => text)
  )
  if (exitCode !== 0) return yield* fail(`the command ${argv[0]} ended with ${exitCode}`)
})

/** Tells whether a container is one that ends by itself, and has ended well. */
export const isDone = ({ spec }: PlannedContainer, { exitCode, state }: ContainerDetails): boolean =>
  state === "exited" && exitCode === 0 && (spec.restart._tag === "Never" || spec.restart._tag === "OnFailure")

const whyBroken = (planned: PlannedContainer, details: ContainerDetails): string | null => {
  const { exitCode, health, restarts, state } = details
  if (isDone(planned, details)) return null
  const { service } = planned.spec.owner
  const which = service === null ? "the container" : `the container of ${service}`
  if (state === "exited" || state === "dead" || restarts > 2) return `${which} ended with ${exitCode ?? "an error"}`
  return health === "unhealthy" ? `${which} is unhealthy` : null
}

const meets = (planned: PlannedContainer, details: ContainerDetails, state: Condition["state"]): boolean => {
  if (state === "completed") return isDone(planned, details)
  if (state === "healthy") return details.health === "healthy"
  return details.state === "running" || isDone(planned, details)
}

/** Waits until containers are as far as a condition says; fails when one of them breaks. */
const until = Effect.fnUntraced(function* ({ engine }: Workshop, plan: Plan, conditions: ReadonlyArray<Condition>) {
  for (const { container, state } of conditions) {
    const planned = plan.containers.find(({ spec }) => spec.name === container)
    if (planned === undefined) continue
    for (;;) {
      const details = yield* engine.inspect(refOf(plan, planned))
      if (meets(planned, details, state)) break
      const broken = whyBroken(planned, details)
      if (broken !== null) return yield* fail(broken)
      yield* Effect.sleep("500 millis")
    }
  }
})

const isBefore =
  ({ spec }: PlannedContainer) =>
  ({ owner }: Container): boolean =>
    spec.owner.service === null || owner.service === null || owner.service === spec.owner.service

/** Starts the new containers beside those that serve. */
export const startContainers = Effect.fnUntraced(function* (shop: Workshop, plan: Plan) {
  const { deployment, engine } = shop
  const before = yield* containersBefore(shop)
  const running = before.filter(({ state }) => state === "running")
  if (plan.before !== null && running.length > 0) yield* runCommand(shop, plan.before, running)
  for (const { application, name } of plan.networks) yield* engine.ensureNetwork(name, application)
  for (const planned of plan.containers) {
    yield* engine.create(planned.spec)
    yield* until(shop, plan, planned.after)
    if (planned.takesTurns) {
      // Those before make room, and come back should this deployment fail.
      for (const { name } of before.filter(isBefore(planned))) {
        yield* Effect.ignore(engine.stop({ application: plan.application, name }, planned.grace))
      }
    }
    // What ends by itself isn't started again after it has.
    if (isDone(planned, yield* engine.inspect(refOf(plan, planned)))) continue
    yield* engine.start(refOf(plan, planned))
    yield* say(deployment, [`started ${planned.spec.name}`])
  }
})

/** Waits until the new containers are healthy, as their engine and the proxy see them. */
export const checkHealth = Effect.fnUntraced(function* (shop: Workshop, plan: Plan) {
  const { deployment, engine, proxy } = shop
  const { check } = plan
  const main = mainOf(plan)
  const inspected = Effect.forEach(plan.containers, (planned) =>
    Effect.map(engine.inspect(refOf(plan, planned)), (details) => ({ planned, details }))
  )
  const watch = Effect.gen(function* () {
    for (;;) {
      for (const { details, planned } of yield* inspected) {
        const broken = whyBroken(planned, details)
        if (broken !== null) return yield* fail(broken)
      }
      yield* Effect.sleep("500 millis")
    }
  })
  const settled = Effect.gen(function* () {
    for (;;) {
      const all = yield* inspected
      if (all.every(({ details }) => details.health !== "starting")) return
      yield* Effect.sleep("500 millis")
    }
  })
  const upstream = Effect.flatMap(engine.inspect(refOf(plan, main)), (details) => {
    const host = addressOf(plan, details)
    const port = check?.port ?? main.port
    return host === undefined || port === null ? fail("the container has no address") : Effect.succeed({ host, port })
  })
  const answers =
    check === null
      ? Effect.sleep(plan.startPeriod * 1000)
      : untilHealthy(
          check,
          Effect.flatMap(upstream, (there) => proxy.probe(there, check.request)),
          (because) => say(deployment, [`not healthy yet: ${because}`])
        )
  yield* Effect.raceFirst(Effect.andThen(answers, settled), watch).pipe(
    Effect.catchTag("Unhealthy", ({ because, tries }) => fail(`not healthy after ${tries} tries: ${because}`))
  )
  yield* say(deployment, [plan.containers.length === 1 ? "the container is healthy" : "the containers are healthy"])
})

const refusedRoutes = {
  RouteTaken: ({ address }: { readonly address: string }) =>
    fail(`the address ${address} belongs to another application`),
  ProxyRefused: ({ because }: { readonly because: string }) => fail(`the proxy refused the routes: ${because}`)
}

/** Leads visitors to the new containers, and then ends those before. */
export const switchOver = Effect.fnUntraced(function* (shop: Workshop, plan: Plan, release: Release, drain: number) {
  const { deployment, engine, proxy } = shop
  const releases = yield* ReleaseStore
  const served = yield* releases.serving(plan.application)
  const routes = yield* routesFor(release, yield* upstreamsOf(shop, plan))
  // Stored before it is applied, so that whoever restores routes meanwhile doesn't undo it.
  yield* releases.serve(plan.application, {
    applicationUuid: plan.application,
    releaseUuid: release.uuid,
    deploymentUuid: deployment.uuid,
    serverUuid: deployment.serverUuid,
    destinationUuid: deployment.destinationUuid
  })
  yield* proxy.apply(plan.application, routes).pipe(
    Effect.catchTags(refusedRoutes),
    Effect.tapErrorTag("DeploymentFailed", () => releases.serve(plan.application, served ?? null))
  )
  yield* say(deployment, [`visitors are led to ${mainOf(plan).spec.name}`])
  if (plan.after !== null) {
    const main = mainOf(plan)
    const among = [main, ...plan.containers.filter((each) => each !== main)].map(({ spec }) => spec)
    // Visitors see the new containers already: what follows may fail without undoing that.
    yield* runCommand(shop, plan.after, among).pipe(
      Effect.catchTag("DeploymentFailed", ({ because }) => say(deployment, [because], "stderr"))
    )
  }
  const before = yield* containersBefore(shop)
  if (before.length > 0) yield* Effect.sleep(drain * 1000)
  const grace = Math.max(...plan.containers.map((each) => each.grace))
  yield* Effect.forEach(before, ({ name }) => {
    const ref = { application: plan.application, name }
    return Effect.andThen(
      Effect.catchTag(engine.stop(ref, grace), "ContainerNotFound", () => Effect.void),
      engine.remove(ref)
    )
  })
})

/** Ends all containers of an application; its routes stay and say that nothing runs. */
export const stopAll = Effect.fnUntraced(function* (shop: Workshop) {
  const { application, deployment, engine } = shop
  yield* (yield* ReleaseStore).serve(application.uuid, null)
  yield* leadNowhere(shop)
  for (const { name } of yield* engine.list({ application: application.uuid })) {
    const ref = { application: application.uuid, name }
    yield* Effect.catchTag(engine.stop(ref, 10), "ContainerNotFound", () => Effect.void)
    yield* engine.remove(ref)
  }
  yield* say(deployment, ["stopped"])
})

const lastLines = 50

/** Removes the containers of a deployment that came to nothing, keeping their last lines. */
export const undo = Effect.fnUntraced(function* ({ deployment, engine }: Pick<Workshop, "deployment" | "engine">) {
  const application = deployment.applicationUuid
  for (const { name } of yield* engine.list({ application, deployment: deployment.uuid })) {
    const lines = yield* engine.logs({ application, name }, { tail: lastLines }).pipe(
      Stream.runCollect,
      Effect.catchTag("ContainerNotFound", () => Effect.succeed([]))
    )
    yield* say(
      deployment,
      lines.map(({ text }) => text),
      "stderr"
    )
    yield* engine.remove({ application, name })
  }
})
