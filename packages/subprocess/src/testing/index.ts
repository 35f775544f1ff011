import { existsSync, readFileSync } from "node:fs"
import { Effect } from "effect"

/** Returns whether a process with this id exists. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * Returns the ids of the child processes that the main thread of a process started; none if the process does not exist.
 */
export const childrenOf = (pid: number): ReadonlyArray<number> => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Waits until a file contains a complete line, and returns it. */
export const lineOf = (path: string): Effect.Effect<string> =>
  Effect.gen(function* () {
    while (!existsSync(path) || !readFileSync(path, "utf8").endsWith("\n")) yield* Effect.sleep(5)
    return readFileSync(path, "utf8").trim()
  })
