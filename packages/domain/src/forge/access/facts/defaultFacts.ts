import type {
  CallerFacts,
  OrganizationFacts,
  PackageOwnerFacts,
  RepositoryFacts,
  SwitchFacts,
  TeamFacts
} from "./facts.ts"
import { scopeFacts } from "./facts.ts"
import { fullScope, type Scope, type ScopeLevel, scopeCategories } from "./Scope.ts"

/** Converts the scope of a credential to facts: the level in each category, and whether it is public-only. */
export const scopeAsFacts = (scope: Scope) => {
  const facts = { publicOnly: scope.publicOnly } as Record<(typeof scopeFacts)[keyof typeof scopeFacts], ScopeLevel> & {
    publicOnly: boolean
  }
  for (const category of scopeCategories) facts[scopeFacts[category]] = scope.levels[category]
  return facts
}

/** The facts (inputs of access rules) about a caller without credentials. */
export const anonymous: CallerFacts = {
  signedIn: false,
  siteAdmin: false,
  restricted: false,
  actionsTask: false,
  secondFactor: false,
  active: true,
  awaitsApproval: false,
  prohibited: false,
  mustChangePassword: false,
  withPassword: false,
  mayCreateOrganizations: false,
  mayEditGitHooks: false,
  sudo: false,
  ...scopeAsFacts(fullScope)
}

/** The facts (inputs of access rules) about a regular user who signed in with a password. */
export const ordinary: CallerFacts = {
  ...anonymous,
  signedIn: true,
  withPassword: true,
  mayCreateOrganizations: true
}

/** The default values of the facts (inputs of access rules) about a site's settings. */
export const newSiteSwitches: SwitchFacts = {
  confirmationRequired: false,
  strictSignIn: false,
  exploreNeedsSignIn: false,
  secondFactorRequired: false,
  usersPage: true,
  stars: true,
  webhooks: true,
  gitHooks: false,
  attachments: true,
  federation: false,
  apiReference: true,
  heatmap: true,
  codeSearch: false,
  timeTracking: true,
  organizationCreation: true,
  registration: false
}

/** The facts (inputs of access rules) about a caller who is not a member of the organization of the request. */
export const noMembership = {
  organizationMember: false,
  organizationOwner: false,
  mayCreateRepositories: false,
  self: false
} as const satisfies Partial<OrganizationFacts>

/** The facts (inputs of access rules) about a caller who is not a member of a team. */
export const noTeamMembership = {
  organizationMember: false,
  organizationOwner: false,
  teamMember: false
} as const satisfies Partial<TeamFacts>

/** The facts (inputs of access rules) about a caller without permissions on a repository. */
export const noGrants = {
  organizationMember: false,
  organizationOwner: false,
  lent: false,
  repositoryOwner: false,
  collaborator: 0,
  taskLevel: 0,
  teamAdmin: false,
  teamAny: 0,
  teamCode: 0,
  teamIssues: 0,
  teamPulls: 0,
  teamReleases: 0,
  teamWiki: 0,
  teamExtWiki: 0,
  teamExtIssues: 0,
  teamProjects: 0,
  teamPackages: 0,
  teamActions: 0
} as const satisfies Partial<RepositoryFacts>

/** The facts (inputs of access rules) about a caller without permissions on the packages of an owner. */
export const noPackageGrants = {
  organizationMember: false,
  organizationOwner: false,
  self: false,
  teamPackages: 0
} as const satisfies Partial<PackageOwnerFacts>
