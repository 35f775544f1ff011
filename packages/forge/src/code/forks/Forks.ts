import type { PageRequest } from "@slipway/domain"
import { unitKeys } from "@slipway/domain/forge/access"
import {
  BranchName,
  ForkExists,
  forks,
  isOpen,
  RepositoryName,
  RepositoryStore,
  RepositoryThere,
  switchesBut,
  viewerOn
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { recordConsequence } from "../../base/events/queueHookEvents.ts"
import { holderNamed, makeRepository } from "../repositories/creationParts.ts"

/** Lists the forks of a repository that the caller has access to. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.fork.list">,
  page: PageRequest
) {
  return yield* (yield* RepositoryStore).list(yield* viewerOn(actor), { forkOf: repository.id }, page)
})

/** The fields of a new fork; omitted ones are copied from the parent repository. */
export interface ForkInput {
  readonly name?: RepositoryName | undefined
  /** The name of the organization that will own the fork; by default the caller owns it. */
  readonly organization?: string | undefined
  /** Whether to copy only the default branch. */
  readonly defaultBranchOnly?: boolean | undefined
}

const forkUnits = switchesBut(...unitKeys.filter((unit) => unit !== "repo.code" && unit !== "repo.pulls"))

/**
 * Forks a repository with its branches and tags. All git objects are copied, so the fork does not depend on the parent.
 *
 * If the parent is not public, the fork is not public either.
 */
export const create = Effect.fnUntraced(function* (proof: Proof<"repository.fork.create">, input: ForkInput) {
  const { actor, repository: parent } = proof.resource
  const holder = yield* holderNamed(actor, input.organization)
  const { author } = holder
  const taken = () => new ForkExists({ owner: holder.name })
  if (holder.owner.id === parent.owner.id) return yield* taken()
  const { defaultBranch, description, empty } = parent
  const name = input.name ?? RepositoryName.make(parent.name)
  return yield* makeRepository(proof, holder, {
    settings: {
      name,
      description,
      private: !isOpen(parent),
      empty,
      defaultBranch,
      objectFormat: parent.objectFormat,
      units: forkUnits,
      size: parent.size
    },
    git: ({ id }) => ({
      _tag: "ForkGit",
      repositoryId: id,
      from: parent.id,
      only: input.defaultBranchOnly === true && !empty ? BranchName.make(defaultBranch) : null
    }),
    needed: true,
    beside: (fork) =>
      Effect.gen(function* () {
        const { id } = fork
        const row = { repositoryId: id, parentId: parent.id, ownerId: holder.owner.id }
        yield* Effect.mapError((yield* forks.store).insert(row), taken)
        yield* recordConsequence(
          "repository.fork.create",
          parent,
          { id: author.id, name: author.name },
          { fork: id },
          {},
          { fork }
        )
      }),
    details: { parent: `${parent.owner.name}/${parent.name}`, parentId: parent.id }
  }).pipe(Effect.catchTag("RepositoryNameTaken", () => new RepositoryThere({ name })))
})
