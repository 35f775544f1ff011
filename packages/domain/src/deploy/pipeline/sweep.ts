import { Effect, Stream } from "effect"
import { streamOf } from "../../Collections.ts"
import type { ApplicationUuid } from "../applications/Application.ts"
import { ApplicationStore } from "../applications/ApplicationStore.ts"
import { DeletionStore } from "../deletions/DeletionStore.ts"
import { DeploymentStore } from "../deployments/DeploymentStore.ts"
import type { DeploymentUuid } from "../deployments/ids.ts"
import { hasEnded } from "../deployments/states.ts"
import { accessTo } from "../engine/accessTo.ts"
import { ContainerEngine, type Engine } from "../engine/ContainerEngine.ts"
import type { EngineFailure, StillUsed } from "../engine/EngineError.ts"
import { imageOwner } from "../engine/names.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import type { Server } from "../servers/Server.ts"
import { ServerStore } from "../servers/ServerStore.ts"
import { removeStages } from "./prune.ts"

/**
 * Tells whether what a deployment built is over: it ended, and nothing that came of it is kept. What isn't known here may be
 * another platform's that uses the same engine.
 */
const isOver = Effect.fnUntraced(function* (uuid: DeploymentUuid, serving: ReadonlySet<DeploymentUuid>) {
  if (serving.has(uuid)) return false
  const deployment = yield* (yield* DeploymentStore).find(uuid)
  if (deployment === undefined || !hasEnded(deployment.status)) return false
  return (yield* (yield* ReleaseStore).ofDeployment(uuid)) === undefined
})

/** Finds what was asked to go from a server with an application that isn't there any more. */
const deletionFrom = Effect.fnUntraced(function* (server: Server, application: ApplicationUuid) {
  if ((yield* (yield* ApplicationStore).find(application)) !== undefined) return undefined
  const all = yield* (yield* DeletionStore).ofApplication(application)
  return all.findLast(({ serverUuid }) => serverUuid === server.uuid)
})

/** Answers a question about a thing once, however often it is asked. */
const once = <A extends string, B, R>(ask: (about: A) => Effect.Effect<B, never, R>) => {
  const known = new Map<A, B>()
  return Effect.fnUntraced(function* (about: A) {
    const present = known.get(about)
    if (present !== undefined || known.has(about)) return present
    const answer = yield* ask(about)
    known.set(about, answer)
    return answer
  })
}

/** Tells whether a thing went; one that has to stay keeps no other there. */
const isGone = (goes: Effect.Effect<boolean, EngineFailure | StillUsed>) =>
  Effect.catchTag(goes, ["StillUsed", "EngineRefused"], () => Effect.succeed(false))

/** Removes from an engine what builds and deletions left that nothing uses any more; tells what that was. */
const sweepEngine = Effect.fnUntraced(function* (server: Server, engine: Engine) {
  const running = yield* (yield* ReleaseStore).servingOn(server.uuid)
  const serving = new Set(running.map(({ deploymentUuid }) => deploymentUuid))
  const over = once((deployment: DeploymentUuid) => isOver(deployment, serving))
  const deletion = once((application: ApplicationUuid) => deletionFrom(server, application))
  const staged = new Set<DeploymentUuid>()
  const stages = yield* engine.listStages
  for (const stage of stages) {
    if ((yield* over(stage.deployment)) === true) staged.add(stage.deployment)
  }
  let images = yield* removeStages(engine, ({ deployment }) => staged.has(deployment))
  const named = (yield* engine.listImages(null)).flatMap(({ tags }) => tags)
  for (const tag of named) {
    const owner = imageOwner(tag)
    if (owner === null || (yield* over(owner.deployment)) !== true) continue
    // Whoever deletes an application may have wanted to keep its images.
    const gone = yield* deletion(owner.application)
    if (gone?.dockerCleanup === false) continue
    if (yield* isGone(engine.removeImage(owner))) images += 1
  }
  let networks = 0
  const connected = yield* engine.listNetworks(null)
  for (const { application, name } of connected) {
    if (application === null || (yield* deletion(application))?.deleteConnectedNetworks !== true) continue
    if (yield* isGone(engine.removeNetwork(application, name))) networks += 1
  }
  const isOurs = running.length > 0 || stages.length > 0 || named.length > 0 || connected.length > 0
  return { images, networks, isOurs }
})

const timeout = "10 minutes"

const sweepServer = Effect.fnUntraced(function* (server: Server) {
  const engine = yield* (yield* ContainerEngine).open(yield* accessTo(server))
  const { images, isOurs, networks } = yield* sweepEngine(server, engine)
  // What is everybody's is freed where the platform uses the engine, and isn't the platform's business elsewhere.
  const freed = isOurs ? yield* engine.freeUnused : 0
  if (images + networks + freed === 0) return
  yield* Effect.logInfo(
    `swept ${server.name}: ${images} images and ${networks} networks removed, ${freed} bytes of what nobody used freed`
  )
}, Effect.scoped)

/** Removes from servers what nothing uses, `seconds` apart, until it is interrupted; volumes stay. */
export const sweep = Effect.fnUntraced(function* (seconds: number) {
  const servers = yield* ServerStore
  const swept = (server: Server) =>
    sweepServer(server).pipe(
      Effect.timeout(timeout),
      Effect.catch((error) => Effect.logDebug(`could not sweep ${server.name}`, error))
    )
  return yield* Effect.forever(
    Effect.andThen(
      Effect.sleep(seconds * 1_000),
      streamOf(servers.list).pipe(
        Stream.mapEffect(swept, { concurrency: 2 }),
        Stream.runDrain,
        Effect.catchCause((cause) => Effect.logWarning("sweeping servers failed", cause))
      )
    )
  )
})
