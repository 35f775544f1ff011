import type { Kind } from "./facts/facts.ts"
import type { ScopeCategory } from "./facts/Scope.ts"

/** An HTTP route: its method and its path below the base URL of the API. */
export type Route = `${"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "ANY"} /${string}`

/** The guards that an action on any resource can have. A guard is a named access check that must pass. */
export type SiteGuard =
  | "sign-in"
  | "site-admin"
  | "basic-auth"
  | "explore-sign-in"
  | "reject-public-only"
  | "may-create-org"
  | "users-page-enabled"
  | "stars-enabled"
  | "webhooks-enabled"
  | "attachments-enabled"
  | "federation-enabled"
  | "swagger-enabled"
  | "heatmap-enabled"
  | "code-search-enabled"
  | "code-search-sign-in"
  | "times-enabled"
  | "registration-enabled"
  | "key-scope"
  | "person"

/** The guards on an organization; a guard is a named access check. */
export type OrganizationGuard =
  | "publicizes-own"
  | "conceals-own"
  | "org-visible"
  | "organization-member"
  | "organization-owner"
  | "may-create-repository"
/** The guards on a team; a guard is a named access check. */
export type TeamGuard =
  | "team-visible"
  | "team-readable"
  | "team-member"
  | "organization-member"
  | "organization-owner"
  | "not-owners-team"
  | "member-not-blocked"
/** The guards on a user; a guard is a named access check. */
export type UserGuard = "user-visible" | "is-user" | "self-or-site-admin" | "not-blocked"
/** The guards on a repository; a guard is a named access check. `R:` means read and `W:` write access to a unit. */
export type RepositoryGuard =
  | "repo-visible"
  | "any-read"
  | "R:code"
  | "R:actions"
  | "R:releases"
  | "W:code"
  | "W:code|lent"
  | "W:actions"
  | "W:releases"
  | "W:wiki"
  | "W:issues|pulls"
  | "branch-write"
  | "issues-unit"
  | "PR-enabled"
  | "issues-or-PRs-readable"
  | "wiki-readable"
  | "git-hook-permission"
  | "repo-admin"
  | "repo-owner"
  | "not-archived"
  | "not-blocked"
  | "member-not-blocked"
  | "recipient-not-blocking"
  | "editable"

/** The guard on any resource within a repository: `found` requires that the resource exists. */
export type ItemGuard = "found"
/** The guards on an issue; a guard is a named access check. */
export type IssueGuard = "issue-readable" | "issue-write" | "author-or-issue-write" | "unlocked"
/** The guards on a comment: those on its issue, and one more. */
export type CommentGuard = IssueGuard | "comment-author-or-issue-write"

/** The guards on a route with an issue and a user in its path, such as the subscription of a user to an issue. */
export type SubscriberGuard = IssueGuard | "self-or-site-admin"
/** The guards on a pull request; a guard is a named access check. */
export type PullGuard = "author-or-pull-write" | "pull-unlocked"
/** The guards on a review: those on its pull request, and more. */
export type ReviewGuard = PullGuard | "review-visible" | "reviewer" | "reviewer-or-site-admin"

/** The guards on a tracked time (working time that a user recorded on an issue). */
export type TrackedTimeGuard = IssueGuard | "worker-or-repo-admin"

/** The guard on a release: `release-visible` hides drafts from readers. */
export type ReleaseGuard = "release-visible"

/** The guards (named access checks) that actions can have, by resource type. */
export interface GuardsOn {
  readonly pull: SiteGuard | RepositoryGuard | ItemGuard | PullGuard
  readonly review: SiteGuard | RepositoryGuard | ItemGuard | ReviewGuard
  readonly reviewComment: SiteGuard | RepositoryGuard | ItemGuard | ReviewGuard
  readonly reviewThread: SiteGuard | RepositoryGuard | ItemGuard | ReviewGuard
  readonly release: SiteGuard | RepositoryGuard | ItemGuard | ReleaseGuard
  readonly taggedRelease: SiteGuard | RepositoryGuard | ItemGuard | ReleaseGuard
  readonly issue: SiteGuard | RepositoryGuard | ItemGuard | IssueGuard
  readonly subscriber: SiteGuard | RepositoryGuard | ItemGuard | SubscriberGuard
  readonly comment: SiteGuard | RepositoryGuard | ItemGuard | CommentGuard
  readonly trackedTime: SiteGuard | RepositoryGuard | ItemGuard | TrackedTimeGuard
  readonly repositoryUser: SiteGuard | RepositoryGuard | ItemGuard | "self-or-repo-admin"
  readonly heldTeam: SiteGuard | RepositoryGuard | ItemGuard | "team-access"
  readonly site: SiteGuard
  readonly organization: SiteGuard | OrganizationGuard
  readonly organizationUser: SiteGuard | OrganizationGuard | UserGuard | "self-or-member-or-site-admin"
  readonly team: SiteGuard | TeamGuard
  readonly teamRepository: SiteGuard | TeamGuard | "repo-visible" | "target-repo-admin"
  readonly user: SiteGuard | UserGuard
  readonly repository: SiteGuard | RepositoryGuard
  readonly packageOwner: SiteGuard | "owner-visible" | "package-read" | "package-write"
  readonly signedLink: SiteGuard | "sig"
}

/** The name of any guard, as in the access tables and in explanations of refusals. */
export type Guard = GuardsOn[Kind]

/**
 * How an action treats a public-only token, which has access only to public resources.
 *
 * - `refused` rejects the token.
 * - `public` requires a public resource, and for reads also that anonymous callers may perform the action.
 * - `self` requires only a public resource, because the action is about the caller.
 */
export type PublicOnly = "refused" | "public" | "self"

/** The definition of an action as data: its routes, its resource type and its access requirements. */
export interface Action<K extends Kind = Kind, P extends string = string> {
  /** The resource type of the action. */
  readonly on: K
  /** The path of the action's first route; its literal type determines the path parameters of handlers. */
  readonly path: P
  /** The description of the action, in one short sentence without a full stop. */
  readonly summary: string
  readonly routes: ReadonlyArray<Route>
  /** The scope level that a token needs in each category of `scope`. */
  readonly access: "read" | "write"
  readonly scope: ReadonlyArray<ScopeCategory>
  /** The guards (named access checks) that the specification lists for the route. */
  readonly guards: ReadonlyArray<GuardsOn[K]>
  /** Additional guards, which the specification omits for the route but the project's design decisions require. */
  readonly asks: ReadonlyArray<GuardsOn[K]>
  readonly publicOnly: PublicOnly
  /**
   * Whether the sign-in is checked before the resource is loaded, so that anonymous callers cannot find out which ids
   * exist, or because nothing needs to be loaded.
   */
  readonly signInFirst: boolean
}

/** The common properties of a group of actions with the same base path and resource type. */
export interface Area<K extends Kind, B extends string = string> {
  readonly on: K
  readonly base: B
  readonly scope: ReadonlyArray<ScopeCategory>
  /** The guards that are added before the guards of each action in the group. */
  readonly guards?: ReadonlyArray<GuardsOn[K]>
  readonly asks?: ReadonlyArray<GuardsOn[K]>
  readonly publicOnly?: PublicOnly
  readonly signInFirst?: boolean
}

type PathIn<Row extends string> = Row extends `${string} ${infer Path}` ? Path : ""

const isRead = (method: string) => method === "GET" || method === "HEAD"

/**
 * Returns a function that creates actions with common properties (`shared`). The function's arguments are the method
 * and path of a route, a summary, and the guards that the specification lists for the route.
 */
export const area =
  <K extends Kind, const B extends string>(shared: Area<K, B>) =>
  <const Row extends string>(
    row: Row,
    summary: string,
    ...guards: ReadonlyArray<GuardsOn[K]>
  ): Action<K, `${B}${PathIn<Row>}`> => {
    const [method = "", path = ""] = row.split(" ")
    const all = [...(shared.guards ?? []), ...guards]
    return {
      on: shared.on,
      path: `${shared.base}${path}` as `${B}${PathIn<Row>}`,
      summary,
      routes: [`${method} ${shared.base}${path}` as Route],
      access: isRead(method) ? "read" : "write",
      scope: shared.scope,
      guards: all,
      asks: shared.asks ?? [],
      publicOnly: all.includes("reject-public-only") ? "refused" : (shared.publicOnly ?? "public"),
      signInFirst: shared.signInFirst ?? false
    }
  }

/** Adds guards to an action that the specification omits but the project's design decisions require. */
export const asking = <K extends Kind, P extends string>(
  action: Action<K, P>,
  ...asks: ReadonlyArray<GuardsOn[K]>
): Action<K, P> => ({ ...action, asks: [...action.asks, ...asks] })

/** Adds a HEAD route to an action for each of its GET routes. */
export const withHead = <K extends Kind, P extends string>(action: Action<K, P>): Action<K, P> => ({
  ...action,
  routes: [...action.routes, ...action.routes.map((route) => route.replace("GET ", "HEAD ") as Route)]
})

/** Marks an action as one about the caller: a public-only token may read it although it requires sign-in. */
export const aboutSelf = <K extends Kind, P extends string>(action: Action<K, P>): Action<K, P> => ({
  ...action,
  publicOnly: "self"
})

/** Returns the action with read access, for the part of an `ANY` route that only handles GET and HEAD. */
export const readsOnly = <K extends Kind, P extends string>(action: Action<K, P>): Action<K, P> => ({
  ...action,
  access: "read"
})
