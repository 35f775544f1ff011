import { Transaction } from "@slipway/domain"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  type ContainerBlob,
  containerReferences,
  ImageBlobInUse,
  ImageBlobNotFound,
  type ImageDigest,
  pendingContainerBlobs
} from "@slipway/domain/forge/registries"
import { Effect } from "effect"
import { audited } from "../../../base/events/record.ts"
import type { Download } from "../../../code/contents/downloads.ts"
import * as Entry from "../../../entry/Entry.ts"
import { bytesOf } from "../bytes.ts"
import { findPackage } from "../packageVersions.ts"
import { addBlobToImage, blobsOfImage, checkedName, container, use } from "./bytes.ts"

/** Opens the content of a blob for download. */
export const downloadOf = Effect.fnUntraced(function* ({ blob, digest, size }: ContainerBlob) {
  return { path: digest, id: digest, size, fixed: true, bytes: yield* bytesOf(blob) } satisfies Download
})

/** Finds a blob of an image for download. */
export const read = Effect.fnUntraced(function* (
  { resource: { owner } }: Proof<"package.container.read">,
  image: string,
  digest: ImageDigest
) {
  const [found] = yield* blobsOfImage(owner, image, [digest])
  return found === undefined ? yield* new ImageBlobNotFound({ digest }) : yield* downloadOf(found)
})

/** A blob of another image, of any owner. */
export interface ImageSource {
  readonly owner: string
  readonly image: string
}

/**
 * Mounts a blob from another image; returns false if that image lacks the blob or the caller may not read the image.
 *
 * A hidden image is treated like one without the blob (invariant I9).
 */
export const mount = Effect.fnUntraced(function* (
  { resource: { actor, owner } }: Proof<"package.container.upload">,
  image: string,
  from: ImageSource,
  digest: ImageDigest
) {
  yield* checkedName(image)
  const about = { kind: "packageOwner", owner: from.owner } as const
  const reading = yield* Effect.option(Entry.authorizeElsewhere("package.container.read", actor, about))
  if (reading._tag === "None") return false
  if ((yield* blobsOfImage(reading.value.resource.owner, from.image, [digest])).length === 0) return false
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const [blob] = yield* use([digest])
      if (blob !== undefined) yield* addBlobToImage(owner, image, blob)
      return blob !== undefined
    })
  )
})

/** Deletes a blob of an image that no manifest references; the nightly sweep removes its bytes. */
export const remove = audited(
  Effect.fnUntraced(function* (
    { resource: { owner } }: Proof<"package.container.delete">,
    image: string,
    digest: ImageDigest
  ) {
    const [blob] = yield* blobsOfImage(owner, image, [digest])
    if (blob === undefined) return yield* new ImageBlobNotFound({ digest })
    yield* (yield* pendingContainerBlobs.store).removeBy("image", { ownerId: owner.id, image, blobId: blob.id })
    const found = yield* Effect.option(findPackage(owner, { type: container, name: image }))
    if (found._tag === "None") return
    const references = yield* containerReferences.store
    const uses = yield* references.count({ blobId: blob.id }, { packageId: found.value.id })
    if (uses > 0) return yield* new ImageBlobInUse({ digest })
  }),
  (_, image, digest) => ({ details: { type: container, package: image, blob: digest } })
)
