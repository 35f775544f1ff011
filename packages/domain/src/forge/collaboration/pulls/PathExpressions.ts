import { Context } from "effect"

/** Returns whether an expression matches a complete path. */
export type PathTest = (path: string) => boolean

/** Returns the test of an expression; undefined for an invalid one. */
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
