import { type ChildProcess, spawn as spawnByNode } from "node:child_process"
import { EventEmitter } from "node:events"
import { PassThrough } from "node:stream"
import { ForkServer } from "./forkServer/ForkServer.ts"
import type { Program, SpawnOptions } from "./Program.ts"

/** The milliseconds during which no other fork server is tried after one that didn't answer. */
const refusal = 600_000

let server: ForkServer | undefined
let refusedUntil = 0

const refuse = () => {
  server = undefined
  refusedUntil = performance.now() + refusal
}

/** Returns the fork server of this process once it is ready; starts it if there is none. */
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
 * A program that Node failed to start, which it reports by throwing, for example for too long arguments or lack of
 * files.
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
 * Starts a program without a shell, as a copy of a small process that is kept for it, or of this one until that is ready.
 *
 * A process is copied to start another: of one that holds 300 MB that takes some 5 ms, in which it does nothing else, and as long to
 * put the copy away.
 */
export const spawn = (program: string, args: ReadonlyArray<string>, options: SpawnOptions): Program =>
  readyServer()?.spawn(program, args, options) ?? spawnHere(program, args, options)
