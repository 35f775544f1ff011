import { now } from "@slipway/domain"
import type { Owner } from "@slipway/domain/forge/code"
import {
  type ContainerBlob,
  containerBlobs,
  containerReferences,
  ImageDigest,
  type ImageOfOwner,
  imageNameProblem,
  PackageNameInvalid,
  PackageNotFound,
  packages,
  pendingContainerBlobs
} from "@slipway/domain/forge/registries"
import { Effect } from "effect"
import type { StoredBlob } from "../bytes.ts"

/** The package type of images. */
export const container = "container"

/** Fails for an invalid image name. */
export const checkedName = Effect.fnUntraced(function* (image: string) {
  const problem = imageNameProblem(image)
  if (problem !== undefined) return yield* new PackageNameInvalid({ field: "name", problem })
})

/** Returns the key of an image below its owner. */
export const imageOf = (owner: Owner, image: string): ImageOfOwner => ({
  ownerId: owner.id,
  userId: owner.kind === "user" ? owner.id : null,
  organizationId: owner.kind === "organization" ? owner.id : null,
  image
})

/** Finds blobs and protects them from the sweep for a day; within a transaction. */
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

/** Records stored bytes within a transaction; keeps the existing record of the same bytes. */
export const note = Effect.fnUntraced(function* ({ blob, facts: { md5, sha1, sha256, sha512, size } }: StoredBlob) {
  const store = yield* containerBlobs.store
  const digest = ImageDigest.make(`sha256:${sha256}`)
  const usedAt = yield* now
  for (;;) {
    yield* Effect.orDie(store.insertIfAbsent({ digest, size, blob, md5, sha1, sha512, usedAt }))
    const [row] = yield* use([digest])
    // A record swept in between is inserted again.
    if (row !== undefined) return row
  }
})

/** Adds a blob to an image, for a day or until a manifest references it; within a transaction. */
export const addBlobToImage = Effect.fnUntraced(function* (owner: Owner, image: string, { id: blobId }: ContainerBlob) {
  const store = yield* pendingContainerBlobs.store
  const row = { ...imageOf(owner, image), blobId, since: yield* now }
  yield* store.removeBy("image", row)
  // A deleted owner has no packages.
  yield* Effect.mapError(store.insertIfAbsent(row), () => new PackageNotFound({ what: image }))
})

/**
 * Returns the blobs that an image has: referenced by its manifests, or uploaded for it.
 *
 * A blob of another image grants no access to it here (invariant I6).
 */
export const blobsOfImage = Effect.fnUntraced(function* (
  owner: Owner,
  image: string,
  digests: ReadonlyArray<ImageDigest>
) {
  const blobs = yield* (yield* containerBlobs.store).findManyBy(
    "digest",
    digests.map((digest) => ({ digest }))
  )
  // Always queried, so that timing does not disclose whether another image has the blobs (invariant I9).
  const ids = [0, ...blobs.map(({ id }) => id)]
  const found = yield* (yield* packages.store).findBy("name", { ownerId: owner.id, type: container, name: image })
  const inManifests =
    found === undefined
      ? new Map()
      : yield* (yield* containerReferences.store).listFor("blobId", ids, 1, { filter: { packageId: found.id } })
  const filter = { ownerId: owner.id, image }
  const came = yield* (yield* pendingContainerBlobs.store).listFor("blobId", ids, 1, { filter })
  return blobs.filter(({ id }) => inManifests.has(id) || came.has(id))
})
