import { Context, type Effect } from "effect"
import type { Duplicate } from "../../../Collection.ts"
import type { Page, PageRequest } from "../../../Page.ts"
import type { AvatarName } from "../avatars/Avatar.ts"
import type { Named, SeenUser, User, UserId } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"

/** A user to insert: no id yet, with the hash of the password, if any, and whether the primary address is confirmed. */
export interface NewUser extends Omit<User, "id" | "avatar" | "secondFactor" | "lastSignInAt"> {
  readonly passwordHash: string | null
  readonly emailVerified: boolean
}

/**
 * The filter of a user list. `text` matches a part of the user name or full name, ignoring case; the other fields must
 * equal those of the user.
 */
export interface UserFilter {
  readonly text?: string | undefined
  readonly id?: number | undefined
  readonly ids?: ReadonlyArray<UserId> | undefined
  /** Matches users by their full user names, ignoring case. */
  readonly names?: ReadonlyArray<string> | undefined
  readonly sourceId?: number | undefined
  readonly loginName?: string | undefined
  readonly admin?: boolean | undefined
}

/**
 * Stores users. Users and organizations share one namespace of names.
 *
 * Must:
 * - return a user as inserted, with an id and the primary address
 * - return nothing for a missing user
 * - find a user by name, ignoring case
 * - reject a name of another user, ignoring case
 * - reject an email address of another user, ignoring case
 * - replace only the fields that users and administrators set
 * - change only the avatar on request, and return the previous one
 * - find a renamed user by all previous names, until another user takes them
 * - let a user take back an old name
 * - remove a user with all resources of the user, and report when it is missing
 * - list the visible users by name, with the matching total
 * - find the service account, and omit it from lists
 * - find users by a part of their name or full name, ignoring case, with any special characters
 * - find users by id, by full names, by source and login name
 * - find many users by id, each once, including hidden ones
 * - show restricted viewers only their own account and users who share an organization or a repository with them
 * - count the follows that the viewer can see
 * - count the public repositories that a user starred
 * - let only one transaction at a time change the administrators of the site
 * - block changes to a locked user by other transactions until this one ends
 */
export class UserStore extends Context.Service<
  UserStore,
  {
    /** Inserts a user. Fails with `Duplicate` of `owner.name` (name taken) or `email.address` (address taken). */
    readonly insert: (user: NewUser) => Effect.Effect<User, Duplicate>
    readonly find: (id: UserId) => Effect.Effect<User | undefined>
    readonly named: (name: string) => Effect.Effect<Named | undefined>
    /** Finds the service account that actions jobs use; undefined if it does not exist yet. */
    readonly system: Effect.Effect<User | undefined>
    /** Finds a user by id and locks it until the current transaction ends. */
    readonly lock: (id: UserId) => Effect.Effect<User | undefined>
    /** Replaces the settings and the administrative fields of a user. Returns false if the user does not exist. */
    readonly replace: (user: User) => Effect.Effect<boolean>
    /**
     * Sets or removes the avatar of a user. Returns the name of the previous avatar, or null; undefined if the user
     * does not exist.
     */
    readonly setAvatar: (id: UserId, avatar: AvatarName | null) => Effect.Effect<AvatarName | null | undefined>
    /** Renames a user; the previous name redirects to the user. Returns false if the user does not exist. */
    readonly rename: (id: UserId, name: string) => Effect.Effect<boolean, Duplicate>
    readonly setPassword: (id: UserId, hash: string | null) => Effect.Effect<boolean>
    readonly remove: (id: UserId) => Effect.Effect<boolean>
    /** Reads one page of the users that a viewer can see, by name, with the total number. */
    readonly search: (viewer: Viewer, filter: UserFilter, page: PageRequest) => Effect.Effect<Page<SeenUser>>
    /** Reads users by id, even those hidden from the viewer; `profileOf` must remove their hidden fields. */
    readonly findMany: (viewer: Viewer, ids: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyMap<UserId, SeenUser>>
    /**
     * Returns the administrators who can sign in. Other transactions that call it wait until the current transaction
     * ends, so that the last administrator cannot be removed concurrently.
     */
    readonly lockAdministrators: Effect.Effect<ReadonlyArray<UserId>>
  }
>()("@slipway/domain/forge/UserStore") {}
