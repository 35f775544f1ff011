import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Creates a folder and its parents, readable only by the owner.
 *
 * It creates them one by one: Node's `recursive` option never returns if a parent exists in which nothing can be
 * created, such as `/proc`.
 */
export const makeFolder = (folder: string): void => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    // Another process may have made it meanwhile.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
    const isRefused = (cause as NodeJS.ErrnoException).code === "ENOENT"
    throw isRefused ? new Error("the directory cannot be created", { cause }) : cause
  }
}
