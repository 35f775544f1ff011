import { describe, expect, it } from "@effect/vitest"
import { JobStore, NoticeStore, type Task, TaskStore } from "@slipway/domain/forge/background"
import { type RepositoryId, SiteSettings } from "@slipway/domain/forge/base"
import { type GitId, GitMissing, GitRepositories, GitWriter, type MaintenanceResult } from "@slipway/domain/forge/code"
import { EventStore } from "@slipway/domain/forge/events"
import { protocolRecords, spentSignatures } from "@slipway/domain/forge/identity"
import { noticeCleanup, Tasks } from "@slipway/forge/background"
import { eventCleanup } from "@slipway/forge/base"
import { gitCheck, gitMaintenance } from "@slipway/forge/code"
import { credentialCleanup } from "@slipway/forge/identity"
import { deliveryCleanup } from "@slipway/forge/integrations"
import { layer } from "@slipway/memory/forge"
import { moment, newEvent } from "@slipway/testkit/forge"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"

/** A time so many seconds after the start of the test clock. */
const since = (seconds: number) => DateTime.formatIso(DateTime.makeUnsafe(seconds * 1_000))

const all = { page: 1, perPage: 10 }

/** A task that is due each minute, and records its start and end. */
const task = (name: string, told: Array<string>, lasts = "0 seconds" as const as `${number} seconds`): Task => ({
  name,
  schedule: "* * * * *",
  run: Effect.gen(function* () {
    told.push(`${name} begins`)
    yield* Effect.sleep(lasts)
    told.push(`${name} ends`)
  }).pipe(Effect.onInterrupt(() => Effect.sync(() => told.push(`${name} is cut off`))))
})

describe("tasks", () => {
  it.effect("one of two processes starts a due task, and a long task does not delay others", () =>
    Effect.gen(function* () {
      const told: Array<string> = []
      const of = [task("long", told, "90 seconds"), task("short", told)]
      const workers = yield* Effect.forEach([1, 2], () => Effect.forkChild(Tasks.worker(of)))
      yield* TestClock.adjust("125 seconds")
      expect(told).toEqual(["long begins", "short begins", "short ends", "short begins", "short ends"])
      yield* TestClock.adjust("35 seconds")
      expect(told.slice(5)).toEqual(["long ends"])
      // Missed runs are skipped: the task runs at its next time.
      expect((yield* (yield* TaskStore).list).map(({ dueAt, name, runs }) => [name, dueAt, runs])).toEqual([
        ["long", "1970-01-01T00:03:00.000Z", 1],
        ["short", "1970-01-01T00:03:00.000Z", 2]
      ])
      yield* Effect.forEach(workers, Fiber.interrupt)
    }).pipe(Effect.provide(layer))
  )

  it.effect("another process starts a killed process's task when its lease expires", () =>
    Effect.gen(function* () {
      const told: Array<string> = []
      const of = [task("one", told, "20 seconds")]
      yield* Tasks.plan(of)
      yield* TestClock.adjust("60 seconds")
      const killed = yield* Effect.forkChild(Tasks.runDue(of))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.interrupt(killed)
      const other = yield* Effect.forkChild(Tasks.worker(of))
      yield* TestClock.adjust("20 seconds")
      expect(told).toEqual(["one begins", "one is cut off"])
      yield* TestClock.adjust("30 seconds")
      expect(told.slice(2)).toEqual(["one begins", "one ends"])
      yield* Fiber.interrupt(other)
    }).pipe(Effect.provide(layer))
  )

  it.effect("a process stops its task when another one has taken it", () =>
    Effect.gen(function* () {
      const told: Array<string> = []
      const of = [task("one", told, "90 seconds")]
      yield* Tasks.plan(of)
      yield* TestClock.adjust("60 seconds")
      const first = yield* Effect.forkChild(Tasks.runDue(of))
      yield* TestClock.adjust("1 second")
      // As if the first process had slept longer than its lease.
      expect((yield* (yield* TaskStore).take(["one"], moment(3_600), moment(7_200))).length).toBe(1)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(first)
      expect(told).toEqual(["one begins", "one is cut off"])
      expect((yield* (yield* TaskStore).list)[0]?.runs).toBe(2)
    }).pipe(Effect.provide(layer))
  )

  it.effect(
    "git maintenance retries busy repositories, measures changed repositories, and continues after a failure",
    () =>
      Effect.gen(function* () {
        const tried: Array<GitId> = []
        const results = new Map<GitId | number, Array<string>>([
          ["2.wiki" as GitId, ["done"]],
          [1, ["done"]],
          [2, ["busy", "done"]],
          [4, ["nothing"]]
        ])
        const git = Layer.mergeAll(
          Layer.mock(GitRepositories, {
            list: Effect.succeed([1, 2, 3, 4] as ReadonlyArray<number> as ReadonlyArray<RepositoryId>)
          }),
          Layer.mock(GitWriter, {
            maintain: (id) => {
              tried.push(id)
              const result = results.get(id)?.shift() as MaintenanceResult | undefined
              return result === undefined ? Effect.die("broken") : Effect.succeed(result)
            }
          })
        )
        yield* Effect.provide(gitMaintenance.run, git)
        expect(tried).toEqual([1, "1.wiki", 2, "2.wiki", 3, "3.wiki", 4, "4.wiki", 2])
        const jobs = yield* JobStore
        const measured = yield* Effect.forEach([1, 2, 3], () => jobs.take({ dueBy: moment(1) }, moment(9)))
        expect(measured.map((job) => job?.work)).toEqual([
          { _tag: "MeasureGit", repositoryId: 1 },
          { _tag: "MeasureGit", repositoryId: 2 },
          undefined
        ])
      }).pipe(Effect.provide(layer))
  )

  it.effect("the git check notifies administrators of damaged repositories", () =>
    Effect.gen(function* () {
      const git = Layer.mergeAll(
        Layer.mock(GitRepositories, {
          list: Effect.succeed([1, 2] as ReadonlyArray<number> as ReadonlyArray<RepositoryId>)
        }),
        Layer.mock(GitWriter, {
          check: (id) =>
            id === 1
              ? Effect.succeed("sound")
              : id === 2
                ? Effect.succeed("damaged")
                : new GitMissing({ what: "repository" })
        })
      )
      yield* Effect.provide(gitCheck.run, git)
      const { rows } = yield* (yield* NoticeStore).list({ page: 1, perPage: 10 })
      expect(rows.map(({ text }) => text)).toEqual(["the git repository 2 is damaged: run `git fsck` in its folder"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("cleanup removes expired and old rows only", () =>
    Effect.gen(function* () {
      const signatures = yield* spentSignatures.store
      for (const n of [3_599, 7_200]) yield* signatures.insert({ hash: String(n), expiresAt: since(n) })
      const records = yield* protocolRecords.store
      const record = {
        model: "Code",
        userId: null,
        applicationId: null,
        grant: null,
        alias: null,
        payload: {},
        consumedAt: null
      }
      for (const n of [1, 86_400 * 400]) yield* records.insert({ ...record, hash: String(n), expiresAt: since(n) })
      const notices = yield* NoticeStore
      yield* notices.add("old", since(1))
      yield* TestClock.adjust("1 hour")
      yield* credentialCleanup.run
      expect((yield* signatures.list({}, all)).rows.map(({ expiresAt }) => expiresAt)).toEqual([since(7_200)])
      // Protocol records stay one day longer, so that a second use is distinguished from a forged code.
      expect((yield* records.list({}, all)).rows.length).toBe(2)
      yield* TestClock.adjust("366 days")
      yield* notices.add("new", since(86_400 * 366))
      for (const task of [credentialCleanup, noticeCleanup, deliveryCleanup]) yield* task.run
      expect((yield* records.list({}, all)).rows.map(({ expiresAt }) => expiresAt)).toEqual([since(86_400 * 400)])
      expect((yield* notices.list(all)).rows.map(({ text }) => text)).toEqual(["new"])
    }).pipe(Effect.provide(Layer.merge(layer, SiteSettings.layer())))
  )

  it.effect("events are kept forever, or for the days that the operator configures", () =>
    Effect.gen(function* () {
      const events = yield* EventStore
      const day = 86_400
      for (const days of [1, 40, 69]) yield* events.append(newEvent(0, { at: since(days * day) }))
      yield* TestClock.adjust("70 days")
      yield* Effect.provide(eventCleanup.run, SiteSettings.layer())
      expect((yield* events.audit({}, all)).total).toBe(3)
      yield* Effect.provide(
        eventCleanup.run,
        SiteSettings.layer({ retention: { events: 30, deliveries: 14, workflowRuns: 365 } })
      )
      expect((yield* events.audit({}, all)).rows.map(({ at }) => at)).toEqual([since(69 * day), since(40 * day)])
    }).pipe(Effect.provide(layer))
  )

  it.effect("a failing task notifies administrators once, and runs again at its next time", () =>
    Effect.gen(function* () {
      const of = [{ ...task("broken", []), run: Effect.die("no") }]
      yield* Tasks.plan(of)
      yield* TestClock.adjust("60 seconds")
      expect(yield* Tasks.runDue(of)).toEqual(["broken"])
      expect(yield* Tasks.runDue(of)).toEqual([])
      yield* TestClock.adjust("60 seconds")
      expect(yield* Tasks.runDue(of)).toEqual(["broken"])
      const { rows } = yield* (yield* NoticeStore).list({ page: 1, perPage: 10 })
      expect(rows.map(({ text }) => text)).toEqual(["the task broken failed; see the log of the service"])
    }).pipe(Effect.provide(layer))
  )
})
