import { describe, expect, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import type { WorkflowReader } from "@slipway/domain/forge/automation"
import { JobStore } from "@slipway/domain/forge/background"
import type { SiteSettings } from "@slipway/domain/forge/base"
import {
  BranchName,
  type GitId,
  type GitReader,
  GitRepositories,
  type GitWriter,
  type Repository,
  RepositoryStore
} from "@slipway/domain/forge/code"
import type { Recognition } from "@slipway/domain/forge/collaboration"
import { UserStore } from "@slipway/domain/forge/identity"
import { Jobs, layerBackground } from "@slipway/forge/background"
import { RepositoryDeletion } from "@slipway/forge/code"
import { gitReader, gitRepositories, gitWriter, layer } from "@slipway/memory/forge"
import { at, moment, newRepository, newUser, testEnv } from "@slipway/testkit/forge"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"

const fixture = layerBackground.pipe(
  Layer.provideMerge(Layer.mergeAll(layer, gitRepositories, gitReader, gitWriter)),
  Layer.provideMerge(testEnv())
)

const main = BranchName.make("main")
const next = BranchName.make("next")

const inTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.flatMap(Transaction, ({ run }) => run(effect))

/** Stores a repository without its git repository. */
const waiting = Effect.gen(function* () {
  const owner = yield* (yield* UserStore).insert(newUser(1))
  const stored = newRepository(1, { kind: "user", id: owner.id }, { defaultBranch: main })
  const repository = yield* (yield* RepositoryStore).insert(stored)
  const job = yield* inTransaction(
    Jobs.add({ _tag: "MakeGit", repositoryId: repository.id, defaultBranch: main, commit: null })
  )
  return { job, repository }
})

/** Runs the due jobs long after a worker was killed. */
const afterwards = at(3_600)(Jobs.runDue)

const branchBecomes = (repository: Repository, defaultBranch: string) =>
  inTransaction(
    Effect.gen(function* () {
      yield* (yield* RepositoryStore).replace({ ...repository, defaultBranch })
      return yield* Jobs.add({ _tag: "PointHead", repositoryId: repository.id })
    })
  )

describe("jobs about git repositories", () => {
  it.effect("leave no git repository when it is deleted after its creation was interrupted by a kill", () =>
    Effect.gen(function* () {
      const git = yield* GitRepositories
      const { job, repository } = yield* at(1)(waiting)
      // A worker holds the job, and has read the repository.
      yield* (yield* JobStore).take({ id: job.id }, moment(300))
      const removal = yield* at(2)(inTransaction(RepositoryDeletion.deleteRepository(repository.id)))
      yield* at(2)(Jobs.runNow(removal))
      yield* git.create(repository.id, { defaultBranch: main, commit: undefined, madeAt: repository.createdAt })
      expect(yield* git.list).toEqual([repository.id])
      expect(yield* afterwards).toBe(1)
      expect(yield* git.list).toEqual([])
    }).pipe(Effect.provide(fixture))
  )

  it.effect("set the current default branch on a git repository that is created late", () =>
    Effect.gen(function* () {
      const git = yield* GitRepositories
      const { repository } = yield* at(1)(waiting)
      yield* at(2)(Effect.flatMap(branchBecomes(repository, next), Jobs.runNow))
      yield* afterwards
      expect(yield* git.defaultBranch(repository.id)).toBe(next)
    }).pipe(Effect.provide(fixture))
  )

  it.effect("apply a default branch that changes during the previous update", () =>
    Effect.gen(function* () {
      const git = yield* GitRepositories
      const { job, repository } = yield* at(1)(waiting)
      yield* at(1)(Jobs.runNow(job))
      const stores = yield* Effect.context<
        Stores | GitReader | GitRepositories | GitWriter | Recognition | SiteSettings | WorkflowReader
      >()
      // The first update waits until another change is complete.
      let isFirst = true
      const slow = GitRepositories.of({
        ...git,
        setDefaultBranch: Effect.fnUntraced(function* (id, branch) {
          if (isFirst) {
            isFirst = false
            yield* at(2)(Effect.flatMap(branchBecomes(repository, "later"), Jobs.runNow)).pipe(
              Effect.provideContext(stores)
            )
          }
          return yield* git.setDefaultBranch(id, branch)
        }, Effect.orDie)
      })
      yield* at(2)(Effect.flatMap(branchBecomes(repository, next), Jobs.runNow)).pipe(
        Effect.provideService(GitRepositories, slow)
      )
      expect(yield* git.defaultBranch(repository.id)).toBe("later")
    }).pipe(Effect.provide(fixture))
  )

  it.effect("are retried soon after their worker was killed, and not while it runs", () =>
    Effect.gen(function* () {
      const { job } = yield* waiting
      const begun: Array<GitId> = []
      const git = yield* GitRepositories
      const endless = GitRepositories.of({
        ...git,
        create: (id) =>
          Effect.andThen(
            Effect.sync(() => begun.push(id)),
            Effect.never
          )
      })
      const busy = yield* Effect.forkChild(Effect.provideService(Jobs.runNow(job), GitRepositories, endless))
      yield* TestClock.adjust("10 minutes")
      expect(begun).toHaveLength(1)
      expect(yield* Jobs.runDue).toBe(0)
      yield* Fiber.interrupt(busy)
      yield* TestClock.adjust("20 seconds")
      expect(yield* Jobs.runDue).toBe(1)
      expect(yield* git.list).toHaveLength(1)
    }).pipe(Effect.provide(fixture))
  )
})
