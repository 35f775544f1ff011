import type { PageRequest } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  type Email,
  type EmailAddress,
  EmailIsPrimary,
  EmailNotFound,
  EmailSearch,
  EmailTaken,
  emails,
  emailsOf,
  sameName,
  signedInUser,
  type User,
  UserNotFound,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import * as EmailConfirmations from "./EmailConfirmations.ts"

const ofUser =
  ({ name }: Pick<User, "name">) =>
  (email: Email) => ({ ...email, userName: name })

/** Lists the caller's email addresses. */
export const list = Effect.fnUntraced(function* ({ resource }: Proof<"account.email.list">) {
  const user = signedInUser(resource)
  return (yield* emailsOf(user.id)).map(ofUser(user))
})

/**
 * Adds email addresses to the caller's account, all or none. Returns all addresses of the account.
 *
 * They count as confirmed immediately, unless the site requires a confirmation email.
 */
export const add = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.email.add">, addresses: ReadonlyArray<EmailAddress>) {
    const user = signedInUser(resource)
    const { switches } = yield* SiteSettings
    const twice = addresses.find((each, at) => addresses.slice(0, at).some((other) => sameName(each, other)))
    if (twice !== undefined) return yield* new EmailTaken({ address: twice })
    const verified = !switches.confirmationRequired
    const rows = addresses.map((address) => ({ userId: user.id, primaryOf: null, address, verified }))
    // Concurrent inserts of the same addresses may deadlock; transactions retry.
    yield* (yield* emails.store).insertMany(rows).pipe(
      Effect.catchTags({
        Duplicate: () => Effect.fail(new EmailTaken({ address: addresses.join(", ") })),
        Missing: () => Effect.fail(new UserNotFound({ name: user.name }))
      })
    )
    if (!verified) yield* EmailConfirmations.ask(user, addresses)
    return (yield* emailsOf(user.id)).map(ofUser(user))
  }),
  (_, addresses) => ({ details: { addresses: addresses.join(", ") } })
)

/** Removes email addresses of the caller, all or none. The primary address cannot be removed. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.email.remove">, addresses: ReadonlyArray<string>) {
    const { id, name } = signedInUser(resource)
    if ((yield* (yield* UserStore).lock(id)) === undefined) return yield* new UserNotFound({ name })
    const own = yield* emailsOf(id)
    for (const address of addresses) {
      const found = own.find((each) => sameName(each.address, address))
      if (found === undefined) return yield* new EmailNotFound({ address })
      if (found.primaryOf !== null) return yield* new EmailIsPrimary({ address })
    }
    yield* (yield* emails.store).removeWhere({ userId: id }, { address: { in: addresses } })
  }),
  (_, addresses) => ({ details: { addresses: addresses.join(", ") } })
)

/** Lists the email addresses of all users. */
export const listAll = Effect.fnUntraced(function* (_: Proof<"admin.email.list">, page: PageRequest) {
  return yield* (yield* EmailSearch).search("", page)
})

/** Searches the email addresses of all users by a part of the address or of the user name. */
export const searchAll = Effect.fnUntraced(function* (_: Proof<"admin.email.search">, text: string, page: PageRequest) {
  return yield* (yield* EmailSearch).search(text, page)
})
