import { chmod, writeFile } from "node:fs/promises"
import { createServer, type Socket } from "node:net"
import { join } from "node:path"
import { CheckoutFailed, type RepositoryAddress, type RepositoryHostKeyStore } from "@slipway/domain/deploy"
import type { Egress } from "@slipway/egress"
import { runSshCommand } from "@slipway/ssh"
import { type Context, Effect, Fiber, type Redacted, type Scope } from "effect"

/** Where the host keys of repositories are kept. */
export type Keys = Context.Service.Shape<typeof RepositoryHostKeyStore>

/** What git runs in place of ssh, and what is known of how that went. */
export interface Relay {
  readonly environment: Readonly<Record<string, string>>
  readonly failure: () => string | undefined
  readonly said: () => string
}

interface Options {
  readonly address: Extract<RepositoryAddress, { readonly _tag: "Ssh" }>
  /** A folder that only this user may enter. */
  readonly folder: string
  readonly keys: Keys
  readonly privateKey: Redacted.Redacted
  readonly egress: Context.Service.Shape<typeof Egress>
}

// git gives it a host and a command, and neither is looked at: this process knows both.
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

/**
 * Opens SSH for one repository: git's side ends in a socket of the folder, and this process goes on from there.
 *
 * So the private key is on no disk and in no other process, the address is checked like every other, and what is run on the
 * other machine is one command, of this process's making.
 */
export const openRelay = ({
  address: { host, path, port, user },
  egress,
  folder,
  keys,
  privateKey
}: Options): Effect.Effect<Relay, CheckoutFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const files = yield* written(folder)
    const running = new Set<Fiber.Fiber<unknown, unknown>>()
    const open = new Set<Socket>()
    let failure: string | undefined
    let said = () => ""
    let known = ""

    const serve = (socket: Socket) =>
      Effect.gen(function* () {
        const remote = yield* runSshCommand({
          socket: yield* egress.connect(host, port),
          user,
          privateKey,
          command: `git-upload-pack ${quoted(path)}`,
          environment: { GIT_PROTOCOL: "version=2" },
          timeout,
          admit: (fingerprint) =>
            Effect.map(keys.admit({ address: `${host}:${port}`, fingerprint }), (kept) => {
              known = kept
              return kept === fingerprint
            })
        })
        said = remote.said
        yield* Effect.callback<void>((resume) => {
          socket.pipe(remote.stream)
          remote.stream.pipe(socket)
          remote.stream.once("close", () => resume(Effect.void))
          socket.once("close", () => resume(Effect.void))
        })
      }).pipe(
        Effect.scoped,
        Effect.catch((error) =>
          Effect.sync(() => {
            if (error._tag === "HostKeyChanged") {
              failure = `the host ${host} shows the SSH host key ${error.shown}, and not ${known}, which it had when it was first met`
            } else if (/authentication methods failed/.test(error.because)) {
              failure = "the repository doesn't take this private key"
            } else if (/parse privateKey/i.test(error.because)) failure = "the private key can't be read"
            else failure = error._tag === "SshUnreachable" ? `SSH to the host fails: ${error.because}` : error.because
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
