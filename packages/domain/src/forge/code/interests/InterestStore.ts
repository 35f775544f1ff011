import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { SeenUser, UserId } from "../../identity/users/User.ts"
import type { Viewer } from "../../identity/viewers/Viewer.ts"
import type { RepositoryWithGrants } from "../repositories/grants.ts"
import type { RepositoryViewer } from "../repositories/visibility.ts"

/** The type of a user's relation to a repository: starred or watched. */
export type Interest = "star" | "watch"

/**
 * Lists stars and watches of repositories.
 *
 * Must:
 * - list the visible repositories that a user starred or watches, latest first, with the matching total
 * - list the visible users who starred or watch a repository, earliest first, with the matching total
 * - omit users who stopped watching
 */
export class InterestStore extends Context.Service<
  InterestStore,
  {
    readonly repositories: (
      viewer: RepositoryViewer,
      interest: Interest,
      user: UserId,
      page: PageRequest
    ) => Effect.Effect<Page<RepositoryWithGrants>>
    readonly users: (
      viewer: Viewer,
      interest: Interest,
      repository: RepositoryId,
      page: PageRequest
    ) => Effect.Effect<Page<SeenUser>>
  }
>()("@slipway/domain/forge/InterestStore") {}
