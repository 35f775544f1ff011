import { ReleaseStore } from "@slipway/domain/deploy/apps"
import type { Engine, StageImage } from "@slipway/domain/deploy/containers"
import { imageOwner } from "@slipway/domain/deploy/containers"
import { Effect } from "effect"
import type { DeployContext } from "./deployContext.ts"

const mostReleases = 1_000

/**
 * Removes the images of build stages for which `isOver` returns true, and of stages that only these used. Returns the
 * number of removed images.
 */
export const removeStages = Effect.fnUntraced(function* (engine: Engine, isOver: (stage: StageImage) => boolean) {
  let removed = 0
  // The base of a removed stage may be a stage that nothing else uses.
  for (let found = true; found; ) {
    found = false
    for (const stage of (yield* engine.listStages).filter(isOver)) {
      if (!(yield* Effect.catchTag(engine.removeStage(stage), "EngineRefused", () => Effect.succeed(false)))) continue
      found = true
      removed += 1
    }
  }
  return removed
})

/** Deletes the oldest releases of an application, and their images if no container uses them. */
export const prune = Effect.fnUntraced(function* (
  { application, deployment, engine }: DeployContext,
  keptReleases: number
) {
  const releases = yield* ReleaseStore
  yield* releases.prune(application.uuid, keptReleases)
  const left = yield* releases.ofApplication(application.uuid, mostReleases)
  const serving = yield* releases.serving(application.uuid)
  const needed = new Set([
    deployment.uuid,
    serving?.deploymentUuid,
    ...left.map(({ deploymentUuid }) => deploymentUuid)
  ])
  // Stage leftovers serve as build cache; they are removed with the releases that they were built for.
  const isOver = (stage: StageImage) => stage.application === application.uuid && !needed.has(stage.deployment)
  yield* removeStages(engine, isOver)
  for (const { tags } of yield* engine.listImages(application.uuid)) {
    for (const tag of tags) {
      const owner = imageOwner(tag)
      if (owner?.application !== application.uuid || needed.has(owner.deployment)) continue
      // One that must stay does not block the others.
      yield* Effect.catchTag(engine.removeImage(owner), ["ResourceInUse", "EngineRefused"], () => Effect.void)
    }
  }
})
