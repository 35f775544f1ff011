import { Effect, type Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { now } from "../../../Time.ts"
import { uuidOf } from "../../attachments/Attachments.ts"
import { type BlobFacts, BlobStore, type BlobTerms, blobKey, type FurtherDigests } from "../../blobs/BlobStore.ts"
import type { Owner } from "../../repositories/Repository.ts"
import { SiteSettings } from "../../settings/SiteSettings.ts"
import { PackageNameInvalid, PackageNotFound } from "../errors.ts"
import { packages } from "../Package.ts"
import {
  type ContainerBlob,
  containerBlobs,
  containerHoldings,
  containerReferences,
  ImageDigest,
  type ImageOfOwner,
  imageNameProblem
} from "./Container.ts"

/** The type of the packages that images are. */
export const container = "container"

const megabyte = 1_048_576

/** How large the bytes of an image may be, but for those of manifests. */
export const largestBlob = Effect.map(SiteSettings, ({ packages: { maxFileSize } }) => maxFileSize * megabyte)

/** Returns the key of a blob of images. */
export const keyOf = (blob: string) => blobKey("packages", blob)

/** Makes a name for a blob or an upload. */
export const freshUuid = Effect.flatMap(SecureRandom.SecureRandom, (random) =>
  Effect.map(random.randomBytes(16), uuidOf)
)

/** Refuses a name that no image may have. */
export const checkedName = Effect.fnUntraced(function* (image: string) {
  const problem = imageNameProblem(image)
  if (problem !== undefined) return yield* new PackageNameInvalid({ field: "name", problem })
})

/** Returns what names an image below its owner. */
export const imageOf = (owner: Owner, image: string): ImageOfOwner => ({
  ownerId: owner.id,
  userId: owner.kind === "user" ? owner.id : null,
  organizationId: owner.kind === "organization" ? owner.id : null,
  image
})

/** The blob of bytes that were taken in, and what was found out about them. */
export interface KeptBytes {
  readonly blob: string
  readonly facts: BlobFacts & FurtherDigests
}

/** Takes bytes in under a fresh name: what nothing comes to know is swept. */
export const takeIn = Effect.fnUntraced(function* <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, terms: BlobTerms) {
  const blob = yield* freshUuid
  const facts = yield* (yield* BlobStore).putWithDigests(keyOf(blob), bytes, terms)
  return { blob, facts } satisfies KeptBytes
})

/**
 * Removes the bytes of blobs that nothing knows: after a failure, and never after an interruption, which may come when all is
 * committed; what that leaves is swept.
 */
export const drop = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const blobs = yield* BlobStore
  yield* Effect.forEach(names, (name) => blobs.remove(keyOf(name)), { concurrency: 8, discard: true })
})

/** Finds blobs, and keeps them from being swept for a day; within a transaction. */
export const use = Effect.fnUntraced(function* (digests: ReadonlyArray<ImageDigest>) {
  const store = yield* containerBlobs.store
  const usedAt = yield* now
  const found = yield* store.lockManyBy(
    "digest",
    digests.map((digest) => ({ digest }))
  )
  const changes = found.map(({ id }) => ({ id, change: { usedAt } }))
  return yield* Effect.orDie(store.patchMany({}, changes))
})

/** Notes bytes that were taken in; where the same ones are there, those stay. Within a transaction. */
export const note = Effect.fnUntraced(function* ({ blob, facts: { md5, sha1, sha256, sha512, size } }: KeptBytes) {
  const store = yield* containerBlobs.store
  const digest = ImageDigest.make(`sha256:${sha256}`)
  const usedAt = yield* now
  for (;;) {
    yield* Effect.orDie(store.insertIfAbsent({ digest, size, blob, md5, sha1, sha512, usedAt }))
    const [row] = yield* use([digest])
    // One that was swept between the two is noted anew.
    if (row !== undefined) return row
  }
})

/** Gives an image a blob, for a day or until a manifest names it; within a transaction. */
export const hold = Effect.fnUntraced(function* (owner: Owner, image: string, { id: blobId }: ContainerBlob) {
  const store = yield* containerHoldings.store
  const row = { ...imageOf(owner, image), blobId, since: yield* now }
  yield* store.removeBy("image", row)
  // Who is gone owns nothing any more.
  yield* Effect.mapError(store.insertIfAbsent(row), () => new PackageNotFound({ what: image }))
})

/**
 * Finds those of some blobs that an image has: a manifest of it names them, or they came for it.
 *
 * That another image has a blob gives nobody access to it here (invariant I6).
 */
export const heldBy = Effect.fnUntraced(function* (owner: Owner, image: string, digests: ReadonlyArray<ImageDigest>) {
  const blobs = yield* (yield* containerBlobs.store).findManyBy(
    "digest",
    digests.map((digest) => ({ digest }))
  )
  const ids = blobs.map(({ id }) => id)
  const named = { ownerId: owner.id, type: container, name: image }
  const found = ids.length === 0 ? undefined : yield* (yield* packages.store).findBy("name", named)
  const inManifests =
    found === undefined
      ? new Map()
      : yield* (yield* containerReferences.store).listFor("blobId", ids, 1, { filter: { packageId: found.id } })
  const others = ids.filter((id) => !inManifests.has(id))
  const came =
    others.length === 0
      ? new Map()
      : yield* (yield* containerHoldings.store).listFor("blobId", others, 1, {
          filter: { ownerId: owner.id, image }
        })
  return blobs.filter(({ id }) => inManifests.has(id) || came.has(id))
})
