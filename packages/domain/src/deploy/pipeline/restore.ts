import { Effect, Stream } from "effect"
import { streamOf } from "../../Collections.ts"
import type { DeploymentUuid } from "../deployments/Deployment.ts"
import { DeploymentStore } from "../deployments/DeploymentStore.ts"
import { accessTo } from "../engine/accessTo.ts"
import { type Container, ContainerEngine, type Engine } from "../engine/ContainerEngine.ts"
import type { Serving } from "../releases/Release.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import type { Server, ServerUuid } from "../servers/Server.ts"
import { ServerStore } from "../servers/ServerStore.ts"
import { planFor, refOf } from "./execute.ts"
import { routesFor, routesNowhere, upstreamsOf } from "./routes.ts"
import { openPlace, type Place } from "./workshop.ts"

const isSame = (one: Serving | undefined, other: Serving | undefined): boolean =>
  one?.deploymentUuid === other?.deploymentUuid

/** Lets the containers that serve an application run, and leads visitors there, wherever they are now. */
export const restore = Effect.fnUntraced(function* ({ application, engine, network, proxy }: Place) {
  const releases = yield* ReleaseStore
  for (;;) {
    const serving = yield* releases.serving(application.uuid)
    const release = serving === undefined ? undefined : yield* releases.find(serving.releaseUuid)
    if (serving === undefined || release === undefined) return
    const plan = yield* planFor(network, serving.deploymentUuid, release)
    for (const planned of plan.containers) {
      // What ends by itself has done so.
      if (planned.spec.restart._tag === "Never") continue
      yield* Effect.catchTags(engine.start(refOf(plan, planned)), {
        ContainerNotFound: () => Effect.void,
        PortTaken: () => Effect.void
      })
    }
    yield* proxy.apply(application.uuid, yield* routesFor(release, yield* upstreamsOf({ engine }, plan)))
    const present = yield* releases.serving(application.uuid)
    if (isSame(present, serving)) return
    // Somebody stopped it meanwhile, or has put something else there.
    if (present === undefined) return yield* proxy.apply(application.uuid, yield* routesNowhere(application))
  }
})

/** What was last seen of a server: where the containers are of each deployment that serves. */
type Seen = ReadonlyMap<DeploymentUuid, string>

/** Removes containers of deployments that came to nothing while their server was silent. */
const reap = Effect.fnUntraced(function* (engine: Engine, running: ReadonlyArray<Pick<Container, "name" | "owner">>) {
  const deployments = yield* DeploymentStore
  for (const { name, owner } of running) {
    const deployment = yield* deployments.find(owner.deployment)
    if (deployment?.status !== "failed" && deployment?.status !== "cancelled") continue
    yield* engine.remove({ application: owner.application, name })
  }
})

/** Leads visitors of a server's applications to containers that are elsewhere than they were when it was last looked at. */
const look = Effect.fnUntraced(function* (server: Server, seen: Seen | undefined) {
  const servings = yield* (yield* ReleaseStore).servingOn(server.uuid)
  if (servings.length === 0) return new Map() as Seen
  const engine = yield* (yield* ContainerEngine).open(yield* accessTo(server))
  const all = yield* engine.addresses
  const serves = new Set(servings.map(({ deploymentUuid }) => deploymentUuid))
  yield* reap(
    engine,
    all.filter(({ owner }) => !serves.has(owner.deployment))
  )
  const running = Map.groupBy(all, ({ owner }) => owner.deployment)
  const found = new Map<DeploymentUuid, string>()
  for (const { applicationUuid, deploymentUuid } of servings) {
    const places = (running.get(deploymentUuid) ?? [])
      .map(({ addresses, name }) => `${name} ${JSON.stringify(addresses)}`)
      .toSorted()
      .join("\n")
    found.set(deploymentUuid, places)
    const before = seen?.get(deploymentUuid)
    // What was put there since the last look is led to already, and what doesn't run can't be.
    if (seen !== undefined && (before === undefined || before === places || places === "")) continue
    yield* Effect.flatMap(openPlace(applicationUuid), restore).pipe(
      Effect.scoped,
      Effect.catch((error) => Effect.logWarning(`could not restore the routes of ${applicationUuid}`, error))
    )
  }
  return found as Seen
}, Effect.scoped)

/**
 * Keeps visitors led to the containers that serve, which get other addresses when their server starts again.
 *
 * At the first look, and at the first after a server didn't answer, containers that ought to run are started too. What
 * deployments left there that came to nothing is removed. Looks are `seconds` apart.
 */
export const keepRoutes = Effect.fnUntraced(function* (seconds: number) {
  const servers = yield* ServerStore
  const seen = new Map<ServerUuid, Seen>()
  const lookAt = (server: Server) =>
    look(server, seen.get(server.uuid)).pipe(
      Effect.tap((found) => Effect.sync(() => seen.set(server.uuid, found))),
      Effect.catch(() => Effect.sync(() => seen.delete(server.uuid)))
    )
  return yield* Effect.forever(
    Effect.andThen(
      streamOf(servers.list).pipe(
        Stream.mapEffect(lookAt, { concurrency: 8 }),
        Stream.runDrain,
        Effect.catchCause((cause) => Effect.logWarning("looking at servers failed", cause))
      ),
      Effect.sleep(seconds * 1_000)
    )
  )
})
