import { Schema } from "effect"

/** Reports that the owner has no package, package version or file with this name. */
export class PackageNotFound extends Schema.TaggedError<PackageNotFound>()("PackageNotFound", {
  what: Schema.String
}) {}
/** Reports that the package version already has a file with this name. */
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
/**
 * Reports that a user or organization cannot be deleted, because it still owns packages. They must be deleted first.
 */
export class OwnsPackages extends Schema.TaggedError<OwnsPackages>()("OwnsPackages", {
  kind: Schema.Literals(["user", "organization"])
}) {}
