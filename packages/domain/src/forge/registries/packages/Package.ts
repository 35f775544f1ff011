import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { descending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import { fileNameProblem } from "../../code/attachments/downloads.ts"
import type { OrganizationId, OwnerId } from "../../identity/organizations/Organization.ts"
import type { UserId } from "../../identity/users/User.ts"

/** The schema of the id of a package. */
export const PackageId = Schema.Int.pipe(Schema.brand("PackageId"))
export type PackageId = typeof PackageId.Type

/** The schema of the id of a version of a package. */
export const PackageVersionId = Schema.Int.pipe(Schema.brand("PackageVersionId"))
export type PackageVersionId = typeof PackageVersionId.Type

/** The schema of the id of a file of a package version. */
export const PackageFileId = Schema.Int.pipe(Schema.brand("PackageFileId"))
export type PackageFileId = typeof PackageFileId.Type

/** The types of packages. Each type has its own registry protocol. */
export type PackageType = "container" | "generic" | "npm"

/** The key of a package among the packages of its owner: its type and name. The name is case-insensitive. */
export interface PackageName {
  readonly type: string
  readonly name: string
}

/** A package of a user or an organization. It is removed together with its last version. */
export interface Package extends PackageName {
  readonly id: PackageId
  /** The id of the owning user or organization; both share one id sequence. */
  readonly ownerId: OwnerId
  /** The id of the owning user; null if an organization owns the package. */
  readonly userId: UserId | null
  readonly organizationId: OrganizationId | null
}

/** The packages of users and organizations. A package is removed with its owner. */
export const packages = owned<Package>()("package", {
  within: [],
  fields: {
    ownerId: Fields.integer(),
    userId: Fields.nullable(Fields.reference("user")),
    organizationId: Fields.nullable(Fields.reference("organization")),
    type: Fields.text(),
    name: Fields.text({ ignoringCase: true })
  },
  filters: ["ownerId"],
  unique: { name: ["ownerId", "type", "name"] }
})

/** A version of a package, with those fields of the package that lists of versions show. */
export interface PackageVersion extends PackageName {
  readonly id: PackageVersionId
  readonly packageId: PackageId
  readonly ownerId: OwnerId
  readonly version: string
  readonly creatorId: UserId | null
  readonly createdAt: string
}

/** The versions of all packages, newest first. */
export const packageVersions = owned<PackageVersion>()("packageVersion", {
  within: ["packageId"],
  fields: {
    packageId: Fields.reference("package"),
    ownerId: Fields.integer(),
    type: Fields.text(),
    name: Fields.text({ ignoringCase: true }),
    version: Fields.text({ ignoringCase: true }),
    creatorId: Fields.looseReference("user"),
    createdAt: Fields.time()
  },
  orders: { newest: descending() },
  unique: { version: ["packageId", "version"] }
})

/** A file of a package version. Its bytes are stored as a blob. */
export interface PackageFile {
  readonly id: PackageFileId
  readonly versionId: PackageVersionId
  readonly name: string
  /** The name of the blob that contains the bytes of the file. */
  readonly blob: string
  /** The size of the file, in bytes. */
  readonly size: number
  readonly md5: string
  readonly sha1: string
  readonly sha256: string
  readonly sha512: string
}

/** The files of versions, in the order of their upload. */
export const packageFiles = owned<PackageFile>()("packageFile", {
  within: ["versionId"],
  fields: {
    versionId: Fields.reference("packageVersion"),
    name: Fields.text({ ignoringCase: true }),
    blob: Fields.text(),
    size: Fields.integer(),
    md5: Fields.text(),
    sha1: Fields.text(),
    sha256: Fields.text(),
    sha512: Fields.text()
  },
  unique: { name: ["versionId", "name"], blob: ["blob"] }
})

/** The link of a package to a repository of its owner. */
export interface PackageLink {
  readonly id: number
  readonly packageId: PackageId
  readonly repositoryId: RepositoryId
}

/** The links of packages to repositories; each package has at most one. */
export const packageLinks = owned<PackageLink>()("packageLink", {
  within: ["repositoryId", "packageId"],
  fields: { packageId: Fields.reference("package"), repositoryId: Fields.reference("repository") },
  unique: { package: ["packageId"] }
})

/** The maximum number of files of a package version. */
export const mostPackageFiles = 1_000

/**
 * Returns the error message for an invalid package name; undefined if it is valid.
 *
 * @example
 * packageNameProblem("my-tool_2.x") // => undefined
 * packageNameProblem("..") // => "must begin with a letter, a digit or `_` and may only contain letters, digits, `.`, `-`, `_` and `+`"
 */
export const packageNameProblem = (name: string): string | undefined =>
  /^\w[\w.+-]{0,254}$/.test(name)
    ? undefined
    : "must begin with a letter, a digit or `_` and may only contain letters, digits, `.`, `-`, `_` and `+`"

/**
 * Returns the error message for an invalid version or file name; undefined if it is valid.
 *
 * @example
 * versionProblem("1.0.0~rc 1") // => undefined
 * versionProblem("1.0 ") // => "must not begin or end with a space"
 */
export const versionProblem = (text: string): string | undefined =>
  fileNameProblem(text) ?? (text.trim() === text ? undefined : "must not begin or end with a space")
