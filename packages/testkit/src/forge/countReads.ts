import { Context, Effect, Layer, Option, Tracer } from "effect"
import { HttpServerRequest } from "effect/http"
import { CurrentTransformer, type Statement, type Transformer } from "effect/sql/Statement"

/** The SQL statements and the git reads that requests caused. */
export interface Reads {
  readonly statements: ReadonlyArray<string>
  /** The git commands that ran, such as `for-each-ref`; a question to a running `cat-file` counts as a command. */
  readonly gitReads: ReadonlyArray<string>
}

/** Records the SQL statements and git reads of a forge that runs in this process. */
export interface ReadCounter {
  /** Records the SQL statements and git reads of requests. Those of background jobs are not recorded. */
  readonly layer: Layer.Layer<never>
  /** Runs a function, and returns the SQL statements and git reads that it caused. */
  readonly during: (run: () => Promise<unknown>) => Promise<Reads>
}

/** Creates a recorder of SQL statements and git reads. */
export const countReads = (): ReadCounter => {
  let statements: Array<string> = []
  let gitReads: Array<Tracer.Span> = []
  const record: Transformer = (statement, _, fiber) =>
    Effect.sync(() => {
      if (Context.getOrUndefined(fiber.context, HttpServerRequest.HttpServerRequest) !== undefined) {
        // BOUNDARY: every fragment that reaches a client is a statement.
        const [text] = (statement as Statement<unknown>).compile()
        statements.push(text)
      }
      return statement
    })
  const isOfRequest = (parent: Option.Option<Tracer.AnySpan>): boolean =>
    Option.isSome(parent) &&
    parent.value._tag === "Span" &&
    (parent.value.kind === "server" || isOfRequest(parent.value.parent))
  const tracer = Tracer.make({
    span: (options) => {
      const span = Tracer.nativeTracer.span(options)
      if (span.name === "git" && isOfRequest(span.parent)) gitReads.push(span)
      return span
    }
  })
  return {
    layer: Layer.merge(Layer.succeed(CurrentTransformer, record), Layer.succeed(Tracer.Tracer, tracer)),
    during: async (run) => {
      statements = []
      gitReads = []
      await run()
      const read = { statements, gitReads: gitReads.map(({ attributes }) => String(attributes.get("command"))) }
      statements = []
      gitReads = []
      return read
    }
  }
}
