import { CheckoutFailed } from "@slipway/domain/deploy/apps"
import { Duration, Effect } from "effect"
import { sizeOf } from "./folders.ts"

/** The limits of time and space for fetching a repository. */
export interface FetchLimits {
  readonly timeout: Duration.Duration
  /** Maximum size in bytes; applies to the fetched objects and, separately, to the files. */
  readonly size: number
}

const units = [
  ["GiB", 2 ** 30],
  ["MiB", 2 ** 20],
  ["KiB", 2 ** 10]
] as const

const shown = (bytes: number): string => {
  const [unit, size] = units.find(([, size]) => bytes >= size && bytes % size === 0) ?? ["bytes", 1]
  return `${bytes / size} ${unit}`
}

/** Makes the error for a repository over the size limit. */
export const tooLarge = ({ size }: FetchLimits): CheckoutFailed =>
  new CheckoutFailed({ because: `the repository is larger than ${shown(size)}` })

const tooSlow = ({ timeout }: FetchLimits): CheckoutFailed =>
  new CheckoutFailed({ because: `fetching the repository took longer than ${Duration.toSeconds(timeout)} seconds` })

const watching = (folder: string, limits: FetchLimits) =>
  Effect.gen(function* () {
    for (;;) {
      yield* Effect.sleep("250 millis")
      if ((yield* sizeOf(folder)) > limits.size) return yield* tooLarge(limits)
    }
  })

/** Runs work that writes into a folder; interrupts it when it exceeds the timeout or the size limit (invariant I25). */
export const within =
  (folder: string, limits: FetchLimits) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | CheckoutFailed, R> =>
    Effect.raceFirst(effect, watching(folder, limits)).pipe(
      // The work between two checks may have exceeded the limit as well.
      Effect.tap(() =>
        Effect.flatMap(sizeOf(folder), (size) => (size > limits.size ? Effect.fail(tooLarge(limits)) : Effect.void))
      ),
      Effect.timeoutOrElse({ duration: limits.timeout, orElse: () => Effect.fail(tooSlow(limits)) })
    )
