import { Transaction } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { changeProfile, GitRepositories, RepositoryStore } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import * as RepositoryProfile from "./RepositoryProfile.ts"

/** Measures the size of a repository, detects its languages and licenses, and stores the results. */
export const measureGit = Effect.fnUntraced(function* (repositoryId: RepositoryId) {
  const repositories = yield* RepositoryStore
  const size = yield* (yield* GitRepositories).size(repositoryId)
  const repository = yield* repositories.find(repositoryId)
  if (repository === undefined) return
  const known = yield* RepositoryProfile.profileOf(repository)
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const present = yield* repositories.lock(repositoryId)
      if (present === undefined) return
      if (present.size !== size) yield* repositories.replace({ ...present, size })
      yield* changeProfile(repositoryId, known)
    })
  )
})
