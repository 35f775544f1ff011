import { Context, Effect } from "effect"
import { nameKey } from "../../../Collection.ts"
import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { Page, PageRequest } from "../../../Page.ts"
import { EmailTaken, type UserId } from "../users/User.ts"

/** An email address of a user. */
export interface Email {
  readonly id: number
  readonly userId: UserId
  /** The id of the user, if this is the user's primary address; otherwise null. Every user has one primary address. */
  readonly primaryOf: UserId | null
  readonly address: string
  readonly verified: boolean
}

/** The declaration of email addresses, which are unique among all users. */
export const emails = owned<Email>()("email", {
  within: ["userId"],
  fields: {
    userId: Fields.reference("user"),
    primaryOf: Fields.nullable(Fields.reference("user")),
    address: Fields.text({ ignoringCase: true }),
    verified: Fields.boolean()
  },
  filters: ["address"],
  unique: { address: ["address"], primary: ["primaryOf"] }
})

/** The maximum number of email addresses that are read for one user. */
const mostEmails = 1_000

/** Reads the email addresses of a user, in the order in which they were added. */
export const emailsOf = Effect.fnUntraced(function* (userId: UserId) {
  return (yield* (yield* emails.store).listFor("userId", [userId], mostEmails)).get(userId) ?? []
})

/** Finds the users who own the given confirmed addresses. The result is keyed by the address as given. */
export const usersByEmail = Effect.fnUntraced(function* (addresses: ReadonlyArray<string>) {
  const found = yield* (yield* emails.store).findManyBy(
    "address",
    addresses.map((address) => ({ address }))
  )
  const owners = new Map(
    found.flatMap((each) => (each.verified ? [[nameKey(each.address), each.userId] as const] : []))
  )
  return new Map(
    addresses.flatMap((address) => {
      const owner = owners.get(nameKey(address))
      return owner === undefined ? [] : [[address, owner] as const]
    })
  )
})

/**
 * Makes a confirmed address the user's primary address. Runs in the current transaction, in which the user must be
 * locked.
 */
export const replacePrimary = Effect.fnUntraced(function* (userId: UserId, address: string) {
  const store = yield* emails.store
  const known = yield* store.findBy("address", { address })
  if (known !== undefined && known.userId !== userId) return yield* new EmailTaken({ address })
  if (known?.primaryOf !== userId) yield* store.removeBy("primary", { primaryOf: userId })
  const primary = { address, verified: true, primaryOf: userId }
  yield* Effect.mapError(
    known === undefined ? store.insert({ ...primary, userId }) : store.patch({ userId }, known.id, primary),
    () => new EmailTaken({ address })
  )
})

/** An email address with the login name of its user. */
export interface NamedEmail extends Email {
  readonly userName: string
}

/**
 * Searches the email addresses of all users.
 *
 * Must:
 * - find the email addresses of all users by a part of the address or the user name, and count them
 * - omit the email address of the service account
 */
export class EmailSearch extends Context.Service<
  EmailSearch,
  { readonly search: (text: string, page: PageRequest) => Effect.Effect<Page<NamedEmail>> }
>()("@slipway/domain/forge/EmailSearch") {}
