import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../Page.ts"
import type { Viewer } from "../accounts/Actor.ts"
import type { UserId } from "../accounts/User.ts"
import type { OrganizationId } from "../organizations/Organization.ts"
import type { RepositoryId } from "../repositories/Repository.ts"
import type { TeamId } from "../teams/Team.ts"
import type { Tie } from "./Reach.ts"

/** Which people a question is about; `seenBy` leaves out those whom a viewer doesn't see. */
export type People = (
  | { readonly kind: "user"; readonly id: UserId }
  | { readonly kind: "team"; readonly id: TeamId }
  /**
   * Its owner, its collaborators and the members of the teams that hold it; with `membersToo`, every member of the
   * organization that owns it.
   */
  | { readonly kind: "repository"; readonly id: RepositoryId; readonly membersToo: boolean }
) & { readonly seenBy?: Viewer | undefined }

/** Which repositories a question is about. */
export type Places =
  | { readonly kind: "repository"; readonly id: RepositoryId }
  /** Those of an organization; with `heldBy`, those that are held by name, and with `openToo` those that aren't private. */
  | {
      readonly kind: "organization"
      readonly id: OrganizationId
      readonly heldBy?: TeamId | undefined
      readonly openToo?: boolean | undefined
    }

/** A user and a repository, by number. */
export interface Pair {
  readonly user: UserId
  readonly repository: RepositoryId
}

/**
 * Reads what ties many users to many repositories, and decides nothing.
 *
 * Must:
 * - read of every person and every repository what ties them, repository by repository, people by name
 * - tell alike what one user holds, what decides their requests
 * - find the people of a user, a team and a repository
 * - leave out people whom the viewer doesn't see, and count alike
 * - find the repositories of an organization, those that a team holds by name, and those that are open
 * - read the ties of the pairs that are asked for, as far as both are there, in their order
 */
export class ReachStore extends Context.Service<
  ReachStore,
  {
    readonly ties: (people: People, places: Places, page: PageRequest) => Effect.Effect<Page<Tie>>
    readonly tiesOf: (pairs: ReadonlyArray<Pair>) => Effect.Effect<ReadonlyArray<Tie>>
  }
>()("@slipway/domain/forge/ReachStore") {}
