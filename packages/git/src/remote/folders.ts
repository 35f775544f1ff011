import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"

/** Returns the result of a promise, or undefined if the promise is rejected. */
export const orNothing = async <A>(work: Promise<A>): Promise<A | undefined> => {
  try {
    return await work
  } catch {
    return undefined
  }
}

/** Returns the total size of the files of a folder, in bytes. */
export const measure = async (folder: string): Promise<number> => {
  let size = 0
  for (const entry of (await orNothing(readdir(folder, { withFileTypes: true }))) ?? []) {
    const path = join(folder, entry.name)
    // Files that disappear meanwhile have no size.
    size += entry.isDirectory() ? await measure(path) : ((await orNothing(stat(path)))?.size ?? 0)
  }
  return size
}
