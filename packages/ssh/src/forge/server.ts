import { type AddressInfo, isIP } from "node:net"
import { type SshKey, SshKeyStore } from "@slipway/domain/forge/identity"
import { Data, Duration, Effect, Fiber, FiberSet } from "effect"
import ssh2, { type AuthContext, type Connection, type ServerChannel, type Session as SshSession } from "ssh2"
import { fingerprintOf } from "../host.ts"
import type { GitCommand } from "./commands.ts"
import { greet, runCommand } from "./sessions.ts"

/** The options of the SSH server: its address, its host key, and a handler for LFS clients. */
export interface SshServerOptions {
  readonly host: string
  readonly port: number
  /** The private host key. */
  readonly hostKey: string
  /** Authorizes an LFS client. Returns the JSON with the HTTP URL and credentials that the client uses next. */
  readonly lfs: (key: SshKey, command: Extract<GitCommand, { _tag: "Lfs" }>) => Effect.Effect<string>
}

/** The SSH server cannot listen at its configured address. */
export class SshCannotListen extends Data.TaggedError("SshCannotListen")<{ readonly message: string }> {}

/**
 * The maximum number of connections. The next constants are the maximum number of sessions per connection, and the
 * timeout of authentication in milliseconds.
 */
const mostConnections = 512
const mostSessions = 10
const signInWithin = Duration.toMillis(Duration.seconds(30))

const isSigned = ({ blob, hashAlgo, key, signature }: Extract<AuthContext, { method: "publickey" }>): boolean => {
  const parsed = ssh2.utils.parseKey(key.data)
  if (parsed instanceof Error || blob === undefined || signature === undefined) return false
  return parsed.verify(blob, signature, hashAlgo) === true
}

/**
 * Serves git over SSH until its scope closes; returns the port.
 *
 * Clients authenticate only with public keys, as the user `git`. Shell, port forwarding and file transfer are disabled.
 * The only accepted environment variable is the version of git's protocol.
 */
export const serveSsh = Effect.fnUntraced(function* (options: SshServerOptions) {
  const store = yield* SshKeyStore
  const run = yield* FiberSet.makeRuntime<Effect.Services<ReturnType<typeof runCommand>> | SshKeyStore>()
  const connections = new Set<Connection>()

  const serveSession = (session: SshSession, key: SshKey, address: string) => {
    let protocol: string | undefined
    let begun = false
    session.on("env", (accept, _, { key: name, val }) => {
      if (name === "GIT_PROTOCOL") protocol = val
      if (typeof accept === "function") accept()
    })
    const serve = (
      channel: ServerChannel,
      work: Effect.Effect<number, never, Effect.Services<ReturnType<typeof runCommand>>>
    ) => {
      const fiber = run(
        work.pipe(
          Effect.tap((code) =>
            Effect.sync(() => {
              channel.exit(code)
              channel.end()
            })
          )
        )
      )
      channel.on("error", () => {})
      // A disconnected client stops its work.
      channel.on("close", () => Effect.runFork(Fiber.interrupt(fiber)))
    }
    session.on("exec", (accept, reject, { command }) => {
      if (begun) return reject()
      begun = true
      const channel = accept()
      serve(
        channel,
        runCommand(channel, { key, address, protocol }, command, (lfs) => options.lfs(key, lfs))
      )
    })
    session.on("shell", (accept, reject) => {
      if (begun) return reject()
      begun = true
      const channel = accept()
      serve(channel, greet(channel, { key, address, protocol }))
    })
  }

  const server = new ssh2.Server({ hostKeys: [options.hostKey], ident: "Slipway" }, (client, { ip }) => {
    const address = isIP(ip) === 0 ? "" : ip
    if (connections.size >= mostConnections) return void client.end()
    connections.add(client)
    // Git's messages are small, and the client waits for them. The library's types omit this method of servers.
    const waited = client as Connection & Pick<ssh2.Client, "setNoDelay">
    waited.setNoDelay(true)
    const impatience = setTimeout(() => client.end(), signInWithin)
    let known: SshKey | undefined
    let sessions = 0
    client.on("error", () => {})
    client.on("close", () => {
      clearTimeout(impatience)
      connections.delete(client)
    })
    client.on("authentication", (context) => {
      if (context.method !== "publickey" || context.username !== "git") return context.reject(["publickey"])
      const { signature } = context
      run(
        Effect.map(store.byFingerprint(fingerprintOf(context.key.data)), (key) => {
          if (key === undefined) return context.reject(["publickey"])
          if (signature === undefined) return context.accept()
          if (!isSigned(context)) return context.reject(["publickey"])
          known = key
          context.accept()
        }).pipe(Effect.catchDefect(() => Effect.sync(() => context.reject(["publickey"]))))
      )
    })
    client.on("ready", () => {
      clearTimeout(impatience)
      client.on("session", (accept, reject) => {
        if (known === undefined || sessions >= mostSessions) return reject()
        sessions += 1
        const session = accept()
        session.on("close", () => {
          sessions -= 1
        })
        serveSession(session, known, address)
      })
    })
  })

  yield* Effect.acquireRelease(
    Effect.callback<void, SshCannotListen>((resume) => {
      server.once("error", (error: Error) =>
        resume(
          Effect.fail(
            new SshCannotListen({
              message: `port ${options.port} on ${options.host} cannot be opened: ${error.message}`
            })
          )
        )
      )
      server.listen(options.port, options.host, () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const client of connections) client.end()
      }).pipe(Effect.timeoutOption("5 seconds"))
  )
  return (server.address() as AddressInfo).port
})
