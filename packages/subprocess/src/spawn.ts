import { type ChildProcess, spawn as spawnByNode } from "node:child_process"
import { EventEmitter } from "node:events"
import { PassThrough } from "node:stream"
import { ForkServer } from "./forkServer/ForkServer.ts"
import type { Program, SpawnOptions } from "./Program.ts"

/** The time in milliseconds without a new fork server after a fork server failed to start. */
const refusal = 600_000

let server: ForkServer | undefined
let refusedUntil = 0

const refuse = () => {
  server = undefined
  refusedUntil = performance.now() + refusal
}

/** Returns the fork server of this process if it is ready. Starts one if none exists. */
const readyServer = (): ForkServer | undefined => {
  if (server?.isGone === true) {
    if (server.wasReady) server = undefined
    else refuse()
  }
  if (server === undefined) {
    if (performance.now() < refusedUntil) return undefined
    try {
      server = new ForkServer()
    } catch {
      // Node is configured to start none, or this module is bundled.
      refuse()
    }
  }
  return server?.hasRoom === true ? server : undefined
}

/**
 * Returns a program that reports an error, for a start that Node rejected by throwing. Examples are too long arguments,
 * or too many open files.
 */
const failed = (error: unknown): Program => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const events = new EventEmitter()
  process.nextTick(() => events.emit("error", error))
  const stdio = [stdin, stdout, stderr]
  return Object.assign(events, { exitCode: -1, signalCode: null, kill: () => false, stdin, stdout, stderr, stdio })
}

const spawnHere = (program: string, args: ReadonlyArray<string>, options: SpawnOptions): Program => {
  const { environment: env, isDetached: detached = false, pipes = 3 } = options
  const stdio = Array.from({ length: pipes }, () => "pipe" as const)
  try {
    const child = spawnByNode(program, args, { cwd: "/", env, detached, stdio }) as ChildProcess & Program
    if (child.stdout) return child
    // Where there are no files left it has no pipes, and tells why later.
    child.once("error", () => {})
    return failed(Object.assign(new Error(`${program} has no pipes: too many files are open`), { code: "EMFILE" }))
  } catch (error) {
    return failed(error)
  }
}

/**
 * Starts a program without a shell. The fork server (a small helper process) starts it; until the helper is ready, this
 * process starts it.
 *
 * Starting a program copies the parent process. For a process with 300 MB, the copy takes about 5 ms, during which the
 * process does nothing else, and removing the copy takes as long.
 */
export const spawn = (program: string, args: ReadonlyArray<string>, options: SpawnOptions): Program =>
  readyServer()?.spawn(program, args, options) ?? spawnHere(program, args, options)
