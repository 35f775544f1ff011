import { Context, type Effect } from "effect"
import type { Duplicate } from "../../../Collection.ts"
import type { Page, PageRequest } from "../../../Page.ts"
import type { AvatarName } from "../avatars/Avatar.ts"
import type { Named, SeenUser, User, UserId } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"

/** A user who has no number yet, with the hash of the password, if any, and whether the primary address is confirmed. */
export interface NewUser extends Omit<User, "id" | "avatar" | "secondFactor" | "lastSignInAt"> {
  readonly passwordHash: string | null
  readonly emailVerified: boolean
}

/** The filter of a user list: the name or full name contains `text`, ignoring case, and the facts match. */
export interface UserFilter {
  readonly text?: string | undefined
  readonly id?: number | undefined
  readonly ids?: ReadonlyArray<UserId> | undefined
  /** Full names, ignoring case. */
  readonly names?: ReadonlyArray<string> | undefined
  readonly sourceId?: number | undefined
  readonly loginName?: string | undefined
  readonly admin?: boolean | undefined
}

/**
 * Keeps users; their names are those of one register that organizations share.
 *
 * Must:
 * - give back a user as it was inserted, with a number and the primary address
 * - answer nothing for a user who is not there
 * - find a user by name, ignoring case
 * - refuse a name that another has, ignoring case
 * - refuse an address that another has, ignoring case
 * - replace all that users and administrators set, and nothing else
 * - change the picture alone when asked to, and answer which one it was
 * - find a renamed user by every name they had, until another takes it
 * - give a user their old name back
 * - remove a user with all that is theirs, and tell when there was none
 * - list the users that the viewer sees, by name, and count them alike
 * - find the account of the service itself, and leave it out of lists
 * - find users by a part of their name or full name, ignoring case, whatever signs it holds
 * - find users by number, by whole names, by source and login name
 * - find many users by their numbers, seen or not, each once
 * - show restricted users themselves and those whom they share an organization or a repository with
 * - count the follows that the viewer sees
 * - count the repositories that somebody starred and everybody sees
 * - let one transaction at a time change who administers the site
 * - keep other transactions from changing a user it has locked until this one ends
 */
export class UserStore extends Context.Service<
  UserStore,
  {
    /** Fails with `Duplicate` of `owner.name` or `email.address`. */
    readonly insert: (user: NewUser) => Effect.Effect<User, Duplicate>
    readonly find: (id: UserId) => Effect.Effect<User | undefined>
    readonly named: (name: string) => Effect.Effect<Named | undefined>
    /** Finds the account of the service itself, where it was needed before. */
    readonly system: Effect.Effect<User | undefined>
    /** Finds a user and keeps it as it is until the running transaction ends. */
    readonly lock: (id: UserId) => Effect.Effect<User | undefined>
    /** Replaces the settings and the standing of a user. */
    readonly replace: (user: User) => Effect.Effect<boolean>
    /** Gives a user another picture, or none; answers which one they had; nothing when the user is not there. */
    readonly setAvatar: (id: UserId, avatar: AvatarName | null) => Effect.Effect<AvatarName | null | undefined>
    /** Renames a user; the previous name redirects to them. */
    readonly rename: (id: UserId, name: string) => Effect.Effect<boolean, Duplicate>
    readonly setPassword: (id: UserId, hash: string | null) => Effect.Effect<boolean>
    readonly remove: (id: UserId) => Effect.Effect<boolean>
    /** Reads one page of the users that a viewer sees, by name, with the number of all of them. */
    readonly search: (viewer: Viewer, filter: UserFilter, page: PageRequest) => Effect.Effect<Page<SeenUser>>
    /**
     * Reads users by their numbers, including those that the viewer cannot see: `profileOf` removes their hidden
     * fields.
     */
    readonly findMany: (viewer: Viewer, ids: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyMap<UserId, SeenUser>>
    /** Answers the administrators who can sign in, and keeps other transactions from asking until this one ends. */
    readonly lockAdministrators: Effect.Effect<ReadonlyArray<UserId>>
  }
>()("@slipway/domain/forge/UserStore") {}
