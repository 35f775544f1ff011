import { Level } from "@slipway/access"
import { now, Transaction } from "@slipway/domain"
import { allows } from "@slipway/domain/forge/access"
import type { RepositoryWithGrants } from "@slipway/domain/forge/code"
import {
  mostTeams,
  type Repository,
  RepositoryNotFound,
  RepositoryStore,
  type Transfer,
  TransferInvalid,
  TransferNotFound,
  TransferPending,
  transfers
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import type { TeamId } from "@slipway/domain/forge/identity"
import { type Actor, OrganizationStore, signedInUser, TeamStore, UserNotFound } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { record } from "../../base/events/record.ts"
import * as Entry from "../../entry/Entry.ts"
import { findVisibleUser } from "../../identity/accounts/Users.ts"
import { factsOfUser } from "../commits/mergePeople.ts"
import { organizationHolder, ownHolder } from "../repositories/creationParts.ts"
import { type Recipient, transferRepository } from "./transferRepository.ts"
import { withdraw } from "./withdraw.ts"

const organizationOf = (actor: Actor, name: string) =>
  Entry.authorizeSecondResource(actor, { kind: "organization", organization: name })

const asYes = <A, E, R>(asked: Effect.Effect<A, E, R>) =>
  Effect.match(asked, { onFailure: () => false, onSuccess: () => true })

/** Fails unless all given teams belong to an organization and are visible to the actor. */
const teamsOf = Effect.fnUntraced(function* (
  actor: Actor,
  proof: Proof<"organization.read">,
  teamIds: ReadonlyArray<TeamId>
) {
  const ids = [...new Set(teamIds)]
  if (ids.length === 0) return ids
  const invalid = (problem: string) => new TransferInvalid({ field: "team_ids", problem })
  if (ids.length > mostTeams) return yield* invalid(`must have at most ${mostTeams} teams`)
  const page = { page: 1, perPage: mostTeams }
  const found = yield* (yield* TeamStore).list(actor, proof.resource.organization.id, { ids }, page)
  return found.rows.length === ids.length ? ids : yield* invalid("must be teams of the new owner")
})

/** Finds the new owner of a repository, and whether the transfer needs the new owner's acceptance. */
const recipientNamed = Effect.fnUntraced(function* (actor: Actor, name: string, teamIds: ReadonlyArray<TeamId>) {
  const entered = yield* organizationOf(actor, name)
  const seen = yield* Effect.option(Entry.authorize("organization.read", entered))
  if (seen._tag === "Some") {
    const { organization } = seen.value.resource
    const owner = { kind: "organization", id: organization.id } as const
    const recipient: Recipient = {
      owner,
      name: organization.name,
      teamIds: yield* teamsOf(actor, seen.value, teamIds)
    }
    // The same rule for all ways in which an organization gets a repository (invariant I12).
    return {
      recipient,
      user: undefined,
      atOnce: yield* asYes(Entry.authorize("organization.repository.create", entered))
    }
  }
  const user = yield* Effect.catchTag(findVisibleUser(actor, name), "UserRenamed", () => new UserNotFound({ name }))
  if (teamIds.length > 0) {
    return yield* new TransferInvalid({ field: "team_ids", problem: "only organizations have teams" })
  }
  const account = yield* Entry.authorizeSecondResource(actor, { kind: "site" })
  const makesForOthers = yield* asYes(Entry.authorize("admin.user.repository.create", account))
  const recipient: Recipient = { owner: { kind: "user", id: user.id }, name: user.name, teamIds: [] }
  return { recipient, user, atOnce: user.id === actor.userId || makesForOthers }
})

const grantsOfActor = Effect.fnUntraced(function* (actor: Actor, { id, name, owner }: Repository) {
  const found = actor.userId === undefined ? undefined : yield* (yield* RepositoryStore).grantsOf(actor.userId, id)
  return found ?? (yield* new RepositoryNotFound({ name: `${owner.name}/${name}` }))
})

/** The fields of a request to transfer a repository to another owner. */
export interface TransferInput {
  readonly newOwner: string
  readonly teamIds: ReadonlyArray<TeamId>
}

/**
 * Transfers a repository to a new owner. It moves immediately if the actor may create repositories for the new owner,
 * otherwise after the new owner accepts.
 */
export const start = Effect.fnUntraced(function* (
  proof: Proof<"repository.transfer">,
  { newOwner, teamIds }: TransferInput
) {
  const { actor, repository } = proof.resource
  const doer = signedInUser(proof.resource)
  const { atOnce, recipient, user } = yield* recipientNamed(actor, newOwner, teamIds)
  const { owner } = recipient
  if (owner.id === repository.owner.id) {
    return yield* new TransferInvalid({ field: "new_owner", problem: "has the repository" })
  }
  if (atOnce) {
    yield* transferRepository(proof, repository, recipient)
    return yield* grantsOfActor(actor, repository)
  }
  const about = { kind: "repository", id: repository.id, named: recipient.name } as const
  yield* Entry.authorizeElsewhere("repository.transfer", actor, about)
  const lent = user !== undefined && !allows("repository.read", yield* factsOfUser(user, repository.id))
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const repositories = yield* RepositoryStore
      const present = yield* repositories.lock(repository.id)
      // A repository transferred meanwhile cannot be offered by its former owner.
      if (present === undefined || present.owner.id !== repository.owner.id) return yield* new TransferNotFound()
      const row: Omit<Transfer, "id"> = {
        repositoryId: repository.id,
        doerId: doer.id,
        userId: owner.kind === "user" ? owner.id : null,
        organizationId: owner.kind === "organization" ? owner.id : null,
        teamIds: recipient.teamIds,
        lent,
        createdAt: yield* now
      }
      yield* (yield* transfers.store).insert(row).pipe(
        Effect.catchTags({
          Duplicate: () => Effect.fail(new TransferPending()),
          Missing: () => Effect.fail(new UserNotFound({ name: newOwner }))
        })
      )
      if (user !== undefined && lent) {
        yield* repositories.setCollaborator(repository.id, { userId: user.id, level: Level.read })
      }
      yield* record(proof, { details: { to: recipient.name, offered: true } })
    })
  )
  return yield* grantsOfActor(actor, repository)
})

type Answering = Proof<"repository.transfer.accept"> | Proof<"repository.transfer.reject">

/**
 * Finds a pending transfer to the actor, or to an organization in which the actor may create repositories.
 *
 * A transfer to any other recipient is reported as missing.
 */
const offered = Effect.fnUntraced(function* ({ resource: { actor, repository } }: Answering) {
  const transfer = yield* (yield* transfers.store).findBy("repository", { repositoryId: repository.id })
  if (transfer === undefined) return yield* new TransferNotFound()
  const { organizationId, teamIds } = transfer
  if (organizationId === null) {
    if (transfer.userId !== actor.userId) return yield* new TransferNotFound()
    const { name, owner } = ownHolder(signedInUser({ actor }))
    return { transfer, recipient: { owner, name, teamIds } satisfies Recipient }
  }
  const organization = yield* (yield* OrganizationStore).find(organizationId)
  if (organization === undefined) return yield* new TransferNotFound()
  const entered = yield* organizationOf(actor, organization.name)
  const asked = Entry.authorize("organization.repository.create", entered)
  const { name, owner } = organizationHolder(yield* Effect.mapError(asked, () => new TransferNotFound()))
  return { transfer, recipient: { owner, name, teamIds } satisfies Recipient }
})

/** Accepts a pending transfer: the repository moves to its new owner. */
export const accept = Effect.fnUntraced(function* (proof: Proof<"repository.transfer.accept">) {
  const { actor, repository } = proof.resource
  const { recipient, transfer } = yield* offered(proof)
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const row = yield* (yield* transfers.store).lock({ repositoryId: repository.id }, transfer.id)
      if (row === undefined) return yield* new TransferNotFound()
      // The recipient may have deleted a team meanwhile.
      const teams = yield* TeamStore
      const there = yield* Effect.filter(recipient.teamIds, (id) =>
        Effect.map(teams.find(id), (team) => team !== undefined)
      )
      yield* transferRepository(proof, repository, { ...recipient, teamIds: there })
    })
  )
  return yield* grantsOfActor(actor, repository)
})

/** Rejects a pending transfer. The current owner of the repository can also use this to withdraw it. */
export const reject = Effect.fnUntraced(function* (proof: Proof<"repository.transfer.reject">) {
  const { facts, grants, repository } = proof.resource
  const mine = allows("repository.transfer", facts)
  const present = yield* (yield* transfers.store).findBy("repository", { repositoryId: repository.id })
  const transfer = mine ? present : (yield* offered(proof)).transfer
  if (transfer === undefined) return yield* new TransferNotFound()
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const row = yield* (yield* transfers.store).lock({ repositoryId: repository.id }, transfer.id)
      if (row === undefined) return yield* new TransferNotFound()
      yield* withdraw(repository.id)
      yield* record(proof)
    })
  )
  return { repository, grants } satisfies RepositoryWithGrants
})
