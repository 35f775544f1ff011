import type { ManifestContent } from "@slipway/domain/deploy/runtime"
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments, type YAMLError } from "yaml"
import { reasonOf } from "./texts.ts"

/** The parsed content of a manifest, or the line number and the description of the first problem. */
export type ManifestRead = ManifestContent | { readonly line: number; readonly because: string }

/** Maximum nesting depth of maps and lists. */
const deepest = 20

/** The error for an unsupported YAML construct, with its position. */
class Refused extends Error {
  readonly offset: number
  constructor(offset: number, because: string) {
    super(because)
    this.offset = offset
  }
}

const offsetOf = ({ range }: Pick<Node, "range">): number => range?.[0] ?? 0

interface Notes {
  /** The character offset of each key and list entry, by its path. */
  readonly offsets: Map<string, number>
  /** The original text of each number and boolean, by its path. */
  readonly texts: Map<string, string>
}

/**
 * Converts a YAML node to plain data; fails for aliases and tags. Records the offsets and original texts in `notes`.
 */
const plainOf = (node: unknown, path: ReadonlyArray<string>, notes: Notes): unknown => {
  if (node === null || node === undefined) return null
  const each = node as Node
  if (isAlias(each)) throw new Refused(offsetOf(each), "YAML aliases are not supported: repeat the value")
  if (each.tag !== undefined && !each.tag.startsWith("tag:yaml.org,2002:")) {
    throw new Refused(offsetOf(each), `the tag ${each.tag.slice(0, 100)} is not supported`)
  }
  if (path.length > deepest) throw new Refused(offsetOf(each), `it is nested more than ${deepest} levels deep`)
  if (isScalar(each)) {
    const isText = typeof each.value === "string" || each.value === null
    if (!isText && each.source !== undefined) notes.texts.set(path.join("."), each.source)
    return each.value
  }
  if (isSeq(each)) {
    return each.items.map((item, at) => {
      const inner = [...path, String(at)]
      notes.offsets.set(inner.join("."), offsetOf((item ?? each) as Node))
      return plainOf(item, inner, notes)
    })
  }
  if (!isMap(each)) throw new Refused(offsetOf(each), "it has an unknown kind of value")
  const seen = new Map<string, unknown>()
  for (const { key, value } of each.items) {
    if (!isScalar(key)) throw new Refused(offsetOf(each), "a key must be a text")
    const name = String(key.value)
    if (seen.has(name)) throw new Refused(offsetOf(key), `the key \`${name.slice(0, 100)}\` is repeated`)
    const inner = [...path, name]
    notes.offsets.set(inner.join("."), offsetOf(key))
    seen.set(name, plainOf(value, inner, notes))
  }
  return Object.fromEntries(seen)
}

/** Parses the YAML text of a manifest. */
export const manifestIn = (text: string): ManifestRead => {
  const counter = new LineCounter()
  const lineAt = (offset: number): number => Math.max(1, counter.linePos(offset).line)
  try {
    const parsed = parseAllDocuments(text, {
      lineCounter: counter,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "silent"
    })
    const documents = "empty" in parsed ? [] : parsed
    const [error] = documents.flatMap(({ errors }): ReadonlyArray<YAMLError> => errors)
    if (error !== undefined) return { line: lineAt(error.pos[0]), because: reasonOf(error) }
    const [first, second] = documents
    if (second !== undefined) return { line: lineAt(second.range?.[0] ?? 0), because: "it has several documents" }
    const notes: Notes = { offsets: new Map(), texts: new Map() }
    const value = plainOf(first?.contents, [], notes)
    const lines = new Map([...notes.offsets].map(([path, offset]) => [path, lineAt(offset)]))
    return { value, lines, texts: notes.texts }
  } catch (error) {
    return { line: error instanceof Refused ? lineAt(error.offset) : 1, because: reasonOf(error) }
  }
}
