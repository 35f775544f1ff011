import { decodePath, encodePath } from "./filePaths.ts"
import { type ObjectFormat, ObjectId } from "./objectIds.ts"
import type { Commit, CommitData, FileMode, Ident, ObjectKind, TagData, TagObject, TreeEntry } from "./objects.ts"

const encoder = new TextEncoder()
const utf8 = new TextDecoder()
const bytewise = new TextDecoder("latin1")

/** Returns the text decoder for the value of a commit's `encoding` header; UTF-8 if it is missing or unknown. */
const decoderOf = (encoding: string | undefined): TextDecoder => {
  if (encoding === undefined) return utf8
  try {
    return new TextDecoder(encoding)
  } catch {
    return utf8
  }
}

interface Parts {
  readonly headers: ReadonlyArray<readonly [name: string, value: Uint8Array]>
  readonly body: Uint8Array
}

const newline = 0x0a
const space = 0x20

/**
 * Splits a commit or tag object at the first empty line: into headers, with continuation lines joined, and the body.
 */
const partsOf = (bytes: Uint8Array): Parts => {
  const headers: Array<[string, Uint8Array]> = []
  let at = 0
  while (at < bytes.length && bytes[at] !== newline) {
    let end = at
    do {
      end = bytes.indexOf(newline, end + 1)
      if (end < 0) end = bytes.length
    } while (end + 1 < bytes.length && bytes[end + 1] === space)
    const line = bytes.subarray(at, end)
    const name = line.indexOf(space)
    headers.push([bytewise.decode(line.subarray(0, Math.max(name, 0))), line.subarray(name + 1)])
    at = end + 1
  }
  return { headers, body: bytes.subarray(Math.min(at + 1, bytes.length)) }
}

const valueOf = ({ headers }: Parts, name: string): Uint8Array | undefined =>
  headers.find(([each]) => each === name)?.[1]

const idOf = (value: Uint8Array | undefined): ObjectId => ObjectId.make(bytewise.decode(value))

/** Parses an author or committer line: name, email, time and offset. Tolerates a missing time. */
const identOf = (line: string): Ident => {
  const [, name = "", email = "", seconds = "0", offset = "+0000"] =
    /^([^<]*)<([^>]*)>(?:.*\s(\d{1,15})\s([+-]\d{4})\s*$)?/s.exec(line) ?? []
  return { name: name.trim(), email: email.trim(), seconds: Number(seconds), offset }
}

const signatureHeaders: ReadonlyArray<string> = ["gpgsig", "gpgsig-sha256"]

const signatureOf = ({ headers }: Parts): string | undefined => {
  const value = headers.find(([name]) => signatureHeaders.includes(name))?.[1]
  return value === undefined ? undefined : bytewise.decode(value).replaceAll("\n ", "\n")
}

/** Parses a commit object in git's format. */
export const parseCommit = (id: ObjectId, bytes: Uint8Array): Commit => {
  const parts = partsOf(bytes)
  const encoding = valueOf(parts, "encoding")
  const decoder = decoderOf(encoding === undefined ? undefined : bytewise.decode(encoding))
  const signature = signatureOf(parts)
  return {
    id,
    tree: idOf(valueOf(parts, "tree")),
    parents: parts.headers.flatMap(([name, value]) => (name === "parent" ? [idOf(value)] : [])),
    author: identOf(decoder.decode(valueOf(parts, "author"))),
    committer: identOf(decoder.decode(valueOf(parts, "committer"))),
    message: decoder.decode(parts.body),
    ...(signature === undefined ? {} : { signature })
  }
}

const armor = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----/m

/** Parses an annotated tag object in git's format. */
export const parseTag = (id: ObjectId, bytes: Uint8Array): TagObject => {
  const parts = partsOf(bytes)
  const tagger = valueOf(parts, "tagger")
  const body = utf8.decode(parts.body)
  const begins = armor.exec(body)?.index
  return {
    id,
    object: idOf(valueOf(parts, "object")),
    kind: bytewise.decode(valueOf(parts, "type")) as ObjectKind,
    name: utf8.decode(valueOf(parts, "tag")),
    tagger: tagger === undefined ? undefined : identOf(utf8.decode(tagger)),
    message: begins === undefined ? body : body.slice(0, begins),
    ...(begins === undefined ? {} : { signature: body.slice(begins) })
  }
}

/** Returns the bytes that a signature of a commit or tag covers: the object without the signature. */
export const signedContent = (kind: "commit" | "tag", bytes: Uint8Array): Uint8Array => {
  if (kind === "tag") {
    // Byte by byte, so that positions in the text equal positions in the bytes.
    const begins = armor.exec(bytewise.decode(bytes))?.index
    return begins === undefined ? bytes : bytes.subarray(0, begins)
  }
  const { body, headers } = partsOf(bytes)
  const unsignedHeaders = headers.filter(([name]) => !signatureHeaders.includes(name))
  return joined([
    ...unsignedHeaders.flatMap(([name, value]) => [encoder.encode(`${name} `), value, Uint8Array.of(newline)]),
    Uint8Array.of(newline),
    body
  ])
}

/** Concatenates chunks of bytes. */
export const joined = (pieces: ReadonlyArray<Uint8Array>): Uint8Array => {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/**
 * Removes the characters from a name or an email address that an author line must not contain.
 *
 * ```ts
 * import { inIdent } from "./objectCodec.ts"
 *
 * inIdent(" Ann <b>\nauthor ") // => "Ann bauthor"
 * ```
 */
export const inIdent = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  text.replace(/[\u0000-\u001f\u007f<>]/g, "").trim()

const identLine = ({ email, name, offset, seconds }: Ident) =>
  `${inIdent(name)} <${inIdent(email)}> ${seconds} ${offset}`

/** Removes NUL characters from a commit message, and adds a line break at its end. */
const body = (message: string): string => {
  const text = message.replaceAll("\0", "")
  return text === "" || text.endsWith("\n") ? text : `${text}\n`
}

/** Formats a commit object in git's format. */
export const formatCommit = ({ author, committer, message, parents, signature, tree }: CommitData): Uint8Array => {
  const header = tree.length === 40 ? "gpgsig" : "gpgsig-sha256"
  return encoder.encode(
    [
      `tree ${tree}`,
      ...parents.map((parent) => `parent ${parent}`),
      `author ${identLine(author)}`,
      `committer ${identLine(committer)}`,
      ...(signature === undefined ? [] : [`${header} ${signature.replace(/\n+$/, "").replaceAll("\n", "\n ")}`]),
      "",
      body(message)
    ].join("\n")
  )
}

/** Formats an annotated tag object in git's format. */
export const formatTag = ({ kind, message, name, object, signature, tagger }: TagData): Uint8Array =>
  encoder.encode(
    [
      `object ${object}`,
      `type ${kind}`,
      `tag ${name}`,
      ...(tagger === undefined ? [] : [`tagger ${identLine(tagger)}`]),
      "",
      `${body(message)}${signature ?? ""}`
    ].join("\n")
  )

/**
 * Returns the object type of a tree entry, by its file mode.
 *
 * ```ts
 * import { kindOfMode } from "./objectCodec.ts"
 *
 * kindOfMode("120000") // => "blob"
 * kindOfMode("160000") // => "commit"
 * ```
 */
export const kindOfMode = (mode: FileMode): TreeEntry["kind"] => {
  if (mode === "040000") return "tree"
  return mode === "160000" ? "commit" : "blob"
}

/** Normalizes the octal file mode of a tree entry; very old repositories contain modes with bits that git ignores. */
const modeOf = (octal: string): FileMode => {
  const bits = Number.parseInt(octal, 8)
  const kind = bits & 0o170000
  if (kind === 0o040000) return "040000"
  if (kind === 0o120000) return "120000"
  if (kind === 0o160000) return "160000"
  return (bits & 0o100) === 0 ? "100644" : "100755"
}

const hexOf = (bytes: Uint8Array): string => bytes.toHex()

/** Parses a tree object in git's format; the path of each entry is only its name. */
export const parseTree = (format: ObjectFormat, bytes: Uint8Array): ReadonlyArray<TreeEntry> => {
  const width = format === "sha1" ? 20 : 32
  const entries: Array<TreeEntry> = []
  for (let at = 0; at < bytes.length; ) {
    const gap = bytes.indexOf(space, at)
    const zero = bytes.indexOf(0, gap)
    if (gap < 0 || zero < 0) break
    const mode = modeOf(bytewise.decode(bytes.subarray(at, gap)))
    entries.push({
      path: decodePath(bytes.subarray(gap + 1, zero)),
      mode,
      kind: kindOfMode(mode),
      id: hexOf(bytes.subarray(zero + 1, zero + 1 + width)) as ObjectId
    })
    at = zero + 1 + width
  }
  return entries
}

const compareBytes = (one: Uint8Array, other: Uint8Array): number => {
  const shared = Math.min(one.length, other.length)
  for (let at = 0; at < shared; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** Compares tree entries for sorting, like git: by the bytes of their names, with a slash after names of folders. */
export const compareEntries = (
  one: Pick<TreeEntry, "mode" | "path">,
  other: Pick<TreeEntry, "mode" | "path">
): number =>
  compareBytes(
    encodePath(one.mode === "040000" ? `${one.path}/` : one.path),
    encodePath(other.mode === "040000" ? `${other.path}/` : other.path)
  )

/** Compares paths by their bytes for sorting, like git. */
export const comparePaths = (one: string, other: string): number => compareBytes(encodePath(one), encodePath(other))

/** Formats a tree object in git's format; sorts the entries. */
export const formatTree = (entries: ReadonlyArray<Pick<TreeEntry, "id" | "mode" | "path">>): Uint8Array =>
  joined(
    [...entries]
      .sort(compareEntries)
      .flatMap(({ id, mode, path }) => [
        encoder.encode(`${mode.replace(/^0/, "")} `),
        encodePath(path),
        Uint8Array.of(0),
        Uint8Array.fromHex(id)
      ])
  )

/** Returns the input for the hash that is an object's id: a header with the type and the length, and the content. */
export const hashedContent = (kind: ObjectKind, content: Uint8Array): Uint8Array =>
  joined([encoder.encode(`${kind} ${content.length}\0`), content])
