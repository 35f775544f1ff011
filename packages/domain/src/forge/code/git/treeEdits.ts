import { Effect } from "effect"
import type { TreeEdit } from "./GitWriter.ts"
import { formatTree, kindOfMode } from "./objectCodec.ts"
import type { ObjectId } from "./objectIds.ts"
import type { ObjectKind, TreeEntry } from "./objects.ts"

/** The result of edits: the id of the new root tree, and all new trees; each folder comes before its parent. */
export interface EditedTree {
  readonly id: ObjectId
  readonly written: ReadonlyArray<{ readonly id: ObjectId; readonly entries: ReadonlyArray<TreeEntry> }>
}

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: Map<string, TreeEdit["to"]>
}

const newFolder = (): Folder => ({ folders: new Map(), files: new Map() })

/** Groups edits by folder; a later edit replaces earlier edits of the same path. */
const nested = (edits: ReadonlyArray<TreeEdit>): Folder => {
  const root = newFolder()
  for (const { path, to } of edits) {
    const parts = path.split("/")
    const name = parts.pop() ?? ""
    let at = root
    for (const part of parts) {
      const next = at.folders.get(part) ?? newFolder()
      at.folders.set(part, next)
      if (at.files.get(part) !== undefined) at.files.delete(part)
      at = next
    }
    at.files.set(name, to)
    if (to !== undefined) at.folders.delete(name)
  }
  return root
}

/** Applies edits to a git tree and returns the new trees; without `base`, the edits start from an empty tree. */
export const editTree = <E>(
  read: (tree: ObjectId) => Effect.Effect<ReadonlyArray<TreeEntry>, E>,
  hash: (kind: ObjectKind, content: Uint8Array) => ObjectId,
  base: ObjectId | undefined,
  edits: ReadonlyArray<TreeEdit>
): Effect.Effect<EditedTree, E> => {
  const written: Array<EditedTree["written"][number]> = []
  const edit = (tree: ObjectId | undefined, { files, folders }: Folder): Effect.Effect<ReadonlyArray<TreeEntry>, E> =>
    Effect.gen(function* () {
      const entries = new Map((tree === undefined ? [] : yield* read(tree)).map((entry) => [entry.path, entry]))
      for (const [path, to] of files) {
        if (to === undefined) entries.delete(path)
        else entries.set(path, { path, mode: to.mode, kind: kindOfMode(to.mode), id: to.id })
      }
      for (const [path, folder] of folders) {
        const present = entries.get(path)
        const inside = yield* edit(present?.kind === "tree" ? present.id : undefined, folder)
        if (inside.length > 0) entries.set(path, { path, mode: "040000", kind: "tree", id: write(inside) })
        // The path neither exists nor was added: a file with the folder's name stays.
        else if (present?.kind === "tree") entries.delete(path)
      }
      return [...entries.values()]
    })
  const write = (entries: ReadonlyArray<TreeEntry>): ObjectId => {
    const id = hash("tree", formatTree(entries))
    written.push({ id, entries })
    return id
  }
  return Effect.map(edit(base, nested(edits)), (entries) => ({ id: write(entries), written }))
}
