import { type Job, JobStore, laneOf, NoticeStore } from "@slipway/domain/forge/background"
import { Effect, Layer, Result } from "effect"
import { byId, cut } from "../base/pages.ts"
import { Tables } from "../base/tables.ts"

const everything = { limit: Number.POSITIVE_INFINITY }

/** Stores background jobs in memory; they are lost when the process exits. */
export const jobStore = Layer.effect(
  JobStore,
  Effect.map(Tables, ({ database, job }) => ({
    add: (work, dueAt) =>
      Effect.orDie(database.write((snapshot) => job.insert(snapshot, { work, attempts: 0, dueAt }))),
    addMany: (works, dueAt) =>
      Effect.orDie(
        database.write((snapshot) =>
          Result.all(works.map((work) => job.insert(snapshot, { work, attempts: 0, dueAt })))
        )
      ),
    take: (which, until) =>
      database
        .write((snapshot): Result.Result<Job | undefined> => {
          const due = (each: Job) =>
            "id" in which
              ? each.id === which.id
              : each.dueAt <= which.dueBy && (which.lane === undefined || laneOf(each.work) === which.lane)
          const [first] = job
            .list(snapshot, everything)
            .filter(due)
            .sort((one, other) => (one.dueAt === other.dueAt ? one.id - other.id : one.dueAt < other.dueAt ? -1 : 1))
          if (first === undefined) return Result.succeed(undefined)
          const taken = { ...first, attempts: first.attempts + 1, dueAt: until }
          return Result.map(
            Result.orElse(job.replace(snapshot, taken), () => Result.succeed(true)),
            () => taken
          )
        })
        .pipe(Effect.orDie),
    finish: (id) => Effect.asVoid(Effect.orDie(database.write((snapshot) => job.remove(snapshot, id)))),
    putOff: (id, dueAt) =>
      database
        .write((snapshot) => {
          const present = job.get(snapshot, id)
          return present === undefined ? Result.succeed(false) : job.replace(snapshot, { ...present, dueAt })
        })
        .pipe(Effect.orDie, Effect.asVoid),
    keep: ({ attempts, id }, work) =>
      database
        .write((snapshot): Result.Result<boolean> => {
          const present = job.get(snapshot, id)
          if (present?.attempts !== attempts) return Result.succeed(false)
          return Result.orElse(job.replace(snapshot, { ...present, work }), () => Result.succeed(true))
        })
        .pipe(Effect.orDie),
    countDue: (dueBy) =>
      database.read((snapshot) => {
        const due = job.list(snapshot, everything).filter((each) => each.dueAt <= dueBy)
        return Math.min(due.length, 1_000)
      })
  }))
)

/** Stores notices (messages to administrators about failures) in memory. */
export const noticeStore = Layer.effect(
  NoticeStore,
  Effect.map(Tables, ({ database, notice }) => ({
    add: (text, createdAt) =>
      database
        .write((snapshot) =>
          notice.has(snapshot, text) ? Result.succeed(undefined) : notice.insert(snapshot, { text, createdAt })
        )
        .pipe(Effect.orDie, Effect.asVoid),
    list: (page) =>
      database.read((snapshot) => {
        return cut(notice.list(snapshot, everything).toReversed(), page, byId, { descending: true })
      }),
    remove: (id) => Effect.orDie(database.write((snapshot) => notice.remove(snapshot, id))),
    removeBefore: (at) =>
      database
        .write((snapshot) => {
          const old = notice.list(snapshot, everything).filter(({ createdAt }) => createdAt < at)
          for (const { id } of old) notice.remove(snapshot, id)
          return Result.succeed(old.length)
        })
        .pipe(Effect.orDie)
  }))
)
