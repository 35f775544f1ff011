/** Checks the structure of folders: their size, the order of areas, and that no folders import each other in a cycle. */
import { posix } from "node:path"
import { areas, mostFiles, unorderedFolders } from "./areas.ts"

/** One import between two source files, by their paths from the root. */
export interface Import {
  readonly from: string
  readonly to: string
}

const inFolder = (path: string, folder: string): string | undefined =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split("/")[0] : undefined

/** Returns the imports that lead from an area to a later one. */
export const upwardImports = (imports: ReadonlyArray<Import>): ReadonlyArray<string> =>
  Object.entries(areas).flatMap(([folder, order]) =>
    imports.flatMap(({ from, to }) => {
      const [lower, upper] = [inFolder(from, folder), inFolder(to, folder)]
      if (lower === undefined || upper === undefined || lower.endsWith(".ts")) return []
      if (upper.endsWith(".ts")) {
        return [`${from} imports ${to}, which composes the areas of ${folder}: move what both need into an area`]
      }
      const [own, other] = [order.indexOf(lower), order.indexOf(upper)]
      return own >= 0 && other > own
        ? [`${from} imports ${to}, and ${folder} declares ${lower} below ${upper}: move the code to where it may`]
        : []
    })
  )

/** Returns the folders next to areas that the order does not list. */
export const unlistedAreas = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.entries(areas).flatMap(([folder, order]) =>
    [...new Set(paths.flatMap((path) => inFolder(path, folder) ?? []))]
      .filter((child) => !child.endsWith(".ts") && !order.includes(child) && !unorderedFolders.includes(child))
      .map((child) => `${folder}/${child} is no area: list it in scripts/architecture/areas.ts`)
  )

/** Returns the folders that hold more files than allowed. */
export const largeFolders = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...Map.groupBy(paths, posix.dirname)]
    .filter(([, files]) => files.length > mostFiles)
    .map(([folder, files]) => `${folder} holds ${files.length} files, more than ${mostFiles}: give it subfolders`)

/** The imports between the children of one folder: each by the file that imports. */
type Edges = Map<string, Map<string, string>>

const edgesByFolder = (imports: ReadonlyArray<Import>): ReadonlyMap<string, Edges> => {
  const folders = new Map<string, Edges>()
  for (const { from, to } of imports) {
    const [a, b] = [from.split("/"), to.split("/")]
    const shared = a.findIndex((part, at) => part !== b[at])
    const [own, other] = [a[shared], b[shared]]
    if (shared < 3 || own === undefined || other === undefined) continue
    const folder = a.slice(0, shared).join("/")
    const edges = folders.get(folder) ?? new Map<string, Map<string, string>>()
    edges.set(own, (edges.get(own) ?? new Map<string, string>()).set(other, from))
    folders.set(folder, edges)
  }
  return folders
}

const cycleIn = (edges: Edges): ReadonlyArray<string> | undefined => {
  const done = new Set<string>()
  const visit = (child: string, above: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
    const start = above.indexOf(child)
    if (start >= 0) return [...above.slice(start), child]
    if (done.has(child)) return undefined
    done.add(child)
    for (const next of edges.get(child)?.keys() ?? []) {
      const found = visit(next, [...above, child])
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const child of edges.keys()) {
    const found = visit(child, [])
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns one import cycle for each folder with children that import each other, including type imports. */
export const folderCycles = (imports: ReadonlyArray<Import>): ReadonlyArray<string> =>
  [...edgesByFolder(imports)].flatMap(([folder, edges]) => {
    const cycle = cycleIn(edges)
    // Files that import each other are reported by the check of files.
    if (cycle === undefined || cycle.every((child) => child.endsWith(".ts"))) return []
    const files = cycle.slice(1).map((child, at) => edges.get(cycle[at] ?? "")?.get(child) ?? "")
    return [`${folder}: ${cycle.join(" → ")} (${files.join(", ")}): move what both need to a folder of its own`]
  })
