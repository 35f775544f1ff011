import { createHash } from "node:crypto"
import type { Duplex } from "node:stream"
import { HostKeyChanged, HostKeyStore, type SshAccess } from "@slipway/domain/deploy"
import { Context, Data, Effect, Layer, RcMap, Redacted, type Scope } from "effect"
import ssh2 from "ssh2"

/** Reports that a server can't be reached by SSH, and why. */
export class SshUnreachable extends Data.TaggedError("SshUnreachable")<{ readonly because: string }> {}

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

/** Returns the SHA-256 fingerprint of a public key's blob, as `ssh-keygen -l` shows it. */
export const fingerprintOf = (blob: Uint8Array): string =>
  `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`

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
  const context = yield* Effect.context()
  const admit = Effect.runPromiseWith(context)
  let isOpen = true
  const client = yield* Effect.acquireRelease(
    Effect.callback<ssh2.Client, SshUnreachable | HostKeyChanged>((resume) => {
      const client = new ssh2.Client()
      let refused: string | undefined
      const failed = (because: string) =>
        resume(
          Effect.fail(refused === undefined ? new SshUnreachable({ because }) : new HostKeyChanged({ shown: refused }))
        )
      client.on("ready", () => resume(Effect.succeed(client)))
      // Stays, because a connection that breaks later tells of it here and nowhere else.
      client.on("error", (error) => failed(error.message))
      client.on("close", () => {
        isOpen = false
        failed("the connection was closed")
      })
      try {
        client.connect({
          host: access.host,
          port: access.port,
          username: access.user,
          privateKey: Redacted.value(access.privateKey),
          readyTimeout: access.connectionTimeout * 1_000,
          keepaliveInterval: aliveEvery,
          keepaliveCountMax: aliveTries,
          hostVerifier: (blob: Buffer, verify: (isKnown: boolean) => void) => {
            const fingerprint = fingerprintOf(blob)
            const address = `${access.host}:${access.port}`
            admit(keys.admit(access.server, { address, fingerprint })).then(
              (isKnown) => {
                if (!isKnown) refused = fingerprint
                verify(isKnown)
              },
              () => verify(false)
            )
          }
        })
      } catch (error) {
        failed(String(error))
      }
      return Effect.sync(() => client.destroy())
    }),
    (client) => Effect.sync(() => client.end())
  )
  return { stream: (target: Target) => streamThrough(client, target), isOpen: () => isOpen } satisfies SshConnection
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
