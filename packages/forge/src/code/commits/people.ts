import type { Ident } from "@slipway/domain/forge/code"
import type { Actor, SeenUser } from "@slipway/domain/forge/identity"
import { UserStore, usersByEmail } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** Returns the user account for the email address of a commit's author or committer; undefined if there is none. */
export type CommitPeople = (who: Pick<Ident, "email"> | undefined) => SeenUser | undefined

/**
 * Finds the user accounts of commit authors and committers by confirmed email addresses. Accounts hidden from the actor
 * are omitted.
 */
export const peopleBehind = Effect.fnUntraced(function* (
  actor: Actor,
  idents: ReadonlyArray<Pick<Ident, "email"> | undefined>
) {
  const addresses = [...new Set(idents.flatMap((ident) => (ident === undefined ? [] : [ident.email.toLowerCase()])))]
  if (addresses.length === 0) return (() => undefined) satisfies CommitPeople
  const owners = yield* usersByEmail(addresses)
  const ids = [...new Set(owners.values())]
  if (ids.length === 0) return (() => undefined) satisfies CommitPeople
  const { rows } = yield* (yield* UserStore).search(actor, { ids }, { page: 1, perPage: ids.length })
  const users = new Map(rows.map((user) => [user.id, user]))
  const people: CommitPeople = (who) => {
    const id = who === undefined ? undefined : owners.get(who.email.toLowerCase())
    return id === undefined ? undefined : users.get(id)
  }
  return people
})
