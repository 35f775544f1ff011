import { Result } from "effect"

/**
 * Splits a line into words like a POSIX shell, by white space, quotes and backslashes.
 *
 * Nothing is expanded: `$`, backticks, `;` and `*` are literal (invariant I23: no shell). Fails with a message if a
 * quote is not closed.
 *
 * ```ts
 * import { wordsOf } from "./words.ts"
 *
 * wordsOf("--hostname 'a b' --dns=1.1.1.1").pipe(Result.getOrThrow) // => ["--hostname", "a b", "--dns=1.1.1.1"]
 * wordsOf("echo \"$(id)\" a\\ b").pipe(Result.getOrThrow) // => ["echo", "$(id)", "a b"]
 * wordsOf("'a").pipe(Result.isFailure) // => true
 *
 * import { Result } from "effect"
 * ```
 */
export const wordsOf = (line: string): Result.Result<ReadonlyArray<string>, string> => {
  const words: Array<string> = []
  let word: string | undefined
  let quote = ""
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at)
    const next = line.charAt(at + 1)
    if (character === "\\" && quote !== "'" && next !== "") {
      const keepsBackslash = quote === '"' && !'"\\$`'.includes(next)
      word = (word ?? "") + (keepsBackslash ? character : "") + next
      at++
    } else if (character === quote) quote = ""
    else if (quote === "" && (character === "'" || character === '"')) {
      quote = character
      word ??= ""
    } else if (quote === "" && /\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? "") + character
  }
  if (quote !== "") return Result.fail(`The quote ${quote} is not closed`)
  if (word !== undefined) words.push(word)
  return Result.succeed(words)
}
