import type { ExpressionReader } from "@slipway/domain/forge/collaboration"
import { RE2JS } from "re2js"

/** Compiles regular expressions in RE2's syntax with the re2js library, which never backtracks. */
export const pathExpressions: ExpressionReader = {
  read: (expression) => {
    try {
      const compiled = RE2JS.compile(expression)
      return (path) => compiled.testExact(path)
    } catch {
      return undefined
    }
  }
}
