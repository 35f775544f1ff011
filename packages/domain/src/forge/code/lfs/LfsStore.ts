import { Context, type Effect, Schema } from "effect"
import type { Duplicate } from "../../../Collection.ts"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { UserId } from "../../identity/users/User.ts"

/** The schema of a Git LFS object id: the SHA-256 of the content, in lower-case hexadecimal digits. */
export const LfsOid = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)).pipe(Schema.brand("LfsOid"))
export type LfsOid = typeof LfsOid.Type

/** An LFS object of a repository. */
export interface LfsObject {
  readonly repositoryId: RepositoryId
  readonly oid: LfsOid
  /** The size in bytes. */
  readonly size: number
}

/** A Git LFS file lock, which reserves a path for one user. */
export interface LfsLock {
  readonly id: number
  readonly repositoryId: RepositoryId
  readonly path: string
  /** The owner of the lock; null for a deploy key. */
  readonly userId: UserId | null
  readonly owner: string
  readonly lockedAt: string
}

/**
 * Stores the LFS objects and the file locks of repositories.
 *
 * Must:
 * - link an object to a repository once, and find it only there
 * - return which of the given objects a repository has
 * - lock a path of a repository once
 * - find a lock only in its own repository, by its id and by its path
 * - list the locks of a repository by id, and count them
 * - remove a lock once, and report when it is missing
 * - remove the objects and locks of a removed repository
 */
export class LfsStore extends Context.Service<
  LfsStore,
  {
    readonly link: (object: LfsObject) => Effect.Effect<void>
    readonly linked: (
      repository: RepositoryId,
      oids: ReadonlyArray<LfsOid>
    ) => Effect.Effect<ReadonlyMap<LfsOid, number>>
    /** Locks a path; fails with `Duplicate` (`lfsLock.path`) if it is already locked. */
    readonly lock: (lock: Omit<LfsLock, "id">) => Effect.Effect<LfsLock, Duplicate>
    readonly findLock: (
      repository: RepositoryId,
      which: { readonly id: number } | { readonly path: string }
    ) => Effect.Effect<LfsLock | undefined>
    readonly locks: (repository: RepositoryId, page: PageRequest) => Effect.Effect<Page<LfsLock>>
    readonly unlock: (repository: RepositoryId, id: number) => Effect.Effect<boolean>
  }
>()("@slipway/domain/forge/LfsStore") {}
