import type { Application } from "@slipway/domain/deploy/apps"
import { ContainerEngine } from "@slipway/domain/deploy/containers"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { accessTo } from "../../../infrastructure/servers/accessTo.ts"
import { type DeployContext, fail, logLines } from "../deployContext.ts"
import { ownerOf, referenceOfBuilt } from "../images.ts"

/** Returns whether an application is built on a separate build server instead of the server that it is deployed to. */
export const usesBuildServer = ({ configuration, variant }: Pick<Application, "configuration" | "variant">): boolean =>
  configuration.use_build_server === true &&
  variant !== "dockerimage" &&
  variant !== "service" &&
  configuration.build_pack !== "dockercompose"

/**
 * Returns the context of a deployment with the engine of its team's oldest usable build server. When the scope closes,
 * the image of the deployment is removed from the build server.
 */
export const onBuildServer = Effect.fnUntraced(function* (context: DeployContext) {
  const { application, deployment } = context
  if (referenceOfBuilt(context, "") === null) {
    return yield* fail(
      "`use_build_server` needs `docker_registry_image_name`, through which the servers share the image"
    )
  }
  const server = yield* (yield* ServerStore).findBuildServer(application.placement.teamId)
  if (server === undefined) return yield* fail("the team has no usable build server: set `is_build_server` of a server")
  const engine = yield* (yield* ContainerEngine).open(yield* accessTo(server))
  yield* logLines(deployment, [`building on the server ${server.name}`])
  yield* Effect.addFinalizer(() => Effect.ignore(engine.removeImage(ownerOf(deployment))))
  return { ...context, engine } satisfies DeployContext
})
