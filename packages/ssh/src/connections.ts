import type { Duplex } from "node:stream"
import { type HostKeyChanged, HostKeyStore, type SshAccess } from "@slipway/domain/deploy"
import { Context, Effect, Layer, RcMap, Redacted, type Scope } from "effect"
import type ssh2 from "ssh2"
import { openClient } from "./client.ts"
import { SshUnreachable } from "./host.ts"

/** Where a stream through a server ends: a unix socket there, or a port of an address that it reaches. */
export type Target = { readonly socket: string } | { readonly host: string; readonly port: number }

/** An open connection to a server; no command is run there, streams are forwarded. */
export interface SshConnection {
  readonly stream: (target: Target) => Effect.Effect<Duplex, SshUnreachable>
  /** Whether it still stands. */
  readonly isOpen: () => boolean
}

/** Opens connections to servers by SSH, one for each access, which all its users share. */
export class SshConnections extends Context.Service<
  SshConnections,
  {
    readonly open: (access: SshAccess) => Effect.Effect<SshConnection, SshUnreachable | HostKeyChanged, Scope.Scope>
  }
>()("@slipway/ssh/SshConnections") {}

const idle = "1 minute"
const aliveEvery = 15_000
const aliveTries = 3

const streamThrough = (client: ssh2.Client, target: Target) =>
  Effect.callback<Duplex, SshUnreachable>((resume) => {
    const done = (error: Error | undefined, stream: ssh2.ClientChannel) =>
      resume(error === undefined ? Effect.succeed(stream) : Effect.fail(new SshUnreachable({ because: error.message })))
    try {
      if ("socket" in target) client.openssh_forwardOutStreamLocal(target.socket, done)
      else client.forwardOut("127.0.0.1", 0, target.host, target.port, done)
    } catch (error) {
      resume(Effect.fail(new SshUnreachable({ because: String(error) })))
    }
  })

const connect = Effect.fnUntraced(function* (access: SshAccess) {
  const keys = yield* HostKeyStore
  const { client, isOpen } = yield* openClient(
    {
      host: access.host,
      port: access.port,
      username: access.user,
      privateKey: Redacted.value(access.privateKey),
      readyTimeout: access.connectionTimeout * 1_000,
      keepaliveInterval: aliveEvery,
      keepaliveCountMax: aliveTries
    },
    (fingerprint) => keys.admit(access.server, { address: `${access.host}:${access.port}`, fingerprint })
  )
  return { stream: (target: Target) => streamThrough(client, target), isOpen } satisfies SshConnection
})

/** Opens connections with the ssh2 library; host keys are kept by the store of the first contact's. */
export const layerSshConnections: Layer.Layer<SshConnections, never, HostKeyStore> = Layer.effect(
  SshConnections,
  Effect.gen(function* () {
    const connections = yield* RcMap.make({ lookup: connect, idleTimeToLive: idle })
    return {
      open: (access) =>
        Effect.gen(function* () {
          const connection = yield* RcMap.get(connections, access)
          if (connection.isOpen()) return connection
          yield* RcMap.invalidate(connections, access)
          return yield* RcMap.get(connections, access)
        }).pipe(
          // What failed to open isn't kept, or nobody could try again before it is forgotten.
          Effect.tapError(() => RcMap.invalidate(connections, access))
        )
    }
  })
)
