import type { PageRequest } from "@slipway/domain"
import {
  GitReader,
  isObjectId,
  largestInlineFile,
  lfsPointer,
  type ObjectId,
  parseTag,
  verifySignatures
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { RevisionNotFound, resolveRevision } from "./revisions.ts"

/** The maximum and default number of tree entries per page. */
export const treePage = 1_000

/** Lists the refs of a repository that begin with a prefix; the prefix may omit `refs/`. */
export const refs = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.git.ref.list" | "repository.git.ref.read">,
  prefix: string,
  page: PageRequest
) {
  const whole = prefix.startsWith("refs/") ? prefix : `refs/${prefix}`
  const found = yield* (yield* GitReader).refs(repository.id, whole, page)
  return prefix !== "" && found.total === 0 ? yield* new RevisionNotFound({ name: prefix }) : found
})

/** Finds a git tree by its id, or the tree of a revision. */
export const tree = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.git.tree.read">,
  revision: string
) {
  const { commit, id, kind } = yield* resolveRevision(repository, revision)
  const of = kind === "tree" ? id : commit
  if (of === undefined) return yield* new RevisionNotFound({ name: revision })
  const [whole] = yield* (yield* GitReader).entries(repository.id, of, [""])
  return { id: whole?.id ?? of }
})

/** Lists the entries of a git tree with their file sizes. The result never changes, so it can be cached. */
export const treeEntries = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.git.tree.read">,
  tree: ObjectId,
  recursive: boolean,
  page: PageRequest
) {
  const reader = yield* GitReader
  const { rows, total } = yield* reader.tree(repository.id, tree, { recursive, ...page })
  const sizes = yield* reader.sizes(
    repository.id,
    rows.flatMap((entry) => (entry.kind === "blob" ? [entry.id] : []))
  )
  let at = 0
  const entries = rows.map((entry) => ({ ...entry, size: entry.kind === "blob" ? (sizes[at++] ?? 0) : 0 }))
  return { entries, total, more: page.page * page.perPage < total }
})

/** Reads a git blob; without its content if it is too large. */
export const blob = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.git.blob.read">,
  name: string
) {
  if (!isObjectId(name)) return yield* new RevisionNotFound({ name })
  const [found] = yield* (yield* GitReader).objects(repository.id, [name], largestInlineFile)
  if (found?.kind !== "blob") return yield* new RevisionNotFound({ name })
  return { ...found, lfs: found.content === undefined ? undefined : lfsPointer(found.content) }
})

const largestTag = 1024 * 1024

/** Reads an annotated tag by object id. */
export const tag = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.git.tag.read">,
  name: string
) {
  if (!isObjectId(name)) return yield* new RevisionNotFound({ name })
  const [found] = yield* (yield* GitReader).objects(repository.id, [name], largestTag)
  if (found?.kind !== "tag" || found.content === undefined) return yield* new RevisionNotFound({ name })
  const read = parseTag(name, found.content)
  const [verification] = yield* verifySignatures(repository.id, "tag", [read])
  return { tag: read, verification }
})
