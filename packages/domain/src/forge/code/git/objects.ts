import { timeOf } from "../../../Time.ts"
import type { ObjectId } from "./objectIds.ts"

/** The types of git objects. */
export type ObjectKind = "blob" | "commit" | "tag" | "tree"

/** The modes of tree entries, as git writes them: file, executable file, symbolic link, folder, submodule. */
export type FileMode = "100644" | "100755" | "120000" | "040000" | "160000"

/** The author, committer or tagger of a git object, with the time. */
export interface Ident {
  readonly name: string
  readonly email: string
  /** The time in seconds since 1970. */
  readonly seconds: number
  /** The time zone offset, such as `+0200`. */
  readonly offset: string
}

/** The fields of a commit object. */
export interface CommitData {
  readonly tree: ObjectId
  readonly parents: ReadonlyArray<ObjectId>
  readonly author: Ident
  readonly committer: Ident
  readonly message: string
  /** The armored signature, which covers the commit without this field; undefined if the commit is unsigned. */
  readonly signature?: string | undefined
}

/** A git commit with its id. */
export interface Commit extends CommitData {
  readonly id: ObjectId
}

/** The fields of an annotated tag object. */
export interface TagData {
  readonly object: ObjectId
  readonly kind: ObjectKind
  readonly name: string
  /** The tagger; undefined in very old tags. */
  readonly tagger: Ident | undefined
  readonly message: string
  /** The armored signature, which covers the tag without this field; undefined if the tag is unsigned. */
  readonly signature?: string | undefined
}

/** An annotated git tag with its id. */
export interface TagObject extends TagData {
  readonly id: ObjectId
}

/** An entry of a git tree (folder); `path` is relative to the requested tree. */
export interface TreeEntry {
  readonly path: string
  readonly mode: FileMode
  readonly kind: "blob" | "commit" | "tree"
  readonly id: ObjectId
}

/** A git object with its raw content; the content is omitted if it is larger than the requested limit. */
export interface RawObject {
  readonly id: ObjectId
  readonly kind: ObjectKind
  /** The size of the content in bytes. */
  readonly size: number
  readonly content: Uint8Array | undefined
}

/**
 * Returns the time of an author or committer in ISO 8601, in the recorded time zone.
 *
 * ```ts
 * import { identTime } from "./objects.ts"
 *
 * identTime({ seconds: 0, offset: "+0200" }) // => "1970-01-01T02:00:00+02:00"
 * identTime({ seconds: 1_770_000_000, offset: "+0000" }) // => "2026-02-02T02:40:00Z"
 * ```
 */
export const identTime = ({ offset, seconds }: Pick<Ident, "offset" | "seconds">): string => {
  const minutes = offsetMinutes(offset)
  const local = isoSeconds(seconds + minutes * 60)
  return minutes === 0 ? `${local}Z` : `${local}${offset.slice(0, 3)}:${offset.slice(3)}`
}

const offsetMinutes = (offset: string): number => {
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(offset) ?? []
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}

/** The last second since 1970 that a JavaScript date can represent in every time zone. */
const lastSecond = 8_640_000_000_000 - 86_400

const isoSeconds = (seconds: number): string => timeOf(Math.min(seconds, lastSecond) * 1_000).replace(/\.000Z$/, "")
