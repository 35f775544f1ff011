import type { ExpressionReader } from "@slipway/domain/forge/collaboration"
import { RE2JS } from "re2js"

/** Reads regular expressions in RE2's syntax with the re2js library, which never goes back over what it has read. */
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
