import { Effect } from "effect"
import { imageOwner } from "../engine/names.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import type { DeployContext } from "./deployContext.ts"

const mostReleases = 1_000

/** Forgets the oldest releases of an application, and removes their images where nothing runs them. */
export const prune = Effect.fnUntraced(function* ({ application, deployment, engine }: DeployContext, kept: number) {
  const releases = yield* ReleaseStore
  yield* releases.prune(application.uuid, kept)
  const left = yield* releases.ofApplication(application.uuid, mostReleases)
  const serving = yield* releases.serving(application.uuid)
  const needed = new Set([
    deployment.uuid,
    serving?.deploymentUuid,
    ...left.map(({ deploymentUuid }) => deploymentUuid)
  ])
  for (const { tags } of yield* engine.listImages(application.uuid)) {
    for (const tag of tags) {
      const owner = imageOwner(tag)
      if (owner?.application !== application.uuid || needed.has(owner.deployment)) continue
      // One that has to stay keeps no other there.
      yield* Effect.catchTag(engine.removeImage(owner), ["StillUsed", "EngineRefused"], () => Effect.void)
    }
  }
})
