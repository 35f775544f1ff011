// The fork server: a process that is small, and so is copied quickly when it starts others for one that is large. Its programs' pipes are
// connections to it that it hands on unread; it ends with the process that it serves.
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Asked, Told } from "./messages.ts"

/** The part of Node's handles that its types leave out: a program's fourth pipe must block, which Node sees to for the first three. */
interface Handled extends Socket {
  readonly _handle?: { readonly setBlocking?: (blocks: boolean) => number }
}

const folder = mkdtempSync(join(tmpdir(), "slipway-fork-"))
const path = join(folder, "socket")
const programs = new Map<number, ChildProcess>()
const connections: Array<Handled> = []
const starts: Array<Extract<Asked, { readonly program: string }>> = []
/** The signals of programs that wait for their connections. */
const early = new Map<number, NodeJS.Signals>()

const tell = (told: Told) => void process.send?.(told)

const start = ({ args, environment, id, isDetached, pipes, program }: (typeof starts)[number]) => {
  const stdio = connections.splice(0, pipes)
  for (const each of stdio) each._handle?.setBlocking?.(true)
  const failed = ({ code = "", errno = -1, message }: NodeJS.ErrnoException) => {
    programs.delete(id)
    tell({ id, code, errno, message })
  }
  try {
    const child = spawn(program, args, { cwd: "/", env: environment, detached: isDetached, stdio })
    programs.set(id, child)
    const signal = early.get(id)
    if (signal !== undefined) child.kill(signal)
    child.once("error", failed)
    child.once("exit", (exitCode, signal) => {
      programs.delete(id)
      tell({ id, exitCode, signal })
    })
  } catch (error) {
    failed(error as NodeJS.ErrnoException)
  }
  early.delete(id)
  for (const each of stdio) each.destroy()
}

const send = (id: number, signal: NodeJS.Signals) => {
  const child = programs.get(id)
  if (child !== undefined) child.kill(signal)
  else if (starts.some((each) => each.id === id)) early.set(id, signal)
}

/** Connections are taken in the order in which they were made, which is that of the programs whose pipes they are. */
const startComplete = () => {
  for (let [first] = starts; first !== undefined && connections.length >= first.pipes; [first] = starts) {
    starts.shift()
    start(first)
  }
}

process.on("message", (asked: Asked) => {
  if ("signal" in asked) send(asked.id, asked.signal)
  else {
    starts.push(asked)
    startComplete()
  }
})
// A terminal and a service manager tell all processes; this one goes when the one that it serves has put things away.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {})
process.once("disconnect", () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit()
})

createServer({ pauseOnConnect: true }, (socket) => {
  socket.on("error", () => {})
  connections.push(socket)
  startComplete()
}).listen(path, () => tell({ path }))
