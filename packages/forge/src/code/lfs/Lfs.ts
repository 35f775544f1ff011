import type { PageRequest } from "@slipway/domain"
import { now } from "@slipway/domain"
import { allows } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { type BlobMismatch, type BlobRange, BlobStore, type BlobTooLarge, blobKey } from "@slipway/domain/forge/base"
import { type LfsLock, type LfsOid, LfsStore } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import type { Actor } from "@slipway/domain/forge/identity"
import { Effect, Schema, Stream } from "effect"

/** The maximum size of an LFS object, in bytes. */
export const largestObject = 16 * 1024 ** 3
/** The maximum number of objects in one batch request. */
export const mostInBatch = 1_000
const longestPath = 4_096

/** Reports that a repository has no Git LFS object with this id. */
export class LfsObjectNotFound extends Schema.TaggedError<LfsObjectNotFound>()("LfsObjectNotFound", {
  oid: Schema.String
}) {}
/** Reports that the path is already locked, with the existing lock. */
export class LfsPathLocked extends Schema.TaggedError<LfsPathLocked>()("LfsPathLocked", { path: Schema.String }) {}
/** Reports that no lock with this id exists. */
export class LfsLockNotFound extends Schema.TaggedError<LfsLockNotFound>()("LfsLockNotFound", { id: Schema.Number }) {}
/** Reports that a lock cannot be removed because another user owns it. */
export class LfsLockOfAnother extends Schema.TaggedError<LfsLockOfAnother>()("LfsLockOfAnother", {
  owner: Schema.String
}) {}
/** Reports that a path to lock is invalid. */
export class LfsPathInvalid extends Schema.TaggedError<LfsPathInvalid>()("LfsPathInvalid", {}) {}

const keyOf = (oid: LfsOid) => blobKey("lfs", oid)

/**
 * Returns which of the given LFS objects belong to a repository, with their sizes in bytes.
 *
 * An object that only another repository has is not returned, so knowing its id gives no access (bug class B9).
 */
export const linkObject = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"git.lfs.read"> | Proof<"git.lfs.write">,
  oids: ReadonlyArray<LfsOid>
) {
  return yield* (yield* LfsStore).linked(repository.id, oids)
})

/** Returns the size of a Git LFS object of a repository, and a function that streams its bytes or a range of them. */
export const read = Effect.fnUntraced(function* (proof: Proof<"git.lfs.read">, oid: LfsOid) {
  const size = (yield* linkObject(proof, [oid])).get(oid)
  if (size === undefined) return yield* new LfsObjectNotFound({ oid })
  const blobs = yield* BlobStore
  // A linked object exists; if the store lost it, the response breaks off.
  return { size, bytes: (range?: BlobRange) => Stream.orDie(blobs.read(keyOf(oid), range)) }
})

/**
 * Stores an LFS object of a repository. Fails if the content does not match the object id (its SHA-256) or the expected
 * size.
 */
export const keepObject = Effect.fnUntraced(function* <E, R>(
  repositoryId: RepositoryId,
  { oid, size: expected }: { readonly oid: LfsOid; readonly size?: number },
  bytes: Stream.Stream<Uint8Array, E, R>
): Effect.fn.Return<void, BlobMismatch | BlobTooLarge | E, R | BlobStore | LfsStore> {
  const terms = { sha256: oid, ...(expected === undefined ? {} : { size: expected }) }
  const { size } = yield* (yield* BlobStore).put(keyOf(oid), bytes, { maxSize: largestObject, expected: terms })
  yield* (yield* LfsStore).link({ repositoryId, oid, size })
})

/**
 * Stores an LFS object that a client uploads to a repository. The client must send all bytes, even if another
 * repository already has the object.
 *
 * Otherwise, a client that knows only the id of an object could get access to its content.
 */
export const put = <E, R>(
  { resource: { repository } }: Proof<"git.lfs.write">,
  oid: LfsOid,
  bytes: Stream.Stream<Uint8Array, E, R>
) => keepObject(repository.id, { oid }, bytes)

/** Fails unless an LFS object was uploaded completely with the given size. */
export const verify = Effect.fnUntraced(function* (proof: Proof<"git.lfs.write">, oid: LfsOid, size: number) {
  if ((yield* linkObject(proof, [oid])).get(oid) !== size) return yield* new LfsObjectNotFound({ oid })
})

const isPath = (path: string): boolean =>
  path !== "" && path.length <= longestPath && path.isWellFormed() && !path.includes("\0") && !path.startsWith("/")

const ownerOf = ({ key, user }: Actor): Pick<LfsLock, "owner" | "userId"> => ({
  userId: user?.id ?? null,
  owner: user?.name ?? key?.title ?? ""
})

/** Locks a path for the caller. If it is already locked, the error contains the existing lock. */
export const lock = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"git.lfs.write">,
  path: string
) {
  if (!isPath(path)) return yield* new LfsPathInvalid()
  const lockedAt = yield* now
  return yield* (yield* LfsStore)
    .lock({ repositoryId: repository.id, path, ...ownerOf(actor), lockedAt })
    .pipe(Effect.catchTag("Duplicate", () => Effect.fail(new LfsPathLocked({ path }))))
})

/** Finds the Git LFS lock of a path; undefined if the path is not locked. */
export const lockOf = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"git.lfs.read"> | Proof<"git.lfs.write">,
  which: { readonly id: number } | { readonly path: string }
) {
  // A path that cannot be locked has no lock.
  return "path" in which && !isPath(which.path) ? undefined : yield* (yield* LfsStore).findLock(repository.id, which)
})

/** Lists the Git LFS locks of a repository, in the order of their ids. */
export const locks = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"git.lfs.read"> | Proof<"git.lfs.write">,
  page: PageRequest
) {
  return yield* (yield* LfsStore).locks(repository.id, page)
})

/** Returns whether a Git LFS lock belongs to the caller. */
export const isOwn = ({ resource: { actor } }: Proof<"git.lfs.write">, { owner, userId }: LfsLock): boolean => {
  const own = ownerOf(actor)
  return own.userId === userId && (userId !== null || own.owner === owner)
}

/** Removes a lock of the caller. With `force`, repository administrators can remove any lock. */
export const unlock = Effect.fnUntraced(function* (proof: Proof<"git.lfs.write">, id: number, force: boolean) {
  const { facts, repository } = proof.resource
  const store = yield* LfsStore
  const found = yield* store.findLock(repository.id, { id })
  if (found === undefined) return yield* new LfsLockNotFound({ id })
  const mayForce = force && allows("repository.edit", facts)
  if (!isOwn(proof, found) && !mayForce) return yield* new LfsLockOfAnother({ owner: found.owner })
  yield* store.unlock(repository.id, id)
  return found
})
