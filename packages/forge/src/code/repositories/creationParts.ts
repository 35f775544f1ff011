import { Level } from "@slipway/access"
import { now, StoreUnavailable, Transaction } from "@slipway/domain"
import type { Work } from "@slipway/domain/forge/background"
import type { RepositoryWithGrants } from "@slipway/domain/forge/code"
import {
  type NewRepository,
  type OwnerKey,
  type Repository,
  RepositoryNameTaken,
  RepositoryNotFound,
  RepositoryStore,
  switchesBut,
  TooManyRepositories,
  usualPreferences
} from "@slipway/domain/forge/code"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import type { Details } from "@slipway/domain/forge/identity"
import {
  type Actor,
  OrganizationNotFound,
  OrganizationStore,
  signedInUser,
  type User,
  UserNotFound,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { record } from "../../base/events/record.ts"
import * as Jobs from "../../base/jobs/jobWorker.ts"
import * as Entry from "../../entry/Entry.ts"
import * as Watches from "../interests/Watches.ts"
import { deleteRepository } from "./deletion.ts"

/**
 * Locks the owner of a new repository, so that it is not deleted concurrently. Fails if the owner has the maximum
 * number of repositories.
 */
export const lockOwner = Effect.fnUntraced(function* (owner: OwnerKey, name: string) {
  if (owner.kind === "organization") {
    if ((yield* (yield* OrganizationStore).lock(owner.id)) === undefined)
      return yield* new OrganizationNotFound({ name })
    return
  }
  const user = yield* (yield* UserStore).lock(owner.id)
  if (user === undefined) return yield* new UserNotFound({ name })
  if (user.maxRepositories < 0) return
  const owned = yield* (yield* RepositoryStore).countOwned(owner.id)
  if (owned >= user.maxRepositories) return yield* new TooManyRepositories({ most: user.maxRepositories })
})

/** The owner of a new repository, and the user who creates it. */
export interface Holder {
  readonly owner: OwnerKey
  readonly name: string
  readonly author: User
  /** Whether the creator is the owner of the repository, or an owner of the organization that owns it. */
  readonly ownsIt: boolean
}

/** Returns a user as both the owner and the creator of a new repository. */
export const ownHolder = (author: User): Holder => ({
  owner: { kind: "user", id: author.id },
  name: author.name,
  author,
  ownsIt: true
})

/**
 * Returns the organization of a proof (result of authorization) as the owner of a new repository, with the actor as its
 * creator.
 */
export const organizationHolder = ({
  resource
}: Proof<"organization.repository.create"> | Proof<"organization.repository.create-deprecated">): Holder => {
  const { membership, organization } = resource
  const owner = { kind: "organization", id: organization.id } as const
  return { owner, name: organization.name, author: signedInUser(resource), ownsIt: membership.owner }
}

/**
 * Returns the owner of a new repository: the organization that the request names, otherwise the actor.
 *
 * Every way of creating a repository in an organization requires the same permission (invariant I12, CVE-2026-22555).
 */
export const holderNamed = Effect.fnUntraced(function* (actor: Actor, name: string | undefined) {
  const author = signedInUser({ actor })
  if (name === undefined || name.toLowerCase() === author.name.toLowerCase()) return ownHolder(author)
  const entered = yield* Entry.authorizeSecondResource(actor, { kind: "organization", organization: name })
  // A former name does not count for new repositories.
  const asked = Entry.authorize("organization.repository.create", entered)
  return organizationHolder(yield* Effect.catchTag(asked, "Renamed", () => new OrganizationNotFound({ name })))
})

/**
 * The units (features) that a new repository has; the external wiki and issue tracker are off until their URLs are set.
 */
export const usualUnits = switchesBut("repo.ext_wiki", "repo.ext_issues")

/** The settings of a new repository; omitted ones get their defaults. */
export type NewSettings = Pick<NewRepository, "name" | "defaultBranch" | "empty"> &
  Partial<Omit<NewRepository, "owner" | "createdAt" | "updatedAt">>

/** The parts of the creation of a repository that differ between the ways to create one. */
export interface CreationParts<E, R> {
  readonly settings: NewSettings
  /** Returns the background job that creates the git repository. */
  readonly git: (repository: Repository) => Work
  /** Whether the creation fails if git cannot create its repository immediately; otherwise a worker retries. */
  readonly needed: boolean
  /** Returns an effect that stores related rows in the same transaction. */
  readonly beside?: (repository: Repository) => Effect.Effect<unknown, E, R>
  readonly details?: Details
}

const missing = ({ name, owner }: Repository) => new RepositoryNotFound({ name: `${owner.name}/${name}` })

/**
 * Removes a repository from the database after its git repository could not be created, so that the request can be
 * repeated.
 */
const undone = Effect.fnUntraced(function* (proof: Proof<LoadedAction>, repository: Repository) {
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* deleteRepository(repository.id)
      yield* record(proof, { repository, details: { undone: "its git repository could not be created" } })
    })
  )
  return yield* Effect.die(
    new StoreUnavailable({ reason: "full", cause: "the git repository of a repository could not be created" })
  )
})

/** Stores a new repository and the event of its creation in one transaction, then creates its git repository. */
export const makeRepository = Effect.fnUntraced(function* <A extends LoadedAction, E = never, R = never>(
  createProof: Proof<A>,
  { author, name: ownerName, owner, ownsIt }: Holder,
  { beside, details = {}, git, needed, settings }: CreationParts<E, R>
) {
  const proof = createProof as unknown as Proof<LoadedAction>
  const { actor } = proof.resource as { readonly actor: Actor }
  const { name } = settings
  const at = yield* now
  const { job, repository } = yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* lockOwner(owner, ownerName)
      const repository = yield* (yield* RepositoryStore)
        .insert({
          owner,
          description: "",
          website: "",
          private: false,
          archived: false,
          archivedAt: null,
          mirror: false,
          template: false,
          units: usualUnits,
          preferences: usualPreferences,
          objectFormat: "sha1",
          size: 0,
          ...settings,
          createdAt: at,
          updatedAt: at
        })
        .pipe(Effect.mapError(() => new RepositoryNameTaken({ name })))
      // The creator of an organization's repository becomes its administrator, even after leaving the team that allowed
      // it.
      const administers = owner.kind === "organization" && !ownsIt
      if (administers) {
        yield* (yield* RepositoryStore).setCollaborator(repository.id, { userId: author.id, level: Level.admin })
      }
      if (beside !== undefined) yield* beside(repository)
      yield* record(proof, {
        repository,
        details: administers ? { ...details, collaborator: author.name } : details
      })
      yield* Watches.begin(author.id, repository.id)
      return { job: yield* Jobs.add(git(repository)), repository }
    })
  )
  const hasRun = yield* Jobs.runNow(job)
  // Without a first commit, the git repository may be created later; with one, the request has failed.
  if (!hasRun && needed) return yield* undone(proof, repository)
  const held = yield* (yield* RepositoryStore).grantsOf(actor.userId ?? author.id, repository.id)
  return held ?? ((yield* missing(repository)) satisfies RepositoryWithGrants)
})
