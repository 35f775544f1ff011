import { Context, type Effect } from "effect"
import type { Duplicate } from "../../Collection.ts"
import type { Page, PageRequest } from "../../Page.ts"
import type { UserId } from "./User.ts"

/** An email address of a user. */
export interface Email {
  readonly id: number
  readonly userId: UserId
  readonly userName: string
  readonly address: string
  readonly verified: boolean
  readonly primary: boolean
}

/**
 * Keeps the email addresses of users, each of whom has a primary one.
 *
 * Must:
 * - list the addresses of one user alone, the primary one among them, in the order of their insertion
 * - add all addresses or none, and refuse what another or the same user has, ignoring case
 * - remove addresses of one user alone, ignoring case, but never the primary one
 * - put an address in the place of the primary one, which goes
 * - make an address that the user has the primary one
 * - confirm an address of one user alone, ignoring case, and tell whether they have it
 * - tell whose confirmed addresses some are, ignoring case
 * - list the addresses of all users by a part of the address or of the user's name, and count them
 */
export class EmailStore extends Context.Service<
  EmailStore,
  {
    readonly ofUser: (user: UserId) => Effect.Effect<ReadonlyArray<Email>>
    /** Fails with `Duplicate` of `email.address`. */
    readonly add: (
      user: UserId,
      addresses: ReadonlyArray<string>,
      verified: boolean
    ) => Effect.Effect<ReadonlyArray<Email>, Duplicate>
    readonly remove: (user: UserId, addresses: ReadonlyArray<string>) => Effect.Effect<void>
    /** Fails with `Duplicate` of `email.address`. */
    readonly replacePrimary: (user: UserId, address: string) => Effect.Effect<void, Duplicate>
    readonly confirm: (user: UserId, address: string) => Effect.Effect<boolean>
    /** By address as it was asked for; those that nobody has confirmed are left out. */
    readonly owners: (addresses: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, UserId>>
    readonly search: (text: string, page: PageRequest) => Effect.Effect<Page<Email>>
  }
>()("@slipway/domain/forge/EmailStore") {}
