import { Schema } from "effect"

/** Reports that an image has no manifest with this tag or digest. */
export class ImageManifestNotFound extends Schema.TaggedError<ImageManifestNotFound>()("ImageManifestNotFound", {
  reference: Schema.String
}) {}
/** Reports that an image has no blob with this digest. */
export class ImageBlobNotFound extends Schema.TaggedError<ImageBlobNotFound>()("ImageBlobNotFound", {
  digest: Schema.String
}) {}
/** Reports that a blob cannot be deleted, because manifests of the image refer to it. */
export class ImageBlobInUse extends Schema.TaggedError<ImageBlobInUse>()("ImageBlobInUse", { digest: Schema.String }) {}
/** Reports that a manifest is malformed, or has an unsupported type. */
export class ImageManifestInvalid extends Schema.TaggedError<ImageManifestInvalid>()("ImageManifestInvalid", {
  problem: Schema.String
}) {}
/** Reports that a manifest refers to blobs or manifests that the image does not have. */
export class ImageManifestIncomplete extends Schema.TaggedError<ImageManifestIncomplete>()("ImageManifestIncomplete", {
  digest: Schema.String
}) {}
/** Reports that no such upload exists; it may be finished, cancelled or expired. */
export class ImageUploadNotFound extends Schema.TaggedError<ImageUploadNotFound>()("ImageUploadNotFound", {
  upload: Schema.String
}) {}
/** Reports that a part of an upload does not start at the end of the bytes received so far. */
export class ImageUploadOutOfOrder extends Schema.TaggedError<ImageUploadOutOfOrder>()("ImageUploadOutOfOrder", {
  /** The number of bytes received so far. */
  size: Schema.Number
}) {}
/** Reports that a user has too many unfinished uploads, or that an upload has too many parts. */
export class ImageUploadsFull extends Schema.TaggedError<ImageUploadsFull>()("ImageUploadsFull", {
  of: Schema.Literals(["uploads", "parts"]),
  most: Schema.Number
}) {}
