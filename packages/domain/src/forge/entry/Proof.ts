import type { Authorized } from "@slipway/access"
import type { ActionName, KindOf } from "../access/actions.ts"
import type { FactsAbout, PackageOwnerFacts, RepositoryFacts, TeamRepositoryFacts } from "../access/facts/facts.ts"
import type { ItemKind } from "../access/items.ts"
import type { SignedLink } from "../automation/artifacts/links.ts"
import type { RepositoryWithGrants } from "../code/repositories/grants.ts"
import type { Owner } from "../code/repositories/Repository.ts"
import type { Comment, Issue } from "../collaboration/issues/Issue.ts"
import type { TrackedTime } from "../collaboration/issues/TrackedTime.ts"
import type { PullRequest } from "../collaboration/pulls/PullRequest.ts"
import type { Review, ReviewComment } from "../collaboration/pulls/Review.ts"
import type { Release } from "../collaboration/releases/Release.ts"
import type { Actor } from "../identity/actors/Actor.ts"
import type { OrganizationWithMembership } from "../identity/organizations/Organization.ts"
import type { FoundTeam } from "../identity/teams/Team.ts"
import type { User } from "../identity/users/User.ts"

/** The loaded data of each resource type within a repository, including its parent resources. */
export interface Items {
  readonly issue: { readonly issue: Issue }
  readonly subscriber: { readonly issue: Issue }
  readonly comment: { readonly issue: Issue; readonly comment: Comment }
  readonly trackedTime: { readonly issue: Issue; readonly time: TrackedTime }
  readonly pull: { readonly issue: Issue; readonly pull: PullRequest }
  readonly review: { readonly issue: Issue; readonly pull: PullRequest; readonly review: Review }
  readonly reviewComment: Items["review"] & { readonly comment: ReviewComment }
  readonly reviewThread: Items["review"] & { readonly comment: ReviewComment }
  readonly release: { readonly release: Release }
  readonly taggedRelease: { readonly release: Release }
  readonly repositoryUser: object
  readonly heldTeam: object
}

/** The data of each resource type within a repository, as an allowed action receives it in its proof. */
export type ItemResources = {
  readonly [K in ItemKind]: WithActor & RepositoryWithGrants & { readonly facts: FactsAbout<K> } & Items[K]
}

/** The actor of an allowed action. The data of every action contains it, in addition to the resource. */
export interface WithActor {
  readonly actor: Actor
}

/** The data that an allowed action receives, by resource type: the actor, the resource, and the actor's permissions. */
export interface Resources extends ItemResources {
  readonly site: WithActor
  readonly user: WithActor & { readonly user: User; readonly of?: OrganizationWithMembership | undefined }
  readonly organization: WithActor & OrganizationWithMembership
  readonly organizationUser: WithActor & OrganizationWithMembership & { readonly user: User }
  readonly team: WithActor & FoundTeam
  readonly teamRepository: WithActor & FoundTeam & RepositoryWithGrants & { readonly facts: TeamRepositoryFacts }
  readonly repository: WithActor & RepositoryWithGrants & { readonly facts: RepositoryFacts }
  readonly packageOwner: WithActor & { readonly owner: Owner; readonly facts: PackageOwnerFacts }
  readonly signedLink: WithActor & { readonly link: SignedLink }
}

/** The resource types that can be loaded for an access decision. */
export type LoadedKind = keyof Resources

/** The actions on resource types that can be loaded for an access decision. */
export type LoadedAction = { [A in ActionName]: KindOf<A> extends LoadedKind ? A : never }[ActionName]

/**
 * A value that proves that an action was authorized. It contains the actor and the resource; use cases require it as an
 * argument.
 */
export type Proof<A extends LoadedAction> = Authorized<A, Resources[KindOf<A> & LoadedKind]>
