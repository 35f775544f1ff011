import { chmod, writeFile } from "node:fs/promises"
import { createServer, type Socket } from "node:net"
import { join } from "node:path"
import { CheckoutFailed, type RepositoryAddress, type RepositoryHostKeyStore } from "@slipway/domain/deploy/apps"
import type { HostKeyChanged } from "@slipway/domain/deploy/containers"
import type { EgressRefused } from "@slipway/domain/deploy/infrastructure"
import type { Egress, EgressUnreachable } from "@slipway/egress"
import { runSshCommand, type SshUnreachable } from "@slipway/ssh"
import { type Context, Effect, Fiber, type Redacted, type Scope } from "effect"

/** The store of repository host keys. */
export type Keys = Context.Service.Shape<typeof RepositoryHostKeyStore>

/** The settings that make git connect through this process instead of `ssh`, and the result of the connection. */
export interface Relay {
  readonly environment: Readonly<Record<string, string>>
  readonly failure: () => string | undefined
  readonly said: () => string
}

/** An SSH host, and the credentials for it. */
export interface SshRemote {
  readonly address: Extract<RepositoryAddress, { readonly _tag: "Ssh" }>
  readonly keys: Keys
  readonly privateKey: Redacted.Redacted
  readonly egress: Context.Service.Shape<typeof Egress>
}

interface Options extends SshRemote {
  /** A folder that only this user can enter. */
  readonly folder: string
}

// Git passes a host and a command, which are ignored: this process knows both.
const program = `#!/bin/sh
exec "$SLIPWAY_NODE" "$SLIPWAY_RELAY"
`

const passing = `import { connect } from "node:net"
const socket = connect(process.env.SLIPWAY_SOCKET)
socket.on("error", () => process.exit(255))
process.stdout.on("error", () => process.exit(255))
socket.pipe(process.stdout)
process.stdin.pipe(socket)
socket.on("close", () => process.exit(0))
`

const timeout = 20

/** Quotes a path for the other machine's shell, as git itself does. */
const quoted = (path: string): string => `'${path.replace(/['!]/g, (character) => `'\\${character}'`)}'`

const wait = (work: () => Promise<unknown>) =>
  Effect.tryPromise({ try: work, catch: () => new CheckoutFailed({ because: "no room for temporary files" }) })

const written = (folder: string) => {
  const [ssh, relay, socket] = [join(folder, "ssh"), join(folder, "relay.mjs"), join(folder, "relay.sock")]
  return Effect.as(
    wait(async () => {
      await writeFile(relay, passing, { mode: 0o600 })
      await writeFile(ssh, program)
      await chmod(ssh, 0o700)
    }),
    { ssh, relay, socket }
  )
}

/** Returns the message for an SSH connection that failed. */
const whyNot = (
  host: string,
  known: string,
  error: EgressRefused | EgressUnreachable | HostKeyChanged | SshUnreachable
): string => {
  if (error._tag === "HostKeyChanged") {
    return `the host ${host} shows the SSH host key ${error.shown}, and not ${known}, which it had when it was first met`
  }
  if (/authentication methods failed/.test(error.because)) return "the repository rejects this private key"
  if (/parse privateKey/i.test(error.because)) return "the private key can't be read"
  return error._tag === "SshUnreachable" ? `SSH to the host fails: ${error.because}` : error.because
}

/** Runs a command on the host of a repository by SSH, until the scope closes. */
const runAt = Effect.fnUntraced(function* (
  { address: { host, port, user }, egress, keys, privateKey }: SshRemote,
  command: string,
  environment: Readonly<Record<string, string>> = {}
) {
  let known = ""
  return yield* Effect.flatMap(egress.connect(host, port), (socket) =>
    runSshCommand({
      socket,
      user,
      privateKey,
      command,
      environment,
      timeout,
      admit: (fingerprint) =>
        Effect.map(keys.admit({ address: `${host}:${port}`, fingerprint }), (pinned) => {
          known = pinned
          return pinned === fingerprint
        })
    })
  ).pipe(Effect.mapError((error) => new CheckoutFailed({ because: whyNot(host, known, error) })))
})

/**
 * Runs a command with quoted arguments on the host of a repository, and returns its output of at most `largest` bytes.
 */
export const askBySsh = Effect.fnUntraced(function* (
  remote: SshRemote,
  [program = "", ...words]: ReadonlyArray<string>,
  largest: number
) {
  const { stream } = yield* runAt(remote, [program, ...words.map(quoted)].join(" "))
  return yield* Effect.callback<string, CheckoutFailed>((resume) => {
    let said = ""
    stream.on("data", (chunk) => {
      said += String(chunk)
      if (said.length > largest) {
        resume(Effect.fail(new CheckoutFailed({ because: `\`${program}\` on the host writes too much output` })))
      }
    })
    stream.once("close", () => resume(Effect.succeed(said)))
  }).pipe(
    Effect.timeoutOrElse({
      duration: `${timeout} seconds`,
      orElse: () => Effect.fail(new CheckoutFailed({ because: `\`${program}\` on the host does not respond in time` }))
    })
  )
}, Effect.scoped)

/**
 * Opens a relay for one repository: git connects to a Unix socket, and this process connects to the host by SSH.
 *
 * The private key is therefore never on a disk or in another process. The host address is checked like those of all
 * outbound connections, and the host runs only the command that this process builds.
 */
export const openRelay = ({ folder, ...remote }: Options): Effect.Effect<Relay, CheckoutFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const files = yield* written(folder)
    const running = new Set<Fiber.Fiber<unknown, unknown>>()
    const open = new Set<Socket>()
    let failure: string | undefined
    let said = () => ""

    const serve = (socket: Socket) =>
      Effect.gen(function* () {
        const command = `git-upload-pack ${quoted(remote.address.path)}`
        const running = yield* runAt(remote, command, { GIT_PROTOCOL: "version=2" })
        said = running.said
        yield* Effect.callback<void>((resume) => {
          socket.pipe(running.stream)
          running.stream.pipe(socket)
          running.stream.once("close", () => resume(Effect.void))
          socket.once("close", () => resume(Effect.void))
        })
      }).pipe(
        Effect.scoped,
        Effect.catch(({ because }) =>
          Effect.sync(() => {
            failure = because
          })
        ),
        Effect.ensuring(Effect.sync(() => socket.destroySoon()))
      )

    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on("error", () => {})
      open.add(socket)
      socket.once("close", () => open.delete(socket))
      const fiber = Effect.runFork(serve(socket))
      running.add(fiber)
      fiber.addObserver(() => running.delete(fiber))
    })
    yield* Effect.acquireRelease(
      Effect.callback<void, CheckoutFailed>((resume) => {
        server.once("error", () => resume(Effect.fail(new CheckoutFailed({ because: "no socket can be opened" }))))
        server.listen(files.socket, () => resume(Effect.void))
      }),
      () =>
        Effect.gen(function* () {
          yield* Fiber.interruptAll(running)
          for (const socket of open) socket.destroy()
          yield* Effect.callback<void>((resume) => {
            server.close(() => resume(Effect.void))
          })
        })
    )
    return {
      environment: {
        GIT_SSH: files.ssh,
        GIT_SSH_VARIANT: "ssh",
        SLIPWAY_NODE: process.execPath,
        SLIPWAY_RELAY: files.relay,
        SLIPWAY_SOCKET: files.socket
      },
      failure: () => failure,
      said: () => said()
    }
  })
