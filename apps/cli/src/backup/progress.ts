import { Clock, Effect } from "effect"

const every = 2_000

/** Says on standard error how far something is. */
export const progress = (text: string): Effect.Effect<void> => Effect.sync(() => void process.stderr.write(`${text}\n`))

/** Returns what says so at most every two seconds. */
export const paced = (): ((text: () => string) => Effect.Effect<void>) => {
  let said = 0
  return (text) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (now - said < every) return Effect.void
      said = now
      return progress(text())
    })
}

/** Shows a size for a person. */
export const bytes = (size: number): string =>
  size < 10_000 ? `${size} bytes` : `${(size / 1024 ** 2).toFixed(size < 10 * 1024 ** 2 ? 2 : 0)} MiB`
