import { Effect, Stream } from "effect"
import { streamOf } from "../../Collections.ts"
import { DeploymentStore } from "../deployments/DeploymentStore.ts"
import type { DeploymentUuid } from "../deployments/ids.ts"
import { hasEnded } from "../deployments/states.ts"
import { accessTo } from "../engine/accessTo.ts"
import { ContainerEngine } from "../engine/ContainerEngine.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import type { Server } from "../servers/Server.ts"
import { ServerStore } from "../servers/ServerStore.ts"
import { removeStages } from "./prune.ts"

/** Tells whether what a deployment built may be needed: it goes on, or what came of it is kept. */
const isNeeded = Effect.fnUntraced(function* (uuid: DeploymentUuid) {
  const deployment = yield* (yield* DeploymentStore).find(uuid)
  if (deployment !== undefined && !hasEnded(deployment.status)) return true
  return (yield* (yield* ReleaseStore).ofDeployment(uuid)) !== undefined
})

const timeout = "10 minutes"

const sweepServer = Effect.fnUntraced(function* (server: Server) {
  // A server that nothing is on isn't asked.
  if ((yield* (yield* ReleaseStore).servingOn(server.uuid)).length === 0) return
  const engine = yield* (yield* ContainerEngine).open(yield* accessTo(server))
  const needed = new Map<DeploymentUuid, boolean>()
  for (const { deployment } of yield* engine.listStages) {
    if (!needed.has(deployment)) needed.set(deployment, yield* isNeeded(deployment))
  }
  const removed = yield* removeStages(engine, ({ deployment }) => needed.get(deployment) === false)
  if (removed > 0) yield* Effect.logInfo(`removed ${removed} images that builds left on ${server.name}`)
}, Effect.scoped)

/** Removes from servers what builds left that nothing uses, `seconds` apart, until it is interrupted. */
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
