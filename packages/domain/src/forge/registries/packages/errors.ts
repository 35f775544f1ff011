import { Schema } from "effect"

/** Reports that an owner has no such package, version or file. */
export class PackageNotFound extends Schema.TaggedError<PackageNotFound>()("PackageNotFound", {
  what: Schema.String
}) {}
/** Reports that a version already has a file with that name. */
export class PackageFileExists extends Schema.TaggedError<PackageFileExists>()("PackageFileExists", {
  name: Schema.String
}) {}
/** Reports that a version has too many files, or a package too many versions or tags. */
export class PackageFull extends Schema.TaggedError<PackageFull>()("PackageFull", {
  of: Schema.Literals(["files", "versions", "tags"]),
  most: Schema.Number
}) {}
/**
 * Reports that the name of a package, a version, a file or a tag is invalid, or that a version's metadata is too large.
 */
export class PackageNameInvalid extends Schema.TaggedError<PackageNameInvalid>()("PackageNameInvalid", {
  field: Schema.Literals(["name", "version", "file", "manifest", "tag", "integrity", "shasum"]),
  problem: Schema.String
}) {}
/** Reports that an owner still has packages, which must be deleted first. */
export class OwnsPackages extends Schema.TaggedError<OwnsPackages>()("OwnsPackages", {
  kind: Schema.Literals(["user", "organization"])
}) {}
