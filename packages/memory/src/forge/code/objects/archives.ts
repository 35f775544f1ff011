import { sha1 } from "@noble/hashes/legacy.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { type ArchiveFormat, encodePath, joined, type ObjectId, type ObjectKind } from "@slipway/domain/forge/code"
import { gzipSync, zipSync, zlibSync } from "fflate"
import { ancestors } from "./history.ts"
import { bytesOf, type MemoryRepository, type StoredObject, textToByteString } from "./repository.ts"

const block = 512

const padded = (content: Uint8Array): Uint8Array => {
  const all = new Uint8Array(Math.ceil(content.length / block) * block)
  all.set(content)
  return all
}

/**
 * Returns an entry of a tar archive with a POSIX header. If the path is too long for it, a GNU long-name entry precedes
 * the header.
 */
const tarEntry = (path: string, mode: number, kind: string, content: Uint8Array, link = "", at = 0): Uint8Array => {
  const name = textToByteString(path)
  if (name.length > 100) {
    const long = bytesOf(`${name}\0`)
    return joined([tarEntry("././@LongLink", 0, "L", long), tarEntry(path.slice(0, 50), mode, kind, content, link, at)])
  }
  const octal = (number: number, width: number) => `${number.toString(8).padStart(width - 1, "0")}\0`
  const fields = [
    name.padEnd(100, "\0"),
    octal(mode, 8),
    octal(0, 8),
    octal(0, 8),
    octal(content.length, 12),
    octal(at, 12),
    " ".repeat(8),
    kind,
    textToByteString(link).slice(0, 100).padEnd(100, "\0"),
    "ustar\u000000",
    "root".padEnd(32, "\0"),
    "root".padEnd(32, "\0")
  ].join("")
  const header = padded(bytesOf(fields))
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.set(bytesOf(`${sum.toString(8).padStart(6, "0")}\0 `), 148)
  return joined([header, padded(content)])
}

/** Returns the files of a tree as an archive. */
export const archiveOf = (
  repository: MemoryRepository,
  tree: ObjectId,
  format: ArchiveFormat,
  prefix: string,
  at: number
): Uint8Array => {
  const entries = repository.all(tree)
  const contentOf = (id: ObjectId) => repository.objects.get(id)?.content ?? new Uint8Array()
  if (format === "zip") {
    const files = entries.flatMap(({ id, kind, mode, path }) =>
      kind === "blob"
        ? [
            [
              `${prefix}/${path}`,
              [contentOf(id), { os: 3, attrs: Number.parseInt(mode, 8) << 16, mtime: "1980-01-01T00:00:00" }]
            ] as const
          ]
        : []
    )
    return zipSync(Object.fromEntries(files) as Parameters<typeof zipSync>[0])
  }
  const pieces = entries.map(({ id, kind, mode, path }) => {
    const name = `${prefix}/${path}`
    if (kind !== "blob") return tarEntry(`${name}/`, 0o775, "5", new Uint8Array(), "", at)
    const link = mode === "120000" ? repository.text({ id, mode }) : ""
    if (link !== "") return tarEntry(name, 0o777, "2", new Uint8Array(), link, at)
    return tarEntry(name, mode === "100755" ? 0o775 : 0o664, "0", contentOf(id), "", at)
  })
  return gzipSync(
    joined([tarEntry(`${prefix}/`, 0o775, "5", new Uint8Array(), "", at), ...pieces, new Uint8Array(block * 2)])
  )
}

const kinds: Readonly<Record<ObjectKind, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 }

const packed = ({ content, kind }: StoredObject): Uint8Array => {
  const head = [(kinds[kind] << 4) | (content.length & 0x0f)]
  for (let left = Math.floor(content.length / 16); left > 0; left = Math.floor(left / 128)) {
    head[head.length - 1] = (head.at(-1) ?? 0) | 0x80
    head.push(left & 0x7f)
  }
  return joined([Uint8Array.from(head), zlibSync(content)])
}

const objectsOf = (repository: MemoryRepository, commit: ObjectId): ReadonlyArray<StoredObject> => {
  const ids = new Set<ObjectId>()
  for (const id of ancestors(repository, [commit])) {
    const tree = repository.commit(id)?.tree
    if (tree === undefined) continue
    for (const each of [id, tree, ...repository.all(tree).map((entry) => entry.id)]) ids.add(each)
  }
  return [...ids].flatMap((id) => repository.objects.get(id) ?? [])
}

const big = (number: number) => Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number)

/** Returns a commit and all of its ancestors as a git bundle. */
export const bundleOf = (repository: MemoryRepository, commit: ObjectId, as: string): Uint8Array => {
  const objects = objectsOf(repository, commit)
  const sha256Head = "# v3 git bundle\n@object-format=sha256\n"
  const head = `${repository.format === "sha1" ? "# v2 git bundle\n" : sha256Head}${commit} ${as}\n${commit} HEAD\n\n`
  const pack = joined([bytesOf("PACK"), big(2), big(objects.length), ...objects.map(packed)])
  const hash = repository.format === "sha1" ? sha1 : sha256
  return joined([encodePath(head), pack, hash(pack)])
}
