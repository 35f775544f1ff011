import type { Owner } from "@slipway/domain/forge/code"
import { OrganizationStore, organizationFor, UserStore } from "@slipway/domain/forge/identity"
import type { PackageFile, PackageVersion } from "@slipway/domain/forge/registries"
import { Packages } from "@slipway/forge/registries"
import { Effect } from "effect"
import { PublicUrl, type PublicUrlSettings } from "../base/PublicUrl.ts"
import { showAsUser, showPersonTo, type ViewerResource } from "../base/show.ts"
import { showRepositoriesTo } from "../base/showRepositories.ts"

/**
 * Converts a package owner to the API response of a user; of an owner hidden from the actor, only the name is returned.
 */
const showOwnerTo = Effect.fnUntraced(function* (acting: ViewerResource, owner: Owner) {
  const { ghost, show } = yield* showPersonTo(acting)
  const hidden = { ...ghost(), id: owner.id, login: owner.name, username: owner.name }
  if (owner.kind === "user") {
    const found = (yield* (yield* UserStore).findMany(acting.actor, [owner.id])).get(owner.id)
    return found === undefined ? hidden : show(found)
  }
  const found = yield* (yield* OrganizationStore).find(owner.id)
  return found === undefined ? hidden : showAsUser(yield* PublicUrl, organizationFor(acting.actor, found))
})

/** Returns the URL of a version's web page, in Gitea's format. */
const addressOf = ({ rootUrl }: PublicUrlSettings, owner: Owner, { name, type, version }: PackageVersion): string =>
  `${rootUrl}/${[owner.name, "-", "packages", type, name, version].map(encodeURIComponent).join("/")}`

/** Converts versions of an owner's packages to API responses for the actor; reads related rows in one query for all. */
export const showPackagesTo = Effect.fnUntraced(function* (
  acting: ViewerResource & { readonly owner: Owner },
  rows: ReadonlyArray<PackageVersion>
) {
  const { actor, owner } = acting
  const publicUrl = yield* PublicUrl
  const { ghost, show } = yield* showPersonTo(acting)
  const { people, repositories } = yield* Packages.details(actor, rows)
  const shown = yield* showRepositoriesTo({ actor }, [...new Set(repositories.values())])
  const repositoryById = new Map(shown.map((repository) => [repository.id, repository]))
  const ownedBy = yield* showOwnerTo(acting, owner)
  return rows.map((row) => {
    const creator = row.creatorId === null ? undefined : people.get(row.creatorId)
    const repository = repositories.get(row.packageId)?.repository
    return {
      id: row.id,
      owner: ownedBy,
      repository: (repository && repositoryById.get(repository.id)) ?? null,
      creator: creator === undefined ? ghost() : show(creator),
      type: row.type,
      name: row.name,
      version: row.version,
      html_url: addressOf(publicUrl, owner, row),
      created_at: row.createdAt
    }
  })
})

/** Converts a file of a version to its API response. */
export const showPackageFile = ({ blob: _, versionId: __, ...shown }: PackageFile) => shown
