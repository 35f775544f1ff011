import { ContainerEngine, type Engine, type EngineInfo } from "@slipway/domain/deploy/containers"
import { SshConnections } from "@slipway/ssh"
import { Effect, Layer, RcMap, Schema } from "effect"
import { type Api, answerDecoder, connect } from "./client.ts"
import { containersOf } from "./containers.ts"
import { diskOf } from "./disk.ts"
import { imagesOf } from "./images.ts"
import { programsOf } from "./programs.ts"
import { resourcesOf } from "./resources.ts"
import { openSocketProxy } from "./socketProxy.ts"
import { terminalOf } from "./terminal.ts"
import { usageOf } from "./usage.ts"

const readVersion = answerDecoder(Schema.Struct({ Version: Schema.String, ApiVersion: Schema.String }))
const readInfo = answerDecoder(
  Schema.Struct({
    OperatingSystem: Schema.String,
    Architecture: Schema.String,
    NCPU: Schema.Number,
    MemTotal: Schema.Number
  })
)

const infoOf = (api: Api) =>
  Effect.gen(function* () {
    const version = yield* Effect.flatMap(api.ask({ method: "GET", path: "/version" }), readVersion)
    const machine = yield* Effect.flatMap(api.ask({ method: "GET", path: "/info" }), readInfo)
    const info: EngineInfo = {
      product: api.product,
      version: version.Version,
      apiVersion: version.ApiVersion,
      operatingSystem: machine.OperatingSystem,
      architecture: machine.Architecture,
      cpus: machine.NCPU,
      memory: machine.MemTotal
    }
    return info
  })

const engineOf = (api: Api): Engine => {
  const resources = resourcesOf(api)
  return {
    info: infoOf(api),
    socket: openSocketProxy(api),
    ...diskOf(api),
    ...usageOf(api),
    ...imagesOf(api),
    ...resources,
    ...containersOf(api, resources),
    ...programsOf(api),
    ...terminalOf(api)
  }
}

const idle = "1 minute"

/** Provides container engines through the Docker Engine API, with one connection pool for each server access. */
export const layerContainerEngine: Layer.Layer<ContainerEngine, never, SshConnections> = Layer.effect(
  ContainerEngine,
  Effect.gen(function* () {
    const ssh = yield* SshConnections
    const engines = yield* RcMap.make({
      lookup: (access: Parameters<typeof connect>[0]) =>
        Effect.map(Effect.provideService(connect(access), SshConnections, ssh), engineOf),
      idleTimeToLive: idle
    })
    return {
      open: (access) =>
        // A failed connection isn't cached; otherwise there would be no retry before it expires.
        RcMap.get(engines, access).pipe(Effect.tapError(() => RcMap.invalidate(engines, access)))
    }
  })
)
