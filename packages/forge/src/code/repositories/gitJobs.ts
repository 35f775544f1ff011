import { Transaction } from "@slipway/domain"
import type { Work } from "@slipway/domain/forge/background"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { BranchName, GitRepositories, RepositoryStore } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { addJob } from "../../base/jobs/addJob.ts"
import { Subscribers } from "../../base/subscribers/Subscribers.ts"
import { removeGit } from "./deletion.ts"
import { generateGit } from "./generateGit.ts"

/**
 * Sets `HEAD` of a git repository to the stored default branch. Repeats until both are equal, because another process
 * may have written an older value.
 */
export const pointHead = Effect.fnUntraced(function* (repositoryId: RepositoryId, present?: string) {
  const repositories = yield* RepositoryStore
  const git = yield* GitRepositories
  for (let set = present; ; ) {
    const repository = yield* repositories.find(repositoryId)
    if (repository === undefined || repository.defaultBranch === set) return
    // A repository without git data gets it on creation.
    if (!(yield* git.setDefaultBranch(repositoryId, BranchName.make(repository.defaultBranch)))) return
    set = repository.defaultBranch
  }
})

/** Sets `HEAD` of a git repository to a new default branch. */
export const changeHead = Effect.fnUntraced(function* (repositoryId: RepositoryId) {
  yield* pointHead(repositoryId)
  yield* (yield* Transaction).run(
    Effect.flatMap(Subscribers, (subscribers) => subscribers.defaultBranchMoved(repositoryId))
  )
})

/** Creates the git repository of a new repository. */
export const makeGit = Effect.fnUntraced(function* ({
  commit,
  defaultBranch,
  objectFormat,
  repositoryId
}: Extract<Work, { _tag: "MakeGit" }>) {
  const git = yield* GitRepositories
  const repositories = yield* RepositoryStore
  const repository = yield* repositories.find(repositoryId)
  // The repository may have been deleted since, or a killed worker may have created its git repository.
  if (repository === undefined) return yield* removeGit(repositoryId)
  yield* git.create(repositoryId, {
    defaultBranch,
    commit: commit ?? undefined,
    objectFormat,
    madeAt: repository.createdAt
  })
  yield* markCreated(repositoryId, defaultBranch, commit !== null)
})

/**
 * Stores that the git repository of a repository was created. If the repository was deleted in the meantime, removes
 * the git repository.
 */
export const markCreated = Effect.fnUntraced(function* (
  repositoryId: RepositoryId,
  defaultBranch: string,
  hasCommits: boolean
) {
  const repositories = yield* RepositoryStore
  const git = yield* GitRepositories
  const size = yield* git.size(repositoryId)
  const isThere = yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const present = yield* repositories.lock(repositoryId)
      if (present === undefined || !(yield* repositories.replace({ ...present, size }))) return false
      // A migration from another host could not start before.
      if (present.mirror) yield* (yield* Subscribers).gitCreated(repositoryId)
      return true
    })
  )
  if (!isThere) yield* removeGit(repositoryId)
  // The default branch may have changed before the git repository existed.
  else yield* pointHead(repositoryId, defaultBranch)
  if (!isThere || !hasCommits) return
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* addJob({ _tag: "MeasureGit", repositoryId })
      yield* (yield* Subscribers).defaultBranchMoved(repositoryId)
    })
  )
})

/** Copies the git repository of a fork from its parent. */
export const forkGit = Effect.fnUntraced(function* ({ from, only, repositoryId }: Extract<Work, { _tag: "ForkGit" }>) {
  const git = yield* GitRepositories
  const repository = yield* (yield* RepositoryStore).find(repositoryId)
  if (repository === undefined) return yield* removeGit(repositoryId)
  const madeAt = repository.createdAt
  const copied = yield* git.copy(repositoryId, { from, only: only ?? undefined, madeAt })
  // The parent may have been deleted meanwhile.
  const defaultBranch = BranchName.make(repository.defaultBranch)
  if (!copied)
    yield* git.create(repositoryId, { defaultBranch, commit: undefined, objectFormat: repository.objectFormat, madeAt })
  yield* markCreated(repositoryId, defaultBranch, copied)
})

/** Creates the git repository of a repository that is generated from a template. */
export const generate = Effect.fnUntraced(function* (work: Extract<Work, { _tag: "GenerateGit" }>) {
  const repository = yield* (yield* RepositoryStore).find(work.repositoryId)
  if (repository === undefined) {
    yield* (yield* GitRepositories).remove(work.repositoryId)
    return
  }
  yield* Effect.orDie(generateGit(repository, work))
  yield* markCreated(work.repositoryId, work.defaultBranch, true)
})
