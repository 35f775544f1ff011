import { Data, Effect, Redacted, Result, Stream } from "effect"
import { Tar } from "effect/encoding"
import { makeUuid } from "../../Ids.ts"
import type { Problems } from "../../Problems.ts"
import { now } from "../../Time.ts"
import type { Application } from "../applications/Application.ts"
import { ApplicationStore } from "../applications/ApplicationStore.ts"
import { open as openSecrets } from "../applications/secrets.ts"
import type { Deployment } from "../deployments/Deployment.ts"
import { accessTo } from "../engine/accessTo.ts"
import {
  ContainerEngine,
  type ContainerRef,
  type Engine,
  type Image,
  type Progress
} from "../engine/ContainerEngine.ts"
import { InstancePolicy } from "../engine/InstancePolicy.ts"
import { containerName } from "../engine/names.ts"
import { DeploymentLogStore } from "../logs/DeploymentLogStore.ts"
import { untilHealthy } from "../proxy/HealthCheck.ts"
import { BasicAuthHasher, Proxy, type ServerProxy } from "../proxy/Proxy.ts"
import type { Upstream } from "../proxy/Route.ts"
import { routesOf } from "../proxy/routesOf.ts"
import { type Release, ReleaseUuid } from "../releases/Release.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import type { Server } from "../servers/Server.ts"
import { DestinationStore, ServerStore } from "../servers/ServerStore.ts"
import { VariableStore } from "../variables/VariableStore.ts"
import { open as openVariables } from "../variables/Variables.ts"
import { type Plan, planOf } from "./plan.ts"
import { sourceOf } from "./source.ts"

/** Reports that a deployment can't go on, and why; trying again doesn't help. */
export class DeploymentFailed extends Data.TaggedError("DeploymentFailed")<{ readonly because: string }> {}

const fail = (because: string) => Effect.fail(new DeploymentFailed({ because }))

/** What a deployment works with. */
export interface Workshop {
  readonly deployment: Deployment
  readonly application: Application
  readonly server: Server
  readonly network: string
  readonly engine: Engine
  readonly proxy: ServerProxy
}

/** Adds a line to the log of a deployment. */
export const say = Effect.fnUntraced(function* (
  { uuid }: Deployment,
  texts: ReadonlyArray<string>,
  stream: "stdout" | "stderr" = "stdout"
) {
  const at = yield* now
  yield* (yield* DeploymentLogStore).append(
    uuid,
    // PostgreSQL keeps no NUL, and what programs write may hold any byte.
    texts.map((text) => ({ at, stream, text: text.slice(0, 16_384).replaceAll("\0", "").toWellFormed() }))
  )
})

/** Opens everything that a deployment works with. */
export const openWorkshop = Effect.fnUntraced(function* (deployment: Deployment) {
  const application = yield* (yield* ApplicationStore).find(deployment.applicationUuid)
  if (application === undefined) return yield* fail("the application was deleted")
  const server = yield* (yield* ServerStore).find(deployment.serverUuid)
  const destination = yield* (yield* DestinationStore).find(deployment.destinationUuid)
  if (server === undefined || destination === undefined) return yield* fail("the server was deleted")
  const access = yield* accessTo(server)
  const engine = yield* (yield* ContainerEngine).open(access)
  const proxy = yield* (yield* Proxy).open(access)
  return { deployment, application, server, network: destination.network, engine, proxy } satisfies Workshop
})

const imageIn = <E, R>(deployment: Deployment, progress: Stream.Stream<Progress, E, R>) =>
  Effect.gen(function* () {
    const images: Array<Image> = []
    yield* Stream.runForEach(progress, (step) =>
      step._tag === "Line" ? say(deployment, [step.text]) : Effect.sync(() => void images.push(step.image))
    )
    const image = images.at(-1)
    return image === undefined ? yield* fail("the engine gave no image") : image
  })

const ownerOf = ({ applicationUuid, uuid }: Deployment) => ({
  application: applicationUuid,
  deployment: uuid,
  service: null
})

const pull = ({ deployment, engine }: Workshop, reference: string) => {
  // An image that nobody can fetch may have been loaded on the server by hand.
  const present = ({ because }: { readonly because: string }) =>
    engine.inspectImage(reference).pipe(
      Effect.tap(() => say(deployment, [`could not fetch ${reference}, taking the one on the server: ${because}`])),
      Effect.catchTag("ImageNotFound", () => fail(`the image ${reference} can't be had: ${because}`))
    )
  return imageIn(deployment, engine.pull(reference)).pipe(
    Effect.catchTags({ ImageNotFound: present, EngineRefused: present }),
    Effect.tap((image) => engine.tagImage(image.id, ownerOf(deployment))),
    Effect.catchTag("ImageNotFound", ({ because }) => fail(`the image is gone again: ${because}`))
  )
}

const build = ({ deployment, engine }: Workshop, text: string) =>
  imageIn(
    deployment,
    engine.build(Stream.make(Tar.file("Dockerfile", text)).pipe(Stream.pipeThroughChannel(Tar.encode())), {
      owner: ownerOf(deployment),
      dockerfile: "Dockerfile",
      arguments: [],
      labels: [],
      target: null,
      fresh: deployment.force
    })
  ).pipe(
    Effect.catchTags({
      BuildFailed: ({ because }) => fail(`the build failed: ${because}`),
      TarError: (error) => Effect.die(error)
    })
  )

/** Makes the release of a deployment, or finds the one that it is to run again. */
export const buildRelease = Effect.fnUntraced(function* (shop: Workshop) {
  const { application, deployment } = shop
  const releases = yield* ReleaseStore
  if (deployment.releaseUuid !== null) {
    const again = yield* releases.find(deployment.releaseUuid)
    if (again === undefined) return yield* fail("the release is gone")
    yield* shop.engine
      .tagImage(again.imageId, ownerOf(deployment))
      .pipe(Effect.catchTag("ImageNotFound", () => fail("the image of the release is gone from the server")))
    return again
  }
  const made = yield* releases.ofDeployment(deployment.uuid)
  if (made !== undefined) return made
  const source = sourceOf(application)
  if (source._tag === "Unsupported") return yield* fail(source.because)
  const image = source._tag === "Image" ? yield* pull(shop, source.reference) : yield* build(shop, source.text)
  const variables = yield* (yield* VariableStore).ofApplication(application.uuid)
  const inserted = yield* releases.insert({
    uuid: yield* makeUuid(ReleaseUuid),
    applicationUuid: application.uuid,
    deploymentUuid: deployment.uuid,
    commit: deployment.commit,
    imageId: image.id,
    imagePort: image.ports[0] ?? null,
    configuration: application.configuration,
    generatedDomain: application.generatedDomain,
    secrets: application.secrets,
    variables: variables
      .filter(({ isPreview }) => !isPreview)
      .map(({ isLiteral, key, uuid, value }) => ({ key, uuid, value, isLiteral })),
    createdAt: yield* now
  })
  return inserted ?? (yield* fail("the application was deleted"))
})

const sentences = (problems: Problems) =>
  Object.entries(problems)
    .flatMap(([field, each]) => each.map((sentence) => `${field}: ${sentence}`))
    .join(" ")

/** Plans what a deployment does with its release. */
export const planFor = Effect.fnUntraced(function* ({ deployment, network }: Workshop, release: Release) {
  const plan = planOf({
    deployment: deployment.uuid,
    release,
    network,
    variables: yield* openVariables(release.variables),
    allowed: yield* InstancePolicy
  })
  return Result.isFailure(plan) ? yield* fail(sentences(plan.failure)) : plan.success
})

const refOf = ({ container }: Plan): ContainerRef => ({
  application: container.owner.application,
  name: container.name
})

const containersBefore = ({ deployment, engine }: Workshop) =>
  Effect.map(engine.list({ application: deployment.applicationUuid }), (all) =>
    all.filter(({ owner }) => owner.deployment !== deployment.uuid)
  )

const runCommand = Effect.fnUntraced(function* (
  { deployment, engine }: Workshop,
  ref: ContainerRef,
  argv: ReadonlyArray<string>
) {
  yield* say(deployment, [`running ${argv[0]} in ${ref.name}`])
  const { exitCode, output } = yield* engine.exec(ref, { argv })
  yield* say(
    deployment,
    output.map(({ text }) => text)
  )
  if (exitCode !== 0) return yield* fail(`the command ${argv[0]} ended with ${exitCode}`)
})

/** Starts the new container beside those that serve. */
export const startContainer = Effect.fnUntraced(function* (shop: Workshop, plan: Plan) {
  const { deployment, engine } = shop
  const before = yield* containersBefore(shop)
  const serving = before.find(({ state }) => state === "running")
  if (plan.before !== null && serving !== undefined) {
    yield* runCommand(shop, { application: plan.application, name: serving.name }, plan.before.argv)
  }
  yield* engine.ensureNetwork(plan.network, null)
  yield* engine.create(plan.container)
  // Two containers can't have one port of the server: those before make room, and come back should this one fail.
  if (plan.takesPorts) {
    for (const { name } of before)
      yield* Effect.ignore(engine.stop({ application: plan.application, name }, plan.grace))
  }
  yield* engine.start(refOf(plan))
  yield* say(deployment, [`started ${plan.container.name}`])
})

const upstreamOf = Effect.fnUntraced(function* ({ engine }: Workshop, plan: Plan, port = plan.port) {
  const { addresses } = yield* engine.inspect(refOf(plan))
  const host = addresses[plan.network] ?? Object.values(addresses)[0]
  return host === undefined || host === "" ? yield* fail("the container has no address") : { host, port }
})

const isBroken = Effect.fnUntraced(function* ({ engine }: Workshop, plan: Plan) {
  const { exitCode, restarts, state } = yield* engine.inspect(refOf(plan))
  if (state === "exited" || state === "dead" || restarts > 2)
    return `the container ended with ${exitCode ?? "an error"}`
  return null
})

/** Waits until the new container is healthy, as the proxy sees it. */
export const checkHealth = Effect.fnUntraced(function* (shop: Workshop, plan: Plan) {
  const { deployment, proxy } = shop
  const { check } = plan
  const watch = Effect.gen(function* () {
    for (;;) {
      const broken = yield* isBroken(shop, plan)
      if (broken !== null) return yield* fail(broken)
      yield* Effect.sleep("500 millis")
    }
  })
  const healthy =
    check === null
      ? Effect.sleep(plan.startPeriod * 1000)
      : untilHealthy(
          check,
          Effect.flatMap(upstreamOf(shop, plan, check.port ?? plan.port), (upstream) =>
            proxy.probe(upstream, check.request)
          ),
          (because) => say(deployment, [`not healthy yet: ${because}`])
        )
  yield* Effect.raceFirst(healthy, watch).pipe(
    Effect.catchTag("Unhealthy", ({ because, tries }) => fail(`not healthy after ${tries} tries: ${because}`))
  )
  yield* say(deployment, ["the container is healthy"])
})

type Routed = Pick<Release, "applicationUuid" | "configuration" | "generatedDomain" | "secrets">

const routesFor = Effect.fnUntraced(function* (release: Routed, upstreams: ReadonlyArray<Upstream>) {
  const { http_basic_auth_password: password } = yield* openSecrets({
    uuid: release.applicationUuid,
    secrets: release.secrets
  })
  return routesOf({
    configuration: release.configuration,
    generatedDomain: release.generatedDomain,
    passwordHash:
      password === undefined || password === ""
        ? null
        : yield* (yield* BasicAuthHasher).hash(release.applicationUuid, Redacted.make(password)),
    upstreams: () => upstreams
  })
})

/** Leads visitors to the new container, and then ends those before. */
export const switchOver = Effect.fnUntraced(function* (shop: Workshop, plan: Plan, release: Release, drain: number) {
  const { deployment, engine, proxy } = shop
  const releases = yield* ReleaseStore
  const served = yield* releases.serving(plan.application)
  const upstream = yield* upstreamOf(shop, plan)
  const routes = yield* routesFor(release, [upstream])
  // Stored before it is applied, so that whoever restores routes meanwhile doesn't undo it.
  yield* releases.serve(plan.application, {
    applicationUuid: plan.application,
    releaseUuid: release.uuid,
    deploymentUuid: deployment.uuid
  })
  yield* proxy.apply(plan.application, routes).pipe(
    Effect.catchTags({
      RouteTaken: ({ address }) => fail(`the address ${address} belongs to another application`),
      ProxyRefused: ({ because }) => fail(`the proxy refused the routes: ${because}`)
    }),
    Effect.tapErrorTag("DeploymentFailed", () => releases.serve(plan.application, served ?? null))
  )
  yield* say(deployment, [`visitors are led to ${plan.container.name}`])
  if (plan.after !== null) {
    // Visitors see the new containers already: what follows may fail without undoing that.
    yield* runCommand(shop, refOf(plan), plan.after.argv).pipe(
      Effect.catchTag("DeploymentFailed", ({ because }) => say(deployment, [because], "stderr"))
    )
  }
  const before = yield* containersBefore(shop)
  if (before.length > 0) yield* Effect.sleep(drain * 1000)
  yield* Effect.forEach(before, ({ name }) => {
    const ref = { application: plan.application, name }
    return Effect.andThen(
      Effect.catchTag(engine.stop(ref, plan.grace), "ContainerNotFound", () => Effect.void),
      engine.remove(ref)
    )
  })
})

/** Ends all containers of an application; its routes stay and say that nothing runs. */
export const stopAll = Effect.fnUntraced(function* (shop: Workshop) {
  const { application, deployment, engine, proxy } = shop
  const releases = yield* ReleaseStore
  yield* releases.serve(application.uuid, null)
  const routes = yield* routesFor(
    // What doesn't run has no release: its routes are those of the application as it is now.
    { ...application, applicationUuid: application.uuid },
    []
  )
  yield* proxy.apply(application.uuid, routes).pipe(
    Effect.catchTags({
      RouteTaken: ({ address }) => fail(`the address ${address} belongs to another application`),
      ProxyRefused: ({ because }) => fail(`the proxy refused the routes: ${because}`)
    })
  )
  for (const { name } of yield* engine.list({ application: application.uuid })) {
    const ref = { application: application.uuid, name }
    yield* Effect.catchTag(engine.stop(ref, 10), "ContainerNotFound", () => Effect.void)
    yield* engine.remove(ref)
  }
  yield* say(deployment, ["stopped"])
})

/** Leads visitors to the container that serves, wherever it is now: one that was started again may have another address. */
export const restoreRoutes = Effect.fnUntraced(function* (shop: Workshop) {
  const releases = yield* ReleaseStore
  const serving = yield* releases.serving(shop.application.uuid)
  if (serving === undefined) return
  const release = yield* releases.find(serving.releaseUuid)
  if (release === undefined) return
  const plan = yield* planFor({ ...shop, deployment: { ...shop.deployment, uuid: serving.deploymentUuid } }, release)
  yield* shop.proxy.apply(plan.application, yield* routesFor(release, [yield* upstreamOf(shop, plan)]))
})

const lastLines = 50

/** Removes the containers of a deployment that came to nothing, keeping their last lines, and lets those before run. */
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
  const serving = yield* (yield* ReleaseStore).serving(application)
  if (serving !== undefined) {
    const ref = { application, name: containerName({ application, deployment: serving.deploymentUuid, service: null }) }
    yield* Effect.catchTags(engine.start(ref), {
      ContainerNotFound: () => Effect.void,
      PortTaken: () => Effect.void
    })
  }
})
