import type { Application, Release, ServingRelease } from "@slipway/domain/deploy/apps"
import { ApplicationStore, copySettings, ReleaseStore } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { ContainerEngine } from "@slipway/domain/deploy/containers"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { pushedReference, sourceOf } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { accessTo } from "../../../infrastructure/servers/accessTo.ts"
import { type DeployContext, fail, logLines } from "../deployContext.ts"
import { pull, pushBuilt } from "../images.ts"

/** Pushes the image of a serving release from its server to the registry; returns the reference of its digest there. */
const share = Effect.fnUntraced(function* (
  context: DeployContext,
  { variant }: Application,
  { serverUuid }: ServingRelease,
  { commit, configuration, imageId }: Release
) {
  const reference = pushedReference({ variant, configuration }, commit)
  if (reference === null) {
    return yield* fail("`docker_registry_image_name` is missing, through which the servers share the image")
  }
  const server = yield* (yield* ServerStore).find(serverUuid)
  if (server === undefined) return yield* fail("the server of the application was deleted")
  const engine = yield* (yield* ContainerEngine).open(yield* accessTo(server))
  // The tag may name another image since, so that only the digest names the image of the release.
  return yield* pushBuilt({ ...context, engine }, { id: imageId }, reference)
}, Effect.scoped)

const imageOf = Effect.fnUntraced(function* (
  context: DeployContext,
  application: Application,
  serving: ServingRelease,
  release: Release
) {
  const source = sourceOf({ variant: application.variant, configuration: release.configuration })
  if (source._tag !== "Image") return yield* pull(context, yield* share(context, application, serving, release))
  const image = yield* pull(context, source.reference)
  if (image.id !== release.imageId) {
    yield* logLines(context.deployment, [
      `warning: ${source.reference} now names another image than the one that the application runs at its own destination`
    ])
  }
  return image
})

/**
 * Returns the facts of the release that a copy runs: those of the serving release of its application, with the image on
 * the server of the copy.
 */
export const copyRelease = Effect.fnUntraced(function* (context: DeployContext, original: ApplicationUuid) {
  const releases = yield* ReleaseStore
  const application = yield* (yield* ApplicationStore).find(original)
  const serving = yield* releases.serving(original)
  const release = serving && (yield* releases.find(serving.releaseUuid))
  if (application === undefined || serving === undefined || release === undefined) {
    return yield* fail("the application does not run at its own destination: deploy it there first")
  }
  const { commit, commitMessage, configuration, generatedDomain, variables } = release
  yield* logLines(context.deployment, [`running the release ${release.uuid} of the application ${original}`])
  const image = yield* imageOf(context, application, serving, release)
  return {
    commit,
    commitMessage,
    image,
    generatedDomain,
    variables,
    configuration: copySettings(configuration, context.server.name),
    compose: null
  }
})
