import type { Kind } from "./facts.ts"
import type { ScopeCategory } from "./Scope.ts"

/** A route as its method and its path below the address of the service. */
export type Route = `${"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "ANY"} /${string}`

/** The guards that an action on anything can have. */
export type SiteGuard =
  | "sign-in"
  | "SA"
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

/** The guards that need the facts about an organization. */
export type OrganizationGuard = "org-visible" | "OM" | "OO" | "may-create-repository"
/** The guards that need the facts about a team. */
export type TeamGuard = "team-visible" | "TR" | "TM" | "OM" | "OO"
/** The guards that need the facts about a user. */
export type UserGuard = "user-visible" | "self-or-SA"
/** The guards that need the facts about a repository. */
export type RepositoryGuard =
  | "repo-visible"
  | "any-read"
  | "R:code"
  | "R:actions"
  | "R:releases"
  | "W:code"
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
  | "editable"

/** The guards that an action on each kind of thing can have. */
export interface GuardsOn {
  readonly site: SiteGuard
  readonly organization: SiteGuard | OrganizationGuard
  readonly organizationUser: SiteGuard | OrganizationGuard | UserGuard | "self-or-OM-or-SA"
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
 * How an action treats a token that is limited to public things: it is refused; or the thing must be public and a
 * read must be open to anonymous callers too; or the thing must be public, and the rest is about the caller.
 */
export type PublicOnly = "refused" | "public" | "self"

/** What an action asks, as data: one row of the route catalogue. */
export interface Action<K extends Kind = Kind> {
  /** The kind of thing it is about. */
  readonly on: K
  readonly routes: ReadonlyArray<Route>
  /** The level of scope that a token needs in every category of `scope`. */
  readonly access: "read" | "write"
  readonly scope: ReadonlyArray<ScopeCategory>
  /** The guards that the specification lists for the route. */
  readonly guards: ReadonlyArray<GuardsOn[K]>
  /** The guards that follow from the decisions and that the route's row leaves out. */
  readonly asks: ReadonlyArray<GuardsOn[K]>
  readonly publicOnly: PublicOnly
  /** Whether sign-in is asked before the thing is looked up: ids can be counted through, or there is nothing to load. */
  readonly signInFirst: boolean
}

/** What the actions of one area share. */
export interface Area<K extends Kind> {
  readonly on: K
  readonly base: string
  readonly scope: ReadonlyArray<ScopeCategory>
  /** The guards that come first on each route of the area. */
  readonly guards?: ReadonlyArray<GuardsOn[K]>
  readonly asks?: ReadonlyArray<GuardsOn[K]>
  readonly publicOnly?: PublicOnly
  readonly signInFirst?: boolean
}

const isRead = (method: string) => method === "GET" || method === "HEAD"

/** Returns the maker of an area's actions: the method and path of a route, then the guards of its row. */
export const area =
  <K extends Kind>(shared: Area<K>) =>
  (row: string, ...guards: ReadonlyArray<GuardsOn[K]>): Action<K> => {
    const [method = "", path = ""] = row.split(" ")
    const all = [...(shared.guards ?? []), ...guards]
    return {
      on: shared.on,
      routes: [`${method} ${shared.base}${path}` as Route],
      access: isRead(method) ? "read" : "write",
      scope: shared.scope,
      guards: all,
      asks: shared.asks ?? [],
      publicOnly: all.includes("reject-public-only") ? "refused" : (shared.publicOnly ?? "public"),
      signInFirst: shared.signInFirst ?? false
    }
  }

/** Returns an action that answers HEAD where it answers GET, as a route of its own. */
export const withHead = <K extends Kind>(action: Action<K>): Action<K> => ({
  ...action,
  routes: [...action.routes, ...action.routes.map((route) => route.replace("GET ", "HEAD ") as Route)]
})

/** Returns an action that is about the caller, so a public-only token may read it even where a sign-in is needed. */
export const aboutSelf = <K extends Kind>(action: Action<K>): Action<K> => ({ ...action, publicOnly: "self" })

/** Returns an action that only covers the safe methods of a route that takes any method. */
export const readsOnly = <K extends Kind>(action: Action<K>): Action<K> => ({ ...action, access: "read" })
