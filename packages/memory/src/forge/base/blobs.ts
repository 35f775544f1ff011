import { now } from "@slipway/domain"
import {
  asExpected,
  type BlobKey,
  BlobNotFound,
  BlobStore,
  type BlobTerms,
  limitBytes
} from "@slipway/domain/forge/base"
import { Effect, Layer, Stream } from "effect"
import { Digest } from "effect/crypto"

interface StoredBytes {
  readonly bytes: Uint8Array
  readonly writtenAt: string
}

const joined = (chunks: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** Stores blobs in memory. */
export const blobStore: Layer.Layer<BlobStore, never, Digest.Digest> = Layer.effect(
  BlobStore,
  Effect.map(Digest.Digest, (digest) => {
    const objects = new Map<BlobKey, StoredBytes>()
    const put = Effect.fnUntraced(function* <E, R>(
      key: BlobKey,
      content: Stream.Stream<Uint8Array, E, R>,
      terms: BlobTerms
    ) {
      const bytes = joined(yield* Stream.runCollect(limitBytes(terms)(content)))
      const sha256 = yield* digest.digestHex(Digest.sha256, bytes)
      const facts = yield* asExpected({ size: bytes.length, sha256 }, terms)
      objects.set(key, { bytes, writtenAt: yield* now })
      return { bytes, facts }
    })
    return {
      put: (key, content, terms) => Effect.map(put(key, content, terms), ({ facts }) => facts),
      putWithDigests: (key, content, terms) =>
        Effect.gen(function* () {
          const { bytes, facts } = yield* put(key, content, terms)
          const md5 = yield* digest.digestHex(Digest.md5, bytes)
          const sha1 = yield* digest.digestHex(Digest.sha1, bytes)
          return { ...facts, md5, sha1, sha512: yield* digest.digestHex(Digest.sha512, bytes) }
        }),
      read: (key, range) =>
        Stream.suspend(() => {
          const found = objects.get(key)
          if (found === undefined) return Stream.fail(new BlobNotFound({ key }))
          const bytes =
            range === undefined
              ? found.bytes
              : found.bytes.slice(range.first, range.last === undefined ? undefined : range.last + 1)
          return bytes.length === 0 ? Stream.empty : Stream.succeed(bytes.slice())
        }),
      size: (key) => Effect.sync(() => objects.get(key)?.bytes.length),
      remove: (key) => Effect.sync(() => void objects.delete(key)),
      list: (area) =>
        Stream.suspend(() =>
          Stream.fromIterable(
            [...objects].flatMap(([key, { bytes, writtenAt }]) =>
              key.startsWith(`${area}/`) ? [{ key, size: bytes.length, writtenAt }] : []
            )
          )
        )
    }
  })
)
