import { now } from "@slipway/domain"
import type { Proof } from "@slipway/domain/forge/entry"
import type { Outsider } from "@slipway/domain/forge/identity"
import {
  type IdentityId,
  IdentityNotFound,
  IdentityTaken,
  identities,
  signedInUser,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"

const most = { page: 1, perPage: 100 }

/** Finds the user of an external identity; does not check whether the user may sign in (invariant I16). */
export const userOf = Effect.fnUntraced(function* ({ issuer, subject }: Outsider) {
  const found = yield* (yield* identities.store).findBy("subject", { issuer, subject })
  return found === undefined ? undefined : yield* (yield* UserStore).find(found.userId)
})

/** Lists the caller's external identities. */
export const list = Effect.fnUntraced(function* ({ resource }: Proof<"account.identity.list">) {
  const { rows } = yield* (yield* identities.store).list({ userId: signedInUser(resource).id }, most)
  return rows
})

/** Links an external identity to the caller, who has proven both the identity and the password. */
export const link = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.session.create">, { issuer, subject }: Outsider) {
    const userId = signedInUser(resource).id
    return yield* (yield* identities.store)
      .insert({ userId, issuer, subject, createdAt: yield* now })
      .pipe(Effect.mapError(() => new IdentityTaken({ issuer })))
  }),
  ({ id, issuer }) => ({ details: { identity: id, issuer } })
)

/** Unlinks an external identity of the caller. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.identity.delete">, id: number) {
    const userId = signedInUser(resource).id
    if (!(yield* (yield* identities.store).remove({ userId }, id as IdentityId)))
      return yield* new IdentityNotFound({ id })
  }),
  (_, identity) => ({ details: { identity } })
)
