import type { PageRequest } from "@slipway/domain"
import { now, Transaction, windowOf } from "@slipway/domain"
import {
  BranchName,
  type OwnerKey,
  RepositoryNameTaken,
  RepositoryStore,
  switchesBut,
  type UnadoptedName,
  UnadoptedRepositories,
  usualPreferences
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { OrganizationStore, UserNotFound, UserStore } from "@slipway/domain/forge/identity"
import { Duration, Effect, Schema } from "effect"
import { record } from "../../base/events/record.ts"
import { addJob } from "../../base/jobs/addJob.ts"
import * as Jobs from "../../base/jobs/jobWorker.ts"
import { Subscribers } from "../../base/subscribers/Subscribers.ts"
import { deleteRepository } from "./deletion.ts"

/**
 * Reports that there is no unadopted git repository (one on disk without a repository in the database) with this name.
 */
export class UnadoptedNotFound extends Schema.TaggedError<UnadoptedNotFound>()("UnadoptedNotFound", {}) {}

/** The time limit for copying an unadopted git repository; after it, the new repository stays empty. */
const timeout = Duration.minutes(10)

/** Lists the names of unadopted git repositories (on disk without a repository in the database) that contain a text. */
export const list = Effect.fnUntraced(function* (_: Proof<"admin.unadopted.list">, text: string, page: PageRequest) {
  const all = (yield* (yield* UnadoptedRepositories).list).map(({ name, owner }) => `${owner}/${name}`)
  const found = all.filter((each) => each.toLowerCase().includes(text.toLowerCase()))
  const { limit, skip = 0 } = windowOf(page)
  return { rows: found.slice(skip, skip + limit), total: found.length }
})

const ownerNamed = Effect.fnUntraced(function* (name: string) {
  const user = yield* (yield* UserStore).named(name)
  if (user?.renamed === false && !user.user.system) return { kind: "user", id: user.user.id } satisfies OwnerKey
  const organization = yield* (yield* OrganizationStore).named(name)
  if (organization?.renamed !== false) return yield* new UserNotFound({ name })
  return { kind: "organization", id: organization.organization.id } satisfies OwnerKey
})

/**
 * Adopts a git repository that exists only on disk: copies it into a new private repository, and removes the original.
 */
export const adopt = Effect.fnUntraced(function* (proof: Proof<"admin.unadopted.adopt">, which: UnadoptedName) {
  const unadopted = yield* UnadoptedRepositories
  const waiting = yield* unadopted.find(which)
  if (waiting === undefined) return yield* new UnadoptedNotFound()
  const owner = yield* ownerNamed(which.owner)
  const at = yield* now
  const defaultBranch = BranchName.make(waiting.defaultBranch)
  const { name } = which
  const transaction = yield* Transaction
  const repositories = yield* RepositoryStore
  const repository = yield* transaction.run(
    Effect.gen(function* () {
      const inserted = yield* repositories
        .insert({
          owner,
          name,
          description: "",
          website: "",
          private: true,
          archived: false,
          archivedAt: null,
          mirror: false,
          template: false,
          empty: true,
          defaultBranch,
          units: switchesBut("repo.ext_wiki", "repo.ext_issues"),
          preferences: usualPreferences,
          objectFormat: waiting.objectFormat,
          size: 0,
          createdAt: at,
          updatedAt: at
        })
        .pipe(Effect.mapError(() => new RepositoryNameTaken({ name })))
      yield* record(proof, { repository: inserted })
      // A crash at this point leaves an empty repository, and the unadopted one unchanged.
      yield* addJob({ _tag: "MakeGit", repositoryId: inserted.id, defaultBranch, commit: null }, timeout)
      return inserted
    })
  )
  const taken = yield* unadopted
    .adopt(which, repository.id, repository.createdAt)
    .pipe(Effect.tapError(() => Effect.flatMap(transaction.run(deleteRepository(repository.id)), Jobs.runNow)))
  yield* transaction.run(
    Effect.gen(function* () {
      const present = yield* repositories.lock(repository.id)
      if (present === undefined) return
      yield* repositories.replace({ ...present, empty: !taken || waiting.empty })
      yield* Jobs.add({ _tag: "MeasureGit", repositoryId: repository.id })
      yield* (yield* Subscribers).defaultBranchMoved(repository.id)
    })
  )
  yield* unadopted.remove(which)
})

/** Removes an unadopted git repository (one on disk without a repository in the database). */
export const remove = Effect.fnUntraced(function* (proof: Proof<"admin.unadopted.delete">, which: UnadoptedName) {
  const unadopted = yield* UnadoptedRepositories
  const { name, owner } = which
  const waits = (yield* unadopted.list).some((each) => each.owner === owner && each.name === name)
  if (!waits) return yield* new UnadoptedNotFound()
  yield* (yield* Transaction).run(record(proof, { details: { owner, name } }))
  yield* unadopted.remove(which)
})
