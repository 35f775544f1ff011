import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { PackageId, PackageVersionId } from "./Package.ts"

/** The npm metadata (`package.json` document) of a package version, as JSON text. */
export interface NpmManifest {
  readonly id: number
  readonly versionId: PackageVersionId
  readonly manifest: string
}

/** The npm metadata of versions, one row per version. */
export const npmManifests = owned<NpmManifest>()("npmManifest", {
  within: ["versionId"],
  fields: { versionId: Fields.reference("packageVersion"), manifest: Fields.text() }
})

/** An npm dist-tag, such as `latest`, that points to a version of a package. */
export interface NpmTag {
  readonly id: number
  readonly packageId: PackageId
  readonly tag: string
  readonly versionId: PackageVersionId
}

/** The dist-tags of npm packages. A tag is removed with its version. */
export const npmTags = owned<NpmTag>()("npmTag", {
  within: ["packageId"],
  fields: { packageId: Fields.reference("package"), tag: Fields.text(), versionId: Fields.reference("packageVersion") },
  unique: { tag: ["packageId", "tag"] }
})

/** The maximum number of versions of an npm package, which limits its metadata; further versions are rejected. */
export const mostNpmVersions = 1_000
/** The maximum number of dist-tags of an npm package. */
export const mostNpmTags = 100
/** The maximum length of the npm metadata of a version, in characters. */
export const longestManifest = 32_768

/**
 * Returns the error message for an invalid npm package name; undefined if it is valid.
 *
 * @example
 * npmNameProblem("@acme/tool") // => undefined
 * npmNameProblem("Tool") // => "must be a name that npm publishes, such as `tool` or `@acme/tool`"
 */
export const npmNameProblem = (name: string): string | undefined =>
  name.length <= 214 && /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name) && name !== "-"
    ? undefined
    : "must be a name that npm publishes, such as `tool` or `@acme/tool`"

const number = "(?:0|[1-9]\\d{0,15})"
const semantic = new RegExp(`^${number}\\.${number}\\.${number}(?:-[0-9A-Za-z-.]+)?(?:\\+[0-9A-Za-z-.]+)?$`)

/**
 * Returns the error message for an invalid version of an npm package; undefined if it is valid.
 *
 * @example
 * npmVersionProblem("1.0.0-rc.1") // => undefined
 * npmVersionProblem("1.0") // => "must be a semantic version, such as `1.0.0`"
 */
export const npmVersionProblem = (version: string): string | undefined =>
  version.length <= 255 && semantic.test(version) ? undefined : "must be a semantic version, such as `1.0.0`"

/**
 * Returns the error message for an invalid dist-tag; undefined if it is valid. A tag that looks like a version is
 * invalid, because it would hide that version.
 *
 * @example
 * npmTagProblem("next") // => undefined
 * npmTagProblem("v2") // => "must begin with a letter, may only contain letters, digits, `.`, `-` and `_`, and must not be a version"
 */
export const npmTagProblem = (tag: string): string | undefined =>
  /^[A-Za-z][\w.-]{0,99}$/.test(tag) && !/^[vx](?:[.\d]|$)/i.test(tag)
    ? undefined
    : "must begin with a letter, may only contain letters, digits, `.`, `-` and `_`, and must not be a version"

/**
 * Returns the file name that npm gives to the archive of a version.
 *
 * @example
 * npmFileName("@acme/tool", "1.0.0") // => "tool-1.0.0.tgz"
 */
export const npmFileName = (name: string, version: string): string => `${name.replace(/^.*\//, "")}-${version}.tgz`
