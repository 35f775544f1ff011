import { existsSync, readFileSync } from "node:fs"
import { Effect } from "effect"

/** Tells whether a process is there. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Waits until a file holds a line, and reads it. */
export const lineOf = (path: string): Effect.Effect<string> =>
  Effect.gen(function* () {
    while (!existsSync(path) || !readFileSync(path, "utf8").endsWith("\n")) yield* Effect.sleep(5)
    return readFileSync(path, "utf8").trim()
  })
