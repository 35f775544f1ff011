import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"

/** Lists the files of a directory by their paths; a symlink shows an arrow and its target. */
export const listFiles = (directory: string, below = ""): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(directory, below), { withFileTypes: true }).flatMap((entry) => {
      const path = below === "" ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) return Object.entries(listFiles(directory, path))
      const content = entry.isSymbolicLink()
        ? `-> ${readlinkSync(join(directory, path))}`
        : readFileSync(join(directory, path), "utf8")
      return [[path, content]]
    })
  )
