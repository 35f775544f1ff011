import { isReportDue, type PendingReport, PendingReportStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer, Result } from "effect"
import type { PendingReportRow } from "../base/rows.ts"
import { Tables } from "../base/tables.ts"

const all = { limit: Number.POSITIVE_INFINITY }

const shown = ({ claimedBy: _, id: __, leaseUntil: ___, ...report }: PendingReportRow): PendingReport => report

/** Stores in memory the reports of deployment states that are still to be sent to a forge (code hosting service). */
export const pendingReportStore = Layer.effect(
  PendingReportStore,
  Effect.map(Tables, ({ database, deployment, pendingReport }) => {
    /** Changes a report of a worker; returns whether the worker has it. */
    const change = (uuid: string, worker: string, facts: Partial<PendingReportRow>) =>
      database
        .write((snapshot) => {
          const present = pendingReport.find(snapshot, uuid)
          if (present?.claimedBy !== worker) return Result.succeed(false)
          return pendingReport.replace(snapshot, { ...present, ...facts })
        })
        .pipe(Effect.orDie)
    return {
      insert: (report) =>
        database
          .write<unknown, unknown>((snapshot) => {
            const present = pendingReport.find(snapshot, report.uuid)
            return present === undefined
              ? pendingReport.insert(snapshot, { ...report, claimedBy: null, leaseUntil: null })
              : pendingReport.replace(snapshot, { ...present, ...report, claimedBy: null })
          })
          .pipe(Effect.orDie, Effect.asVoid),
      claim: ({ at, until, worker }) =>
        database
          .write((snapshot) => {
            const [due] = pendingReport
              .list(snapshot, all)
              .filter(({ dueAt, leaseUntil, reported, uuid }) => {
                const present = deployment.find(snapshot, uuid)
                const isDue = present === undefined || isReportDue(present, reported)
                return isDue && dueAt <= at && (leaseUntil === null || leaseUntil <= at)
              })
              .toSorted((one, other) =>
                one.dueAt < other.dueAt ? -1 : one.dueAt > other.dueAt ? 1 : one.id - other.id
              )
            if (due === undefined) return Result.succeed(undefined)
            const taken = { ...due, claimedBy: worker, leaseUntil: until }
            return Result.map(pendingReport.replace(snapshot, taken), () => shown(taken))
          })
          .pipe(Effect.orDie),
      save: ({ uuid, ...facts }, worker) => change(uuid, worker, { ...facts, claimedBy: null, leaseUntil: null }),
      remove: (uuid, worker) =>
        database
          .write((snapshot) => {
            const present = pendingReport.find(snapshot, uuid)
            return present?.claimedBy === worker ? pendingReport.remove(snapshot, present.id) : Result.succeed(false)
          })
          .pipe(Effect.orDie),
      giveBack: (uuid, worker) => Effect.asVoid(change(uuid, worker, { claimedBy: null, leaseUntil: null })),
      endLeases: database
        .write((snapshot) => {
          for (const row of pendingReport.list(snapshot, all)) {
            pendingReport.replace(snapshot, { ...row, claimedBy: null, leaseUntil: null })
          }
          return Result.void
        })
        .pipe(Effect.orDie)
    }
  })
)
