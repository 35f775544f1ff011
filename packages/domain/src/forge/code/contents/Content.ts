import { Schema } from "effect"
import type { ObjectId } from "../git/objectIds.ts"
import type { Commit, FileMode, TreeEntry } from "../git/objects.ts"

/** The type of a folder's entry, as shown to users. */
export type ContentKind = "dir" | "file" | "submodule" | "symlink"

/** An LFS pointer: the content of a file that represents a larger file in LFS. */
export interface LfsPointer {
  /** The SHA-256 of the larger file. */
  readonly oid: string
  readonly size: number
}

/** A file, folder, link or submodule of a repository. */
export interface Content {
  readonly kind: ContentKind
  readonly path: string
  readonly id: ObjectId
  /** In bytes; 0 for an entry without content. */
  readonly size: number
  /** The content of a file, if requested and not too large. */
  readonly bytes: Uint8Array | undefined
  /** The target of a symbolic link. */
  readonly target: string | undefined
  /** The URL of a submodule. */
  readonly submoduleUrl: string | undefined
  readonly lfs: LfsPointer | undefined
  /** The commit that last changed it, if requested. */
  readonly lastCommit: Commit | undefined
}

/** Reports that a repository has no such file or folder. */
export class ContentNotFound extends Schema.TaggedError<ContentNotFound>()("ContentNotFound", {
  path: Schema.String
}) {}

/** Reports that a file differs from the version that a change names: another user has changed it. */
export class ContentChanged extends Schema.TaggedError<ContentChanged>()("ContentChanged", {
  path: Schema.String,
  present: Schema.String
}) {}

/** The maximum size of a file within an API response, in bytes; larger files are downloaded. */
export const largestInlineFile = 10 * 1024 * 1024

/** The maximum length of an LFS pointer, and so the number of bytes read to detect one. */
export const longestPointer = 1_024

const decoder = new TextDecoder()
const pointer =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:[^\n]*\n)*?oid sha256:([0-9a-f]{64})\n(?:[^\n]*\n)*?size (\d{1,15})\n/

/**
 * Returns the LFS pointer in a file; undefined for a regular file.
 *
 * @example
 * lfsPointer(new TextEncoder().encode(`version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12\n`)) // => { oid: "a".repeat(64), size: 12 }
 * lfsPointer(new TextEncoder().encode("# Hello")) // => undefined
 */
export const lfsPointer = (bytes: Uint8Array): LfsPointer | undefined => {
  if (bytes.length > longestPointer) return undefined
  const [, oid, size] = pointer.exec(decoder.decode(bytes)) ?? []
  return oid === undefined ? undefined : { oid, size: Number(size) }
}

/**
 * Returns the URLs of a repository's submodules by path, from the text of its file `.gitmodules`.
 *
 * @example
 * submodulesIn(`[submodule "x"]\n\tpath = lib/x\n\turl = https://example.com/x.git\n`) // => new Map([["lib/x", "https://example.com/x.git"]])
 */
export const submodulesIn = (text: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const section of text.split(/^\s*\[/m)) {
    const path = /^\s*path\s*=\s*(.*?)\s*$/m.exec(section)?.[1]
    const url = /^\s*url\s*=\s*(.*?)\s*$/m.exec(section)?.[1]
    if (section.startsWith("submodule ") && path !== undefined && url !== undefined) found.set(path, url)
  }
  return found
}

/** Returns the type of an entry, as shown to users. */
export const contentKind = ({
  kind,
  mode
}: {
  readonly kind: TreeEntry["kind"]
  readonly mode: FileMode
}): ContentKind => {
  if (kind === "tree") return "dir"
  if (kind === "commit") return "submodule"
  return mode === "120000" ? "symlink" : "file"
}

/**
 * Returns the path in a request, without surrounding slashes and without parts that are `.`.
 *
 * @example
 * pathIn("/src/a b.ts/") // => "src/a b.ts"
 * pathIn("/") // => ""
 * pathIn(".") // => ""
 * pathIn("./src/.") // => "src"
 */
export const pathIn = (text: string): string =>
  text
    .split("/")
    .filter((part) => part !== ".")
    .join("/")
    .replace(/^\/+|\/+$/g, "")
