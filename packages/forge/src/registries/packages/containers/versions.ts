import type { Owner } from "@slipway/domain/forge/code"
import {
  type ContainerManifest,
  containerBlobs,
  containerManifests,
  containerReferences,
  containerTags,
  mostPackageFiles,
  type Package,
  type PackageFile,
  PackageFileId,
  type PackageVersion,
  packageVersions
} from "@slipway/domain/forge/registries"
import { Effect } from "effect"
import { hookDataOfVersion, removeEmpty } from "../packageVersions.ts"

/** Removes a manifest and all its versions; the image must be locked. Webhooks get an event for the newest version. */
export const removeImage = Effect.fnUntraced(function* (
  owner: Owner,
  found: Package,
  { id, versionId }: ContainerManifest
) {
  const packageId = found.id
  const { rows } = yield* (yield* containerTags.store).list({ manifestId: id }, { limit: mostPackageFiles })
  const ids = [...rows.map((tag) => tag.versionId), ...(versionId === null ? [] : [versionId])]
  const versions = yield* packageVersions.store
  const newest = yield* versions.find({ packageId }, Math.max(0, ...ids))
  const hookData = newest === undefined ? {} : yield* hookDataOfVersion(owner, newest)
  yield* (yield* containerManifests.store).remove({ packageId }, id)
  yield* versions.removeMany({ packageId }, ids)
  yield* removeEmpty(found)
  return hookData
})

/** Removes the manifest of a tagged version, unless another tag uses it; call this before removing the version. */
export const removeManifestOf = Effect.fnUntraced(function* ({ id: versionId, packageId }: PackageVersion) {
  const tags = yield* containerTags.store
  const tag = yield* tags.findBy("version", { versionId })
  // An untagged manifest is removed with its version.
  if (tag === undefined || (yield* tags.count({ manifestId: tag.manifestId })) > 1) return
  yield* (yield* containerManifests.store).remove({ packageId }, tag.manifestId)
})

/** Lists the parts of an image version: manifest, configuration and layers. */
export const filesOf = Effect.fnUntraced(function* ({ id: versionId }: PackageVersion) {
  const tag = yield* (yield* containerTags.store).findBy("version", { versionId })
  const manifestId = tag?.manifestId ?? (yield* (yield* containerManifests.store).findBy("version", { versionId }))?.id
  if (manifestId === undefined) return []
  const { rows } = yield* (yield* containerReferences.store).list({ manifestId }, { limit: mostPackageFiles })
  const blobs = yield* (yield* containerBlobs.store).findManyBy(
    "digest",
    rows.map(({ digest }) => ({ digest }))
  )
  const byDigest = new Map(blobs.map((blob) => [blob.digest, blob]))
  return rows.flatMap(({ digest }, at): ReadonlyArray<PackageFile> => {
    const found = byDigest.get(digest)
    if (found === undefined) return []
    const { digest: _, usedAt: __, id, ...facts } = found
    const name = at === 0 ? "manifest.json" : digest.replace(":", "_")
    return [{ ...facts, id: PackageFileId.make(id), versionId, name, sha256: digest.slice("sha256:".length) }]
  })
})
