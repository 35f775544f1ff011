import type { PageRequest } from "@slipway/domain"
import { RepositoryStore } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  BlockStore,
  FollowStore,
  NotYourself,
  signedInUser,
  UserNotFound,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { findUserUnlessHiddenRename, findVisibleUser } from "./Users.ts"

/** Lists the users that the caller blocks, without those that the caller cannot see. */
export const list = Effect.fnUntraced(function* ({ resource }: Proof<"account.block.list">, page: PageRequest) {
  return yield* (yield* BlockStore).list(resource.actor, signedInUser(resource).id, page)
})

/** Returns whether the caller blocks a user. */
export const check = Effect.fnUntraced(function* ({ resource }: Proof<"account.block.check">, name: string) {
  const blocked = yield* findVisibleUser(resource.actor, name)
  return (yield* (yield* BlockStore).find(signedInUser(resource).id, blocked.id)) !== undefined
})

/**
 * Blocks a user on behalf of the caller.
 *
 * Neither of them follows the other any more, and neither remains a collaborator on the other's repositories.
 */
export const add = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.block.add">, name: string, note: string) {
    const self = signedInUser(resource)
    const blocked = yield* findVisibleUser(resource.actor, name)
    if (self.id === blocked.id) return yield* new NotYourself()
    const users = yield* UserStore
    // Following locks the followed user; a fixed order avoids a deadlock if two users block each other.
    for (const id of [self.id, blocked.id].sort((one, other) => one - other)) {
      if ((yield* users.lock(id)) === undefined) return yield* new UserNotFound({ name })
    }
    yield* (yield* BlockStore).add({ blocker: self.id, blocked: blocked.id, note })
    const follows = yield* FollowStore
    yield* follows.remove(self.id, blocked.id)
    yield* follows.remove(blocked.id, self.id)
    const repositories = yield* RepositoryStore
    yield* repositories.removeCollaborations(self.id, blocked.id)
    yield* repositories.removeCollaborations(blocked.id, self.id)
  }),
  (_, name) => ({ details: { user: name } })
)

/** Ends the caller's block of a user, even of a hidden one. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.block.remove">, name: string) {
    const { id } = yield* findUserUnlessHiddenRename(resource.actor, name)
    if (!(yield* (yield* BlockStore).remove(signedInUser(resource).id, id))) return yield* new UserNotFound({ name })
  }),
  (_, name) => ({ details: { user: name } })
)
