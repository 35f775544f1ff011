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

/** Returns the columns that identify an image: its name and its owner. */
export const imageOf = (owner: Owner, image: string): ImageOfOwner => ({
  ownerId: owner.id,
  userId: owner.kind === "user" ? owner.id : null,
  organizationId: owner.kind === "organization" ? owner.id : null,
  image
})

/** Finds and locks blobs, and protects them from the nightly sweep for a day; must run in a transaction. */
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

/** Returns the database row of stored bytes; inserts it if no row has the same digest. Must run in a transaction. */
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

/**
 * Adds a blob to an image for a day; a manifest that references the blob keeps it longer.
 *
 * Must run in a transaction.
 */
export const addBlobToImage = Effect.fnUntraced(function* (owner: Owner, image: string, { id: blobId }: ContainerBlob) {
  const store = yield* pendingContainerBlobs.store
  const row = { ...imageOf(owner, image), blobId, since: yield* now }
  yield* store.removeBy("image", row)
  // A deleted owner has no packages.
  yield* Effect.mapError(store.insertIfAbsent(row), () => new PackageNotFound({ what: image }))
})

/**
 * Returns those blobs that belong to an image: referenced by its manifests, or uploaded for it.
 *
 * A blob that only belongs to another image is omitted, even if its digest is correct (invariant I6).
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
