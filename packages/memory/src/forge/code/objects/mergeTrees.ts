import {
  editTree,
  isDotGit,
  isFilePath,
  type MergeResult,
  type ObjectId,
  type TreeEdit,
  type TreeEntry
} from "@slipway/domain/forge/code"
import { applyPatch as applyHunks, parsePatch } from "diff"
import { Effect } from "effect"
import { diff3Merge } from "node-diff3"
import { isBinary } from "./changes.ts"
import { bytesOf, bytesToString, type MemoryRepository } from "./repository.ts"

/** Applies edits to a tree, stores the new tree and returns its id. */
export const writeEdits = (
  repository: MemoryRepository,
  base: ObjectId | undefined,
  edits: ReadonlyArray<TreeEdit>
): ObjectId => {
  const read = (tree: ObjectId) => Effect.sync(() => repository.entries(tree))
  // Writing a tree in memory only computes its id: nothing waits here.
  return Effect.runSync(editTree(read, (kind, content) => repository.write(kind, content), base, edits)).id
}

const lines = (text: string) => text.split(/(?<=\n)/)
const same = (one: TreeEntry | undefined, other: TreeEntry | undefined) =>
  one?.id === other?.id && one?.mode === other?.mode

/** Merges three versions of a file; returns undefined on a conflict. */
const mergeFile = (
  repository: MemoryRepository,
  base: TreeEntry | undefined,
  ours: TreeEntry | undefined,
  theirs: TreeEntry | undefined
): { readonly to: TreeEntry | undefined } | undefined => {
  if (same(ours, theirs) || same(base, theirs)) return { to: ours }
  if (same(base, ours)) return { to: theirs }
  if (base === undefined || ours === undefined || theirs === undefined) return undefined
  const versions = [ours, base, theirs]
  if (versions.some(({ mode }) => !mode.startsWith("100"))) return undefined
  const mode = ours.mode === base.mode ? theirs.mode : ours.mode
  if (ours.id === base.id || theirs.id === base.id || ours.id === theirs.id)
    return { to: { ...ours, mode, id: ours.id === base.id ? theirs.id : ours.id } }
  const texts = versions.map((version) => repository.text(version))
  if (texts.some(isBinary)) return undefined
  const [own = [], before = [], other = []] = texts.map(lines)
  const regions = diff3Merge(own, before, other, { excludeFalseConflicts: true })
  if (regions.some(({ conflict }) => conflict !== undefined)) return undefined
  const text = regions.flatMap(({ ok }) => ok ?? []).join("")
  return { to: { ...ours, mode, id: repository.write("blob", bytesOf(text)) } }
}

/** Merges two trees relative to their base tree. Renamed files are not detected. */
export const mergeTrees = (
  repository: MemoryRepository,
  base: ObjectId | undefined,
  ours: ObjectId,
  theirs: ObjectId
): MergeResult => {
  const [before, own, other] = [base, ours, theirs].map((tree) => repository.files(tree))
  const paths = new Set([before, own, other].flatMap((files) => [...(files?.keys() ?? [])]))
  const edits: Array<TreeEdit> = []
  const conflicts: Array<string> = []
  for (const path of paths) {
    const merged = mergeFile(repository, before?.get(path), own?.get(path), other?.get(path))
    if (merged === undefined) conflicts.push(path)
    else if (!same(merged.to, own?.get(path))) edits.push({ path, to: merged.to })
  }
  // Removed files make way for added ones.
  const ordered = edits.toSorted((one, another) => Number(one.to !== undefined) - Number(another.to !== undefined))
  const remaining = new Set(own?.keys())
  for (const { path, to } of ordered) {
    if (to === undefined) remaining.delete(path)
    else remaining.add(path)
  }
  for (const path of remaining) {
    const parts = path.split("/")
    if (parts.some((_, at) => at > 0 && remaining.has(parts.slice(0, at).join("/")))) conflicts.push(path)
  }
  return conflicts.length > 0
    ? { _tag: "Conflicted", paths: conflicts }
    : { _tag: "Merged", tree: writeEdits(repository, ours, ordered) }
}

const nameIn = (name: string | undefined): string | undefined =>
  name === undefined || name === "/dev/null" ? undefined : name.replace(/^[^/]*\//, "")

/** Applies a patch to a tree; returns the id of the new tree, or the reason why the patch does not apply. */
export const patchTree = (
  repository: MemoryRepository,
  base: ObjectId,
  patch: Uint8Array
): { readonly tree: ObjectId } | { readonly said: string } => {
  const edits: Array<TreeEdit> = []
  let parts: ReturnType<typeof parsePatch>
  try {
    parts = parsePatch(bytesToString(patch)).filter(
      ({ oldFileName, newFileName }) => (oldFileName ?? newFileName) !== undefined
    )
  } catch (error) {
    return { said: String(error) }
  }
  if (parts.length === 0) return { said: "No valid patches in input" }
  for (const part of parts) {
    const [from, to] = [
      part.isCreate ? undefined : nameIn(part.oldFileName),
      part.isDelete ? undefined : nameIn(part.newFileName)
    ]
    for (const path of [from, to]) {
      if (path !== undefined && (!isFilePath(path) || path.split("/").some(isDotGit)))
        return { said: `invalid path '${path}'` }
    }
    const present = from === undefined ? undefined : repository.entry(base, from)
    if (from !== undefined && present?.kind !== "blob") return { said: `${from}: does not exist in index` }
    if (from === undefined && to !== undefined && repository.entry(base, to) !== undefined)
      return { said: `${to}: already exists in index` }
    const text = applyHunks(present === undefined ? "" : repository.text(present), part, {
      autoConvertLineEndings: false
    })
    if (text === false) return { said: `${from ?? to}: patch does not apply` }
    if (from !== undefined && (to !== from || to === undefined) && part.isCopy !== true)
      edits.push({ path: from, to: undefined })
    if (to === undefined) continue
    const mode =
      part.newMode === "100755" || (part.newMode === undefined && present?.mode === "100755") ? "100755" : "100644"
    const linked = (part.newMode ?? present?.mode) === "120000"
    edits.push({ path: to, to: { id: repository.write("blob", bytesOf(text)), mode: linked ? "120000" : mode } })
  }
  return { tree: writeEdits(repository, base, edits) }
}
