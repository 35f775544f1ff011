import { Schema } from "effect"

/** Reports that an image has no such manifest. */
export class ImageManifestNotFound extends Schema.TaggedError<ImageManifestNotFound>()("ImageManifestNotFound", {
  reference: Schema.String
}) {}
/** Reports that an image has no such blob. */
export class ImageBlobNotFound extends Schema.TaggedError<ImageBlobNotFound>()("ImageBlobNotFound", {
  digest: Schema.String
}) {}
/** Reports that manifests of an image refer to a blob, so that it cannot be deleted yet. */
export class ImageBlobInUse extends Schema.TaggedError<ImageBlobInUse>()("ImageBlobInUse", { digest: Schema.String }) {}
/** Reports that a text is not a supported manifest. */
export class ImageManifestInvalid extends Schema.TaggedError<ImageManifestInvalid>()("ImageManifestInvalid", {
  problem: Schema.String
}) {}
/** Reports that a manifest refers to parts that its image does not have. */
export class ImageManifestIncomplete extends Schema.TaggedError<ImageManifestIncomplete>()("ImageManifestIncomplete", {
  digest: Schema.String
}) {}
/** Reports that the upload does not exist or has ended. */
export class ImageUploadNotFound extends Schema.TaggedError<ImageUploadNotFound>()("ImageUploadNotFound", {
  upload: Schema.String
}) {}
/** Reports that a part of an upload does not directly follow the received bytes. */
export class ImageUploadOutOfOrder extends Schema.TaggedError<ImageUploadOutOfOrder>()("ImageUploadOutOfOrder", {
  /** The number of bytes received. */
  size: Schema.Number
}) {}
/** Reports that a user reached the limit of open uploads, or of the parts of an upload. */
export class ImageUploadsFull extends Schema.TaggedError<ImageUploadsFull>()("ImageUploadsFull", {
  of: Schema.Literals(["uploads", "parts"]),
  most: Schema.Number
}) {}
