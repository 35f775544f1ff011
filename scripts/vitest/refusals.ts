/** Responses of denied requests according to the specification: literal texts, in the order of a request's steps. */
import { type AnyFacts, belongs, number, openOrganization, openRepository, openUser, passing } from "./oracle.ts"

const openOwner = (facts: AnyFacts) => facts.ownerVisibility === "public"

type Open = readonly [things: string, isOpen: (facts: AnyFacts) => boolean]

/** For each resource type, the part that must be public and its name in a denial; for others it is their repository. */
const open: Readonly<Record<string, ReadonlyArray<Open>>> = {
  site: [],
  signedLink: [],
  organization: [["orgs", openOrganization]],
  organizationUser: [
    ["orgs", openOrganization],
    ["users", openUser]
  ],
  team: [["orgs", openOrganization]],
  teamRepository: [
    ["orgs", openOrganization],
    ["repos", openRepository]
  ],
  user: [["users", openUser]],
  packageOwner: [["packages", openOwner]]
}

/** The fields of an action that decide permission. */
interface AskedAction {
  readonly on: string
  readonly access: "read" | "write"
  readonly scope: ReadonlyArray<string>
  readonly guards: ReadonlyArray<string>
  readonly asks: ReadonlyArray<string>
  readonly publicOnly: "refused" | "public" | "self"
  readonly signInFirst: boolean
}

/** The response of a denied request. */
export interface Refused {
  readonly status: number
  readonly message: string
}

const notForPublicOnly = "this endpoint is not available for public-only tokens"

/** Returns the response to a public-only token that is denied an action. */
const closedBy = (
  { access, asks, guards, on, publicOnly, scope }: AskedAction,
  facts: AnyFacts
): string | undefined => {
  if (publicOnly === "refused") return notForPublicOnly
  const things = open[on] ?? [[scope.includes("issue") ? "issues" : "repos", openRepository] as const]
  const shut = things.find(([, isOpen]) => !isOpen(facts))
  if (shut !== undefined) return `token scope is limited to public ${shut[0]}`
  if (access === "write" || publicOnly === "self") return undefined
  const all = [...guards, ...asks]
  const isForSignedIn =
    all.includes("sign-in") ||
    all.includes("basic-auth") ||
    ((all.includes("explore-sign-in") || all.includes("code-search-sign-in")) && facts.exploreNeedsSignIn === true)
  return isForSignedIn ? notForPublicOnly : undefined
}

/** Returns the response to a job that changes another repository than its own. */
const foreignTo = ({ access, on }: AskedAction, facts: AnyFacts): string | undefined => {
  const liesInRepository = (open[on] ?? [["repos"]]).some(([what]) => what === "repos")
  const isOwn = !facts.actionsTask || Number(facts.taskLevel) >= 1
  return access === "read" || !liesInRepository || isOwn
    ? undefined
    : "the token of a job can only change its repository"
}

/** The response for a hidden or missing resource. */
export const missing: Refused = { status: 404, message: "The target couldn't be found." }

/** The response to an invalid password, token or signature. */
export const invalidCredentials: Refused = { status: 401, message: "invalid username, password or token" }

/** The response to a password without its one-time code, or with a wrong one. */
export const invalidCode: Refused = { status: 401, message: "invalid one-time code" }

type Step = "visibility" | "sign-in" | "role" | "switch"
type Refusal = readonly [Step, status: number, message: string]

const hidden: Refusal = ["visibility", missing.status, missing.message]
const off: Refusal = ["switch", missing.status, missing.message]
const role = (message: string): Refusal => ["role", 403, message]

const reads = role("user should have specific read permission or be a repo admin or a site admin")
const writes = role("user should have a permission to write to a repo")
const administers = role("user should be an owner or a collaborator with admin write of a repository")
const ofAuthor = role("user should be the author or have a permission to write to a repo")
const locked = role("the conversation is locked")
const reviews = role("user should be the reviewer")
const ofTeam = role("Must be a team member")
const packages = role("user should have specific permission or be a site admin")

/** The response of each guard when it denies, and its step in a request. */
const refusals: Readonly<Record<string, Refusal>> = {
  "sign-in": ["sign-in", 401, "token is required"],
  "basic-auth": ["sign-in", 401, "auth required"],
  "explore-sign-in": ["sign-in", 401, "you must be signed in to search for users"],
  "code-search-sign-in": ["sign-in", 401, "you must be signed in to search code"],
  "site-admin": role("user should be the site admin"),
  "may-create-org": role("user is not allowed to create organizations"),
  "users-page-enabled": off,
  "stars-enabled": ["switch", 403, "stars disabled by administrator"],
  "webhooks-enabled": ["switch", 403, "webhooks disabled by administrator"],
  "attachments-enabled": off,
  "federation-enabled": off,
  "swagger-enabled": off,
  "heatmap-enabled": off,
  "code-search-enabled": ["switch", 404, "code search disabled by administrator"],
  "registration-enabled": ["switch", 403, "sign-up disabled by administrator"],
  "times-enabled": ["switch", 403, "time tracking disabled by administrator"],
  "key-scope": role("a token cannot grant more than its own scope"),
  person: role("this is for users, not for jobs"),

  "org-visible": hidden,
  "organization-member": role("Must be an organization member"),
  "organization-owner": role("Must be an organization owner"),
  "publicizes-own": role("cannot publicize the membership of another member"),
  "conceals-own": role("cannot conceal the membership of another member"),
  "may-create-repository": role("user is not allowed to create repositories in the organization"),
  "self-or-member-or-site-admin": role(
    "user should be the member asked about, a member of the organization or a site admin"
  ),

  "team-visible": hidden,
  "team-readable": ofTeam,
  "team-member": ofTeam,
  "not-owners-team": ["switch", 403, "the owners team can not be deleted"],

  "user-visible": hidden,
  "is-user": hidden,
  "self-or-site-admin": role("doer should be the site admin or be same as the contextUser"),

  "repo-visible": hidden,
  "any-read": role("user should have any permission to read repository or permissions of site admin"),
  "R:code": reads,
  "R:actions": reads,
  "R:releases": reads,
  "W:code": writes,
  "W:code|lent": writes,
  "W:actions": writes,
  "W:releases": writes,
  "W:wiki": writes,
  "W:issues|pulls": writes,
  "branch-write": role("user should have a permission to write to this branch"),
  "issues-unit": reads,
  "PR-enabled": hidden,
  "issues-or-PRs-readable": hidden,
  "wiki-readable": hidden,
  "git-hook-permission": role("must be allowed to edit Git hooks"),
  "repo-admin": administers,
  "target-repo-admin": role("Must have admin-level access to the repository"),
  "repo-owner": role("user should be the owner of the repo"),
  "not-archived": ["switch", 423, "repo is archived"],
  "not-blocked": role("user is blocked"),
  "member-not-blocked": role("user is blocked"),
  "recipient-not-blocking": role("user is blocked"),
  editable: ["switch", 423, "repo is archived"],

  found: hidden,
  "issue-readable": hidden,
  "issue-write": writes,
  "author-or-issue-write": ofAuthor,
  unlocked: locked,
  "comment-author-or-issue-write": ofAuthor,
  "worker-or-repo-admin": role("the tracked times of others are for writers and administrators of the repository"),
  "author-or-pull-write": ofAuthor,
  "pull-unlocked": locked,
  "review-visible": hidden,
  reviewer: reviews,
  "reviewer-or-site-admin": reviews,
  "release-visible": hidden,
  "self-or-repo-admin": role("only administrators of a repository see the permissions of others"),
  "team-access": role("only owners of the organization decide which teams have access to its repositories"),

  "owner-visible": hidden,
  "package-read": packages,
  "package-write": packages,
  sig: ["role", 401, "the link is not valid or has expired"]
}

/** Returns the response of a guard when it denies; some depend on the resource or the caller. */
const refusalOf = (guard: string, on: string, facts: AnyFacts): Refusal => {
  const isOfTeam = on === "team" || on === "teamRepository"
  const isOutside = !belongs(facts) && !facts.organizationMember
  if (
    isOfTeam &&
    (guard === "organization-member" || guard === "organization-owner" || (guard === "team-member" && isOutside))
  ) {
    return ["role", missing.status, missing.message]
  }
  if (guard === "editable" && !facts.archived) return ["switch", 423, "repo is not editable"]
  return refusals[guard] ?? ["visibility", 0, `\`${guard}\` is no guard`]
}

/** Returns the denial of an action on facts, or undefined if they allow it. */
export const refused = (action: AskedAction, facts: AnyFacts): Refused | undefined => {
  const { access, asks, guards, on, scope, signInFirst } = action
  const lacks = scope.some((category) => {
    const level = number(facts, `scope${category.charAt(0).toUpperCase()}${category.slice(1)}`)
    return level < (access === "read" ? 1 : 2)
  })
  if (lacks) {
    const wanted = scope.map((category) => `${access}:${category}`).join(", ")
    return { status: 403, message: `token does not have the required scope(s): ${wanted}` }
  }
  const stopped = [...guards, ...asks]
    .filter((guard) => !passing[guard]?.(facts))
    .map((guard) => refusalOf(guard, on, facts))
  const at = (step: Step): Refused | undefined => {
    const found = stopped.find(([each]) => each === step)
    return found === undefined ? undefined : { status: found[1], message: found[2] }
  }
  const first = signInFirst ? at("sign-in") : undefined
  const unseen = first ?? at("visibility")
  const closed = (facts.publicOnly ? closedBy(action, facts) : undefined) ?? foreignTo(action, facts)
  const limited = closed === undefined ? undefined : { status: 403, message: closed }
  return unseen ?? limited ?? at("sign-in") ?? at("role") ?? at("switch")
}

/** Returns the keys that search routes of users, repositories and teams add to a refusal, as Gitea's clients read them. */
export const searchKeys = (what: string, message: string): object =>
  /\/(?:users|repos|teams)\/search(?:\?|$)/.test(what) ? { ok: false, error: message } : {}
