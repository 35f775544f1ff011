import { Context, Effect, Exit, Result, Semaphore } from "effect"

/**
 * The content of all tables, which statements read and write. All values are immutable, so copying the map copies the
 * whole content.
 */
export interface Snapshot {
  readonly tables: Map<object, unknown>
}

/** A transaction, or the committed state. */
interface Level {
  /** The tables; a write replaces the map and never modifies it. */
  tables: Snapshot["tables"]
  /** The lock that allows one writer at a time: a nested transaction, or a statement of this transaction. */
  readonly gate: Semaphore.Semaphore
  ended: boolean
}

const levelIn = (parent: Level | undefined): Level => ({
  tables: parent?.tables ?? new Map(),
  gate: Semaphore.makeUnsafe(1),
  ended: false
})

const open = (level: Level): Level => {
  if (level.ended) throw new Error("the transaction has ended")
  return level
}

/** The open transactions of the current fiber, one for each database. */
const Running = Context.Reference<ReadonlyMap<Database, Level>>("@slipway/memory/Running", {
  defaultValue: () => new Map()
})

/**
 * An in-memory database with transactions.
 *
 * Outermost transactions run one after the other. Reads outside of a transaction return the last committed state.
 */
export class Database {
  readonly #root = levelIn(undefined)

  readonly #within = <A, E, R>(use: (level: Level, running: ReadonlyMap<Database, Level>) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(Running, (running) => use(running.get(this) ?? this.#root, running))

  /** Saves the committed state, and returns an effect that restores it. */
  readonly checkpoint: Effect.Effect<Effect.Effect<void>> = Effect.sync(() => {
    const { tables } = this.#root
    return Effect.sync(() => {
      this.#root.tables = tables
    })
  })

  /** Reads the tables, including the changes of the current transaction. */
  readonly read = <A>(query: (snapshot: Snapshot) => A): Effect.Effect<A> =>
    this.#within((level) => Effect.sync(() => query(open(level))))

  /** Runs one statement atomically: a failure leaves no changes. */
  readonly write = <A, E>(statement: (snapshot: Snapshot) => Result.Result<A, E>): Effect.Effect<A, E> =>
    this.#within((level) =>
      level.gate.withPermit(
        Effect.suspend(() => {
          const draft: Snapshot = { tables: new Map(open(level).tables) }
          const result = statement(draft)
          if (Result.isSuccess(result)) level.tables = draft.tables
          return Effect.fromResult(result)
        })
      )
    )

  /** Runs an effect in a transaction, which is nested if another one is open. */
  readonly run = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    this.#within((parent, running) =>
      parent.gate.withPermit(
        Effect.suspend(() => {
          const level = levelIn(open(parent))
          return effect.pipe(
            Effect.provideService(Running, new Map(running).set(this, level)),
            Effect.onExit((exit) =>
              Effect.sync(() => {
                level.ended = true
                if (Exit.isSuccess(exit)) parent.tables = level.tables
              })
            )
          )
        })
      )
    )
}
