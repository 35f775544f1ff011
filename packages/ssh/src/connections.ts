import type { Duplex } from "node:stream"
import type { HostKeyChanged, SshAccess } from "@slipway/domain/deploy/containers"
import { HostKeyStore } from "@slipway/domain/deploy/infrastructure"
import { Context, Effect, Layer, RcMap, Redacted, Schema, type Scope } from "effect"
import type ssh2 from "ssh2"
import { openClient } from "./client.ts"
import { SshUnreachable } from "./host.ts"

/**
 * The destination of a stream that a server forwards: a Unix socket on the server, or a host and port that the server
 * can reach.
 */
export type Target = { readonly socket: string } | { readonly host: string; readonly port: number }

/** The used and free space of a disk, in bytes. */
export interface Space {
  readonly used: number
  readonly free: number
}

/** The result of a command: its exit code, and the end of its output. */
export interface CommandResult {
  readonly code: number | null
  readonly output: string
}

/** An open SSH connection to a server. */
export interface SshConnection {
  readonly stream: (target: Target) => Effect.Effect<Duplex, SshUnreachable>
  /** Reads the disk space at a folder by SFTP. */
  readonly space: (folder: string) => Effect.Effect<Space, SshUnreachable>
  /** Reads a small text file by SFTP. */
  readonly readText: (path: string) => Effect.Effect<string, SshUnreachable>
  /** Writes a text file that only its owner can read by SFTP, in missing folders too. Replaces a file as a whole. */
  readonly writeText: (path: string, text: string) => Effect.Effect<void, SshUnreachable>
  /**
   * Runs a command with a timeout in seconds. The login shell of the user interprets the command, so that it must not
   * contain input of a request.
   */
  readonly run: (command: string, timeout: number) => Effect.Effect<CommandResult, SshUnreachable>
  /** Whether it is still open. */
  readonly isOpen: () => boolean
}

/** Opens SSH connections to servers. Callers with equal access settings (server, user, key) share one connection. */
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
    let isWanted = true
    const done = (error: Error | undefined, stream: ssh2.ClientChannel) => {
      if (error !== undefined) return resume(Effect.fail(new SshUnreachable({ because: error.message })))
      return isWanted ? resume(Effect.succeed(stream)) : stream.destroy()
    }
    try {
      if ("socket" in target) client.openssh_forwardOutStreamLocal(target.socket, done)
      else client.forwardOut("127.0.0.1", 0, target.host, target.port, done)
    } catch (error) {
      resume(Effect.fail(new SshUnreachable({ because: String(error) })))
    }
    return Effect.sync(() => {
      isWanted = false
    })
  })

/** The response of OpenSSH's SFTP extension `statvfs`: the size of a file system, in blocks. */
const FileSystem = Schema.Struct({
  f_frsize: Schema.Number,
  f_blocks: Schema.Number,
  f_bfree: Schema.Number,
  f_bavail: Schema.Number
})
const decodeFileSystem = Schema.decodeUnknownOption(FileSystem)

/** Opens an SFTP session for one operation, and closes it afterwards. */
const transferring = <A>(
  client: ssh2.Client,
  use: (sftp: ssh2.SFTPWrapper) => Effect.Effect<A, SshUnreachable>
): Effect.Effect<A, SshUnreachable> =>
  Effect.acquireUseRelease(
    Effect.interruptible(
      Effect.callback<ssh2.SFTPWrapper, SshUnreachable>((resume) => {
        client.sftp((error, sftp) =>
          resume(
            error === undefined ? Effect.succeed(sftp) : Effect.fail(new SshUnreachable({ because: error.message }))
          )
        )
      })
    ),
    use,
    (sftp) => Effect.sync(() => sftp.end())
  )

const spaceAt = (client: ssh2.Client, folder: string) =>
  transferring(client, (sftp) =>
    Effect.callback<Space, SshUnreachable>((resume) => {
      const fail = (because: string) => resume(Effect.fail(new SshUnreachable({ because })))
      try {
        sftp.ext_openssh_statvfs(folder, (error, said: unknown) => {
          if (error !== undefined) return fail(`${folder} on the server: ${error.message}`)
          const found = decodeFileSystem(said)
          if (found._tag === "None") return fail("the server does not report its disk usage")
          const { f_bavail, f_bfree, f_blocks, f_frsize } = found.value
          return resume(Effect.succeed({ used: (f_blocks - f_bfree) * f_frsize, free: f_bavail * f_frsize }))
        })
      } catch (error) {
        // Servers without the extension reject the request.
        fail(error instanceof Error ? error.message : String(error))
      }
    })
  )

const readTextAt = (client: ssh2.Client, path: string) =>
  transferring(client, (sftp) =>
    Effect.callback<string, SshUnreachable>((resume) => {
      sftp.readFile(path, "utf8", (error, content) =>
        resume(
          error === undefined || error === null
            ? Effect.succeed(String(content))
            : Effect.fail(new SshUnreachable({ because: `${path} on the server: ${error.message}` }))
        )
      )
    })
  )

type SftpDone = (error?: Error | null) => void

const sftpStep = (what: string, step: (done: SftpDone) => void) =>
  Effect.callback<void, SshUnreachable>((resume) => {
    step((error) =>
      resume(
        error === undefined || error === null
          ? Effect.void
          : Effect.fail(new SshUnreachable({ because: `${what} on the server: ${error.message}` }))
      )
    )
  })

const writeTextAt = (client: ssh2.Client, path: string, content: string) =>
  transferring(client, (sftp) =>
    Effect.gen(function* () {
      const parts = path.split("/").slice(1, -1)
      for (const at of parts.keys()) {
        const folder = `/${parts.slice(0, at + 1).join("/")}`
        // A folder that exists is an error of its creation, and so is one that cannot be created: the next step fails.
        yield* Effect.ignore(sftpStep(folder, (done) => sftp.mkdir(folder, { mode: 0o700 }, done)))
      }
      const draft = `${path}.part`
      const options = { encoding: "utf8", mode: 0o600, flag: "w" } as const
      yield* sftpStep(path, (done) => sftp.writeFile(draft, content, options, done))
      yield* sftpStep(path, (done) => sftp.ext_openssh_rename(draft, path, done))
    })
  )

const mostOutput = 4_096

const runOn = (client: ssh2.Client, command: string) =>
  Effect.callback<CommandResult, SshUnreachable>((resume) => {
    let isOver = false
    let close = () => {}
    client.exec(command, (error, stream) => {
      if (error !== undefined) return resume(Effect.fail(new SshUnreachable({ because: error.message })))
      close = () => stream.close()
      if (isOver) return close()
      let output = ""
      const add = (chunk: unknown) => {
        output = `${output}${String(chunk)}`.slice(-mostOutput)
      }
      stream.on("data", add)
      stream.stderr.on("data", add)
      let code: number | null = null
      stream.on("exit", (exit: number | null) => {
        code = exit
      })
      stream.on("error", () => {})
      stream.on("close", () => resume(Effect.succeed({ code, output })))
    })
    // A server limits the channels of a connection (`MaxSessions`).
    return Effect.sync(() => {
      isOver = true
      close()
    })
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
  // A server may keep the connection alive and answer nothing else.
  const within = Effect.timeoutOrElse({
    duration: access.connectionTimeout * 1_000,
    orElse: () =>
      Effect.fail(
        new SshUnreachable({ because: `the server did not respond within ${access.connectionTimeout} seconds` })
      )
  })
  return {
    stream: (target: Target) => within(streamThrough(client, target)),
    space: (folder: string) => within(spaceAt(client, folder)),
    readText: (path: string) => within(readTextAt(client, path)),
    writeText: (path: string, content: string) => within(writeTextAt(client, path, content)),
    run: (command: string, timeout: number) =>
      Effect.timeoutOrElse(runOn(client, command), {
        duration: timeout * 1_000,
        orElse: () =>
          Effect.fail(new SshUnreachable({ because: `the command did not finish within ${timeout} seconds` }))
      }),
    isOpen
  } satisfies SshConnection
})

/**
 * Opens connections with the library ssh2. The host key of the first connection to a server is stored, and later
 * connections must present the same key.
 */
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
          // A failed connection isn't cached; otherwise there would be no retry before it expires.
          Effect.tapError(() => RcMap.invalidate(connections, access))
        )
    }
  })
)
