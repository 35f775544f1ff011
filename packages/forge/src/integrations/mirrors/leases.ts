import { logOutages, now, Transaction, timeIn } from "@slipway/domain"
import { Cause, Duration, Effect, Schedule } from "effect"

/** How long a worker's lease of a row lasts after the last renewal. */
const lease = Duration.seconds(45)
const renewal = Duration.seconds(15)
/** How many rows a process works on concurrently: in total, and, in `mostWithHost`, for one host. */
const concurrency = 6
const mostWithHost = 2

/** A row that describes recurring work with another host, for example a mirror; one worker at a time has its lease. */
export interface Leased {
  readonly id: number
  /** The URL of the other host. */
  readonly url: string
  /** The next due time; during the work, the time at which the worker's lease expires. */
  readonly dueAt: string | null
  readonly running: boolean
  /** How often the work was requested; a change during the work makes the row due again. */
  readonly asked: number
  /** The last error; empty after a success. */
  readonly lastError: string
}

/** The error message stored for an unexpected exception; the log contains the details. */
export const defectError = "an internal error; see the log of the service; it is retried soon"
/** The retry delays after a first unexpected exception, and after further ones. */
const afterDefect = { first: Duration.seconds(5), further: Duration.minutes(1) }

/** The storage and execution of one type of work with other hosts. */
export interface LeasedKind<Row extends Leased, R> {
  readonly name: string
  readonly due: (before: string, limit: number) => Effect.Effect<ReadonlyArray<Row>, never, R>
  readonly lock: (id: number) => Effect.Effect<Row | undefined, never, R>
  readonly patch: (id: number, change: Partial<Row>) => Effect.Effect<unknown, never, R>
  /** Performs the work; returns the row's changes, including its next due time. */
  readonly perform: (row: Row) => Effect.Effect<Partial<Row>, never, R>
}

/** A row leased by this worker; the lease is valid while the stored due time equals `until`. */
interface Hold<Row> {
  readonly row: Row
  until: string
}

const take = <Row extends Leased, R>(kind: LeasedKind<Row, R>, id: number) =>
  Effect.flatMap(Transaction, ({ run }) =>
    run(
      Effect.gen(function* () {
        const present = yield* kind.lock(id)
        if (present === undefined || present.dueAt === null || present.dueAt > (yield* now)) return undefined
        const until = yield* timeIn(lease)
        yield* kind.patch(id, { running: true, dueAt: until } as Partial<Row>)
        const hold: Hold<Row> = { row: present, until }
        return hold
      })
    )
  )

/** Changes a leased row; does nothing if the lease expired or the row is gone. */
const changeLeased = <Row extends Leased, R>(
  kind: LeasedKind<Row, R>,
  { row: { id }, until }: Hold<Row>,
  change: (present: Row) => Effect.Effect<Partial<Row>>
): Effect.Effect<boolean, never, R | Transaction> =>
  Effect.flatMap(Transaction, ({ run }) =>
    run(
      Effect.gen(function* () {
        const present = yield* kind.lock(id)
        if (present?.running !== true || present.dueAt !== until) return false
        yield* kind.patch(id, yield* change(present))
        return true
      })
    )
  )

/** Renews the lease repeatedly, until it is lost to another worker. */
const keep = <Row extends Leased, R>(kind: LeasedKind<Row, R>, hold: Hold<Row>) => {
  const renew = Effect.gen(function* () {
    const until = yield* timeIn(lease)
    const isHeld = yield* changeLeased(kind, hold, () => Effect.succeed({ dueAt: until } as Partial<Row>))
    if (isHeld) hold.until = until
    return isHeld
  }).pipe(
    // An interrupted write of the due time would look like another worker's lease.
    Effect.uninterruptible,
    Effect.catchDefect((defect) => Effect.as(Effect.logWarning(`a ${kind.name} could not be stored`, defect), true))
  )
  return Effect.repeat(Effect.andThen(Effect.sleep(renewal), renew), { while: (isHeld) => isHeld }).pipe(
    Effect.andThen(Effect.logWarning(`a ${kind.name} was abandoned: another process owns it now, or it is gone`)),
    Effect.as(undefined)
  )
}

/** Performs the work of one row in the calling fiber; returns false if the row is not due. */
export const runOne = <Row extends Leased, R>(kind: LeasedKind<Row, R>, id: number) =>
  Effect.gen(function* () {
    const taken = yield* take(kind, id)
    if (taken === undefined) return false
    const over = (change: Partial<Row>) =>
      changeLeased(kind, taken, (present) =>
        Effect.map(now, (at) => {
          const again = present.asked === taken.row.asked ? {} : { dueAt: at }
          return { ...change, running: false, ...again } as Partial<Row>
        })
      )
    yield* Effect.raceFirst(kind.perform(taken.row), keep(kind, taken)).pipe(
      Effect.flatMap((change) => (change === undefined ? Effect.void : over(change))),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.gen(function* () {
              yield* Effect.logError(`a ${kind.name} failed`, cause)
              const isFurther = taken.row.lastError === defectError
              const dueAt = yield* timeIn(isFurther ? afterDefect.further : afterDefect.first)
              const change = { running: false, dueAt, lastError: defectError }
              yield* changeLeased(kind, taken, () => Effect.succeed(change as Partial<Row>))
            })
      )
    )
    return true
  })

/** Performs the due work of a type, one row after the other, and returns the number of rows. */
export const runDue = <Row extends Leased, R>(kind: LeasedKind<Row, R>) =>
  Effect.gen(function* () {
    const rows = yield* kind.due(yield* timeIn(Duration.millis(1)), concurrency)
    const done = yield* Effect.forEach(rows, ({ id }) => runOne(kind, id))
    return done.filter(Boolean).length
  })

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/**
 * Performs due work of a type until it is interrupted. Limits concurrent work per host, so that a slow host does not
 * delay others.
 */
export const worker = <Row extends Leased, R>(kind: LeasedKind<Row, R>, every: Duration.Input = "3 seconds") => {
  const busy = new Map<number, string>()
  const hasRoom = (host: string) =>
    busy.size < concurrency && [...busy.values()].filter((each) => each === host).length < mostWithHost
  const look = Effect.gen(function* () {
    for (const { id, url } of yield* kind.due(yield* timeIn(Duration.millis(1)), 10 * concurrency)) {
      const host = hostOf(url)
      if (busy.has(id) || !hasRoom(host)) continue
      busy.set(id, host)
      yield* runOne(kind, id).pipe(Effect.ensuring(Effect.sync(() => busy.delete(id))), Effect.forkScoped)
    }
  }).pipe(logOutages(`due jobs of ${kind.name} could not be looked up`))
  return Effect.scoped(Effect.repeat(look, Schedule.spaced(every)))
}
