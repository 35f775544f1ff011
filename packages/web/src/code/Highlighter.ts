import { makeThreads, threadModule } from "@slipway/threads"
import { Context, Duration, Effect, type Scope } from "effect"
import type { Question, Token } from "./thread.ts"

/** The tokens of each line of a text. */
export type Highlighted = ReadonlyArray<ReadonlyArray<Token>>

/**
 * Splits a text into lines of tokens. Returns plain lines if the language is unknown or highlighting takes too long.
 *
 * Callers with different names of `share` take turns, so that none waits for many slow texts of another (I25).
 */
export type Highlight = (text: string, fileName: string, key?: string, share?: string) => Promise<Highlighted>

/** The caller of the running request, who uses a share of the threads. */
const Share = Context.Reference<ReadonlyArray<string>>("@slipway/web/Share", { defaultValue: () => [] })

/** The longest text that is highlighted, in characters. */
const longest = 512 * 1024

const cacheSize = 100

/** Returns a text as plain lines. */
export const plainLines = (text: string): Highlighted => text.split("\n").map((line) => [["", line] as const])

/**
 * Highlights code with highlight.js in threads, within 2 seconds and 128 MiB; a text that takes more is shown plain.
 *
 * Results are cached by the blob id and file name, at most 100.
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
