import { createHash } from "node:crypto"
import type { BlobStore } from "@slipway/domain/forge/base"
import { Effect, Stream } from "effect"

type Blobs = BlobStore["Service"]

/**
 * Returns a function that stores bytes like `put` and computes additional digests of the same bytes during the upload.
 */
export const puttingWithDigests =
  (put: Blobs["put"]): Blobs["putWithDigests"] =>
  (key, bytes, terms) =>
    Effect.suspend(() => {
      const [md5, sha1, sha512] = [createHash("md5"), createHash("sha1"), createHash("sha512")]
      const passed = Stream.map(bytes, (chunk) => {
        for (const hash of [md5, sha1, sha512]) hash.update(chunk)
        return chunk
      })
      return Effect.map(put(key, passed, terms), (facts) => ({
        ...facts,
        md5: md5.digest("hex"),
        sha1: sha1.digest("hex"),
        sha512: sha512.digest("hex")
      }))
    })
