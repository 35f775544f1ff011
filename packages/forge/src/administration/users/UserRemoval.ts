import { Transaction } from "@slipway/domain"
import { RepositoryStore } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  AvatarStore,
  IsOnlyOwner,
  OrganizationStore,
  OwnsRepositories,
  UserNotFound,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { record } from "../../base/events/record.ts"
import { refusePackages } from "../../base/locks/refusePackages.ts"
import { deleteRepositoriesOf } from "../../code/repositories/deletion.ts"
import { refuseLast, refuseSelf } from "../../identity/accounts/AdminUsers.ts"
import { findUser } from "../../identity/accounts/namedUser.ts"

/**
 * Deletes a user with all dependent data. Fails if the user is the caller or the last administrator.
 *
 * Fails if the user still owns repositories or is the only owner of an organization, unless `purge` is true, which
 * deletes these too.
 */
export const remove = Effect.fnUntraced(function* (proof: Proof<"admin.user.delete">, name: string, purge = false) {
  const { actor } = proof.resource
  const { id } = yield* findUser(name)
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const users = yield* UserStore
      const before = yield* users.lock(id)
      if (before === undefined) return yield* new UserNotFound({ name })
      yield* refuseSelf(actor, before, undefined)
      yield* refuseLast(before, undefined)
      const organizations = yield* OrganizationStore
      const alone = yield* organizations.lockOwnedAlone(id)
      if (purge) {
        for (const each of alone) {
          yield* deleteRepositoriesOf(each.id)
          yield* organizations.remove(each.id)
          if (each.avatar !== null) yield* (yield* AvatarStore).remove(each.avatar)
        }
        yield* deleteRepositoriesOf(id)
      }
      if (alone.length > 0 && !purge) {
        return yield* new IsOnlyOwner({ organizations: alone.map((each) => each.name) })
      }
      if (!purge && (yield* (yield* RepositoryStore).ownsAny(id))) {
        return yield* new OwnsRepositories({ name, kind: "user" })
      }
      if (!purge) yield* refusePackages({ kind: "user", id })
      yield* users.remove(id)
      yield* record(proof, { user: before, details: { purge } })
      if (before.avatar !== null) yield* (yield* AvatarStore).remove(before.avatar)
    })
  )
})
