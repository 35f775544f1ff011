import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import type { SshAccess } from "@slipway/domain/deploy/containers"
import { Effect, Redacted, type Scope } from "effect"
import { ProgramUnavailable, programPath, run } from "./programs.ts"

/** An SSH server for a single test. */
export interface SshServer {
  readonly port: number
  readonly user: string
  /** The private key that the server accepts. */
  readonly privateKey: Redacted.Redacted
  /** A folder for programs that the server finds before those of the machine. */
  readonly programs: string
  /** The number of connections that the server has authenticated. */
  readonly accepted: Effect.Effect<number>
  /** Closes all connections, and restarts the server with the same host key or another one. */
  readonly restart: (hostKey: "same" | "another") => Effect.Effect<void, ProgramUnavailable>
}

const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

const settingsIn = (directory: string, port: number, hostKey: string, commands: "none" | "any"): string => `
ListenAddress 127.0.0.1
Port ${port}
HostKey ${join(directory, hostKey)}
AuthorizedKeysFile ${join(directory, "user.pub")}
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
AllowTcpForwarding yes
AllowStreamLocalForwarding yes
AcceptEnv GIT_PROTOCOL
Subsystem sftp internal-sftp
${commands === "none" ? "ForceCommand internal-sftp" : `SetEnv PATH=${join(directory, "programs")}:/usr/local/bin:/usr/bin:/bin`}
`

const separation = "/run/sshd"

const parentOf = (pid: string): number => {
  try {
    return Number(/\nPPid:\t(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])
  } catch {
    return 0
  }
}

const childrenOf = (parent: number | undefined): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number)

const stopped = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    // Its sessions outlive it otherwise, unless they have exited meanwhile.
    for (const pid of childrenOf(child.pid)) {
      try {
        process.kill(pid, "SIGKILL")
      } catch {}
    }
    child.kill("SIGTERM")
  })

const start = Effect.fnUntraced(function* (commands: "none" | "any") {
  const sshd = yield* programPath("sshd", "openssh-server")
  const keygen = yield* programPath("ssh-keygen", "openssh-client")
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "slipway-sshd-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const isNew = !existsSync(separation)
      if (isNew) mkdirSync(separation, { mode: 0o755 })
      return isNew
    }),
    (isNew) => Effect.sync(() => (isNew ? rmSync(separation, { recursive: true, force: true }) : undefined))
  )
  for (const name of ["user", "same", "another"]) {
    yield* run(keygen, ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", join(directory, name)], {})
  }
  mkdirSync(join(directory, "programs"))
  const port = yield* freePort
  let accepted = 0
  let running: ChildProcess | undefined
  const startWith = (hostKey: string) =>
    Effect.callback<void, ProgramUnavailable>((resume) => {
      const settings = join(directory, "sshd_config")
      writeFileSync(settings, settingsIn(directory, port, hostKey, commands))
      const child = spawn(sshd, ["-D", "-e", "-f", settings], { stdio: ["ignore", "ignore", "pipe"] })
      running = child
      let written = ""
      child.stderr?.on("data", (chunk) => {
        const text = String(chunk)
        written += text
        accepted += text.match(/Accepted publickey/g)?.length ?? 0
        if (text.includes("Server listening")) resume(Effect.void)
      })
      child.once("exit", (code) =>
        resume(Effect.fail(new ProgramUnavailable({ message: `sshd ended with ${code}: ${written}` })))
      )
    })
  yield* Effect.acquireRelease(startWith("same"), () =>
    Effect.suspend(() => (running === undefined ? Effect.void : stopped(running)))
  )
  return {
    port,
    user: userInfo().username,
    programs: join(directory, "programs"),
    privateKey: Redacted.make(readFileSync(join(directory, "user"), "utf8")),
    accepted: Effect.sync(() => accepted),
    restart: (hostKey) =>
      Effect.suspend(() => (running === undefined ? Effect.void : stopped(running))).pipe(
        Effect.andThen(startWith(hostKey))
      )
  } satisfies SshServer
})

type Started = Effect.Effect<SshServer, ProgramUnavailable, Scope.Scope>

/**
 * Starts Debian's OpenSSH server on a free port, until the scope closes. The server forwards connections, and runs no
 * commands except file transfers.
 *
 * Requires root, and the Debian package openssh-server.
 */
export const startSshd: Started = start("none")

/** Starts an OpenSSH server that runs any command, such as `git-upload-pack`. */
export const startSshdWithCommands: Started = start("any")

/** Returns the access to a server at which an SSH server of a test listens; `socket` is that of its engine. */
export const sshAccessTo = (
  { port, privateKey, user }: SshServer,
  server: SshAccess["server"],
  socket: string | null = null
): SshAccess => ({
  _tag: "Ssh",
  server,
  connectionTimeout: 10,
  host: "127.0.0.1",
  port,
  user,
  privateKey,
  socket
})
