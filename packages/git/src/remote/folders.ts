import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"

/** Answers nothing for work that fails. */
export const orNothing = async <A>(work: Promise<A>): Promise<A | undefined> => {
  try {
    return await work
  } catch {
    return undefined
  }
}

/** Adds up the files of a folder, in bytes. */
export const measure = async (folder: string): Promise<number> => {
  let size = 0
  for (const entry of (await orNothing(readdir(folder, { withFileTypes: true }))) ?? []) {
    const path = join(folder, entry.name)
    // What goes meanwhile has no size.
    size += entry.isDirectory() ? await measure(path) : ((await orNothing(stat(path)))?.size ?? 0)
  }
  return size
}
