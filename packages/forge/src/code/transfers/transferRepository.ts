import { now, Transaction } from "@slipway/domain"
import { WorkflowSearch } from "@slipway/domain/forge/automation"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  forks,
  type OwnerKey,
  ProtectionStore,
  type Repository,
  RepositoryNameTaken,
  RepositoryNotFound,
  RepositoryStore
} from "@slipway/domain/forge/code"
import { reviews } from "@slipway/domain/forge/collaboration"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import type { OwnerId } from "@slipway/domain/forge/identity"
import { TeamId, TeamStore } from "@slipway/domain/forge/identity"
import { packageLinks } from "@slipway/domain/forge/registries"
import { Effect } from "effect"
import { record } from "../../base/events/record.ts"
import { lockOwner } from "../repositories/creationParts.ts"
import { withdraw } from "./withdraw.ts"

/** The new owner of a repository, and the teams that get access to it. */
export interface Recipient {
  readonly owner: OwnerKey
  readonly name: string
  readonly teamIds: ReadonlyArray<TeamId>
}

/**
 * Updates the owner of a fork. If the new owner already has a fork of the same parent, this repository stops being a
 * fork.
 */
const forkOwner = Effect.fnUntraced(function* (repositoryId: RepositoryId, ownerId: OwnerId) {
  const store = yield* forks.store
  const row = yield* store.findBy("repository", { repositoryId })
  if (row === undefined) return
  const others = row.parentId === null ? undefined : yield* store.findBy("owner", { parentId: row.parentId, ownerId })
  yield* Effect.orDie(store.patch({ repositoryId }, row.id, { ownerId: others === undefined ? ownerId : null }))
})

/** Removes review requests to teams of the previous owner, because these teams lose access (invariant I7). */
const withdrawTeamRequests = Effect.fnUntraced(function* (repositoryId: RepositoryId) {
  const store = yield* reviews.store
  yield* store.removeWhere({ repositoryId }, { state: "requested", teamId: { from: TeamId.make(1) } })
})

/**
 * Moves a repository to another owner in the current transaction.
 *
 * The old name redirects to the new one. Everything that depends on the previous owner is removed: access of its teams,
 * its labels, package links, and teams in protections. The new owner and users that the new owner blocks are removed as
 * collaborators.
 */
export const transferRepository = Effect.fnUntraced(function* <A extends LoadedAction>(
  proof: Proof<A>,
  repository: Repository,
  { name, owner, teamIds }: Recipient
) {
  const { id } = repository
  const missing = () => new RepositoryNotFound({ name: `${repository.owner.name}/${repository.name}` })
  const repositories = yield* RepositoryStore
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* lockOwner(owner, name)
      const before = yield* repositories.lock(id)
      if (before === undefined || before.owner.id !== repository.owner.id) return yield* missing()
      yield* withdraw(id)
      const moved = Effect.mapError(
        repositories.transfer(id, owner),
        () => new RepositoryNameTaken({ name: before.name })
      )
      yield* moved
      yield* (yield* TeamStore).addToTeams(teamIds, id)
      yield* forkOwner(id, owner.id)
      yield* (yield* WorkflowSearch).follow(id, owner.id)
      // The old owner's teams do not apply to the new owner (invariant I7).
      yield* (yield* ProtectionStore).withoutTeams(id)
      yield* withdrawTeamRequests(id)
      yield* (yield* packageLinks.store).removeWhere({ repositoryId: id })
      yield* repositories.replace({ ...before, updatedAt: yield* now })
      const after = yield* repositories.find(id)
      if (after === undefined) return yield* missing()
      const details = { from: `${before.owner.name}/${before.name}`, to: name }
      yield* record(proof as unknown as Proof<LoadedAction>, { repository: after, details })
      return after
    })
  )
})
