import { BlobStore } from "@slipway/domain/forge/base"
import type { ObjectId } from "@slipway/domain/forge/code"
import { branchRef, type GitOverloaded, GitReader } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { commitNamed, RevisionNotFound } from "../git/revisions.ts"
import { archiveKey, type OpenArchive, openArchive } from "./archiveCache.ts"

/** The formats of archives, by file name extension. */
export const archiveKinds = ["bundle", "tar.gz", "zip"] as const
export type ArchiveKind = (typeof archiveKinds)[number]

/** An archive of the files of a revision; the format `bundle` contains the git history instead. */
export interface Archive {
  readonly commit: ObjectId
  readonly kind: ArchiveKind
  /** The file name that clients use to save the archive. */
  readonly fileName: string
  /** The size in bytes, if the archive is cached. */
  readonly size: Effect.Effect<number | undefined, never, BlobStore>
  /** Opens the archive from the cache, or creates it. */
  readonly open: Effect.Effect<OpenArchive, GitOverloaded, BlobStore>
}

/**
 * Parses the file name of an archive into revision and format; undefined if the extension is unknown.
 *
 * @example
 * archiveIn("release/v1.zip") // => { revision: "release/v1", kind: "zip" }
 * archiveIn("main.tar.gz") // => { revision: "main", kind: "tar.gz" }
 * archiveIn("main.rar") // => undefined
 */
export const archiveIn = (name: string): { readonly revision: string; readonly kind: ArchiveKind } | undefined => {
  const kind = archiveKinds.find((each) => name.endsWith(`.${each}`) && name.length > each.length + 1)
  return kind === undefined ? undefined : { revision: name.slice(0, -kind.length - 1), kind }
}

type ArchiveProof = Proof<
  | "repository.archive.download"
  | "repository.bundle.download"
  | "repository.tarball.download"
  | "repository.zipball.download"
>

/** Returns an archive of a revision. It is created only when its bytes are read. */
export const archive = Effect.fnUntraced(function* (
  { resource: { repository } }: ArchiveProof,
  revision: string,
  kind: ArchiveKind
) {
  if (revision === "") return yield* new RevisionNotFound({ name: revision })
  const { commit, ref } = yield* commitNamed(repository, revision)
  const reader = yield* GitReader
  const label = revision.replace(/^refs\/(?:heads|tags)\//, "").replace(/[^A-Za-z0-9._-]+/g, "-")
  const fileName = `${repository.name}-${label}.${kind}`
  if (kind === "bundle") {
    // A bundle contains the branch name, so it depends on more than the commit.
    const bytes = reader.bundle(repository.id, commit, ref ?? branchRef(repository.defaultBranch))
    const open = Effect.succeed({ bytes, size: undefined })
    return { commit, kind, fileName, size: Effect.undefined, open } satisfies Archive
  }
  const key = archiveKey(repository, commit, kind)
  const open = openArchive(key, reader.archive(repository.id, commit, kind, repository.name))
  return { commit, kind, fileName, size: Effect.flatMap(BlobStore, (blobs) => blobs.size(key)), open } satisfies Archive
})
