import { Effect, Stream } from "effect"
import { type BlobFacts, BlobMismatch, type BlobTerms, BlobTooLarge } from "./BlobStore.ts"

/** Limits a stream of bytes: fails as soon as it exceeds the maximum or the declared size. */
export const limitBytes =
  ({ expected, maxSize }: BlobTerms) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, BlobMismatch | BlobTooLarge | E, R> =>
    Stream.suspend((): Stream.Stream<Uint8Array, BlobMismatch | BlobTooLarge | E, R> => {
      const said = expected?.size
      // A declared size above the limit is rejected without reading.
      if (said !== undefined && said > maxSize) return Stream.fail(new BlobTooLarge({ maxSize }))
      let size = 0
      return Stream.mapEffect(
        bytes,
        Effect.fnUntraced(function* (chunk) {
          size += chunk.length
          if (size > maxSize) return yield* new BlobTooLarge({ maxSize })
          if (said !== undefined && size > said) return yield* new BlobMismatch({ of: "size" })
          return chunk
        })
      )
    })

/** Fails if received bytes do not have the size or the SHA-256 digest that the sender declared. */
export const asExpected = (facts: BlobFacts, { expected }: BlobTerms): Effect.Effect<BlobFacts, BlobMismatch> => {
  if (expected?.size !== undefined && expected.size !== facts.size) {
    return Effect.fail(new BlobMismatch({ of: "size" }))
  }
  return expected?.sha256 === undefined || expected.sha256 === facts.sha256
    ? Effect.succeed(facts)
    : Effect.fail(new BlobMismatch({ of: "sha256" }))
}
