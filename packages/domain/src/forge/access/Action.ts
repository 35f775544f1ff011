import type { Kind } from "./facts/facts.ts"
import type { ScopeCategory } from "./facts/Scope.ts"

/** A route as its method and its path below the service's base URL. */
export type Route = `${"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "ANY"} /${string}`

/** The guards that an action on any resource can have. */
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
  | "times-enabled"
  | "registration-enabled"
  | "key-scope"
  | "person"

/** The guards that need the facts about an organization. */
export type OrganizationGuard =
  | "publicizes-own"
  | "conceals-own"
  | "org-visible"
  | "organization-member"
  | "organization-owner"
  | "may-create-repository"
/** The guards that need the facts about a team. */
export type TeamGuard =
  | "team-visible"
  | "team-readable"
  | "team-member"
  | "organization-member"
  | "organization-owner"
  | "not-owners-team"
  | "member-not-blocked"
/** The guards that need the facts about a user. */
export type UserGuard = "user-visible" | "is-user" | "self-or-site-admin" | "not-blocked"
/** The guards that need the facts about a repository. */
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

/** The guards that need the facts about a resource within a repository. */
export type ItemGuard = "found"
/** The guards that need the facts about an issue. */
export type IssueGuard = "issue-readable" | "issue-write" | "author-or-issue-write" | "unlocked"
/** The guards that need the facts about a comment. */
export type CommentGuard = IssueGuard | "comment-author-or-issue-write"

/** The guards that need the facts about an issue and a user, which are both in the path of the request. */
export type SubscriberGuard = IssueGuard | "self-or-site-admin"
/** The guards that need the facts about a pull request. */
export type PullGuard = "author-or-pull-write" | "pull-unlocked"
/** The guards that need the facts about a review. */
export type ReviewGuard = PullGuard | "review-visible" | "reviewer" | "reviewer-or-site-admin"

/** The guards that need the facts about a tracked time. */
export type TrackedTimeGuard = IssueGuard | "worker-or-repo-admin"

/** The guards that need the facts about a release. */
export type ReleaseGuard = "release-visible"

/** The guards that an action on each resource type can have. */
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

/** Every guard, by the name that the tables and refusals show. */
export type Guard = GuardsOn[Kind]

/**
 * The treatment of a public-only token.
 *
 * `refused` rejects it. `public` requires a public resource, and for reads also that anonymous callers may read it.
 * `self` requires only a public resource, because the action is about the caller.
 */
export type PublicOnly = "refused" | "public" | "self"

/** The definition of an action, as data: one row of the route catalogue. */
export interface Action<K extends Kind = Kind, P extends string = string> {
  /** The resource type of the action. */
  readonly on: K
  /** The path of its first route; a literal type, from which handlers derive its parameters. */
  readonly path: P
  /** The description of the action, in one short sentence without a full stop. */
  readonly summary: string
  readonly routes: ReadonlyArray<Route>
  /** The scope level that a token needs in every category of `scope`. */
  readonly access: "read" | "write"
  readonly scope: ReadonlyArray<ScopeCategory>
  /** The guards that the specification lists for the route. */
  readonly guards: ReadonlyArray<GuardsOn[K]>
  /** The guards that follow from the decisions but are missing in the route's row. */
  readonly asks: ReadonlyArray<GuardsOn[K]>
  readonly publicOnly: PublicOnly
  /** Whether the sign-in check precedes the lookup, because ids can be enumerated or nothing needs to be loaded. */
  readonly signInFirst: boolean
}

/** The common properties of the actions of one area. */
export interface Area<K extends Kind, B extends string = string> {
  readonly on: K
  readonly base: B
  readonly scope: ReadonlyArray<ScopeCategory>
  /** The guards that come first on each route of the area. */
  readonly guards?: ReadonlyArray<GuardsOn[K]>
  readonly asks?: ReadonlyArray<GuardsOn[K]>
  readonly publicOnly?: PublicOnly
  readonly signInFirst?: boolean
}

type PathIn<Row extends string> = Row extends `${string} ${infer Path}` ? Path : ""

const isRead = (method: string) => method === "GET" || method === "HEAD"

/**
 * Returns a function that creates actions of an area. Its arguments are the method and path of a route, a summary, and
 * the guards that the specification lists for the route.
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

/** Returns an action with additional guards that follow from the decisions but are missing in its route's row. */
export const asking = <K extends Kind, P extends string>(
  action: Action<K, P>,
  ...asks: ReadonlyArray<GuardsOn[K]>
): Action<K, P> => ({ ...action, asks: [...action.asks, ...asks] })

/** Returns an action that responds to HEAD like to GET, as a separate route. */
export const withHead = <K extends Kind, P extends string>(action: Action<K, P>): Action<K, P> => ({
  ...action,
  routes: [...action.routes, ...action.routes.map((route) => route.replace("GET ", "HEAD ") as Route)]
})

/** Returns an action about the caller, which a public-only token may read even if sign-in is required. */
export const aboutSelf = <K extends Kind, P extends string>(action: Action<K, P>): Action<K, P> => ({
  ...action,
  publicOnly: "self"
})

/** Returns an action that covers only the safe methods of a route with any method. */
export const readsOnly = <K extends Kind, P extends string>(action: Action<K, P>): Action<K, P> => ({
  ...action,
  access: "read"
})
