import { Schema } from "effect"

/** The maximum length of a file path in a repository, in bytes. */
const longest = 4_096

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** The ranges of first bytes of UTF-8 characters, with the character's length and the limits of its second byte. */
const firsts: ReadonlyArray<{ from: number; to: number; length: number; least?: number; most?: number }> = [
  { from: 0x00, to: 0x7f, length: 1 },
  { from: 0xc2, to: 0xdf, length: 2 },
  { from: 0xe0, to: 0xe0, length: 3, least: 0xa0 },
  { from: 0xed, to: 0xed, length: 3, most: 0x9f },
  { from: 0xe1, to: 0xef, length: 3 },
  { from: 0xf0, to: 0xf0, length: 4, least: 0x90 },
  { from: 0xf1, to: 0xf3, length: 4 },
  { from: 0xf4, to: 0xf4, length: 4, most: 0x8f }
]

/** Returns the length in bytes of the UTF-8 character at a position; 0 if the bytes are not valid UTF-8. */
const characterAt = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at] ?? 0xff
  const known = firsts.find(({ from, to }) => first >= from && first <= to)
  if (known === undefined) return 0
  const { least = 0x80, length, most = 0xbf } = known
  for (let n = 1; n < length; n += 1) {
    const byte = bytes[at + n] ?? 0
    if (byte < (n === 1 ? least : 0x80) || byte > (n === 1 ? most : 0xbf)) return 0
  }
  return length
}

/**
 * Decodes the bytes of a path without loss. Valid UTF-8 is decoded as such; each other byte becomes an unpaired
 * surrogate (U+DC00 plus the byte), as in Python's `surrogateescape`.
 *
 * ```ts
 * import { decodePath, encodePath } from "./filePaths.ts"
 *
 * decodePath(Uint8Array.of(0x61, 0xff, 0xc3, 0xbc)) // => "a\udcffü"
 * Array.from(encodePath("a\udcffü")) // => [0x61, 0xff, 0xc3, 0xbc]
 * ```
 */
export const decodePath = (bytes: Uint8Array): string => {
  try {
    return decoder.decode(bytes)
  } catch {}
  let text = ""
  for (let at = 0; at < bytes.length; ) {
    const length = characterAt(bytes, at)
    const first = bytes[at] ?? 0
    if (length < 2) text += String.fromCharCode(length === 0 ? 0xdc00 + first : first)
    else {
      let point = first & (0xff >> (length + 1))
      for (let n = 1; n < length; n += 1) point = (point << 6) | ((bytes[at + n] ?? 0) & 0x3f)
      text += String.fromCodePoint(point)
    }
    at += Math.max(length, 1)
  }
  return text
}

const isStray = (unit: number) => unit >= 0xdc80 && unit <= 0xdcff

/** Encodes a path to bytes; the inverse of `decodePath`. */
export const encodePath = (text: string): Uint8Array => {
  if (text.isWellFormed()) return encoder.encode(text)
  const parts: Array<number> = []
  for (const character of text) {
    const unit = character.charCodeAt(0)
    if (character.length === 1 && isStray(unit)) parts.push(unit - 0xdc00)
    else parts.push(...encoder.encode(character))
  }
  return Uint8Array.from(parts)
}

// Characters that HFS+ ignores when it compares names.
const ignored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/**
 * Returns whether a part of a path can mean `.git` on some file system.
 *
 * HFS+ ignores some characters. NTFS has short names and streams, and ignores dots and spaces at the end.
 *
 * ```ts
 * import { isDotGit } from "./filePaths.ts"
 *
 * isDotGit(".GIT") // => true
 * isDotGit(".g\u200cit") // => true
 * isDotGit("git~1") // => true
 * isDotGit(".git . ") // => true
 * isDotGit(".git::$INDEX_ALLOCATION") // => true
 * isDotGit(".gitignore") // => false
 * isDotGit("git") // => false
 * isDotGit("git~12") // => false
 * ```
 */
export const isDotGit = (part: string): boolean => /^(?:\.git|git~1)[ .]*(?::.*)?$/isu.test(part.replace(ignored, ""))

/**
 * Returns whether a text is a valid path for a new file in a repository.
 *
 * ```ts
 * import { isFilePath } from "./filePaths.ts"
 *
 * isFilePath("src/a b%20.ts") // => true
 * isFilePath("a\\b") // => false
 * isFilePath("a/../b") // => false
 * isFilePath("/a") // => false
 * isFilePath("a//b") // => false
 * isFilePath("a/") // => false
 * isFilePath("sub/.Git/config") // => false
 * isFilePath("a\0b") // => false
 * isFilePath("") // => false
 * isFilePath("-rf") // => true
 * ```
 */
export const isFilePath = (text: string): boolean =>
  text.length <= longest &&
  // NTFS reads it as a slash.
  !text.includes("\\") &&
  isEntryPath(text) &&
  !text.split("/").some(isDotGit) &&
  encodePath(text).length <= longest &&
  decodePath(encodePath(text)) === text

/**
 * Returns whether a text can be the path of an existing file or folder. The rules are weaker than for new files,
 * because pushes can contain names that the API does not accept for new files.
 *
 * ```ts
 * import { isEntryPath } from "./filePaths.ts"
 *
 * isEntryPath("a\\b") // => true
 * isEntryPath("a/./b") // => false
 * ```
 */
export const isEntryPath = (text: string): boolean =>
  text.length <= longest &&
  !text.includes("\0") &&
  text.split("/").every((part) => part !== "" && part !== "." && part !== "..")

/** The schema of a file path in a write request. */
export const FilePath = Schema.String.check(
  Schema.makeFilter((text: string) => (isFilePath(text) ? undefined : "must be the path of a file"))
).pipe(Schema.brand("FilePath"))
export type FilePath = typeof FilePath.Type
