import { Effect } from "effect"
import { now } from "../../Time.ts"
import { signedInUser } from "../accounts/Actor.ts"
import { UserStore } from "../accounts/UserStore.ts"
import type { Proof } from "../entry/Proof.ts"
import { audited } from "../events/record.ts"
import { type IdentityId, IdentityNotFound, IdentityTaken, identities } from "./Identity.ts"
import type { Outsider } from "./OutsideProvider.ts"

const most = { page: 1, perPage: 100 }

/** Finds the user who has an identity. Whether they may sign in is decided afterwards (invariant I16). */
export const userOf = Effect.fnUntraced(function* ({ issuer, subject }: Outsider) {
  const found = yield* (yield* identities.store).findBy("subject", { issuer, subject })
  return found === undefined ? undefined : yield* (yield* UserStore).find(found.userId)
})

/** Lists the caller's identities at other services. */
export const list = Effect.fnUntraced(function* ({ resource }: Proof<"account.identity.list">) {
  const { rows } = yield* (yield* identities.store).list({ userId: signedInUser(resource).id }, most)
  return rows
})

/** Lets another service sign the caller in, who has shown both who they are there and the password here. */
export const link = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.session.create">, { issuer, subject }: Outsider) {
    const userId = signedInUser(resource).id
    return yield* (yield* identities.store)
      .insert({ userId, issuer, subject, createdAt: yield* now })
      .pipe(Effect.mapError(() => new IdentityTaken({ issuer })))
  }),
  ({ id, issuer }) => ({ details: { identity: id, issuer } })
)

/** Lets another service no longer sign the caller in. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.identity.delete">, id: number) {
    const userId = signedInUser(resource).id
    if (!(yield* (yield* identities.store).remove({ userId }, id as IdentityId)))
      return yield* new IdentityNotFound({ id })
  }),
  (_, identity) => ({ details: { identity } })
)
