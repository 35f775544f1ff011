import { GitReader } from "@slipway/domain/forge/code"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { CurrentTransformer, type Statement, type Transformer } from "effect/sql/Statement"

/** The SQL statements and the git reads that requests caused. */
export interface Reads {
  readonly statements: ReadonlyArray<string>
  /** The names of the called methods of `GitReader`. */
  readonly gitReads: ReadonlyArray<string>
}

/** Records the SQL statements and git reads of a forge that runs in this process. */
export interface ReadCounter {
  /** Records the SQL statements of requests. Statements of background jobs are not recorded. */
  readonly statements: Layer.Layer<never>
  /** Records the calls of a reader. */
  readonly reader: <E, R>(of: Layer.Layer<GitReader, E, R>) => Layer.Layer<GitReader, E, R>
  /** Runs a function, and returns the SQL statements and git reads that it caused. */
  readonly during: (run: () => Promise<unknown>) => Promise<Reads>
}

/** Creates a recorder of SQL statements and git reads. */
export const countReads = (): ReadCounter => {
  let statements: Array<string> = []
  let gitReads: Array<string> = []
  const record: Transformer = (statement, _, fiber) =>
    Effect.sync(() => {
      if (Context.getOrUndefined(fiber.context, HttpServerRequest.HttpServerRequest) !== undefined) {
        // BOUNDARY: every fragment that reaches a client is a statement.
        const [text] = (statement as Statement<unknown>).compile()
        statements.push(text)
      }
      return statement
    })
  const recorded = (reader: GitReader["Service"]): GitReader["Service"] =>
    new Proxy(reader, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== "function" || typeof name !== "string") return value
        return (...args: ReadonlyArray<unknown>) => {
          gitReads.push(name)
          return Reflect.apply(value, target, args)
        }
      }
    })
  return {
    statements: Layer.succeed(CurrentTransformer, record),
    reader: (of) => Layer.provide(Layer.effect(GitReader, Effect.map(GitReader, recorded)), of),
    during: async (run) => {
      statements = []
      gitReads = []
      await run()
      const read = { statements, gitReads }
      statements = []
      gitReads = []
      return read
    }
  }
}
