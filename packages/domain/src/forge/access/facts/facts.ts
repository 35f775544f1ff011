import { type FactsOf, flag, levelFact, ordered, type Vocabulary, visibilities, worded } from "@slipway/access"
import { existenceVocabulary, type ItemKind, itemKinds, itemVocabularies } from "../items.ts"
import type { WithRulebook } from "../rulebookKey.ts"
import { type ScopeCategory, type ScopeLevel, scopeLevelWords } from "./Scope.ts"
import { teamVisibilities } from "./TeamVisibility.ts"
import type { Unit } from "./Unit.ts"

const scope = (category: ScopeCategory) =>
  ordered<ScopeLevel>(`the credential's scope for ${category}`, [0, 1, 2], scopeLevelWords)

/**
 * The facts (inputs of access rules) about the caller and the credential. Anonymous callers and sign-ins without a
 * token have every scope.
 */
export const callerVocabulary = {
  signedIn: flag("the caller is signed in", "the caller is anonymous"),
  siteAdmin: flag("the caller is a site administrator", "the caller is not a site administrator"),
  restricted: flag("the caller is a restricted user", "the caller is not restricted"),
  actionsTask: flag("the caller is a job of the actions service", "the caller is not a job"),
  secondFactor: flag("the caller has a second factor", "the caller has no second factor"),
  active: flag("the account is active", "the account is inactive"),
  awaitsApproval: flag("the account waits for an administrator's approval", "the account waits for no approval"),
  prohibited: flag("the account is prohibited from signing in", "the account may sign in"),
  mustChangePassword: flag("a change of password is pending", "no change of password is pending"),
  withPassword: flag(
    "the caller signed in with a password or through the trusted proxy",
    "the caller did not sign in with a password"
  ),
  mayCreateOrganizations: flag("the user may create organizations", "the user may not create organizations"),
  mayEditGitHooks: flag("the user may edit git hooks", "the user may not edit git hooks"),
  sudo: flag("the request asks to act as another user", "the request acts for the caller"),
  publicOnly: flag("the token is limited to public resources", "the credential is not limited to public resources"),
  scopeActivitypub: scope("activitypub"),
  scopeAdmin: scope("admin"),
  scopeIssue: scope("issue"),
  scopeMisc: scope("misc"),
  scopeNotification: scope("notification"),
  scopeOrganization: scope("organization"),
  scopePackage: scope("package"),
  scopeRepository: scope("repository"),
  scopeUser: scope("user")
} as const satisfies Vocabulary

/** The facts (inputs of access rules) about settings of the site that the operator can switch on and off. */
export const switchVocabulary = {
  confirmationRequired: flag("addresses must be confirmed", "addresses need no confirmation"),
  strictSignIn: flag("the site requires sign-in", "the site is open to anonymous callers"),
  exploreNeedsSignIn: flag("searching needs a sign-in", "searching needs no sign-in"),
  secondFactorRequired: flag("a second factor is required", "a second factor is not required"),
  usersPage: flag("the users page is on", "the users page is off"),
  stars: flag("stars are on", "stars are off"),
  webhooks: flag("webhooks are on", "webhooks are off"),
  gitHooks: flag("git hooks are on", "git hooks are off"),
  attachments: flag("attachments are on", "attachments are off"),
  federation: flag("federation is on", "federation is off"),
  apiReference: flag("the interactive reference is on", "the interactive reference is off"),
  heatmap: flag("the heatmap is on", "the heatmap is off"),
  codeSearch: flag("code search is on", "code search is off"),
  timeTracking: flag("time tracking is on", "time tracking is off"),
  organizationCreation: flag("users may create organizations", "only administrators may create organizations"),
  registration: flag("visitors may create accounts", "only administrators create accounts")
} as const satisfies Vocabulary

/** The facts (inputs of access rules) that every request has, about the caller and the site. */
export const siteVocabulary = { ...callerVocabulary, ...switchVocabulary } as const satisfies Vocabulary

const membership = {
  organizationMember: flag("the caller is a member of the organization", "the caller is not a member"),
  organizationOwner: flag(
    "the caller is an owner of the organization",
    "the caller is not an owner of the organization"
  )
} as const

/** The facts (inputs of access rules) that decide who sees an organization and its members. */
export const membershipVocabulary = {
  ...siteVocabulary,
  ...membership,
  organizationVisibility: worded("the organization", visibilities)
} as const satisfies Vocabulary

/** The facts (inputs of access rules) about an organization and the caller's role in it. */
export const organizationVocabulary = {
  ...membershipVocabulary,
  self: flag("the caller is the user", "the caller is another user"),
  mayCreateRepositories: flag(
    "a team of the caller may create repositories",
    "no team of the caller may create repositories"
  )
} as const satisfies Vocabulary

const namedBlocks = {
  blocksCaller: flag("the named account blocks the caller", "the named account does not block the caller"),
  blockedByOwner: flag("its owner blocks the named user", "its owner does not block the named user")
} as const

/** The facts (inputs of access rules) about a team, its organization and the caller's role in both. */
export const teamVocabulary = {
  ...membershipVocabulary,
  ...namedBlocks,
  teamVisibility: worded("the team", teamVisibilities),
  teamMember: flag("the caller is a member of the team", "the caller is not a member of the team"),
  ownersTeam: flag("it is the Owners team", "it is not the Owners team")
} as const satisfies Vocabulary

/** The facts (inputs of access rules) about a user, and whether the caller is this user. */
export const userVocabulary = {
  ...siteVocabulary,
  userVisibility: worded("the user", visibilities),
  self: flag("the caller is the user", "the caller is another user"),
  tied: flag(
    "the caller shares an organization or a repository with the user",
    "the caller shares neither an organization nor a repository with the user"
  ),
  blocked: flag("the caller or the user blocks the other", "neither the caller nor the user blocks the other"),
  userIsOrganization: flag("the name belongs to an organization", "the name belongs to a user"),
  belongsToUser: flag("the caller is a member of that organization", "the caller is not a member of that organization")
} as const satisfies Vocabulary

const team = (unit: string) => levelFact(`the level of the caller's best team on ${unit}`)
const on = (unit: string) => flag(`the repository's ${unit} unit is on`, `the repository's ${unit} unit is off`)

const repositoryOnly = {
  private: flag("the repository is private", "the repository is not private"),
  ownerVisibility: worded("the owner", visibilities),
  archived: flag("the repository is archived", "the repository is not archived"),
  mirror: flag("the repository is a mirror", "the repository is not a mirror"),
  blocked: flag("the owner blocks the caller", "the owner does not block the caller"),
  ...namedBlocks,
  lent: flag(
    "an open pull request lends a branch to the caller, who can write its base",
    "no open pull request lends a branch to the caller"
  ),
  repositoryOwner: flag("the caller owns the repository", "the caller does not own the repository"),
  collaborator: levelFact("the level granted to the caller as a collaborator"),
  taskLevel: levelFact("the level of the job's token on the repository"),
  teamAdmin: flag(
    "a team of the caller has admin level on the repository",
    "no team of the caller has admin level on the repository"
  ),
  teamAny: levelFact("the level of the caller's best team on any unit that is on"),
  teamCode: team("code"),
  teamIssues: team("issues"),
  teamPulls: team("pulls"),
  teamReleases: team("releases"),
  teamWiki: team("wiki"),
  teamExtWiki: team("ext_wiki"),
  teamExtIssues: team("ext_issues"),
  teamProjects: team("projects"),
  teamPackages: team("packages"),
  teamActions: team("actions"),
  unitCode: on("code"),
  unitIssues: on("issues"),
  unitPulls: on("pulls"),
  unitReleases: on("releases"),
  unitWiki: on("wiki"),
  unitExtWiki: on("ext_wiki"),
  unitExtIssues: on("ext_issues"),
  unitProjects: on("projects"),
  unitPackages: on("packages"),
  unitActions: on("actions")
} as const satisfies Vocabulary

/**
 * The facts (inputs of access rules) about a repository, its owner, and the caller's permissions on it.
 *
 * The facts about teams consider only teams with access to the repository, without the Owners team: the fact
 * `organizationOwner` already covers it. The same applies to the facts about an owner of packages.
 */
export const repositoryVocabulary = {
  ...siteVocabulary,
  ...membership,
  ...repositoryOnly
} as const satisfies Vocabulary

/** The facts (inputs of access rules) about a team and a repository of its organization. */
export const teamRepositoryVocabulary = { ...teamVocabulary, ...repositoryOnly } as const satisfies Vocabulary

/** The facts about an organization and a user who may be a member of it. */
export const organizationUserVocabulary = {
  ...organizationVocabulary,
  ...userVocabulary
} as const satisfies Vocabulary

/** The facts about an owner of packages, and the caller's permissions on these packages. */
export const packageOwnerVocabulary = {
  ...siteVocabulary,
  ...membership,
  ownerVisibility: worded("the owner", visibilities),
  self: flag("the caller is the owner", "the caller is not the owner"),
  teamPackages: team("packages")
} as const satisfies Vocabulary

/** The facts about a signed link. */
export const signedLinkVocabulary = {
  ...siteVocabulary,
  signatureValid: flag("the link's signature is valid and not expired", "the link's signature is not valid")
} as const satisfies Vocabulary

/**
 * The vocabulary of a resource type within a repository: its own facts (inputs of access rules) and the repository's.
 */
type ItemVocabulary<K extends ItemKind> = typeof repositoryVocabulary &
  typeof existenceVocabulary &
  (typeof itemVocabularies)[K]

// BOUNDARY: one vocabulary is made for each type of the list, which the compiler cannot follow through `fromEntries`.
const vocabulariesOfItems = Object.fromEntries(
  itemKinds.map((kind) => [kind, { ...repositoryVocabulary, ...existenceVocabulary, ...itemVocabularies[kind] }])
) as unknown as { readonly [K in ItemKind]: ItemVocabulary<K> }

/** The vocabulary of each resource type: all facts (inputs of access rules) with their possible values. */
export const vocabularies = {
  ...vocabulariesOfItems,
  site: siteVocabulary,
  organization: organizationVocabulary,
  organizationUser: organizationUserVocabulary,
  team: teamVocabulary,
  teamRepository: teamRepositoryVocabulary,
  user: userVocabulary,
  repository: repositoryVocabulary,
  packageOwner: packageOwnerVocabulary,
  signedLink: signedLinkVocabulary
} as const satisfies Record<string, Vocabulary>

/** The name of a resource type on which actions are performed. */
export type Kind = keyof typeof vocabularies

/** The values of the facts (inputs of access rules) that decide actions on a resource type. */
export type FactsAbout<K extends Kind> = SiteFacts & FactsOf<(typeof vocabularies)[K]>

/** The values of the facts (inputs of access rules) about the caller. */
export interface CallerFacts extends FactsOf<typeof callerVocabulary>, WithRulebook {}
/** The values of the facts about settings of the site that the operator can switch on and off. */
export interface SwitchFacts extends FactsOf<typeof switchVocabulary>, WithRulebook {}
/** The values of the facts that every request has, about the caller and the site. */
export interface SiteFacts extends FactsOf<typeof siteVocabulary>, WithRulebook {}
/** The values of the facts (inputs of access rules) that decide who sees an organization and its members. */
export interface MembershipFacts extends FactsOf<typeof membershipVocabulary>, WithRulebook {}
/** The values of the facts (inputs of access rules) for actions on an organization. */
export interface OrganizationFacts extends FactsAbout<"organization"> {}
/** The values of the facts (inputs of access rules) for actions on an organization and a user. */
export interface OrganizationUserFacts extends FactsAbout<"organizationUser"> {}
/** The values of the facts (inputs of access rules) for actions on a team. */
export interface TeamFacts extends FactsAbout<"team"> {}
/** The values of the facts (inputs of access rules) for actions on a team and a repository of its organization. */
export interface TeamRepositoryFacts extends FactsAbout<"teamRepository"> {}
/** The values of the facts (inputs of access rules) for actions on a user. */
export interface UserFacts extends FactsAbout<"user"> {}
/** The values of the facts (inputs of access rules) for actions on a repository. */
export interface RepositoryFacts extends FactsAbout<"repository"> {}
/** The values of the facts (inputs of access rules) that all resource types within a repository have. */
export interface FoundFacts extends RepositoryFacts, FactsOf<typeof existenceVocabulary> {}
/** The values of the facts (inputs of access rules) for actions on an issue or a pull request. */
export interface IssueFacts extends FactsAbout<"issue"> {}
/** The values of the facts (inputs of access rules) for actions on a comment. */
export interface CommentFacts extends FactsAbout<"comment"> {}
/** The values of the facts (inputs of access rules) for requests about a user's subscription to an issue. */
export interface SubscriberFacts extends FactsAbout<"subscriber"> {}
/** The values of the facts (inputs of access rules) for actions on a review of a pull request. */
export interface ReviewFacts extends FactsAbout<"review"> {}
/** The values of the facts (inputs of access rules) for actions on a release. */
export interface ReleaseFacts extends FactsAbout<"release"> {}
/** The values of the facts (inputs of access rules) for actions on a tracked time of an issue. */
export interface TrackedTimeFacts extends FactsAbout<"trackedTime"> {}
/** The values of the facts (inputs of access rules) for requests that read a user's access level on a repository. */
export interface RepositoryUserFacts extends FactsAbout<"repositoryUser"> {}
/** The values of the facts (inputs of access rules) for giving or removing a team's access to a repository. */
export interface RepositoryTeamFacts extends FactsAbout<"heldTeam"> {}
/** The values of the facts (inputs of access rules) for actions on the packages of an owner. */
export interface PackageOwnerFacts extends FactsAbout<"packageOwner"> {}
/** The values of the facts (inputs of access rules) for requests with a signed link. */
export interface SignedLinkFacts extends FactsAbout<"signedLink"> {}

/**
 * The names of the two facts about each repository unit: the highest level of the caller's teams on the unit, and
 * whether the unit is enabled.
 */
export const unitFacts = {
  "repo.code": { team: "teamCode", on: "unitCode" },
  "repo.issues": { team: "teamIssues", on: "unitIssues" },
  "repo.pulls": { team: "teamPulls", on: "unitPulls" },
  "repo.releases": { team: "teamReleases", on: "unitReleases" },
  "repo.wiki": { team: "teamWiki", on: "unitWiki" },
  "repo.ext_wiki": { team: "teamExtWiki", on: "unitExtWiki" },
  "repo.ext_issues": { team: "teamExtIssues", on: "unitExtIssues" },
  "repo.projects": { team: "teamProjects", on: "unitProjects" },
  "repo.packages": { team: "teamPackages", on: "unitPackages" },
  "repo.actions": { team: "teamActions", on: "unitActions" }
} as const satisfies Record<Unit, { team: keyof RepositoryFacts; on: keyof RepositoryFacts }>

/** The name of the fact with the credential's level, by scope category. */
export const scopeFacts = {
  activitypub: "scopeActivitypub",
  admin: "scopeAdmin",
  issue: "scopeIssue",
  misc: "scopeMisc",
  notification: "scopeNotification",
  organization: "scopeOrganization",
  package: "scopePackage",
  repository: "scopeRepository",
  user: "scopeUser"
} as const satisfies Record<ScopeCategory, keyof CallerFacts>
