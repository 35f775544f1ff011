import { makeThreads, threadModule } from "@slipway/threads"
import { Context, Duration, Effect, type Scope } from "effect"
import type { Question, Token } from "./thread.ts"

/** Highlighted code: the tokens of each line. */
export type Highlighted = ReadonlyArray<ReadonlyArray<Token>>

/**
 * Splits code into lines of tokens. Returns lines without highlighting if the language is unknown or highlighting takes
 * too long.
 *
 * `key` is the cache key. `share` names the caller: threads are shared fairly among callers, so that no caller waits
 * for many slow texts of another caller (invariant I25).
 */
export type Highlight = (text: string, fileName: string, key?: string, share?: string) => Promise<Highlighted>

/** The caller of the current request, for the fair sharing of threads. */
const Share = Context.Reference<ReadonlyArray<string>>("@slipway/web/Share", { defaultValue: () => [] })

/** The maximum length in characters of a text that is highlighted. */
const longest = 512 * 1024

const cacheSize = 100

/** Splits a text into lines without highlighting. */
export const plainLines = (text: string): Highlighted => text.split("\n").map((line) => [["", line] as const])

/**
 * Highlights code with highlight.js in a worker thread, within 2 seconds and 128 MiB. A text that exceeds these limits
 * is shown without highlighting.
 *
 * The last 100 results are cached by blob id and file name.
 */
export const highlighter: Effect.Effect<Highlight, never, Scope.Scope> = Effect.map(
  makeThreads<Question, Highlighted>(threadModule(import.meta.url, "thread"), {
    threads: 1,
    timeout: Duration.seconds(2),
    memory: 128,
    shares: Effect.service(Share)
  }),
  (ask) => {
    const cache = new Map<string, Promise<Highlighted>>()
    const highlight = (text: string, fileName: string, share: string | undefined) =>
      text.length > longest
        ? Promise.resolve(plainLines(text))
        : Effect.runPromise(
            ask({ text, fileName }).pipe(
              Effect.catchTag("ThreadExhausted", () => Effect.succeed(plainLines(text))),
              Effect.provideService(Share, share === undefined ? [] : [share])
            )
          )
    return (text, fileName, key, share) => {
      if (key === undefined) return highlight(text, fileName, share)
      const name = `${key} ${fileName}`
      const known = cache.get(name)
      if (known !== undefined) return known
      const highlighted = highlight(text, fileName, share)
      cache.set(name, highlighted)
      for (const old of cache.keys()) {
        if (cache.size <= cacheSize) break
        cache.delete(old)
      }
      highlighted.catch(() => cache.delete(name))
      return highlighted
    }
  }
)
