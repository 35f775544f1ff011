import { sha1 } from "@noble/hashes/legacy.js"
import { sha256 } from "@noble/hashes/sha2.js"
import {
  type Commit,
  encodePath,
  type FileMode,
  type GitId,
  hashedContent,
  type ObjectFormat,
  type ObjectId,
  type ObjectKind,
  parseCommit,
  parseTag,
  parseTree,
  type TreeEntry
} from "@slipway/domain/forge/code"
import { Context, Effect, Layer } from "effect"

/** An object of a repository in memory. */
export interface StoredObject {
  readonly id: ObjectId
  readonly kind: ObjectKind
  readonly content: Uint8Array
}

/** A git repository in memory: its objects by id, and its refs by name. */
export class MemoryRepository {
  readonly format: ObjectFormat
  readonly madeAt: string
  head: string
  readonly objects: Map<ObjectId, StoredObject> = new Map()
  readonly refs: Map<string, ObjectId> = new Map()

  constructor(format: ObjectFormat, madeAt: string, head: string) {
    this.format = format
    this.madeAt = madeAt
    this.head = head
  }

  /** Returns the id that git gives an object. */
  nameOf(kind: ObjectKind, content: Uint8Array): ObjectId {
    const hash = this.format === "sha1" ? sha1 : sha256
    return hash(hashedContent(kind, content)).toHex() as ObjectId
  }

  write(kind: ObjectKind, content: Uint8Array): ObjectId {
    const id = this.nameOf(kind, content)
    if (!this.objects.has(id)) this.objects.set(id, { id, kind, content: content.slice() })
    return id
  }

  commit(id: ObjectId): Commit | undefined {
    const found = this.objects.get(id)
    return found?.kind === "commit" ? parseCommit(id, found.content) : undefined
  }

  /** Follows annotated tags from an id to the object that they point to. */
  peel(id: ObjectId): StoredObject | undefined {
    const found = this.objects.get(id)
    return found?.kind === "tag" ? this.peel(parseTag(id, found.content).object) : found
  }

  /** Returns the tree of a commit. If the id is a tree, returns that tree. */
  treeOf(id: ObjectId): ObjectId | undefined {
    return this.objects.get(id)?.kind === "tree" ? id : this.commit(id)?.tree
  }

  /** Returns the entries of a tree. */
  entries(tree: ObjectId): ReadonlyArray<TreeEntry> {
    const found = this.objects.get(tree)
    return found?.kind === "tree" ? parseTree(this.format, found.content) : []
  }

  /** Returns all entries below a tree, recursively. Each folder precedes its content. */
  all(tree: ObjectId, prefix = ""): ReadonlyArray<TreeEntry> {
    return this.entries(tree).flatMap((entry) => {
      const path = `${prefix}${entry.path}`
      return [{ ...entry, path }, ...(entry.kind === "tree" ? this.all(entry.id, `${path}/`) : [])]
    })
  }

  /** Returns the files below a tree by path. */
  files(tree: ObjectId | undefined): ReadonlyMap<string, TreeEntry> {
    const all = tree === undefined ? [] : this.all(tree)
    return new Map(all.filter(({ kind }) => kind !== "tree").map((entry) => [entry.path, entry]))
  }

  /** Returns the entry at a path below a tree; the empty path is the tree itself. */
  entry(tree: ObjectId, path: string): TreeEntry | undefined {
    let at: TreeEntry | undefined = { path: "", mode: "040000", kind: "tree", id: tree }
    for (const name of path === "" ? [] : path.split("/"))
      at = at?.kind === "tree" ? this.entries(at.id).find((entry) => entry.path === name) : undefined
    return at === undefined ? undefined : { ...at, path }
  }

  /** Returns the text of a file, one character per byte. */
  text({ id, mode }: { readonly id: ObjectId; readonly mode: FileMode }): string {
    if (mode === "160000") return `Subproject commit ${id}\n`
    return bytesToString(this.objects.get(id)?.content ?? new Uint8Array())
  }
}

/** Returns bytes as a string with one character per byte. */
export const bytesToString = (bytes: Uint8Array): string => {
  let text = ""
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return text
}

/** Returns the bytes of a string with one character per byte. */
export const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** Returns the UTF-8 bytes of a text as a string with one character per byte. */
export const textToByteString = (text: string): string => bytesToString(encodePath(text))

/** The git repositories in memory, by number. */
export class Repositories extends Context.Service<Repositories, Map<GitId, MemoryRepository>>()(
  "@slipway/memory/forge/objects/Repositories"
) {
  static readonly layer: Layer.Layer<Repositories> = Layer.effect(
    Repositories,
    Effect.sync(() => new Map<GitId, MemoryRepository>())
  )
}
