// Loaded before a service: records each statement that it sends, with its parameters, so that others can send the same.
import { appendFileSync } from "node:fs"
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { CurrentTransformer, type Statement, type Transformer } from "effect/sql/Statement"

const file = process.env.BENCH_STATEMENTS ?? ""

/** Encodes values that JSON lacks. */
function written(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const original = this[name]
  if (original instanceof Date) return { moment: original.getTime() }
  return typeof value === "bigint" ? { integer: String(value) } : value
}

const record: Transformer = (statement, _, fiber) =>
  Effect.sync(() => {
    // Statements of background workers aren't part of a request.
    if (Context.getOrUndefined(fiber.context, HttpServerRequest.HttpServerRequest) !== undefined) {
      const [text, parameters] = (statement as Statement<unknown>).compile()
      appendFileSync(file, `${JSON.stringify({ text, parameters }, written)}\n`)
    }
    return statement
  })

// BOUNDARY: the default transformer of a service's statements is set before it starts.
Object.defineProperty(CurrentTransformer as object, "defaultValue", { value: () => record })
