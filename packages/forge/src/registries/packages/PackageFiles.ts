import { now } from "@slipway/domain"
import type { Proof } from "@slipway/domain/forge/entry"
import { signedInUser } from "@slipway/domain/forge/identity"
import {
  mostPackageFiles,
  PackageFileExists,
  PackageFull,
  type PackageName,
  PackageNameInvalid,
  PackageNotFound,
  type PackageVersion,
  packageFiles,
  packageNameProblem,
  packageVersions,
  versionProblem
} from "@slipway/domain/forge/registries"
import { Effect, type Stream } from "effect"
import { audited } from "../../base/events/record.ts"
import type { Download } from "../../code/contents/downloads.ts"
import { bytesOf, drop, keepBytes, largestPackageFile, type StoredBlob } from "./bytes.ts"
import {
  findPackage,
  findVersion,
  hookDataOfVersion,
  lockOrMakePackage,
  lockPackage,
  removeVersion
} from "./packageVersions.ts"

/** The name of a file in an owner's packages. */
export interface PackageFileName extends PackageName {
  readonly version: string
  readonly file: string
}

const checked = Effect.fnUntraced(function* ({ file, name, version }: PackageFileName) {
  const wrong = [
    ["name", packageNameProblem(name)],
    ["version", versionProblem(version)],
    ["file", versionProblem(file)]
  ] as const
  for (const [field, problem] of wrong) {
    if (problem !== undefined) return yield* new PackageNameInvalid({ field, problem })
  }
})

const find = Effect.fnUntraced(function* ({
  resource: { owner },
  named
}: Pick<Proof<"package.file.read">, "resource"> & { readonly named: PackageFileName }) {
  const { id } = yield* findVersion(yield* findPackage(owner, named), named.version)
  const found = yield* (yield* packageFiles.store).findBy("name", { versionId: id, name: named.file })
  return found ?? (yield* new PackageNotFound({ what: named.file }))
})

const eventDetails = ({ file, name, type, version }: PackageFileName) => ({ type, package: name, version, file })

type Publishing = Proof<"package.file.publish" | "package.npm.publish">

/** An effect that stores related rows of a new version. */
type Alongside<E, R> = (version: PackageVersion, digests: PublishedDigests) => Effect.Effect<void, E, R>

/** The digests of a published file, in hexadecimal. */
export type PublishedDigests = Pick<StoredBlob["facts"], "sha1" | "sha512">

const keeping = <E, R>({ blob, facts: { md5, sha1, sha256, sha512, size } }: StoredBlob, alongside: Alongside<E, R>) =>
  audited(
    Effect.fnUntraced(function* (proof: Publishing, named: PackageFileName) {
      const { owner } = proof.resource
      const { id: packageId, name, type } = yield* lockOrMakePackage(owner, named)
      const versions = yield* packageVersions.store
      const isNew = yield* Effect.orDie(
        versions.insertIfAbsent({
          packageId,
          ownerId: owner.id,
          type,
          name,
          version: named.version,
          creatorId: signedInUser(proof.resource).id,
          createdAt: yield* now
        })
      )
      const version = yield* Effect.orDie(findVersion({ id: packageId }, named.version))
      const files = yield* packageFiles.store
      if ((yield* files.count({ versionId: version.id })) >= mostPackageFiles) {
        return yield* new PackageFull({ of: "files", most: mostPackageFiles })
      }
      yield* Effect.mapError(
        files.insert({ versionId: version.id, name: named.file, blob, size, md5, sha1, sha256, sha512 }),
        () => new PackageFileExists({ name: named.file })
      )
      if (!isNew) return {}
      yield* alongside(version, { sha1, sha512 })
      return yield* hookDataOfVersion(owner, version)
    }),
    (hookData, named) => ({ ...hookData, details: { ...eventDetails(named), size } })
  )

/**
 * Stores a file of a package version; the first file creates the version.
 *
 * Stores the bytes before the row; the nightly sweep removes bytes without a row.
 */
export const storeFile = Effect.fnUntraced(function* <E, R, E2 = never, R2 = never>(
  proof: Publishing,
  named: PackageFileName,
  bytes: Stream.Stream<Uint8Array, E, R>,
  alongside: Alongside<E2, R2>
) {
  const isThere = yield* Effect.isSuccess(find({ resource: proof.resource, named }))
  if (isThere) return yield* new PackageFileExists({ name: named.file })
  const stored = yield* keepBytes(bytes, { maxSize: yield* largestPackageFile })
  yield* Effect.tapError(keeping(stored, alongside)(proof, named), () => drop([stored.blob]))
})

/** Publishes a file of a generic package. */
export const publish = Effect.fnUntraced(function* <E, R>(
  proof: Proof<"package.file.publish">,
  named: PackageFileName,
  bytes: Stream.Stream<Uint8Array, E, R>
) {
  yield* checked(named)
  yield* storeFile(proof, named, bytes, () => Effect.void)
})

/** Finds a file of a version to download. */
export const download = Effect.fnUntraced(function* (
  { resource }: Proof<"package.file.read" | "package.npm.download">,
  named: PackageFileName
) {
  const { blob, name, sha256, size } = yield* find({ resource, named })
  // A file of the same name may be published after a deletion.
  return { path: name, id: sha256, size, fixed: false, bytes: yield* bytesOf(blob) } satisfies Download
})

/** Deletes a file; deleting the last file deletes the version. The nightly sweep removes the file's bytes. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource: { owner } }: Proof<"package.file.delete">, named: PackageFileName) {
    const found = yield* lockPackage(owner, named)
    const version = yield* findVersion(found, named.version)
    const files = yield* packageFiles.store
    const gone = yield* files.removeBy("name", { versionId: version.id, name: named.file })
    if (gone === undefined) return yield* new PackageNotFound({ what: named.file })
    if ((yield* files.count({ versionId: version.id })) > 0) return {}
    const hookData = yield* hookDataOfVersion(owner, version)
    yield* removeVersion(found, version)
    return hookData
  }),
  (hookData, named) => ({ ...hookData, details: eventDetails(named) })
)
