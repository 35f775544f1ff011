import { now, Transaction } from "@slipway/domain"
import type { Unit } from "@slipway/domain/forge/access"
import type { RepositoryWithGrants } from "@slipway/domain/forge/code"
import {
  type BranchName,
  BranchNotFound,
  changedPreferences,
  changedSwitches,
  ForkStaysHidden,
  GitRepositories,
  isOpen,
  type PreferencesChange,
  parentOf,
  type Repository,
  type RepositoryName,
  RepositoryNameTaken,
  RepositoryNotFound,
  type RepositorySettingsOf,
  RepositoryStore
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { signedInUser } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { record } from "../../base/events/record.ts"
import * as Jobs from "../../base/jobs/jobWorker.ts"
import { findUser } from "../../identity/accounts/namedUser.ts"
import { firstCommit, firstLabels, type NewRepositoryInput, usualBranch } from "./creation.ts"
import { type Holder, holderNamed, lockOwner, makeRepository, organizationHolder, ownHolder } from "./creationParts.ts"
import { deleteRepository } from "./deletion.ts"

/** Returns whether a fork must not be public, because its parent is not public. */
const hidesForks = Effect.fnUntraced(function* (parent: Repository["id"] | undefined) {
  const found = parent === undefined ? undefined : yield* (yield* RepositoryStore).find(parent)
  return found !== undefined && !isOpen(found)
})

const taken = (name: string) => () => new RepositoryNameTaken({ name })
const missing = ({ name, owner }: Repository) => new RepositoryNotFound({ name: `${owner.name}/${name}` })

type Creation =
  | Proof<"account.repository.create">
  | Proof<"admin.user.repository.create">
  | Proof<"organization.repository.create">
  | Proof<"organization.repository.create-deprecated">

const created = Effect.fnUntraced(function* (proof: Creation, holder: Holder, input: NewRepositoryInput) {
  const { actor } = proof.resource
  const commit = yield* firstCommit(actor, holder.author, input, yield* now)
  const beside = yield* firstLabels(input)
  const defaultBranch = input.defaultBranch ?? usualBranch
  const { description = "", name, objectFormat = "sha1", private: isPrivate = false, template = false } = input
  return yield* makeRepository(proof, holder, {
    settings: {
      name,
      description,
      private: isPrivate,
      template,
      empty: commit === undefined,
      defaultBranch,
      objectFormat
    },
    git: ({ id }) => ({ _tag: "MakeGit", repositoryId: id, defaultBranch, commit: commit ?? null, objectFormat }),
    needed: commit !== undefined,
    beside
  })
})

/** Creates a repository for the caller. */
export const create = (proof: Proof<"account.repository.create">, input: NewRepositoryInput) =>
  created(proof, ownHolder(signedInUser(proof.resource)), input)

/** Creates a repository in an organization. */
export const createIn = (
  proof: Proof<"organization.repository.create"> | Proof<"organization.repository.create-deprecated">,
  input: NewRepositoryInput
) => created(proof, organizationHolder(proof), input)

/** Creates a repository for another user, or in an organization if the caller may create repositories there. */
export const createFor = Effect.fnUntraced(function* (
  proof: Proof<"admin.user.repository.create">,
  name: string,
  input: NewRepositoryInput
) {
  const holder = yield* findUser(name).pipe(
    Effect.map(ownHolder),
    Effect.catchTag("UserNotFound", () => holderNamed(proof.resource.actor, name))
  )
  return yield* created(proof, holder, input)
})

/** Returns the repository of the request with the caller's permissions on it. */
export const read = ({
  resource: { grants, repository }
}: Proof<"repository.read"> | Proof<"repository.read-by-id">): RepositoryWithGrants => ({ grants, repository })

/** The fields of a repository that an edit changes; omitted ones stay unchanged. */
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
 * Changes a repository in one transaction. Returns an effect with the work to do after the commit, such as in git.
 *
 * This is the only function that changes the visibility of a repository (invariant I8); all access decisions read the
 * stored value.
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
      if (before.private && change.private === false && (yield* hidesForks(yield* parentOf(id)))) {
        return yield* new ForkStaysHidden()
      }
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

/** Changes the given fields of a repository. After a rename, the old name redirects to the new one. */
export const edit = Effect.fnUntraced(function* (proof: Proof<"repository.edit">, change: RepositoryEdit) {
  const { resource } = proof
  yield* Jobs.runNow(yield* write(proof, change))
  const repository = yield* (yield* RepositoryStore).find(resource.repository.id)
  if (repository === undefined) return yield* missing(resource.repository)
  return { repository, grants: resource.grants } satisfies RepositoryWithGrants
})

/** Deletes a repository with all its data. */
export const remove = Effect.fnUntraced(function* (proof: Proof<"repository.delete">) {
  const { repository } = proof.resource
  const job = yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const removal = yield* deleteRepository(repository.id, repository.owner.id)
      if (removal === undefined) return yield* missing(repository)
      yield* record(proof)
      return removal
    })
  )
  yield* Jobs.runNow(job)
})

/**
 * Queues the deletion of all repositories of an organization. Returns whether there are any.
 *
 * A background job deletes them, also after a restart of the service. Repositories that are created later are not
 * deleted.
 */
export const removeAll = Effect.fnUntraced(function* (proof: Proof<"organization.repository.delete-all">) {
  const { organization } = proof.resource
  const { id, name } = organization
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* lockOwner({ kind: "organization", id }, name)
      const upTo = yield* (yield* RepositoryStore).lastIdOf(id)
      if (upTo === undefined) return false
      yield* Jobs.add({ _tag: "DeleteRepositories", organizationId: id, upTo })
      yield* record(proof)
      return true
    })
  )
})
