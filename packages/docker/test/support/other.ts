import { readFileSync } from "node:fs"
import { tarOf } from "@slipway/docker/testing"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import { ContainerEngine, imageReference, type LocalAccess } from "@slipway/domain/deploy/containers"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect, Stream } from "effect"
import { buildOf } from "./build.ts"

const dockerfile = `FROM scratch
COPY bin/busybox /bin/busybox
RUN ["/bin/busybox", "--install", "-s", "/bin"]
ENV PATH=/bin
CMD ["sleep", "1000"]
`

const owner = {
  application: "busybox".padEnd(24, "0") as ApplicationUuid,
  deployment: "base".padEnd(24, "0") as DeploymentUuid,
  service: null
}

/** Prepares a running engine: builds the image of the contract there, and removes it. */
export const otherEngine = Effect.fnUntraced(function* (socket: string) {
  const access: LocalAccess = {
    _tag: "Local",
    server: "other".padEnd(24, "0") as ServerUuid,
    socket,
    connectionTimeout: 10
  }
  const engine = yield* (yield* ContainerEngine).open(access)
  const context = Stream.make(tarOf({ "bin/busybox": readFileSync("/bin/busybox"), Dockerfile: dockerfile }))
  const options = buildOf(owner)
  yield* Effect.acquireRelease(Stream.runDrain(engine.build(context, options)), () =>
    Effect.ignore(engine.removeImage(owner))
  )
  return { access, image: imageReference(owner) }
})
