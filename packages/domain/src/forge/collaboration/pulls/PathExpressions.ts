import { Context } from "effect"

/** A function that returns whether a regular expression matches a complete file path. */
export type PathTest = (path: string) => boolean

/**
 * Compiles regular expressions. `read` returns a function that tests file paths, or undefined for an invalid
 * expression.
 */
export interface ExpressionReader {
  readonly read: (expression: string) => PathTest | undefined
}

/**
 * Compiles regular expressions from users; matching takes time linear in the length of the path, to prevent denial of
 * service (invariant I25).
 *
 * The default implementation compiles no expression: `read` always returns undefined.
 */
export class PathExpressions extends Context.Reference("@slipway/domain/forge/PathExpressions", {
  defaultValue: (): ExpressionReader => ({ read: () => undefined })
}) {}
