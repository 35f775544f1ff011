import { Context } from "effect"

/** Returns whether a path as a whole is what an expression describes. */
export type PathTest = (path: string) => boolean

/** Answers the test of an expression, and nothing for what is none. */
export interface ExpressionReader {
  readonly read: (expression: string) => PathTest | undefined
}

/**
 * Reads regular expressions that others wrote, whose tests take a time that grows with the path alone (invariant I25).
 *
 * None is read, unless a layer says more.
 */
export class PathExpressions extends Context.Reference("@slipway/domain/forge/PathExpressions", {
  defaultValue: (): ExpressionReader => ({ read: () => undefined })
}) {}
