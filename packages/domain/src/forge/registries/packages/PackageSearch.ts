import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OwnerId } from "../../identity/organizations/Organization.ts"
import type { PackageVersion } from "./Package.ts"

/** The filter of the versions of an owner's packages; omitted fields match all. */
export interface PackageFilter {
  readonly type?: string | undefined
  /** A part of the name of the package, ignoring case. */
  readonly text?: string | undefined
  /** The id of the repository to which the packages are linked. */
  readonly repositoryId?: RepositoryId | undefined
}

/**
 * Lists the versions of all packages of an owner.
 *
 * Must:
 * - list the versions of an owner's packages, newest first, without gaps or repeats between pages
 * - list versions by package type and by a part of a name, ignoring case, with the matching total
 * - list the versions of packages linked to a repository, with the matching total
 */
export class PackageSearch extends Context.Service<
  PackageSearch,
  {
    readonly versions: (owner: OwnerId, filter: PackageFilter, page: PageRequest) => Effect.Effect<Page<PackageVersion>>
  }
>()("@slipway/domain/forge/PackageSearch") {}
