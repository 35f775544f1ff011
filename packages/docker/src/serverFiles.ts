import { EngineUnreachable } from "@slipway/domain/deploy/containers"
import { ServerFileRefused, ServerFiles, serverFolder } from "@slipway/domain/deploy/runtime"
import { SshConnections } from "@slipway/ssh"
import { Effect, Layer } from "effect"

/** Provides the files of the platform on servers, through SFTP. `folder` contains them. */
export const layerServerFiles = (folder: string = serverFolder): Layer.Layer<ServerFiles, never, SshConnections> =>
  Layer.effect(
    ServerFiles,
    Effect.map(SshConnections, (connections) => ({
      write: (access, path, text) =>
        Effect.scoped(
          Effect.gen(function* () {
            const connection = yield* connections
              .open(access)
              .pipe(Effect.catchTag("SshUnreachable", ({ because }) => Effect.fail(new EngineUnreachable({ because }))))
            const whole = `${folder}/${path}`
            yield* Effect.mapError(
              connection.writeText(whole, text),
              ({ because }) => new ServerFileRefused({ because })
            )
            return whole
          })
        )
    }))
  )
