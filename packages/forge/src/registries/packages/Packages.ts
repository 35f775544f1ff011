import type { OwnedPage, PageRequest } from "@slipway/domain"
import { allows } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import {
  type Owner,
  RepositoryNotFound,
  RepositoryStore,
  type RepositoryWithGrants,
  repositoryFacts
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import type { Actor } from "@slipway/domain/forge/identity"
import {
  mostPackageFiles,
  type PackageFilter,
  type PackageId,
  type PackageName,
  PackageNotFound,
  PackageSearch,
  type PackageVersion,
  packageFiles,
  packageLinks,
  packages,
  packageVersions
} from "@slipway/domain/forge/registries"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { peopleOf } from "../../collaboration/issues/views.ts"
import * as Entry from "../../entry/Entry.ts"
import { container } from "./containers/bytes.ts"
import { filesOf, removeManifestOf } from "./containers/versions.ts"
import { findPackage, findVersion, hookDataOfVersion, lockPackage, removeVersion } from "./packageVersions.ts"

/** Reads a repository of a package owner; a repository hidden from the actor is reported as missing. */
const repositoryOf = Effect.fnUntraced(function* (actor: Actor, owner: Owner, name: string) {
  const about = { kind: "repository", owner: owner.name, repository: name } as const
  // A token without repository scope sees no repository.
  const reading = Entry.authorizeElsewhere("repository.read", actor, about)
  const { resource } = yield* Effect.mapError(reading, () => new RepositoryNotFound({ name }))
  return resource.repository
})

/** Lists the versions of all packages of an owner, or of those linked to a repository of the owner, newest first. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, owner } }: Proof<"package.list">,
  { repository, ...filter }: Omit<PackageFilter, "repositoryId"> & { readonly repository?: string | undefined },
  page: PageRequest
) {
  const linked = repository === undefined ? undefined : yield* repositoryOf(actor, owner, repository)
  return yield* (yield* PackageSearch).versions(owner.id, { ...filter, repositoryId: linked?.id }, page)
})

/** Lists the versions of a package, newest first. */
export const versions = Effect.fnUntraced(function* (
  { resource: { owner } }: Proof<"package.version.list">,
  named: PackageName,
  page: OwnedPage
) {
  const { id } = yield* findPackage(owner, named)
  return yield* (yield* packageVersions.store).list({ packageId: id }, page)
})

/** Reads a version of a package. */
export const read = Effect.fnUntraced(function* (
  { resource: { owner } }: Proof<"package.version.read">,
  named: PackageName,
  version: string
) {
  return yield* findVersion(yield* findPackage(owner, named), version)
})

/** Reads the most recently published version of a package. */
export const latest = Effect.fnUntraced(function* (
  { resource: { owner } }: Proof<"package.version.read-latest">,
  named: PackageName
) {
  const { id } = yield* findPackage(owner, named)
  const { rows } = yield* (yield* packageVersions.store).list({ packageId: id }, { limit: 1 })
  return rows[0] ?? (yield* new PackageNotFound({ what: named.name }))
})

/** Lists the files of a version, without pagination. */
export const files = Effect.fnUntraced(function* (
  { resource: { owner } }: Proof<"package.version.file.list">,
  named: PackageName,
  version: string
) {
  const found = yield* findVersion(yield* findPackage(owner, named), version)
  if (found.type === container) return yield* filesOf(found)
  return (yield* (yield* packageFiles.store).list({ versionId: found.id }, { limit: mostPackageFiles })).rows
})

const noRepositories: ReadonlyMap<RepositoryId, RepositoryWithGrants> = new Map()

/** Reads the users that published versions, and the linked repositories that the actor sees. */
export const details = Effect.fnUntraced(function* (actor: Actor, rows: ReadonlyArray<PackageVersion>) {
  const people = yield* peopleOf(
    actor,
    rows.flatMap(({ creatorId }) => creatorId ?? [])
  )
  const { switches } = yield* SiteSettings
  const packageIds = [...new Set(rows.map(({ packageId }) => packageId))]
  const found = yield* (yield* packageLinks.store).listFor("packageId", packageIds, 1)
  const links = [...found.values()].flat()
  const ids = [...new Set(links.map(({ repositoryId }) => repositoryId))]
  const held = ids.length === 0 ? noRepositories : yield* (yield* RepositoryStore).heldOn(actor.userId, ids)
  const repositories = new Map(
    links.flatMap(({ packageId, repositoryId }) => {
      const repository = held.get(repositoryId)
      const isSeen = repository !== undefined && allows("repository.read", repositoryFacts(actor, switches, repository))
      return isSeen ? [[packageId, repository] as const] : []
    })
  )
  return { people, repositories }
})

const eventDetails = ({ name, type }: PackageName) => ({ type, package: name })

/** Deletes a version; deleting the last version deletes the package. The nightly sweep removes the files' bytes. */
export const remove = audited(
  Effect.fnUntraced(function* (
    {
      resource: { owner }
    }: Proof<"package.version.delete" | "package.version.unpublish" | "package.npm.version.delete">,
    named: PackageName,
    version: string
  ) {
    const found = yield* lockPackage(owner, named)
    const gone = yield* findVersion(found, version)
    const hookData = yield* hookDataOfVersion(owner, gone)
    if (gone.type === container) yield* removeManifestOf(gone)
    yield* removeVersion(found, gone)
    return hookData
  }),
  (hookData, named, version) => ({ ...hookData, details: { ...eventDetails(named), version } })
)

/** Deletes a package with all its versions; webhooks get an event for the newest. */
export const removeAll = audited(
  Effect.fnUntraced(function* (
    { resource: { owner } }: Proof<"package.delete" | "package.npm.delete">,
    named: PackageName
  ) {
    const { id } = yield* lockPackage(owner, named)
    const { rows } = yield* (yield* packageVersions.store).list({ packageId: id }, { limit: 1 })
    const [newest] = rows
    const hookData = newest === undefined ? {} : yield* hookDataOfVersion(owner, newest)
    yield* (yield* packages.store).remove({}, id)
    return hookData
  }),
  (hookData, named) => ({ ...hookData, details: eventDetails(named) })
)

const unlinked = Effect.fnUntraced(function* (packageId: PackageId) {
  yield* (yield* packageLinks.store).removeBy("package", { packageId })
})

/** Links a package to a repository of its owner that the actor sees, replacing the previous link. */
export const link = audited(
  Effect.fnUntraced(function* (
    { resource: { actor, owner } }: Proof<"package.link">,
    named: PackageName,
    repositoryName: string
  ) {
    const { id } = yield* lockPackage(owner, named)
    const missing = () => new RepositoryNotFound({ name: repositoryName })
    const seen = yield* repositoryOf(actor, owner, repositoryName)
    // A transfer locks the repository and removes its links.
    const repository = yield* (yield* RepositoryStore).lock(seen.id)
    if (repository?.owner.id !== owner.id) return yield* missing()
    yield* unlinked(id)
    yield* Effect.mapError((yield* packageLinks.store).insert({ packageId: id, repositoryId: repository.id }), missing)
  }),
  (_, named, repository) => ({ details: { ...eventDetails(named), repository } })
)

/** Unlinks a package from its repository, if it has one. */
export const unlink = audited(
  Effect.fnUntraced(function* ({ resource: { owner } }: Proof<"package.unlink">, named: PackageName) {
    yield* unlinked((yield* lockPackage(owner, named)).id)
  }),
  (_, named) => ({ details: eventDetails(named) })
)
