import type { Owner } from "@slipway/domain/forge/code"
import { RepositoryStore } from "@slipway/domain/forge/code"
import {
  type Package,
  type PackageName,
  PackageNotFound,
  type PackageVersion,
  packageLinks,
  packages,
  packageVersions
} from "@slipway/domain/forge/registries"
import { Effect } from "effect"
import type { EventExtras } from "../../base/events/record.ts"

const keyOf = (owner: Owner, { name, type }: PackageName) => ({ ownerId: owner.id, type, name })

/** Finds a package of an owner. */
export const findPackage = Effect.fnUntraced(function* (owner: Owner, named: PackageName) {
  const found = yield* (yield* packages.store).findBy("name", keyOf(owner, named))
  return found ?? (yield* new PackageNotFound({ what: named.name }))
})

/** Finds a package of an owner, and locks it with its versions until the running transaction ends. */
export const lockPackage = Effect.fnUntraced(function* (owner: Owner, named: PackageName) {
  const [found] = yield* (yield* packages.store).lockManyBy("name", [keyOf(owner, named)])
  return found ?? (yield* new PackageNotFound({ what: named.name }))
})

/** Finds or creates a package of an owner, and locks it like `lockPackage`. */
export const lockOrMakePackage = Effect.fnUntraced(function* (owner: Owner, named: PackageName) {
  const store = yield* packages.store
  const key = keyOf(owner, named)
  const row = {
    ...key,
    userId: owner.kind === "user" ? owner.id : null,
    organizationId: owner.kind === "organization" ? owner.id : null
  }
  for (;;) {
    // A deleted owner has no packages.
    yield* Effect.mapError(store.insertIfAbsent(row), () => new PackageNotFound({ what: named.name }))
    const [found] = yield* store.lockManyBy("name", [key])
    // If its last version is deleted concurrently, it is created again.
    if (found !== undefined) return found
  }
})

/** Finds a version of a package. */
export const findVersion = Effect.fnUntraced(function* ({ id }: Pick<Package, "id">, version: string) {
  const found = yield* (yield* packageVersions.store).findBy("version", { packageId: id, version })
  return found ?? (yield* new PackageNotFound({ what: version }))
})

/** Returns the data of a package version for webhook payloads; the caller must have locked the package. */
export const hookDataOfVersion = Effect.fnUntraced(function* (owner: Owner, version: PackageVersion) {
  const link = yield* (yield* packageLinks.store).findBy("package", { packageId: version.packageId })
  const linked = link && (yield* (yield* RepositoryStore).find(link.repositoryId))
  return { packageVersion: { owner, version }, linked } satisfies Pick<EventExtras, "linked" | "packageVersion">
})

/** Removes a package if it has no versions; the caller must have locked it. */
export const removeEmpty = Effect.fnUntraced(function* ({ id }: Pick<Package, "id">) {
  const count = yield* (yield* packageVersions.store).count({ packageId: id })
  if (count === 0) yield* (yield* packages.store).remove({}, id)
})

/** Removes a version, and the package too if it was the last version; the caller must have locked the package. */
export const removeVersion = Effect.fnUntraced(function* (found: Pick<Package, "id">, version: PackageVersion) {
  yield* (yield* packageVersions.store).remove({ packageId: found.id }, version.id)
  yield* removeEmpty(found)
})
