import type { PageRequest } from "@slipway/domain"
import { RepositoryStore } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  BlockStore,
  MemberNotBlocked,
  MemberStore,
  OrganizationNotFound,
  OrganizationStore,
  UserNotFound
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { findUserUnlessHiddenRename, findVisibleUser } from "../accounts/Users.ts"

/** Lists the users that an organization blocks and the caller sees. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, organization } }: Proof<"organization.block.list">,
  page: PageRequest
) {
  return yield* (yield* BlockStore).list(actor, organization.id, page)
})

/** Returns whether an organization blocks a user. */
export const check = Effect.fnUntraced(function* (
  { resource: { actor, organization } }: Proof<"organization.block.check">,
  name: string
) {
  const blocked = yield* findVisibleUser(actor, name)
  return (yield* (yield* BlockStore).find(organization.id, blocked.id)) !== undefined
})

/** Blocks a user for an organization, and removes the user's collaborations on its repositories; fails for a member. */
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

/** Unblocks a user for an organization, even one that the caller does not see. */
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
