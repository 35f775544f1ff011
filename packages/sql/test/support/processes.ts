import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

export interface Program {
  readonly child: ChildProcess
  /** The lines that the program has printed. */
  readonly lines: ReadonlyArray<string>
  /** Waits for a line that matches a predicate. */
  readonly line: (test: (line: string) => boolean) => Promise<string>
  /** Waits for the exit: returns the exit code, or the signal. */
  readonly end: Promise<number | NodeJS.Signals | null>
  /** Kills the program with SIGKILL, and waits for its exit. */
  readonly kill9: () => Promise<void>
}

/** Starts a program of the folder `programs` as a separate process. */
export const startProgram = (name: string, ...parameters: ReadonlyArray<string>): Program => {
  const path = fileURLToPath(new URL(`../programs/${name}`, import.meta.url))
  const child = spawn(process.execPath, ["--conditions=@slipway/source", path, ...parameters], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  })
  const lines: Array<string> = []
  const waiting = new Set<() => void>()
  const end = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once("close", (code, signal) => {
      resolve(code ?? signal)
      for (const look of waiting) look()
    })
  })
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    lines.push(line)
    for (const look of waiting) look()
  })
  return {
    child,
    lines,
    end,
    line: (test) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find(test)
          if (found !== undefined) {
            waiting.delete(look)
            resolve(found)
          } else if (child.exitCode !== null || child.signalCode !== null) {
            waiting.delete(look)
            reject(new Error(`the program ended before the line came: ${lines.join("\n")}`))
          }
        }
        waiting.add(look)
        look()
      }),
    kill9: async () => {
      child.kill("SIGKILL")
      await end
    }
  }
}
