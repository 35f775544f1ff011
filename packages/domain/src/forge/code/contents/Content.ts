import { Schema } from "effect"
import type { ObjectId } from "../git/objectIds.ts"
import type { Commit, FileMode, TreeEntry } from "../git/objects.ts"

/** The type of an entry in a folder of a repository, as in API responses. */
export type ContentKind = "dir" | "file" | "submodule" | "symlink"

/** A Git LFS pointer: the small file in git that stands for a large file in LFS. */
export interface LfsPointer {
  /** The LFS object id: the SHA-256 of the large file. */
  readonly oid: string
  readonly size: number
}

/** A file, folder, symbolic link or submodule of a repository. */
export interface Content {
  readonly kind: ContentKind
  readonly path: string
  readonly id: ObjectId
  /** The size in bytes; 0 for a folder or a submodule. */
  readonly size: number
  /** The content of a file; undefined if it was not requested or is too large. */
  readonly bytes: Uint8Array | undefined
  /** The target of a symbolic link. */
  readonly target: string | undefined
  /** The URL of a submodule. */
  readonly submoduleUrl: string | undefined
  readonly lfs: LfsPointer | undefined
  /** The commit that last changed the file or folder; undefined if not requested. */
  readonly lastCommit: Commit | undefined
}

/** Reports that a repository has no such file or folder. */
export class ContentNotFound extends Schema.TaggedError<ContentNotFound>()("ContentNotFound", {
  path: Schema.String
}) {}

/** Reports an edit conflict: the file was changed after the version on which the request is based. */
export class ContentChanged extends Schema.TaggedError<ContentChanged>()("ContentChanged", {
  path: Schema.String,
  present: Schema.String
}) {}

/** The maximum size of file content in an API response, in bytes; larger files must be downloaded separately. */
export const largestInlineFile = 10 * 1024 * 1024

/** The maximum size of an LFS pointer in bytes; this number of bytes is read to detect a pointer. */
export const longestPointer = 1_024

const decoder = new TextDecoder()
const pointer =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:[^\n]*\n)*?oid sha256:([0-9a-f]{64})\n(?:[^\n]*\n)*?size (\d{1,15})\n/

/**
 * Parses the content of a file as a Git LFS pointer; undefined for a regular file.
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
 * Parses the file `.gitmodules`: returns the URLs of submodules by path.
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

/** Returns the type of a folder entry for API responses, from its git mode. */
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
 * Normalizes the path in a request: removes slashes at both ends, and parts that are `.`.
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
