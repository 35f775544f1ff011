import { Context } from "effect"

/** Returns whether a path as a whole is what an expression describes. */
export type PathTest = (path: string) => boolean

/** Answers the test of an expression, and nothing for what is none. */
export interface ExpressionReader {
  readonly read: (expression: string) => PathTest | undefined
}

/**
 * Compiles untrusted regular expressions with tests in time linear in the path (invariant I25).
 *
 * The default compiles none.
 */
export class PathExpressions extends Context.Reference("@slipway/domain/forge/PathExpressions", {
  defaultValue: (): ExpressionReader => ({ read: () => undefined })
}) {}
