import { Schema } from "effect"
import * as Fields from "../../../../owned/fields.ts"
import { ascending, owned } from "../../../../owned/Owned.ts"
import type { OrganizationId, OwnerId } from "../../../identity/organizations/Organization.ts"
import type { UserId } from "../../../identity/users/User.ts"
import type { PackageId, PackageVersionId } from "../Package.ts"

/** The schema of a digest in a container registry: a SHA-256. */
export const ImageDigest = Schema.String.check(Schema.isPattern(/^sha256:[0-9a-f]{64}$/)).pipe(
  Schema.brand("ImageDigest")
)
export type ImageDigest = typeof ImageDigest.Type

/** Returns whether a text is a digest. */
export const isImageDigest = Schema.is(ImageDigest)

/** The bytes of images: layers, configurations and manifests, shared between uploaders. */
export interface ContainerBlob {
  readonly id: number
  readonly digest: ImageDigest
  /** In bytes. */
  readonly size: number
  /** The name of the blob with the bytes. */
  readonly blob: string
  readonly md5: string
  readonly sha1: string
  readonly sha512: string
  /** When an image last received them: bytes without an image are removed a day after that. */
  readonly usedAt: string
}

/** The bytes of images, once per digest. */
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

/** An image by its path below its owner, before it exists as a package. */
export interface ImageOfOwner {
  readonly ownerId: OwnerId
  /** The owning user; null for an organization. */
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

/** A blob that was uploaded for an image: the image has it for a day, within which a manifest must refer to it. */
export interface PendingContainerBlob extends ImageOfOwner {
  readonly id: number
  readonly blobId: number
  readonly since: string
}

/** The blobs of images before a manifest refers to them. */
export const pendingContainerBlobs = owned<PendingContainerBlob>()("containerHolding", {
  within: ["blobId"],
  fields: { blobId: Fields.reference("containerBlob"), ...ofOwner, since: Fields.time() },
  filters: ["blobId", "ownerId", "image", "since"],
  unique: { image: ["ownerId", "image", "blobId"] }
})

/** A manifest of an image, without its bytes. */
export interface ContainerManifest {
  readonly id: number
  readonly packageId: PackageId
  readonly digest: ImageDigest
  readonly mediaType: string
  /** In bytes. */
  readonly size: number
  /** The artifact type of the manifest, if it declares one. */
  readonly artifactType: string | null
  /** The subject manifest that it refers to. */
  readonly subject: ImageDigest | null
  readonly annotations: Readonly<Record<string, string>>
  /** The version, if no tag refers to it. */
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

/** A part of a manifest: its own bytes, or those that it refers to. */
export interface ContainerReference {
  readonly id: number
  readonly blobId: number
  readonly manifestId: number
  readonly packageId: PackageId
  readonly digest: ImageDigest
}

/** The parts of manifests, in order. */
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

/** A tag of a manifest, such as `latest`; it is a version of the image. */
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

/** A part of an upload. */
export interface UploadPart {
  /** The name of the blob with its bytes. */
  readonly blob: string
  readonly size: number
  readonly sha256: string
  /** Further digests, in case the part is the only one. */
  readonly further: { readonly md5: string; readonly sha1: string; readonly sha512: string } | null
}

/** An upload of image bytes, in parts. */
export interface ContainerUpload extends ImageOfOwner {
  readonly id: number
  readonly uuid: string
  /** Its creator, the only user who can continue it. */
  readonly creatorId: UserId
  /** The number of bytes received. */
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

/** The maximum duration of an upload, and the time for which an image keeps a blob without a manifest. */
export const uploadsLast = "1 day"
/** The maximum number of open uploads of one user. */
export const mostUploads = 1_000
/** The maximum number of parts of an upload. */
export const mostParts = 1_000
/** The maximum size of a manifest, in bytes. */
export const largestManifest = 4 * 1_048_576
/** The maximum number of blobs or manifests that one manifest can refer to. */
export const mostNamedParts = 1_000

const word = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
const imageName = new RegExp(`^${word}(?:/${word})*$`)

/**
 * Returns the problem of the name of an image below its owner, or undefined.
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
 * Returns the problem of a tag of an image, or undefined.
 *
 * @example
 * imageTagProblem("1.0-RC_1") // => undefined
 * imageTagProblem(".hidden") // => "must begin with a letter, a digit or `_` and may only contain letters, digits, `.`, `-` and `_`"
 */
export const imageTagProblem = (tag: string): string | undefined =>
  /^\w[\w.-]{0,127}$/.test(tag)
    ? undefined
    : "must begin with a letter, a digit or `_` and may only contain letters, digits, `.`, `-` and `_`"
