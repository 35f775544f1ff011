import { open, readdir } from "node:fs/promises"
import { join } from "node:path"
import type { BackupWriter } from "./archive.ts"

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT"

/** Lists the files below a folder, as relative paths. */
export async function* filesIn(root: string, below = ""): AsyncGenerator<string> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  for (const entry of entries) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) yield* filesIn(root, path)
    else if (entry.isFile()) yield path
  }
}

/** Adds a file to a backup; returns whether it still existed. */
export const addFile = async (writer: BackupWriter, file: string, path: string): Promise<boolean> => {
  const handle = await open(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (handle === undefined) return false
  try {
    const { size } = await handle.stat()
    await writer.add({ path, size, body: handle.createReadStream({ autoClose: false }) })
    return true
  } finally {
    await handle.close()
  }
}
