import { Effect } from "effect"
import type { PageRequest } from "../../Page.ts"
import { BlockStore } from "../accounts/BlockStore.ts"
import { UserNotFound } from "../accounts/User.ts"
import { findUserUnlessHiddenRename, findVisibleUser } from "../accounts/Users.ts"
import type { Proof } from "../entry/Proof.ts"
import { audited } from "../events/record.ts"
import { RepositoryStore } from "../repositories/RepositoryStore.ts"
import { MemberStore } from "./MemberStore.ts"
import { MemberNotBlocked, OrganizationNotFound } from "./Organization.ts"
import { OrganizationStore } from "./OrganizationStore.ts"

/** Lists whom an organization blocks and the caller sees. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, organization } }: Proof<"organization.block.list">,
  page: PageRequest
) {
  return yield* (yield* BlockStore).list(actor, organization.id, page)
})

/** Tells whether an organization blocks a user. */
export const check = Effect.fnUntraced(function* (
  { resource: { actor, organization } }: Proof<"organization.block.check">,
  name: string
) {
  const blocked = yield* findVisibleUser(actor, name)
  return (yield* (yield* BlockStore).find(organization.id, blocked.id)) !== undefined
})

/** Lets an organization block a user, who is no member, and takes what the user was given on its repositories. */
export const add = audited(
  Effect.fnUntraced(function* (
    { resource: { actor, organization } }: Proof<"organization.block.add">,
    name: string,
    note: string
  ) {
    const blocked = yield* findVisibleUser(actor, name)
    const locked = yield* (yield* OrganizationStore).lock(organization.id)
    if (locked === undefined) return yield* new OrganizationNotFound({ name: organization.name })
    if ((yield* (yield* MemberStore).find(organization.id, blocked.id)) !== undefined) {
      return yield* new MemberNotBlocked({ name })
    }
    yield* (yield* BlockStore).add({ blocker: organization.id, blocked: blocked.id, note })
    yield* (yield* RepositoryStore).removeCollaborations(organization.id, blocked.id)
  }),
  (_, name) => ({ details: { user: name } })
)

/** Stops an organization from blocking a user, also one whom the caller doesn't see. */
export const remove = audited(
  Effect.fnUntraced(function* (
    { resource: { actor, organization } }: Proof<"organization.block.remove">,
    name: string
  ) {
    const { id } = yield* findUserUnlessHiddenRename(actor, name)
    if (!(yield* (yield* BlockStore).remove(organization.id, id))) return yield* new UserNotFound({ name })
  }),
  (_, name) => ({ details: { user: name } })
)
