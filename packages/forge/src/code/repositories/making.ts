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
import * as Jobs from "../../base/jobs/running.ts"
import * as Entry from "../../entry/Entry.ts"
import * as Watches from "../interests/Watches.ts"
import { deleteRepository } from "./deletion.ts"

/** Keeps the owner as they are meanwhile, so that they don't go and don't come to own too many. */
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

/** Who is to own a new repository, and who makes it. */
export interface Holder {
  readonly owner: OwnerKey
  readonly name: string
  readonly author: User
  /** Whether whoever makes it owns it, by themselves or as an owner of the organization. */
  readonly ownsIt: boolean
}

/** Returns a user as the owner of what they make. */
export const ownHolder = (author: User): Holder => ({
  owner: { kind: "user", id: author.id },
  name: author.name,
  author,
  ownsIt: true
})

/** Returns the organization of a proof as the owner of what whoever acts makes there. */
export const organizationHolder = ({
  resource
}: Proof<"organization.repository.create"> | Proof<"organization.repository.create-deprecated">): Holder => {
  const { membership, organization } = resource
  const owner = { kind: "organization", id: organization.id } as const
  return { owner, name: organization.name, author: signedInUser(resource), ownsIt: membership.owner }
}

/**
 * Finds for whom whoever acts makes a repository that a request names an owner of: themselves, or an organization.
 *
 * Of an organization one question is asked, however the repository comes about (invariant I12, CVE-2026-22555).
 */
export const holderNamed = Effect.fnUntraced(function* (actor: Actor, name: string | undefined) {
  const author = signedInUser({ actor })
  if (name === undefined || name.toLowerCase() === author.name.toLowerCase()) return ownHolder(author)
  const entered = yield* Entry.enterElsewhere(actor, { kind: "organization", organization: name })
  // A name that it had before leads to nothing that is made.
  const asked = Entry.authorize("organization.repository.create", entered)
  return organizationHolder(yield* Effect.catchTag(asked, "Renamed", () => new OrganizationNotFound({ name })))
})

/** The units that a repository begins with: external ones lead elsewhere, so they are off until somebody says where to. */
export const usualUnits = switchesBut("repo.ext_wiki", "repo.ext_issues")

/** What is said of a new repository; the rest is as it usually is. */
export type NewSettings = Pick<NewRepository, "name" | "defaultBranch" | "empty"> &
  Partial<Omit<NewRepository, "owner" | "createdAt" | "updatedAt">>

/** How a repository is made. */
export interface Making<E, R> {
  readonly settings: NewSettings
  /** What makes its git repository. */
  readonly git: (repository: Repository) => Work
  /** Whether it isn't made at all unless its git repository is made at once. */
  readonly needed: boolean
  /** What is stored beside it, in the same transaction. */
  readonly beside?: (repository: Repository) => Effect.Effect<unknown, E, R>
  readonly details?: Details
}

const missing = ({ name, owner }: Repository) => new RepositoryNotFound({ name: `${owner.name}/${name}` })

/** Takes back a repository whose git repository can't be made, so that the same request may be sent again. */
const undone = Effect.fnUntraced(function* (proof: Proof<LoadedAction>, repository: Repository) {
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* deleteRepository(repository.id)
      yield* record(proof, { repository, details: { undone: "its git repository could not be made" } })
    })
  )
  return yield* Effect.die(
    new StoreUnavailable({ reason: "full", cause: "the git repository of a repository could not be made" })
  )
})

/** Makes a repository for its owner, with its event, and its git repository right behind it. */
export const makeRepository = Effect.fnUntraced(function* <A extends LoadedAction, E = never, R = never>(
  given: Proof<A>,
  { author, name: ownerName, owner, ownsIt }: Holder,
  { beside, details = {}, git, needed, settings }: Making<E, R>
) {
  const proof = given as unknown as Proof<LoadedAction>
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
      // Whoever makes a repository for an organization administers it, also when they leave the team that let them.
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
  const made = yield* Jobs.runNow(job)
  // Without a commit the git repository may come later; with one, what was asked for is not there.
  if (!made && needed) return yield* undone(proof, repository)
  const held = yield* (yield* RepositoryStore).grantsOf(actor.userId ?? author.id, repository.id)
  return held ?? ((yield* missing(repository)) satisfies RepositoryWithGrants)
})
