// The fork server: a small process that starts programs for a large one, because a small process is copied quickly. The
// pipes of its programs are connections to it: it reads which program each belongs to and passes it on. It exits with
// the process that it serves.
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readSync, rmSync } from "node:fs"
import { createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ForkMessage, type ForkRequest, greetingOf, nonceLength } from "./messages.ts"

/** The internal file descriptor of a Node socket, which Node's types omit. */
interface Handled extends Socket {
  readonly _handle?: { readonly fd?: number; readonly setBlocking?: (blocks: boolean) => number } | null
}

/** A requested program that waits until all of its pipes are connected. */
interface Start {
  readonly asked: Extract<ForkRequest, { readonly program: string }>
  readonly late: NodeJS.Timeout
}

/** The timeout in milliseconds for the pipes of a requested program to connect. */
const longest = 1_000

const newSocketDirectory = (): string => {
  try {
    return mkdtempSync(join(tmpdir(), "slipway-fork-"))
  } catch {
    // The served process then starts programs itself.
    process.exit(1)
  }
}

const folder = newSocketDirectory()
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, "socket")
const programs = new Map<number, ChildProcess>()
/** Connections that have not sent a complete greeting, oldest first. */
const unknown = new Set<Handled>()
/** Pipes by nonce. */
const pipes = new Map<string, Array<Handled>>()
const starts = new Map<string, Start>()
/** The signals to send to programs that wait for their pipes, by program id. */
const early = new Map<number, NodeJS.Signals>()

// Without a callback an error would be thrown: the served process may already be gone.
const sendMessage = (message: ForkMessage) => void process.send?.(message, () => {})

const begin = ({ args, environment, id, isDetached, program }: Start["asked"], stdio: Array<Handled>) => {
  // A program's fourth pipe must be blocking, which Node does for the first three.
  for (const each of stdio) each._handle?.setBlocking?.(true)
  const failed = ({ code = "", errno = -1, message }: NodeJS.ErrnoException) => {
    programs.delete(id)
    sendMessage({ id, code, errno, message })
  }
  try {
    const child = spawn(program, args, { cwd: "/", env: environment, detached: isDetached, stdio })
    programs.set(id, child)
    const signal = early.get(id)
    if (signal !== undefined) child.kill(signal)
    // A running program also emits it for a signal that may not be sent.
    child.on("error", (error) => child.pid === undefined && failed(error))
    child.once("exit", (exitCode, signal) => {
      programs.delete(id)
      sendMessage({ id, exitCode, signal })
    })
  } catch (error) {
    failed(error as NodeJS.ErrnoException)
  }
}

/** Removes a program from the waiting programs, and returns its connected pipes. */
const taken = ({ asked, late }: Start): Array<Handled> => {
  clearTimeout(late)
  starts.delete(asked.nonce)
  const stdio = pipes.get(asked.nonce) ?? []
  pipes.delete(asked.nonce)
  return stdio
}

const put = (start: Start, stdio: ReadonlyArray<Handled>) => {
  early.delete(start.asked.id)
  for (const each of stdio) each?.destroy()
}

/** Starts a program if all of its pipes are connected; returns whether it did. */
const startComplete = (nonce: string): boolean => {
  const start = starts.get(nonce)
  const found = pipes.get(nonce) ?? []
  for (let at = 0; at < (start?.asked.pipes ?? 0); at++) if (found[at] === undefined) return false
  if (start === undefined || found.length !== start.asked.pipes) return false
  const stdio = taken(start)
  begin(start.asked, stdio)
  put(start, stdio)
  return true
}

const greeting = Buffer.alloc(greetingOf("", 0).length + nonceLength)

/** Reads a connection's greeting, if it has arrived, and none of the bytes after it. */
const know = (connection: Handled) => {
  const fd = connection._handle?.fd
  let length = 0
  try {
    if (fd !== undefined) length = readSync(fd, greeting)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return
  }
  unknown.delete(connection)
  const nonce = greeting.toString("latin1", 0, nonceLength)
  const at = (greeting[nonceLength] ?? 0) - 0x30
  const found = pipes.get(nonce) ?? []
  // From an unknown client, or for a program that was cancelled.
  if (length !== greeting.length || !(at >= 0 && at < 4) || found[at] !== undefined) connection.destroy()
  else {
    found[at] = connection
    pipes.set(nonce, found)
    startComplete(nonce)
  }
}

const send = (id: number, signal: NodeJS.Signals) => {
  const child = programs.get(id)
  if (child !== undefined) child.kill(signal)
  else for (const { asked } of starts.values()) if (asked.id === id) early.set(id, signal)
}

process.on("message", (asked: ForkRequest) => {
  if ("signal" in asked) return send(asked.id, asked.signal)
  const late = setTimeout(() => {
    put(start, taken(start))
    sendMessage({
      id: asked.id,
      code: "ECONNABORTED",
      errno: -103,
      message: `the pipes of ${asked.program} did not arrive`
    })
  }, longest)
  const start: Start = { asked, late }
  starts.set(asked.nonce, start)
  if (startComplete(asked.nonce)) return
  for (const each of unknown) {
    know(each)
    if (!starts.has(asked.nonce)) return
  }
})
// A terminal and a service manager signal all processes; this one exits after the process that it serves.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {})
process.once("disconnect", () => process.exit())
// No process would be notified of their exits.
process.once("uncaughtExceptionMonitor", () => {
  for (const child of programs.values()) child.kill("SIGKILL")
})

const server = createServer({ pauseOnConnect: true }, (connection: Handled) => {
  connection.on("error", () => {})
  unknown.add(connection)
  // The greetings of the requested program's pipes have been read.
  if (starts.size > 0) know(connection)
})
// A failed connection affects only its program.
server.on("error", () => server.listening || process.exit(1))
try {
  server.listen(path, () => sendMessage({ path }))
} catch {
  process.exit(1)
}
// The served process may have exited before this listener was added.
if (!process.connected) process.exit()
