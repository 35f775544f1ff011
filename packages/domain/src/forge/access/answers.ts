import type { Answer } from "@slipway/access"
import type { ScopeCategory } from "./facts/Scope.ts"

/** The response (404) for missing resources, and for hidden ones, which must look the same. */
export const notFound: Answer = { status: 404, message: "The target couldn't be found." }

const unauthorized = (message: string): Answer => ({ status: 401, message })
const forbidden = (message: string): Answer => ({ status: 403, message })
const locked = (message: string): Answer => ({ status: 423, message })

/** The error responses of sign-in, rate limits and account checks, before an action is evaluated. */
export const entryAnswers = {
  invalidCredentials: unauthorized("invalid username, password or token"),
  invalidCode: unauthorized("invalid one-time code"),
  resetSlowed: { status: 429, message: "too many emails were requested from this address, try again later" },
  signUpSlowed: { status: 429, message: "too many accounts were requested from this address, try again later" },
  slowed: { status: 429, message: "too many failed sign-ins, try again later" },
  awaitsApproval: forbidden("This account waits for an administrator to activate it."),
  notActivated: forbidden("This account is not activated."),
  prohibited: forbidden("This account is prohibited from signing in, please contact your site administrator."),
  mustChangePassword: forbidden("You must change your password."),
  strictSignIn: forbidden("Only signed in user is allowed to call APIs."),
  sudo: forbidden("Only administrators allowed to sudo.")
} as const satisfies Record<string, Answer>

/** The error responses of failed guards (named access checks). */
export const answers = {
  notFound,
  signIn: unauthorized("token is required"),
  basicAuth: unauthorized("auth required"),
  exploreSignIn: unauthorized("you must be signed in to search for users"),
  codeSearchSignIn: unauthorized("you must be signed in to search code"),
  signature: unauthorized("the link is not valid or has expired"),
  siteAdmin: forbidden("user should be the site admin"),
  organizationOwner: forbidden("Must be an organization owner"),
  organizationMember: forbidden("Must be an organization member"),
  organizationInsider: forbidden("user should be the member asked about, a member of the organization or a site admin"),
  publicizesOwn: forbidden("cannot publicize the membership of another member"),
  concealsOwn: forbidden("cannot conceal the membership of another member"),
  collaboratorHidden: forbidden("only administrators of a repository see the permissions of others"),
  teamAccess: forbidden("only owners of the organization decide which teams have access to its repositories"),
  mayCreateOrganization: forbidden("user is not allowed to create organizations"),
  mayCreateRepository: forbidden("user is not allowed to create repositories in the organization"),
  teamMember: forbidden("Must be a team member"),
  targetRepositoryAdmin: forbidden("Must have admin-level access to the repository"),
  selfOrSiteAdmin: forbidden("doer should be the site admin or be same as the contextUser"),
  anyRead: forbidden("user should have any permission to read repository or permissions of site admin"),
  unitRead: forbidden("user should have specific read permission or be a repo admin or a site admin"),
  unitWrite: forbidden("user should have a permission to write to a repo"),
  branchWrite: forbidden("user should have a permission to write to this branch"),
  repositoryAdmin: forbidden("user should be an owner or a collaborator with admin write of a repository"),
  repositoryOwner: forbidden("user should be the owner of the repo"),
  gitHooks: forbidden("must be allowed to edit Git hooks"),
  packages: forbidden("user should have specific permission or be a site admin"),
  starsOff: forbidden("stars disabled by administrator"),
  webhooksOff: forbidden("webhooks disabled by administrator"),
  registrationOff: forbidden("sign-up disabled by administrator"),
  codeSearchOff: { status: 404, message: "code search disabled by administrator" },
  timesOff: forbidden("time tracking disabled by administrator"),
  timesOfOthers: forbidden("the tracked times of others are for writers and administrators of the repository"),
  keyScope: forbidden("a token cannot grant more than its own scope"),
  person: forbidden("this is for users, not for jobs"),
  otherRepository: forbidden("the token of a job can only change its repository"),
  blocked: forbidden("user is blocked"),
  ownersTeam: forbidden("the owners team can not be deleted"),
  conversationLocked: forbidden("the conversation is locked"),
  reviewer: forbidden("user should be the reviewer"),
  authorOrWriter: forbidden("user should be the author or have a permission to write to a repo"),
  archived: locked("repo is archived"),
  notEditable: locked("repo is not editable"),
  publicOnlyEndpoint: forbidden("this endpoint is not available for public-only tokens")
} as const satisfies Record<string, Answer>

/** The names of resource types in error messages for public-only tokens. */
export type PublicResourceType = "repos" | "issues" | "orgs" | "users" | "packages"

/** Returns the 403 response to a request with a public-only token for a resource that is not public. */
export const limitedToPublic = (thing: PublicResourceType): Answer =>
  forbidden(`token scope is limited to public ${thing}`)

/** Returns the 403 response to a request with a token that lacks the scope required by the route. */
export const missingScope = (access: "read" | "write", categories: ReadonlyArray<ScopeCategory>): Answer =>
  forbidden(
    `token does not have the required scope(s): ${categories.map((category) => `${access}:${category}`).join(", ")}`
  )
