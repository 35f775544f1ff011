import type { OwnedPage, OwnedRows } from "@slipway/domain"
import { now } from "@slipway/domain"
import type { Owner } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { signedInUser } from "@slipway/domain/forge/identity"
import {
  type ContainerBlob,
  type ContainerManifest,
  containerBlobs,
  containerManifests,
  containerReferences,
  containerTags,
  type ImageDigest,
  ImageManifestIncomplete,
  ImageManifestNotFound,
  imageTagProblem,
  isImageDigest,
  largestManifest,
  type Package,
  PackageNameInvalid,
  type PackageVersion,
  packageVersions,
  pendingContainerBlobs
} from "@slipway/domain/forge/registries"
import { Effect, Stream } from "effect"
import { audited } from "../../../base/events/record.ts"
import { drop, keepBytes, type StoredBlob } from "../bytes.ts"
import { findPackage, findVersion, hookDataOfVersion, lockOrMakePackage, lockPackage } from "../packageVersions.ts"
import { blobsOfImage, checkedName, container, note, use } from "./bytes.ts"
import { downloadOf } from "./ContainerBlobs.ts"
import type { ReadManifest } from "./manifest.ts"
import { removeImage } from "./versions.ts"

/** The reference of a manifest: a tag or a digest. */
export interface ImageReference {
  readonly image: string
  readonly reference: string
}

const find = Effect.fnUntraced(function* ({ id: packageId }: Pick<Package, "id">, reference: string) {
  const manifests = yield* containerManifests.store
  if (isImageDigest(reference)) {
    const found = yield* manifests.findBy("digest", { packageId, digest: reference })
    return found ?? (yield* new ImageManifestNotFound({ reference }))
  }
  const tag = yield* (yield* containerTags.store).findBy("tag", { packageId, tag: reference })
  const found = tag && (yield* manifests.find({ packageId }, tag.manifestId))
  return found ?? (yield* new ImageManifestNotFound({ reference }))
})

/** Finds a manifest of an image by tag or digest, for download. */
export const read = Effect.fnUntraced(function* (
  { resource: { owner } }: Proof<"package.container.read">,
  { image, reference }: ImageReference
) {
  const found = yield* find(yield* findPackage(owner, { type: container, name: image }), reference)
  const blob = yield* (yield* containerBlobs.store).findBy("digest", { digest: found.digest })
  if (blob === undefined) return yield* new ImageManifestNotFound({ reference })
  return { ...(yield* downloadOf(blob)), digest: found.digest, type: found.mediaType }
})

/** Lists the tags of an image by name; `behind` is the cursor: the last tag of the previous page. */
export const tags = Effect.fnUntraced(function* (
  { resource: { owner } }: Proof<"package.container.read">,
  image: string,
  { behind, limit }: { readonly behind: string | undefined; readonly limit: number }
) {
  const { id: packageId } = yield* findPackage(owner, { type: container, name: image })
  // `!` sorts before all tag characters, so it excludes exactly the given tag.
  const filter = behind === undefined ? {} : { tag: { from: `${behind}!` } }
  const { more, rows } = yield* (yield* containerTags.store).list({ packageId }, { limit }, { filter })
  return { more, tags: rows.map(({ tag }) => tag) }
})

const nothing: OwnedRows<ContainerManifest> = { rows: [], total: 0, more: false, next: undefined }

/**
 * Lists the manifests that refer to the given manifest of an image as their subject, for example its signatures.
 *
 * Returns an empty list if the image or the manifest does not exist.
 */
export const referrers = Effect.fnUntraced(function* (
  { resource: { owner } }: Proof<"package.container.read">,
  image: string,
  subject: ImageDigest,
  artifactType: string | undefined,
  page: OwnedPage
) {
  const found = yield* Effect.option(findPackage(owner, { type: container, name: image }))
  if (found._tag === "None") return nothing
  const store = yield* containerManifests.store
  return yield* store.list({ packageId: found.value.id }, page, { filter: { subject, artifactType } })
})

const insertVersion = Effect.fnUntraced(function* (
  { id: packageId, name }: Pick<Package, "id" | "name">,
  owner: Owner,
  version: string,
  creatorId: PackageVersion["creatorId"]
) {
  const row = { packageId, ownerId: owner.id, type: container, name, version, creatorId, createdAt: yield* now }
  return yield* Effect.orDie((yield* packageVersions.store).insert(row))
})

/**
 * Creates a package version, named by its digest, for a manifest that lost its last tag.
 *
 * Returns undefined if the manifest is missing, has a tag, or has such a version already.
 */
const untag = Effect.fnUntraced(function* (
  found: Package,
  owner: Owner,
  manifestId: number,
  creatorId: PackageVersion["creatorId"]
) {
  const manifests = yield* containerManifests.store
  const manifest = yield* manifests.find({ packageId: found.id }, manifestId)
  if (manifest === undefined || manifest.versionId !== null) return undefined
  if ((yield* (yield* containerTags.store).count({ manifestId })) > 0) return undefined
  const version = yield* insertVersion(found, owner, manifest.digest, creatorId)
  yield* Effect.orDie(manifests.patch({ packageId: found.id }, manifestId, { versionId: version.id }))
  return version
})

/** Points a tag to a manifest and creates its package version; undefined if the tag points to the manifest already. */
const lead = Effect.fnUntraced(function* (
  found: Package,
  owner: Owner,
  manifest: ContainerManifest,
  tag: string,
  creatorId: PackageVersion["creatorId"]
) {
  const packageId = found.id
  const store = yield* containerTags.store
  const versions = yield* packageVersions.store
  const before = yield* store.findBy("tag", { packageId, tag })
  if (before?.manifestId === manifest.id) return undefined
  if (before !== undefined) {
    yield* versions.remove({ packageId }, before.versionId)
    yield* untag(found, owner, before.manifestId, creatorId)
  }
  const version = yield* insertVersion(found, owner, tag, creatorId)
  yield* Effect.orDie(store.insert({ packageId, manifestId: manifest.id, versionId: version.id, tag }))
  if (manifest.versionId !== null) {
    const change = { versionId: null }
    yield* Effect.orDie((yield* containerManifests.store).patch({ packageId }, manifest.id, change))
    yield* versions.remove({ packageId }, manifest.versionId)
  }
  return version
})

/** Returns the blobs of a manifest in order; fails if a blob or a child manifest does not exist in the image. */
const requireParts = Effect.fnUntraced(function* (owner: Owner, found: Package, { blobs, manifests }: ReadManifest) {
  const held = new Map((yield* blobsOfImage(owner, found.name, blobs)).map((blob) => [blob.digest, blob]))
  const keys = manifests.map((digest) => ({ packageId: found.id, digest }))
  const there = yield* (yield* containerManifests.store).findManyBy("digest", keys)
  const children = new Set(there.map(({ digest }) => digest))
  const missing = blobs.find((digest) => !held.has(digest)) ?? manifests.find((digest) => !children.has(digest))
  if (missing !== undefined) return yield* new ImageManifestIncomplete({ digest: missing })
  const used = new Map((yield* use(blobs)).map((blob) => [blob.digest, blob]))
  return yield* Effect.forEach(blobs, (digest) => {
    const blob = used.get(digest)
    return blob === undefined ? Effect.fail(new ImageManifestIncomplete({ digest })) : Effect.succeed(blob)
  })
})

const keepManifest = Effect.fnUntraced(function* (
  { id: packageId }: Package,
  { blobs: _, manifests: __, ...said }: ReadManifest,
  own: ContainerBlob,
  parts: ReadonlyArray<ContainerBlob>
) {
  const { digest, size } = own
  const store = yield* containerManifests.store
  const present = yield* store.findBy("digest", { packageId, digest })
  if (present !== undefined) return present
  const manifest = yield* Effect.orDie(store.insert({ packageId, digest, size, ...said, versionId: null }))
  const references = [own, ...parts].map((blob) => ({
    blobId: blob.id,
    manifestId: manifest.id,
    packageId,
    digest: blob.digest
  }))
  yield* Effect.orDie((yield* containerReferences.store).insertMany(references))
  return manifest
})

const keeping = (stored: StoredBlob, said: ReadManifest) =>
  audited(
    Effect.fnUntraced(function* (proof: Proof<"package.container.publish">, { image, reference }: ImageReference) {
      const { owner } = proof.resource
      const creatorId = signedInUser(proof.resource).id
      const found = yield* lockOrMakePackage(owner, { type: container, name: image })
      const parts = yield* requireParts(owner, found, said)
      const own = yield* note(stored)
      const manifest = yield* keepManifest(found, said, own, parts)
      // The manifest now holds the blobs, so they are removed with it.
      const blobId = { in: parts.map(({ id }) => id) }
      yield* (yield* pendingContainerBlobs.store).removeEverywhere({ ownerId: owner.id, image, blobId })
      const version = isImageDigest(reference)
        ? yield* untag(found, owner, manifest.id, creatorId)
        : yield* lead(found, owner, manifest, reference, creatorId)
      const hookData = version === undefined ? {} : yield* hookDataOfVersion(owner, version)
      return { hookData, blob: own.blob, digest: own.digest }
    }),
    ({ digest, hookData }, { image, reference }) => ({
      ...hookData,
      details: { type: container, package: image, version: reference, digest }
    })
  )

/** Publishes a manifest of an image under a tag or its digest; its blobs and child manifests must exist. */
export const publish = Effect.fnUntraced(function* (
  proof: Proof<"package.container.publish">,
  named: ImageReference,
  said: ReadManifest,
  bytes: Uint8Array
) {
  yield* checkedName(named.image)
  const { reference } = named
  const problem = isImageDigest(reference) ? undefined : imageTagProblem(reference)
  if (problem !== undefined) return yield* new PackageNameInvalid({ field: "tag", problem })
  const expected = isImageDigest(reference) ? { sha256: reference.slice("sha256:".length) } : {}
  const stored = yield* keepBytes(Stream.succeed(bytes), { maxSize: largestManifest, expected })
  const { blob, digest } = yield* Effect.tapError(keeping(stored, said)(proof, named), () => drop([stored.blob]))
  if (blob !== stored.blob) yield* drop([stored.blob])
  return digest
})

/** Deletes a tag of an image; with a digest as reference, deletes the manifest and all its tags. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"package.container.delete">, { image, reference }: ImageReference) {
    const { owner } = resource
    const found = yield* lockPackage(owner, { type: container, name: image })
    const manifest = yield* find(found, reference)
    if (isImageDigest(reference)) return yield* removeImage(owner, found, manifest)
    const version = yield* Effect.orDie(findVersion(found, reference))
    const hookData = yield* hookDataOfVersion(owner, version)
    yield* (yield* packageVersions.store).remove({ packageId: found.id }, version.id)
    yield* untag(found, owner, manifest.id, signedInUser(resource).id)
    return hookData
  }),
  (hookData, { image, reference }) => ({
    ...hookData,
    details: { type: container, package: image, version: reference }
  })
)
