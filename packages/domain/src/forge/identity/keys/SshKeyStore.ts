import { Context, type Effect } from "effect"
import type { Duplicate } from "../../../Collection.ts"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { UserId } from "../users/User.ts"

import type { SshKey, SshKeyId } from "./SshKey.ts"

/** An SSH key to insert: it has no id yet and was never used. */
export type NewSshKey = Omit<SshKey, "id" | "usedAt">

/**
 * Stores the SSH keys of users, and the deploy keys of repositories.
 *
 * Must:
 * - return a key as inserted, with an id, and never used
 * - reject a second key with the same fingerprint, under any owner
 * - find a key by its id and by its fingerprint
 * - list the keys of a user by id, and count them
 * - list the keys of a repository by id, and count them
 * - list the keys of many users in one call, up to a limit per user
 * - remove a key once, and report when it is missing
 * - store when a key was used
 * - remove the keys of a removed user or repository
 */
export class SshKeyStore extends Context.Service<
  SshKeyStore,
  {
    /** Inserts a key. Fails with `Duplicate` of `sshKey.fingerprint` if the key exists. */
    readonly insert: (key: NewSshKey) => Effect.Effect<SshKey, Duplicate>
    readonly find: (id: number) => Effect.Effect<SshKey | undefined>
    readonly byFingerprint: (fingerprint: string) => Effect.Effect<SshKey | undefined>
    readonly ofUser: (user: UserId, page: PageRequest) => Effect.Effect<Page<SshKey>>
    readonly ofRepository: (repository: RepositoryId, page: PageRequest) => Effect.Effect<Page<SshKey>>
    /** Lists the keys of several users, by user. A user without keys has no entry. */
    readonly ofUsers: (
      users: ReadonlyArray<UserId>,
      most: number
    ) => Effect.Effect<ReadonlyMap<UserId, ReadonlyArray<SshKey>>>
    readonly remove: (id: SshKeyId) => Effect.Effect<boolean>
    readonly touch: (id: SshKeyId, at: string) => Effect.Effect<void>
  }
>()("@slipway/domain/forge/SshKeyStore") {}
