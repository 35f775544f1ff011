import { now } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import {
  BranchName,
  branchRef,
  labels,
  mostTopics,
  ProtectionStore,
  type Repository,
  type RepositoryAddresses,
  type RepositoryName,
  RepositoryThere,
  repositoryTopics,
  templateVariables
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect, Schema } from "effect"
import { copyAvatar } from "../../identity/avatars/Avatars.ts"
import { identOf } from "../commits/mergePeople.ts"
import { refCommit } from "../git/branches.ts"
import { holderNamed, makeRepository } from "./creationParts.ts"

/**
 * Reports that no repository can be created from a template, because the repository is no template or the request is
 * invalid.
 */
export class GenerationInvalid extends Schema.TaggedError<GenerationInvalid>()("GenerationInvalid", {
  field: Schema.String,
  problem: Schema.String
}) {}

/** The fields of a repository that is created from a template repository. */
export interface GenerationInput {
  readonly owner: string
  readonly name: RepositoryName
  readonly description?: string | undefined
  readonly private?: boolean | undefined
  readonly defaultBranch?: BranchName | undefined
  /** Whether to copy the files of the default branch; the following fields select further parts of the template. */
  readonly files: boolean
  readonly labels: boolean
  readonly protections: boolean
  readonly topics: boolean
  readonly avatar: boolean
  /** Returns the URLs of a repository, for the variables in template files. */
  readonly addresses: (owner: string, name: string) => RepositoryAddresses
}

/** The maximum number of labels and of branch protections that are copied from a template. */
const most = 1_000

const copyLabels = Effect.fnUntraced(function* (template: RepositoryId, repositoryId: RepositoryId) {
  const store = yield* labels.store
  const { rows } = yield* store.list({ repositoryId: template }, { limit: most })
  yield* Effect.orDie(store.insertMany(rows.map(({ id: _, ...label }) => ({ ...label, repositoryId }))))
})

const nobody = { users: [], teams: [] }

/** Copies the branch protections of a template, without their allow lists of users and teams. */
const copyProtections = Effect.fnUntraced(function* (template: RepositoryId, repositoryId: RepositoryId, at: string) {
  const store = yield* ProtectionStore
  const rules = (yield* store.branches(template)).slice(0, most).map(({ id: _, ...rule }) => ({
    ...rule,
    approvals: { ...rule.approvals, allowed: nobody },
    forcePush: { ...rule.forcePush, allowed: nobody },
    merge: { ...rule.merge, allowed: nobody },
    push: { ...rule.push, allowed: nobody },
    repositoryId,
    createdAt: at,
    updatedAt: at
  }))
  yield* Effect.orDie(store.insertBranches(rules))
})

const copyTopics = Effect.fnUntraced(function* (template: RepositoryId, repositoryId: RepositoryId, createdAt: string) {
  const store = yield* repositoryTopics.store
  const { rows } = yield* store.list({ repositoryId: template }, { limit: mostTopics })
  yield* Effect.orDie(store.insertMany(rows.map(({ name }) => ({ name, repositoryId, createdAt }))))
})

const tipOf = Effect.fnUntraced(function* ({ defaultBranch, empty, id }: Repository) {
  return empty ? undefined : yield* refCommit(id, branchRef(defaultBranch))
})

/** Creates a repository from a template repository. Its first commit contains the current files of the template. */
export const generate = Effect.fnUntraced(function* (proof: Proof<"repository.generate">, input: GenerationInput) {
  const { actor, repository: template } = proof.resource
  if (!template.template) {
    return yield* new GenerationInvalid({ field: "template", problem: "is not set in the repository" })
  }
  const { avatar, files, labels: taken, protections, topics } = input
  if (![avatar, files, taken, protections, topics].includes(true)) {
    return yield* new GenerationInvalid({ field: "git_content", problem: "or another part must be requested" })
  }
  const holder = yield* holderNamed(actor, input.owner)
  const { host } = yield* SiteSettings
  const at = yield* now
  const tip = input.files ? yield* tipOf(template) : undefined
  const { description = template.description, name } = input
  const defaultBranch = input.defaultBranch ?? BranchName.make(template.defaultBranch)
  const variables = templateVariables(
    { name, description, owner: holder.name, addresses: input.addresses(holder.name, name) },
    {
      name: template.name,
      description: template.description,
      owner: template.owner.name,
      addresses: input.addresses(template.owner.name, template.name)
    },
    at
  )
  return yield* makeRepository(proof, holder, {
    settings: {
      name,
      description,
      private: input.private ?? false,
      empty: tip === undefined,
      defaultBranch,
      objectFormat: template.objectFormat
    },
    git: ({ id: repositoryId }) =>
      tip === undefined
        ? { _tag: "MakeGit", repositoryId, defaultBranch, commit: null, objectFormat: template.objectFormat }
        : {
            _tag: "GenerateGit",
            repositoryId,
            from: template.id,
            commit: tip,
            defaultBranch,
            author: identOf(holder.author, host, at),
            variables
          },
    needed: tip !== undefined,
    beside: ({ id }) =>
      Effect.gen(function* () {
        if (input.labels) yield* copyLabels(template.id, id)
        if (input.protections) yield* copyProtections(template.id, id, at)
        if (input.topics) yield* copyTopics(template.id, id, at)
        if (input.avatar) yield* copyAvatar(template.id, id)
      }),
    details: { template: `${template.owner.name}/${template.name}` }
  }).pipe(Effect.catchTag("RepositoryNameTaken", () => new RepositoryThere({ name })))
})
