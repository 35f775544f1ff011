import { Clock, Effect } from "effect"

const every = 2_000

/** Prints progress to standard error. */
export const progress = (text: string): Effect.Effect<void> => Effect.sync(() => void process.stderr.write(`${text}\n`))

/** Returns a progress printer that prints at most every two seconds. */
export const paced = (): ((text: () => string) => Effect.Effect<void>) => {
  let said = 0
  return (text) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (now - said < every) return Effect.void
      said = now
      return progress(text())
    })
}

/** Formats a size for display. */
export const bytes = (size: number): string =>
  size < 10_000 ? `${size} bytes` : `${(size / 1024 ** 2).toFixed(size < 10 * 1024 ** 2 ? 2 : 0)} MiB`
