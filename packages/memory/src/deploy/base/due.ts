import type { Due, DueRun, DueStore } from "@slipway/domain/deploy/apps"
import { Effect, Result } from "effect"
import type { Database, Snapshot } from "../../Database.ts"
import type { Table } from "../../Table.ts"

/**
 * The columns of a scheduled job that describe its lease: the worker that claimed the job, and when the lease expires.
 */
export interface ClaimedRow {
  readonly claimedBy: string | null
  readonly leaseUntil: string | null
}

type Numbered<A> = A & { readonly id: number }

/** The tables of one type of due work. */
interface DueTables<Row extends Due, Run extends DueRun & { readonly uuid: string }> {
  readonly database: Database
  readonly rows: Table<Numbered<Row> & ClaimedRow>
  readonly runs: Table<Numbered<Run>>
  readonly runsOf: ReturnType<Table<Numbered<Run>>["index"]>
  /**
   * Returns the key of the resource that a job belongs to, such as a server. `hasOwner` returns whether that resource
   * exists; `mostAtOnce` is the maximum number of concurrent jobs per resource.
   */
  readonly ownerOf: (row: Row) => string
  readonly hasOwner: (snapshot: Snapshot, owner: string) => boolean
  readonly mostAtOnce: number
  /** Removes old executions once one has ended. */
  readonly forget?: (snapshot: Snapshot, run: Run) => void
}

const all = { limit: Number.POSITIVE_INFINITY }

/**
 * Returns the methods that stores of scheduled jobs share, and `shown`, which removes the columns of the lease from a
 * row.
 */
export const dueStore = <Row extends Due, Run extends DueRun & { readonly uuid: string }>(
  tables: DueTables<Row, Run>
) => {
  const { database, forget, hasOwner, mostAtOnce, ownerOf, rows, runs, runsOf } = tables
  const shown = ({ claimedBy: _, leaseUntil: __, ...row }: Numbered<Row> & ClaimedRow) =>
    row as unknown as Numbered<Row>
  const shownRun = ({ id: _, ...run }: Numbered<Run>) => run as unknown as Run
  /** Changes a row if it exists and `isMeant` returns true for it. Returns whether the row was changed. */
  const change = (
    uuid: string,
    facts: Partial<Row & ClaimedRow> | ((present: Row) => Partial<Row>),
    isMeant: (row: Row & ClaimedRow) => boolean = () => true
  ) =>
    database
      .write((snapshot) => {
        const present = rows.find(snapshot, uuid)
        if (present === undefined || !isMeant(present)) return Result.succeed(false)
        return Result.map(
          rows.replace(snapshot, { ...present, ...(typeof facts === "function" ? facts(present) : facts) }),
          () => true
        )
      })
      .pipe(Effect.orDie)
  const isOf = (worker: string) => (row: ClaimedRow) => row.claimedBy === worker
  const store: DueStore<Numbered<Row>, Run> = {
    ask: (uuid) => Effect.asVoid(change(uuid, { isAsked: true } as Partial<Row & ClaimedRow>)),
    claim: ({ at, until, worker }) =>
      database
        .write((snapshot) => {
          const present = rows.list(snapshot, all)
          const underWay = (owner: string) =>
            present.filter((row) => ownerOf(row) === owner && row.leaseUntil !== null).length
          const due = present.find((row) => {
            if (row.leaseUntil !== null) return row.leaseUntil <= at
            return (row.isAsked || (row.dueAt !== null && row.dueAt <= at)) && underWay(ownerOf(row)) < mostAtOnce
          })
          if (due === undefined) return Result.succeed(undefined)
          const taken = { ...due, claimedBy: worker, leaseUntil: until }
          return Result.map(rows.replace(snapshot, taken), () => shown(taken))
        })
        .pipe(Effect.orDie),
    begin: (uuid, dueAt, begun) =>
      database
        .write((snapshot): Result.Result<unknown, never> => {
          const present = rows.find(snapshot, uuid)
          if (present === undefined) return Result.void
          rows.replace(snapshot, { ...present, dueAt, isAsked: false })
          if (begun !== null) runs.insert(snapshot, begun as unknown as Omit<Numbered<Run>, "id">)
          return Result.void
        })
        .pipe(Effect.asVoid),
    renew: (uuid, { until, worker }) => change(uuid, { leaseUntil: until } as Partial<Row & ClaimedRow>, isOf(worker)),
    finish: (run) =>
      database
        .write((snapshot): Result.Result<unknown, never> => {
          const present = runs.find(snapshot, run.uuid)
          if (present === undefined) return Result.void
          runs.replace(snapshot, { ...present, ...run })
          forget?.(snapshot, run)
          return Result.void
        })
        .pipe(Effect.asVoid),
    giveBack: (uuid, worker) =>
      Effect.asVoid(change(uuid, { claimedBy: null, leaseUntil: null } as Partial<Row & ClaimedRow>, isOf(worker))),
    endLeases: database.write((snapshot): Result.Result<void, never> => {
      for (const row of rows.list(snapshot, all)) {
        if (row.leaseUntil !== null) rows.replace(snapshot, { ...row, leaseUntil: "" })
      }
      return Result.void
    }),
    executions: (uuid) => database.read((snapshot) => runsOf.list(snapshot, uuid).map(shownRun))
  }
  const insert = (row: Omit<Row, "id">) =>
    database
      .write((snapshot) => {
        if (!hasOwner(snapshot, ownerOf(row as Row))) return Result.succeed(undefined)
        const held = { ...row, claimedBy: null, leaseUntil: null } as unknown as Omit<Numbered<Row> & ClaimedRow, "id">
        return Result.map(rows.insert(snapshot, held), shown)
      })
      .pipe(Effect.orDie)
  const replace = ({ dueAt, isAsked: _, ...row }: Row) =>
    Effect.asVoid(
      change(
        row.uuid,
        ({ frequency, isEnabled }) =>
          // A worker may have moved it on since the row was read.
          (frequency === row.frequency && isEnabled === row.isEnabled
            ? row
            : { ...row, dueAt }) as unknown as Partial<Row>
      )
    )
  const remove = (owner: string, uuid: string) =>
    database
      .write((snapshot) => {
        const present = rows.find(snapshot, uuid)
        return present !== undefined && ownerOf(present) === owner
          ? rows.remove(snapshot, present.id)
          : Result.succeed(false)
      })
      .pipe(Effect.orDie)
  return { store: { ...store, insert, replace, remove }, shown }
}
