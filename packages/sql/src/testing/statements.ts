import { Effect, Tracer } from "effect"

/**
 * Runs an effect, and returns its result together with the SQL statements that it sent to the database.
 *
 * A batched lookup is one statement, and so is a stream. Statements that begin or end a transaction are not recorded.
 * Statements of fibers that the effect starts are recorded; statements of a server that was started elsewhere are not.
 */
export const recordStatements = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<readonly [result: A, statements: ReadonlyArray<string>], E, R> =>
  Effect.suspend(() => {
    const { tracer, statements } = statementTracer()
    return Effect.map(Effect.withTracer(effect, tracer), (result) => [result, statements] as const)
  })

/** Returns a tracer for a server under test. The tracer adds the text of every SQL statement to the returned list. */
export const statementTracer = (): {
  readonly tracer: Tracer.Tracer
  readonly statements: ReadonlyArray<string>
} => {
  const statements: Array<string> = []
  class StatementSpan extends Tracer.NativeSpan {
    override attribute(key: string, value: unknown): void {
      if (key === "db.query.text") statements.push(String(value))
      super.attribute(key, value)
    }
  }
  return { statements, tracer: Tracer.make({ span: (options) => new StatementSpan(options) }) }
}
