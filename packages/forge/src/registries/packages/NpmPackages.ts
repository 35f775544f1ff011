import type { Proof } from "@slipway/domain/forge/entry"
import {
  longestManifest,
  mostNpmTags,
  mostNpmVersions,
  npmFileName,
  npmManifests,
  npmNameProblem,
  npmTagProblem,
  npmTags,
  npmVersionProblem,
  type Package,
  PackageFull,
  PackageNameInvalid,
  PackageNotFound,
  type PackageVersion,
  packageFiles,
  packageVersions
} from "@slipway/domain/forge/registries"
import { Effect, Stream } from "effect"
import { audited } from "../../base/events/record.ts"
import { type PublishedDigests, storeFile } from "./PackageFiles.ts"
import { findPackage, findVersion, lockPackage } from "./packageVersions.ts"

const type = "npm"

/** The data of one `npm publish`: a version with its tarball and tags. */
export interface NpmPublication {
  readonly name: string
  readonly version: string
  /** The metadata of the version, as a JSON text. */
  readonly manifest: string
  /** The distribution tags to point to the version. */
  readonly tags: ReadonlyArray<string>
  readonly tarball: Uint8Array
  /** The client's digests in hexadecimal; omitted ones are not checked. */
  readonly digests: Partial<PublishedDigests>
}

/** Fails if a client's digests do not match the received bytes. */
const requireDigests = Effect.fnUntraced(function* (sent: Partial<PublishedDigests>, found: PublishedDigests) {
  const problem = "is not the digest of the attached tarball; publish again"
  if (sent.sha512 !== undefined && sent.sha512 !== found.sha512)
    return yield* new PackageNameInvalid({ field: "integrity", problem })
  if (sent.sha1 !== undefined && sent.sha1 !== found.sha1)
    return yield* new PackageNameInvalid({ field: "shasum", problem })
})

const checked = Effect.fnUntraced(function* ({ manifest, name, tags, version }: NpmPublication) {
  const tooLong = `must have at most ${longestManifest} characters`
  const wrong = [
    ["name", npmNameProblem(name)],
    ["version", npmVersionProblem(version)],
    ["manifest", manifest.length > longestManifest ? tooLong : undefined],
    ...tags.map((tag) => ["tag", npmTagProblem(tag)] as const)
  ] as const
  for (const [field, problem] of wrong) {
    if (problem !== undefined) return yield* new PackageNameInvalid({ field, problem })
  }
})

/** Points distribution tags to a version; the caller must have locked the package. */
const lead = Effect.fnUntraced(function* (tags: ReadonlyArray<string>, { id: versionId, packageId }: PackageVersion) {
  const store = yield* npmTags.store
  const named = tags.map((tag) => ({ packageId, tag }))
  const present = yield* store.findManyBy("tag", named)
  const newTags = named.filter(({ tag }) => !present.some((other) => other.tag === tag))
  if ((yield* store.count({ packageId })) + newTags.length > mostNpmTags) {
    return yield* new PackageFull({ of: "tags", most: mostNpmTags })
  }
  const changes = present.map(({ id }) => ({ id, change: { versionId } }))
  yield* Effect.orDie(store.patchMany({ packageId }, changes))
  yield* Effect.orDie(store.insertMany(newTags.map((row) => ({ ...row, versionId }))))
})

/** Publishes a version; fails if the version exists, because published versions are immutable. */
export const publish = Effect.fnUntraced(function* (proof: Proof<"package.npm.publish">, publication: NpmPublication) {
  yield* checked(publication)
  const { digests, manifest, name, tags, tarball, version } = publication
  const named = { type, name, version, file: npmFileName(name, version) }
  const alongside = Effect.fnUntraced(function* (created: PackageVersion, found: PublishedDigests) {
    yield* requireDigests(digests, found)
    // The package is locked, and includes the new version.
    const count = yield* (yield* packageVersions.store).count({ packageId: created.packageId })
    if (count > mostNpmVersions) return yield* new PackageFull({ of: "versions", most: mostNpmVersions })
    yield* Effect.orDie((yield* npmManifests.store).insert({ versionId: created.id, manifest }))
    yield* lead(tags, created)
  })
  yield* storeFile(proof, named, Stream.succeed(tarball), alongside)
})

/**
 * Sets the deprecation messages of versions; an empty message removes one.
 *
 * Other versions and all other fields stay unchanged.
 */
export const deprecate = audited(
  Effect.fnUntraced(function* (
    { resource: { owner } }: Proof<"package.npm.publish">,
    name: string,
    messages: ReadonlyMap<string, string>
  ) {
    const found = yield* lockPackage(owner, { type, name })
    const versions = yield* versionsOf(found)
    const unknown = [...messages.keys()].find((version) => !versions.some((each) => each.version === version))
    if (unknown !== undefined) return yield* new PackageNotFound({ what: unknown })
    const store = yield* npmManifests.store
    const rows = yield* store.listFor(
      "versionId",
      versions.map(({ id }) => id),
      1
    )
    for (const { id, version } of versions) {
      const [row] = rows.get(id) ?? []
      const message = messages.get(version)
      if (row === undefined || message === undefined) continue
      const { deprecated, ...rest } = JSON.parse(row.manifest) as { readonly deprecated?: string }
      if ((deprecated ?? "") === message) continue
      const manifest = JSON.stringify(message === "" ? rest : { ...rest, deprecated: message })
      if (manifest.length > longestManifest) {
        const problem = `must have at most ${longestManifest} characters`
        return yield* new PackageNameInvalid({ field: "manifest", problem })
      }
      yield* Effect.orDie(store.patch({ versionId: id }, row.id, { manifest }))
    }
  }),
  (_, name) => ({ details: { package: name } })
)

const tagsOf = Effect.fnUntraced(function* ({ id: packageId }: Package, versions: ReadonlyArray<PackageVersion>) {
  const { rows } = yield* (yield* npmTags.store).list({ packageId }, { limit: mostNpmTags })
  const names = new Map(versions.map(({ id, version }) => [id, version]))
  const [newest] = versions
  const tags = rows.flatMap(({ tag, versionId }) => {
    const version = names.get(versionId)
    return version === undefined ? [] : [[tag, version] as const]
  })
  // An installation without a version uses `latest`, which may have been deleted.
  return { ...(newest === undefined ? {} : { latest: newest.version }), ...Object.fromEntries(tags) }
})

const versionsOf = Effect.fnUntraced(function* ({ id: packageId }: Package) {
  return (yield* (yield* packageVersions.store).list({ packageId }, { limit: mostNpmVersions })).rows
})

/** Reads all versions of a package, newest first, and its tags. */
export const read = Effect.fnUntraced(function* ({ resource: { owner } }: Proof<"package.npm.read">, name: string) {
  const found = yield* findPackage(owner, { type, name })
  const versions = yield* versionsOf(found)
  const ids = versions.map(({ id }) => id)
  const manifests = yield* (yield* npmManifests.store).listFor("versionId", ids, 1)
  const files = yield* (yield* packageFiles.store).listFor("versionId", ids, 1)
  const published = versions.flatMap((version) => {
    const [manifest] = manifests.get(version.id) ?? []
    const [file] = files.get(version.id) ?? []
    return manifest === undefined || file === undefined ? [] : [{ version, file, manifest: manifest.manifest }]
  })
  return { name: found.name, published, tags: yield* tagsOf(found, versions) }
})

/** Lists the tags of a package with their versions. */
export const tags = Effect.fnUntraced(function* ({ resource: { owner } }: Proof<"package.npm.tag.list">, name: string) {
  const found = yield* findPackage(owner, { type, name })
  return yield* tagsOf(found, yield* versionsOf(found))
})

/** Points a distribution tag, such as `latest`, to a version. */
export const setTag = audited(
  Effect.fnUntraced(function* (
    { resource: { owner } }: Proof<"package.npm.tag.set">,
    name: string,
    tag: string,
    version: string
  ) {
    const problem = npmTagProblem(tag)
    if (problem !== undefined) return yield* new PackageNameInvalid({ field: "tag", problem })
    yield* lead([tag], yield* findVersion(yield* lockPackage(owner, { type, name }), version))
  }),
  (_, name, tag, version) => ({ details: { type, package: name, tag, version } })
)

/** Removes a distribution tag. */
export const removeTag = audited(
  Effect.fnUntraced(function* ({ resource: { owner } }: Proof<"package.npm.tag.delete">, name: string, tag: string) {
    const { id: packageId } = yield* lockPackage(owner, { type, name })
    const removed = yield* (yield* npmTags.store).removeBy("tag", { packageId, tag })
    if (removed === undefined) return yield* new PackageNotFound({ what: tag })
  }),
  (_, name, tag) => ({ details: { type, package: name, tag } })
)
