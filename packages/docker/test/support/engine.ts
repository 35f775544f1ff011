import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerContainerEngine } from "@slipway/docker"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import { ContainerEngine, containerName, label } from "@slipway/domain/deploy/containers"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { layer as memory } from "@slipway/memory/deploy"
import { layerSshConnections } from "@slipway/ssh"
import { Effect, Layer } from "effect"

export const layer = layerContainerEngine.pipe(Layer.provide(layerSshConnections), Layer.provide(memory))

/** Response of an engine: JSON, unless the body is bytes. */
export interface EngineResponse {
  readonly status: number
  readonly body: unknown
}

const application = "a".repeat(24) as ApplicationUuid
const deployment = "d".repeat(24) as DeploymentUuid

/** The container in the response of `shown`. */
export const container = { application, name: containerName({ application, deployment, service: null }) }

/** Response of an engine to a request for `container`. */
export const shown = (status: "exited" | "running"): EngineResponse => ({
  status: 200,
  body: {
    Id: "c0ffee",
    Name: `/${container.name}`,
    Image: "sha256:00",
    State: { Status: status, ExitCode: 3, FinishedAt: "2026-11-23T01:45:00Z" },
    Config: { Labels: { [label.managed]: "true", [label.application]: application, [label.deployment]: deployment } },
    NetworkSettings: { Networks: {} }
  }
})

const nothing: EngineResponse = { status: 404, body: {} }

/** An engine that records its requests and does nothing. */
export const listening = Effect.fnUntraced(function* (
  product: "docker" | "podman",
  answer: (request: IncomingMessage) => EngineResponse = () => nothing
) {
  const asked: Array<IncomingMessage> = []
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "slipway-engine-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )
  const socket = join(directory, "engine.sock")
  const server = createServer((request, response) => {
    const isPing = request.url === "/_ping"
    if (!isPing) asked.push(request)
    request.resume()
    const version = { "api-version": "1.41", ...(product === "podman" ? { "libpod-api-version": "4.3.1" } : {}) }
    const { body, status } = isPing ? { status: 200, body: {} } : answer(request)
    response.writeHead(status, version).end(body instanceof Uint8Array ? body : JSON.stringify(body))
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(socket, () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const engine = yield* (yield* ContainerEngine).open({
    _tag: "Local",
    server: product.padEnd(24, "0") as ServerUuid,
    socket,
    connectionTimeout: 5
  })
  return { asked, engine }
})
