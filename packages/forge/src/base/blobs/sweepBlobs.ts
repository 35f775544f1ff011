import { timeAgo } from "@slipway/domain"
import { type BlobArea, BlobStore } from "@slipway/domain/forge/base"
import { Duration, Effect, Stream } from "effect"

/** The minimum age at which a blob without a database row is removed. It is longer than any upload takes. */
const left = Duration.days(1)

/**
 * Removes blobs with a key prefix that are older than a day and not referenced by a database row. Returns their number.
 */
export const sweepBlobs = Effect.fnUntraced(function* <E, R>(
  area: BlobArea,
  known: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, E, R>
) {
  const blobs = yield* BlobStore
  const before = yield* timeAgo(left)
  const old = Stream.filter(blobs.list(area), ({ writtenAt }) => writtenAt < before)
  const nameOf = (key: string) => key.slice(area.length + 1)
  let swept = 0
  yield* Stream.runForEach(
    Stream.grouped(old, 500),
    Effect.fnUntraced(function* (batch) {
      const referenced = new Set(yield* known(batch.map(({ key }) => nameOf(key))))
      for (const { key } of batch) {
        if (referenced.has(nameOf(key))) continue
        yield* blobs.remove(key)
        swept += 1
      }
    })
  )
  return swept
})
