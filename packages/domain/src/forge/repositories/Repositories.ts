import { Effect } from "effect"
import { Level } from "../../access/Level.ts"
import { StoreUnavailable } from "../../StoreUnavailable.ts"
import { now } from "../../Time.ts"
import { Transaction } from "../../Transaction.ts"
import type { Unit } from "../access/Unit.ts"
import { type Proof, signedInUser } from "../accounts/Actor.ts"
import { named } from "../accounts/AdminUsers.ts"
import { type User, UserNotFound } from "../accounts/User.ts"
import { UserStore } from "../accounts/UserStore.ts"
import { record } from "../events/record.ts"
import { type BranchName, GitRepositories } from "../git/GitRepositories.ts"
import * as Watches from "../interests/Watches.ts"
import * as Jobs from "../jobs/Jobs.ts"
import { type Organization, OrganizationNotFound } from "../organizations/Organization.ts"
import { OrganizationStore } from "../organizations/OrganizationStore.ts"
import { firstCommit, type NewRepositoryInput, usualBranch } from "./creation.ts"
import type { RepositoryWithGrants } from "./grants.ts"
import { changedPreferences, changedSwitches, type PreferencesChange, usualPreferences } from "./preferences.ts"
import {
  BranchNotFound,
  type OwnerKey,
  type Repository,
  type RepositoryName,
  RepositoryNameTaken,
  RepositoryNotFound,
  type RepositorySettingsOf,
  switchesBut,
  TooManyRepositories
} from "./Repository.ts"
import { RepositoryStore } from "./RepositoryStore.ts"

const taken = (name: string) => () => new RepositoryNameTaken({ name })
const missing = ({ name, owner }: Repository) => new RepositoryNotFound({ name: `${owner.name}/${name}` })

/** Keeps the owner as they are meanwhile, so that they don't go and don't come to own too many. */
const lockOwner = Effect.fnUntraced(function* (owner: OwnerKey, name: string) {
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

// External units lead elsewhere, so they are off until somebody says where to.
const usualUnits = switchesBut("repo.ext_wiki", "repo.ext_issues")

type Creation =
  | Proof<"account.repository.create">
  | Proof<"admin.user.repository.create">
  | Proof<"organization.repository.create">
  | Proof<"organization.repository.create-deprecated">

/** Takes back a repository whose first commit can't be written, so that the same request may be sent again. */
const undone = Effect.fnUntraced(function* (proof: Creation, repository: Repository) {
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* Jobs.deleteRepository(repository.id)
      yield* record(proof, { repository, details: { undone: "its first commit could not be written" } })
    })
  )
  return yield* Effect.die(new StoreUnavailable({ cause: "the first commit of a repository could not be written" }))
})

const created = Effect.fnUntraced(function* (
  proof: Creation,
  author: User,
  owner: OwnerKey,
  ownerName: string,
  input: NewRepositoryInput,
  ownsIt = true
) {
  const { actor } = proof.resource
  const at = yield* now
  const commit = yield* firstCommit(actor, author, input, at)
  const defaultBranch = input.defaultBranch ?? usualBranch
  const { description = "", name, objectFormat = "sha1", private: isPrivate = false, template = false } = input
  const { job, repository } = yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* lockOwner(owner, ownerName)
      const repository = yield* (yield* RepositoryStore)
        .insert({
          owner,
          name,
          description,
          website: "",
          private: isPrivate,
          archived: false,
          archivedAt: null,
          mirror: false,
          template,
          empty: commit === undefined,
          defaultBranch,
          units: usualUnits,
          preferences: usualPreferences,
          objectFormat,
          size: 0,
          createdAt: at,
          updatedAt: at
        })
        .pipe(Effect.mapError(taken(name)))
      // Whoever makes a repository for an organization administers it, also when they leave the team that let them.
      const administers = owner.kind === "organization" && !ownsIt
      if (administers) {
        yield* (yield* RepositoryStore).setCollaborator(repository.id, { userId: author.id, level: Level.admin })
      }
      yield* record(proof, { repository, details: administers ? { collaborator: author.name } : {} })
      yield* Watches.begin(author.id, repository.id)
      const job = yield* Jobs.add({
        _tag: "MakeGit",
        repositoryId: repository.id,
        defaultBranch,
        commit: commit ?? null,
        objectFormat
      })
      return { job, repository }
    })
  )
  const made = yield* Jobs.runNow(job)
  // Without a commit the git repository may come later; with one, what was asked for is not there.
  if (!made && commit !== undefined) return yield* undone(proof, repository)
  const held =
    actor.userId === undefined ? undefined : yield* (yield* RepositoryStore).grantsOf(actor.userId, repository.id)
  return held ?? (yield* missing(repository))
})

const organizationKey = ({ id }: Pick<Organization, "id">): OwnerKey => ({ kind: "organization", id })

/** Creates a repository of the caller. */
export const create = (proof: Proof<"account.repository.create">, input: NewRepositoryInput) => {
  const user = signedInUser(proof.resource)
  return created(proof, user, { kind: "user", id: user.id }, user.name, input)
}

/** Creates a repository of an organization. */
export const createIn = (
  proof: Proof<"organization.repository.create"> | Proof<"organization.repository.create-deprecated">,
  input: NewRepositoryInput
) => {
  const { membership, organization } = proof.resource
  const author = signedInUser(proof.resource)
  return created(proof, author, organizationKey(organization), organization.name, input, membership.owner)
}

/** Creates a repository of another user. */
export const createFor = Effect.fnUntraced(function* (
  proof: Proof<"admin.user.repository.create">,
  name: string,
  input: NewRepositoryInput
) {
  const user = yield* named(name)
  return yield* created(proof, user, { kind: "user", id: user.id }, user.name, input)
})

/** Reads a repository with what the caller holds there. */
export const read = ({
  resource: { grants, repository }
}: Proof<"repository.read"> | Proof<"repository.read-by-id">): RepositoryWithGrants => ({ grants, repository })

/** What changes of a repository; what is left out stays. */
export interface RepositoryEdit extends Partial<Omit<RepositorySettingsOf, "units" | "defaultBranch" | "preferences">> {
  readonly name?: RepositoryName | undefined
  readonly defaultBranch?: BranchName | undefined
  readonly units?: { readonly [U in Unit]?: boolean } | undefined
  readonly preferences?: PreferencesChange | undefined
}

const edited = (change: RepositoryEdit, before: Repository, at: string): Repository => {
  const { defaultBranch = before.defaultBranch, name: _, preferences = {}, units = {}, ...set } = change
  const { archived = before.archived } = set
  return {
    ...before,
    ...set,
    defaultBranch,
    units: changedSwitches(before.units, units, preferences),
    preferences: changedPreferences(before.preferences, preferences),
    archivedAt: archived ? (before.archivedAt ?? at) : null,
    updatedAt: at
  }
}

/**
 * Writes a change of a repository, in one transaction; answers with the work that is left outside the database.
 *
 * The one place where a repository becomes private or public (invariant I8): all that reads it asks the stored row.
 */
export const write = Effect.fnUntraced(function* (proof: Proof<"repository.edit">, change: RepositoryEdit) {
  const { resource } = proof
  const repositories = yield* RepositoryStore
  const { id } = resource.repository
  if (change.defaultBranch !== undefined && !resource.repository.empty) {
    const branches = yield* (yield* GitRepositories).branches(id)
    if (!branches.some(({ name }) => name === change.defaultBranch)) {
      return yield* new BranchNotFound({ name: change.defaultBranch })
    }
  }
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const before = yield* repositories.lock(id)
      if (before === undefined) return yield* missing(resource.repository)
      const { name } = change
      if (name !== undefined && name !== before.name) {
        yield* Effect.mapError(repositories.rename(id, name), taken(name))
      }
      const after = edited(change, before, yield* now)
      yield* repositories.replace(after)
      const fields = Object.keys(change).sort().join()
      const to = name === undefined || name === before.name ? null : name
      yield* record(proof, { details: { fields, to, private: after.private } })
      return after.defaultBranch === before.defaultBranch
        ? undefined
        : yield* Jobs.add({ _tag: "PointHead", repositoryId: id })
    })
  )
})

/** Changes a repository; what is left out stays, and a name that it had leads to it. */
export const edit = Effect.fnUntraced(function* (proof: Proof<"repository.edit">, change: RepositoryEdit) {
  const { resource } = proof
  yield* Jobs.runNow(yield* write(proof, change))
  const repository = yield* (yield* RepositoryStore).find(resource.repository.id)
  if (repository === undefined) return yield* missing(resource.repository)
  return { repository, grants: resource.grants } satisfies RepositoryWithGrants
})

/** Deletes a repository with all that is its own. */
export const remove = Effect.fnUntraced(function* (proof: Proof<"repository.delete">) {
  const { repository } = proof.resource
  const job = yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const removal = yield* Jobs.deleteRepository(repository.id)
      if (removal === undefined) return yield* missing(repository)
      yield* record(proof)
      return removal
    })
  )
  yield* Jobs.runNow(job)
})

/**
 * Deletes all repositories that an organization has; answers whether there are any.
 *
 * They go in the background, also when the service stops meanwhile; those that are created from now on stay.
 */
export const removeAll = Effect.fnUntraced(function* (proof: Proof<"organization.repository.delete-all">) {
  const { organization } = proof.resource
  const { id, name } = organization
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* lockOwner(organizationKey(organization), name)
      const upTo = yield* (yield* RepositoryStore).lastIdOf(id)
      if (upTo === undefined) return false
      yield* Jobs.add({ _tag: "DeleteRepositories", organizationId: id, upTo })
      yield* record(proof)
      return true
    })
  )
})
