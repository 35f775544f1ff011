import { Schema } from "effect"
import * as Fields from "../../../../owned/fields.ts"
import { ascending, owned } from "../../../../owned/Owned.ts"
import type { OrganizationId, OwnerId } from "../../../identity/organizations/Organization.ts"
import type { UserId } from "../../../identity/users/User.ts"
import type { PackageId, PackageVersionId } from "../Package.ts"

/** The schema of a digest in a container registry: `sha256:` and 64 hexadecimal digits. */
export const ImageDigest = Schema.String.check(Schema.isPattern(/^sha256:[0-9a-f]{64}$/)).pipe(
  Schema.brand("ImageDigest")
)
export type ImageDigest = typeof ImageDigest.Type

/** Returns whether a value is a digest of a container registry. */
export const isImageDigest = Schema.is(ImageDigest)

/** The stored bytes of an image part (layer, configuration or manifest). Images with the same part share one row. */
export interface ContainerBlob {
  readonly id: number
  readonly digest: ImageDigest
  /** The size of the blob, in bytes. */
  readonly size: number
  /** The name of the blob with the bytes. */
  readonly blob: string
  readonly md5: string
  readonly sha1: string
  readonly sha512: string
  /** The time when an image last got the blob. A blob without an image is removed one day later. */
  readonly usedAt: string
}

/** The stored bytes of image parts, one row per digest. */
export const containerBlobs = owned<ContainerBlob>()("containerBlob", {
  within: [],
  fields: {
    digest: Fields.text(),
    size: Fields.integer(),
    blob: Fields.text(),
    md5: Fields.text(),
    sha1: Fields.text(),
    sha512: Fields.text(),
    usedAt: Fields.time()
  },
  filters: ["digest", "usedAt"],
  unique: { digest: ["digest"], blob: ["blob"] }
})

/** An image, identified by its owner and its path. The image may not exist as a package yet. */
export interface ImageOfOwner {
  readonly ownerId: OwnerId
  /** The id of the owning user; null if an organization owns the image. */
  readonly userId: UserId | null
  readonly organizationId: OrganizationId | null
  readonly image: string
}

const ofOwner = {
  ownerId: Fields.integer<OwnerId>(),
  userId: Fields.nullable(Fields.reference<UserId>("user")),
  organizationId: Fields.nullable(Fields.reference<OrganizationId>("organization")),
  image: Fields.text<string>()
}

/** A blob that was uploaded for an image, but that no manifest refers to yet. It expires after a day. */
export interface PendingContainerBlob extends ImageOfOwner {
  readonly id: number
  readonly blobId: number
  readonly since: string
}

/** The blobs that were uploaded for images, but that no manifest refers to yet. */
export const pendingContainerBlobs = owned<PendingContainerBlob>()("containerHolding", {
  within: ["blobId"],
  fields: { blobId: Fields.reference("containerBlob"), ...ofOwner, since: Fields.time() },
  filters: ["blobId", "ownerId", "image", "since"],
  unique: { image: ["ownerId", "image", "blobId"] }
})

/** A manifest of an image: the parsed fields, without the bytes. */
export interface ContainerManifest {
  readonly id: number
  readonly packageId: PackageId
  readonly digest: ImageDigest
  readonly mediaType: string
  /** The size of the manifest, in bytes. */
  readonly size: number
  /** The artifact type that the manifest declares; null if it declares none. */
  readonly artifactType: string | null
  /** The digest of the manifest that this one is about, such as the image of a signature; null if there is none. */
  readonly subject: ImageDigest | null
  readonly annotations: Readonly<Record<string, string>>
  /** The version of the package that this manifest is, if no tag points to it; otherwise null. */
  readonly versionId: PackageVersionId | null
}

/** The manifests of images. */
export const containerManifests = owned<ContainerManifest>()("containerManifest", {
  within: ["packageId"],
  fields: {
    packageId: Fields.reference("package"),
    digest: Fields.text(),
    mediaType: Fields.text(),
    size: Fields.integer(),
    artifactType: Fields.nullable(Fields.text()),
    subject: Fields.nullable(Fields.text()),
    annotations: Fields.json(),
    versionId: Fields.nullable(Fields.reference("packageVersion"))
  },
  filters: ["subject", "artifactType"],
  unique: { digest: ["packageId", "digest"], version: ["versionId"] }
})

/** A digest that belongs to a manifest: its own, or that of a blob it refers to. */
export interface ContainerReference {
  readonly id: number
  readonly blobId: number
  readonly manifestId: number
  readonly packageId: PackageId
  readonly digest: ImageDigest
}

/** The digests that belong to each manifest, in order. */
export const containerReferences = owned<ContainerReference>()("containerReference", {
  within: ["blobId", "manifestId"],
  fields: {
    blobId: Fields.reference("containerBlob"),
    manifestId: Fields.reference("containerManifest"),
    packageId: Fields.reference("package"),
    digest: Fields.text()
  },
  filters: ["packageId"]
})

/** A tag of an image, such as `latest`. It points to a manifest, and is a version of the package. */
export interface ContainerTag {
  readonly id: number
  readonly packageId: PackageId
  readonly manifestId: number
  readonly versionId: PackageVersionId
  readonly tag: string
}

/** The tags of images. */
export const containerTags = owned<ContainerTag>()("containerTag", {
  within: ["packageId", "manifestId"],
  fields: {
    packageId: Fields.reference("package"),
    manifestId: Fields.reference("containerManifest"),
    versionId: Fields.reference("packageVersion"),
    tag: Fields.text({ ignoringCase: true })
  },
  orders: { tag: ascending("tag") },
  filters: ["tag"],
  unique: { tag: ["packageId", "tag"], version: ["versionId"] }
})

/** A received part of an upload, stored as a blob. */
export interface UploadPart {
  /** The name of the blob that contains the bytes of the part. */
  readonly blob: string
  readonly size: number
  readonly sha256: string
  /** Further digests of the bytes; they are used if the upload has only this part. */
  readonly further: { readonly md5: string; readonly sha1: string; readonly sha512: string } | null
}

/** An upload of a blob of an image, which a client sends in parts. */
export interface ContainerUpload extends ImageOfOwner {
  readonly id: number
  readonly uuid: string
  /** The user who started the upload; only this user can continue it. */
  readonly creatorId: UserId
  /** The number of bytes received so far. */
  readonly size: number
  readonly parts: ReadonlyArray<UploadPart>
  readonly startedAt: string
}

/** The unfinished uploads of container image blobs; they expire after a day. */
export const containerUploads = owned<ContainerUpload>()("containerUpload", {
  within: ["creatorId"],
  fields: {
    creatorId: Fields.reference("user"),
    ...ofOwner,
    uuid: Fields.text(),
    size: Fields.integer(),
    parts: Fields.json(),
    startedAt: Fields.time()
  },
  filters: ["startedAt"],
  unique: { uuid: ["uuid"] }
})

/** How long an upload can be continued, and how long an image keeps a blob that no manifest refers to. */
export const uploadsLast = "1 day"
/** The maximum number of unfinished uploads of one user. */
export const mostUploads = 1_000
/** The maximum number of parts of an upload. */
export const mostParts = 1_000
/** The maximum size of a manifest, in bytes. */
export const largestManifest = 4 * 1_048_576
/** The maximum number of blobs and manifests that one manifest can refer to. */
export const mostNamedParts = 1_000

const word = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
const imageName = new RegExp(`^${word}(?:/${word})*$`)

/**
 * Returns the error message for an invalid image name (its path without the owner); undefined if it is valid.
 *
 * @example
 * imageNameProblem("tools/make__all-1.x") // => undefined
 * imageNameProblem("Tool") // => "must have lower-case letters and digits, separated by `.`, `_`, `__`, `-` or `/`"
 */
export const imageNameProblem = (name: string): string | undefined =>
  name.length <= 214 && imageName.test(name)
    ? undefined
    : "must have lower-case letters and digits, separated by `.`, `_`, `__`, `-` or `/`"

/**
 * Returns the error message for an invalid image tag; undefined if it is valid.
 *
 * @example
 * imageTagProblem("1.0-RC_1") // => undefined
 * imageTagProblem(".hidden") // => "must begin with a letter, a digit or `_` and may only contain letters, digits, `.`, `-` and `_`"
 */
export const imageTagProblem = (tag: string): string | undefined =>
  /^\w[\w.-]{0,127}$/.test(tag)
    ? undefined
    : "must begin with a letter, a digit or `_` and may only contain letters, digits, `.`, `-` and `_`"
