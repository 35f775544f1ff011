import { assert } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import { JobStore, type Lane, NoticeStore, type Work } from "@slipway/domain/forge/background"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { BranchName } from "@slipway/domain/forge/code"
import type { IssueId } from "@slipway/domain/forge/collaboration"
import type { OrganizationId, UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { all, moment } from "../../builders.ts"
import { equal } from "../base/fixtures.ts"

const remove = (n: number): Work => ({ _tag: "RemoveGit", repositoryId: n as RepositoryId })

const emailWork = (users: ReadonlyArray<number>): Work => ({
  _tag: "SendNotificationEmails",
  repositoryId: 1 as RepositoryId,
  about: { _tag: "Issue", issueId: 2 as IssueId, commentId: null, reviewId: 3 },
  what: "reviewed",
  actorId: null,
  at: moment(1),
  until: moment(99),
  receivers: users.map((userId) => ({ userId: userId as UserId, because: "subscribed", personal: false }))
})

const works: ReadonlyArray<Work> = [
  remove(1),
  { _tag: "PointHead", repositoryId: 2 as RepositoryId },
  emailWork([7]),
  { _tag: "DeleteRepositories", organizationId: 3 as OrganizationId, upTo: 4 as RepositoryId },
  { _tag: "MakeGit", repositoryId: 5 as RepositoryId, defaultBranch: BranchName.make("main"), commit: null },
  {
    _tag: "MakeGit",
    repositoryId: 6 as RepositoryId,
    defaultBranch: BranchName.make("main"),
    commit: {
      files: { "README.md": "Ünïcödé 😀 'quoted' \\ \n" },
      author: { name: "Ann", email: "ann@example.com" },
      message: "m",
      at: moment(1)
    }
  }
]

/** Contract tests of the store of background jobs. Every implementation must pass them. */
export const jobs: Contract<Stores> = {
  port: "JobStore",
  musts: {
    "hide a job until the transaction that added it commits": Effect.gen(function* () {
      const store = yield* JobStore
      const { run } = yield* Transaction
      yield* Effect.flip(run(Effect.andThen(store.add(remove(1), moment(1)), Effect.fail("undone" as const))))
      assert.isUndefined(yield* store.take({ dueBy: moment(9) }, moment(10)))
      const added = yield* run(store.add(remove(2), moment(1)))
      equal((yield* store.take({ dueBy: moment(9) }, moment(10)))?.id, added.id)
    }),
    "add several jobs in one call, in their order": Effect.gen(function* () {
      const store = yield* JobStore
      const works = [remove(1), remove(2), remove(3)]
      const added = yield* store.addMany(works, moment(1))
      equal(
        added.map(({ attempts, dueAt, work }) => ({ attempts, dueAt, work })),
        works.map((work) => ({ attempts: 0, dueAt: moment(1), work }))
      )
      for (const job of added) equal((yield* store.take({ dueBy: moment(1) }, moment(9)))?.id, job.id)
      equal(yield* store.addMany([], moment(1)), [])
    }),
    "assign the job that has been due longest to only one worker until it is due again": Effect.gen(function* () {
      const store = yield* JobStore
      const late = yield* store.add(remove(1), moment(5))
      const early = yield* store.add(remove(2), moment(3))
      const same = yield* store.add(remove(3), moment(3))
      yield* store.add(remove(4), moment(8))
      const taken = yield* Effect.forEach(
        [1, 2, 3, 4],
        () => Effect.map(store.take({ dueBy: moment(6) }, moment(20)), (job) => job?.id),
        { concurrency: "unbounded" }
      )
      equal(new Set(taken), new Set([early.id, same.id, late.id, undefined]))
      assert.isUndefined(yield* store.take({ dueBy: moment(7) }, moment(20)))
    }),
    "assign only jobs of the requested lane": Effect.gen(function* () {
      const store = yield* JobStore
      const accountEmail = yield* store.add({ _tag: "SendMail", id: "a", sealed: "b" }, moment(1))
      const notificationEmails = yield* store.add(emailWork([1, 2]), moment(2))
      const other = yield* store.add(remove(1), moment(3))
      const take = (lane: Lane) =>
        Effect.map(store.take({ dueBy: moment(9), lane }, moment(20)), (job) => job && [job.id, job.work])
      for (const [lane, job] of [
        ["work", other],
        ["notifications", notificationEmails],
        ["mail", accountEmail]
      ] as const) {
        equal(yield* take(lane), [job.id, job.work])
        equal(yield* take(lane), undefined)
      }
    }),
    "assign a job by id, even if it is not due": Effect.gen(function* () {
      const store = yield* JobStore
      for (const work of works) {
        const added = yield* store.add(work, moment(9))
        equal([added.work, added.attempts, added.dueAt], [work, 0, moment(9)])
        equal(yield* store.take({ id: added.id }, moment(20)), { ...added, attempts: 1, dueAt: moment(20) })
      }
      assert.isUndefined(yield* store.take({ id: 4_040_404 }, moment(20)))
    }),
    "assign an unfinished job again when it is due again, and count the attempts": Effect.gen(function* () {
      const store = yield* JobStore
      yield* store.add(remove(1), moment(1))
      for (const [attempts, at] of [1, 2, 3].entries()) {
        const job = yield* store.take({ dueBy: moment(at * 10) }, moment(at * 10 + 5))
        equal(job?.attempts, attempts + 1)
        assert.isUndefined(yield* store.take({ dueBy: moment(at * 10 + 4) }, moment(100)))
      }
    }),
    "remove a finished job": Effect.gen(function* () {
      const store = yield* JobStore
      const { id } = yield* store.add(remove(1), moment(1))
      yield* store.take({ dueBy: moment(1) }, moment(2))
      yield* store.finish(id)
      yield* store.finish(id)
      assert.isUndefined(yield* store.take({ dueBy: moment(99) }, moment(100)))
    }),
    "postpone a job": Effect.gen(function* () {
      const store = yield* JobStore
      const { id } = yield* store.add(remove(1), moment(1))
      yield* store.take({ dueBy: moment(1) }, moment(99))
      yield* store.putOff(id, moment(5))
      yield* store.putOff(4_040_404, moment(5))
      assert.isUndefined(yield* store.take({ dueBy: moment(4) }, moment(100)))
      equal((yield* store.take({ dueBy: moment(5) }, moment(100)))?.id, id)
    }),
    "store the remaining work of a job for its latest worker, and reject it from others": Effect.gen(function* () {
      const store = yield* JobStore
      const { id } = yield* store.add(emailWork([1, 2, 3]), moment(1))
      const first = yield* store.take({ id }, moment(2))
      equal(yield* store.keep({ id, attempts: first?.attempts ?? 0 }, emailWork([2, 3])), true)
      const second = yield* store.take({ dueBy: moment(2) }, moment(9))
      equal([second?.attempts, second?.dueAt, second?.work], [2, moment(9), emailWork([2, 3])])
      equal(yield* store.keep({ id, attempts: 1 }, emailWork([3])), false)
      equal(yield* store.keep({ id: 4_040_404, attempts: 1 }, emailWork([3])), false)
      equal((yield* store.take({ id }, moment(20)))?.work, emailWork([2, 3]))
    }),
    "count due jobs without a worker, up to 1,000": Effect.gen(function* () {
      const store = yield* JobStore
      equal(yield* store.countDue(moment(9)), 0)
      for (const due of [1, 2, 3]) yield* store.add(remove(due), moment(due))
      equal(yield* store.countDue(moment(2)), 2)
      yield* store.take({ dueBy: moment(9) }, moment(99))
      equal(yield* store.countDue(moment(9)), 2)
    })
  }
}

/** Contract tests of the store of notices (messages to administrators). */
export const notices: Contract<Stores> = {
  port: "NoticeStore",
  musts: {
    "list notices, newest first, and count them": Effect.gen(function* () {
      const store = yield* NoticeStore
      equal(yield* store.list(all), { rows: [], total: 0 })
      for (const n of [1, 2, 3]) yield* store.add(`notice ${n}`, moment(n))
      const { rows, total } = yield* store.list({ page: 1, perPage: 2 })
      equal(
        [rows.map(({ createdAt, text }) => [text, createdAt]), total],
        [
          [
            ["notice 3", moment(3)],
            ["notice 2", moment(2)]
          ],
          3
        ]
      )
      equal((yield* store.list({ page: 2, perPage: 2 })).rows.length, 1)
    }),
    "keep one copy of a repeated notice until it is removed": Effect.gen(function* () {
      const store = yield* NoticeStore
      yield* store.add("same", moment(1))
      yield* store.add("same", moment(2))
      const { rows, total } = yield* store.list(all)
      equal([rows[0]?.createdAt, total], [moment(1), 1])
      yield* store.remove(rows[0]?.id ?? 0)
      yield* store.add("same", moment(3))
      equal((yield* store.list(all)).rows[0]?.createdAt, moment(3))
    }),
    "remove a notice once, and report when it is missing": Effect.gen(function* () {
      const store = yield* NoticeStore
      assert.isFalse(yield* store.remove(4_040_404))
      yield* store.add("one", moment(1))
      const { id = 0 } = (yield* store.list(all)).rows[0] ?? {}
      assert.isTrue(yield* store.remove(id))
      assert.isFalse(yield* store.remove(id))
      equal((yield* store.list(all)).total, 0)
    }),
    "remove the notices before a given time, and return their number": Effect.gen(function* () {
      const store = yield* NoticeStore
      for (const n of [1, 2, 3]) yield* store.add(`notice ${n}`, moment(n))
      equal(yield* store.removeBefore(moment(3)), 2)
      equal(yield* store.removeBefore(moment(3)), 0)
      equal(
        (yield* store.list(all)).rows.map(({ text }) => text),
        ["notice 3"]
      )
    })
  }
}
