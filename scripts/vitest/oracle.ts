/**
 * The specification's access rules, implemented a second time as plain functions of facts.
 *
 * Nothing here uses the service's tables, so a changed rule there disagrees with this module.
 */
/** Facts of any kind, by name. */
export type AnyFacts = Readonly<Record<string, boolean | string | number>>

interface Facts extends Readonly<Record<string, boolean>> {}

/** Returns facts as flags. */
const flags = (facts: AnyFacts) => facts as Facts
/** Returns a numeric fact. */
export const number = (facts: AnyFacts, name: string) => facts[name] as number

/** Each unit with the fact of its switch, the fact of teams, and its highest possible level. */
export const units = {
  "repo.code": ["unitCode", "teamCode", 3],
  "repo.issues": ["unitIssues", "teamIssues", 3],
  "repo.pulls": ["unitPulls", "teamPulls", 3],
  "repo.releases": ["unitReleases", "teamReleases", 3],
  "repo.wiki": ["unitWiki", "teamWiki", 3],
  "repo.ext_wiki": ["unitExtWiki", "teamExtWiki", 1],
  "repo.ext_issues": ["unitExtIssues", "teamExtIssues", 1],
  "repo.projects": ["unitProjects", "teamProjects", 3],
  "repo.packages": ["unitPackages", "teamPackages", 3],
  "repo.actions": ["unitActions", "teamActions", 3]
} as const
type Unit = keyof typeof units

/** Returns whether a resource of some visibility is visible to the caller, who may be anonymous. */
const isOpen = (facts: AnyFacts, visibility: string) =>
  facts[visibility] === "public" || (facts[visibility] === "limited" && facts.signedIn === true)

/** Returns the granted level on a unit, or on the repository. */
const grantedLevel = (facts: AnyFacts, unit?: Unit): number => {
  const { actionsTask, organizationMember, organizationOwner, repositoryOwner, signedIn, siteAdmin, teamAdmin } =
    flags(facts)
  const read = !facts.private && !facts.restricted && (isOpen(facts, "ownerVisibility") || organizationMember)
  const byTeams = unit === undefined ? Math.min(number(facts, "teamAny"), 2) : number(facts, units[unit][1])
  const best = Math.max(
    siteAdmin || repositoryOwner || organizationOwner ? 4 : 0,
    teamAdmin ? 3 : 0,
    signedIn ? Math.max(byTeams, number(facts, "collaborator")) : 0,
    actionsTask ? number(facts, "taskLevel") : 0,
    read ? 1 : 0
  )
  return unit === undefined ? best : Math.min(best, units[unit][2])
}

/** Returns whether a required second factor is missing. */
const isStopped = (facts: AnyFacts) =>
  facts.secondFactorRequired === true && facts.signedIn === true && !facts.secondFactor && !facts.actionsTask

/** Returns the caller's level on a unit of a repository, or on the repository. */
export const levelOn = (facts: AnyFacts, unit?: Unit): number =>
  isStopped(facts) || (unit !== undefined && !facts[units[unit][0]]) ? 0 : grantedLevel(facts, unit)

const has = (facts: AnyFacts, unit: Unit, level: number) =>
  facts[units[unit][0]] === true && grantedLevel(facts, unit) >= level

const seesOrganization = (facts: AnyFacts) =>
  facts.siteAdmin ||
  facts.organizationMember ||
  facts.organizationOwner ||
  (!facts.restricted && isOpen(facts, "organizationVisibility"))

/** Returns whether the caller is a member of a team. */
export const belongs = (facts: AnyFacts) => facts.siteAdmin || facts.organizationOwner || facts.teamMember

const seesTeam = (facts: AnyFacts) =>
  belongs(facts) ||
  (facts.teamVisibility === "limited" && facts.organizationMember) ||
  (facts.teamVisibility === "public" && facts.signedIn && seesOrganization(facts))

const seesUser = (facts: AnyFacts) =>
  facts.siteAdmin ||
  facts.self ||
  facts.belongsToUser ||
  (facts.userVisibility === "public" && !(facts.userIsOrganization && facts.restricted)) ||
  (facts.userVisibility === "limited" && facts.signedIn && (!facts.restricted || facts.tied))

const grantedPackages = (facts: AnyFacts): number =>
  Math.max(
    facts.siteAdmin || facts.self || facts.organizationOwner ? 4 : 0,
    facts.signedIn ? number(facts, "teamPackages") : 0,
    facts.organizationMember || (!facts.restricted && isOpen(facts, "ownerVisibility")) ? 1 : 0
  )

/** Returns the unit of an issue or a pull request. */
const unitOf = (facts: AnyFacts): Unit => (facts.pull ? "repo.pulls" : "repo.issues")
const writesIssue = (facts: AnyFacts) => has(facts, unitOf(facts), 2)
const writesPulls = (facts: AnyFacts) => grantedLevel(facts, "repo.pulls") >= 2

/** Each guard with the callers that satisfy it. */
export const passing: Readonly<Record<string, (facts: AnyFacts) => unknown>> = {
  "reject-public-only": () => true,
  "sign-in": ({ signedIn }) => signedIn,
  "basic-auth": ({ withPassword }) => withPassword,
  "explore-sign-in": ({ exploreNeedsSignIn, signedIn }) => signedIn || !exploreNeedsSignIn,
  "code-search-sign-in": ({ exploreNeedsSignIn, signedIn }) => signedIn || !exploreNeedsSignIn,
  "site-admin": ({ siteAdmin }) => siteAdmin,
  "may-create-org": (facts) => facts.siteAdmin || (facts.mayCreateOrganizations && facts.organizationCreation),
  "users-page-enabled": ({ usersPage }) => usersPage,
  "stars-enabled": ({ stars }) => stars,
  "webhooks-enabled": ({ webhooks }) => webhooks,
  "attachments-enabled": ({ attachments }) => attachments,
  "federation-enabled": ({ federation }) => federation,
  "swagger-enabled": ({ apiReference }) => apiReference,
  "heatmap-enabled": ({ heatmap }) => heatmap,
  "code-search-enabled": ({ codeSearch }) => codeSearch,
  "times-enabled": ({ timeTracking }) => timeTracking,
  "registration-enabled": ({ registration }) => registration,
  "key-scope": (facts) => !facts.publicOnly && facts.scopeRepository === 2,
  person: (facts) => !facts.actionsTask,

  "org-visible": seesOrganization,
  "organization-member": (facts) => facts.siteAdmin || facts.organizationMember || facts.organizationOwner,
  "organization-owner": (facts) => facts.siteAdmin || facts.organizationOwner,
  "publicizes-own": ({ self }) => self,
  "conceals-own": ({ self }) => self,
  "may-create-repository": (facts) => facts.siteAdmin || facts.organizationOwner || facts.mayCreateRepositories,
  "self-or-member-or-site-admin": (facts) =>
    facts.self || facts.siteAdmin || facts.organizationMember || facts.organizationOwner,

  "team-visible": (facts) => seesTeam(facts) || facts.organizationMember,
  "team-readable": seesTeam,
  "team-member": belongs,
  "not-owners-team": ({ ownersTeam }) => !ownersTeam,

  "user-visible": seesUser,
  "is-user": ({ userIsOrganization }) => !userIsOrganization,
  "self-or-site-admin": ({ self, siteAdmin }) => self || siteAdmin,

  "repo-visible": (facts) => levelOn(facts) >= 1,
  "any-read": (facts) => grantedLevel(facts) >= 1,
  "R:code": (facts) => has(facts, "repo.code", 1),
  "R:actions": (facts) => has(facts, "repo.actions", 1),
  "R:releases": (facts) => has(facts, "repo.releases", 1),
  "W:code": (facts) => has(facts, "repo.code", 2),
  "W:code|lent": (facts) => has(facts, "repo.code", 2) || (facts.lent && !facts.blocked && has(facts, "repo.code", 1)),
  "W:actions": (facts) => has(facts, "repo.actions", 2),
  "W:releases": (facts) => has(facts, "repo.releases", 2),
  "W:wiki": (facts) => has(facts, "repo.wiki", 2),
  "W:issues|pulls": (facts) => has(facts, "repo.issues", 2) || has(facts, "repo.pulls", 2),
  "branch-write": (facts) => has(facts, "repo.code", 2),
  "issues-unit": (facts) => has(facts, "repo.issues", 1),
  "PR-enabled": (facts) => has(facts, "repo.pulls", 1),
  "issues-or-PRs-readable": (facts) => has(facts, "repo.issues", 1) || has(facts, "repo.pulls", 1),
  "wiki-readable": (facts) => has(facts, "repo.wiki", 1),
  "git-hook-permission": (facts) => facts.gitHooks && (facts.siteAdmin || facts.mayEditGitHooks),
  "repo-admin": (facts) => grantedLevel(facts) >= 3,
  "target-repo-admin": (facts) => grantedLevel(facts) >= 3,
  "repo-owner": (facts) => grantedLevel(facts) >= 4,
  "not-archived": ({ archived }) => !archived,
  "not-blocked": ({ blocked }) => !blocked,
  "member-not-blocked": ({ blockedByOwner, blocksCaller }) => !blockedByOwner && !blocksCaller,
  "recipient-not-blocking": ({ blocksCaller }) => !blocksCaller,
  editable: ({ archived, mirror }) => !archived && !mirror,

  found: ({ found }) => found,
  "issue-readable": (facts) => has(facts, unitOf(facts), 1),
  "issue-write": writesIssue,
  "author-or-issue-write": (facts) => facts.author || writesIssue(facts),
  unlocked: (facts) => !facts.locked || writesIssue(facts),
  "comment-author-or-issue-write": (facts) => facts.commentAuthor || writesIssue(facts),
  "worker-or-repo-admin": (facts) => facts.worker || grantedLevel(facts) >= 3,
  "author-or-pull-write": (facts) => facts.author || writesPulls(facts),
  "pull-unlocked": (facts) => !facts.locked || writesPulls(facts),
  "review-visible": ({ pending, publicOnly, reviewer }) => (reviewer && !publicOnly) || !pending,
  reviewer: ({ reviewer }) => reviewer,
  "reviewer-or-site-admin": ({ reviewer, siteAdmin }) => reviewer || siteAdmin,
  "release-visible": (facts) => !facts.draft || (grantedLevel(facts, "repo.releases") >= 2 && !facts.publicOnly),
  "self-or-repo-admin": (facts) => facts.self || grantedLevel(facts) >= 3,
  "team-access": (facts) => !facts.ownersDecide || grantedLevel(facts) >= 4,

  "owner-visible": (facts) => grantedPackages(facts) >= 1,
  "package-read": (facts) => grantedPackages(facts) >= 1,
  "package-write": (facts) => grantedPackages(facts) >= 2,
  sig: ({ signatureValid }) => signatureValid
}

/** Returns whether an organization is public. */
export const openOrganization = (facts: AnyFacts) => facts.organizationVisibility === "public"
/** Returns whether a user is public. */
export const openUser = (facts: AnyFacts) => facts.userVisibility === "public"
/** Returns whether a repository is public. */
export const openRepository = (facts: AnyFacts) => !facts.private && facts.ownerVisibility === "public"

const forToken = (facts: AnyFacts, isOpen: (facts: AnyFacts) => boolean) => !facts.publicOnly || isOpen(facts)
const listedUser = (facts: AnyFacts) => seesUser(facts) && forToken(facts, openUser)

/** For each list, whether it shows a row. */
export const listing: Readonly<Record<string, (facts: AnyFacts) => unknown>> = {
  organization: (facts) => seesOrganization(facts) && forToken(facts, openOrganization),
  organizationDirectory: (facts) =>
    seesOrganization(facts) &&
    (openOrganization(facts) ||
      (!facts.publicOnly &&
        (facts.siteAdmin || (facts.organizationVisibility === "limited" && facts.signedIn === true)))),
  team: (facts) =>
    (belongs(facts) || (facts.organizationMember && facts.teamVisibility !== "private")) &&
    forToken(facts, openOrganization),
  user: listedUser,
  directory: (facts) => listedUser(facts) && (!facts.restricted || facts.siteAdmin || facts.self || facts.tied),
  repository: (facts) => levelOn(facts) >= 1 && forToken(facts, openRepository)
}

/** Returns whether a list shows the content of a repository's unit. */
export const listingUnit = (facts: AnyFacts, unit: Unit): boolean =>
  levelOn(facts, unit) >= 1 &&
  forToken(facts, openRepository) &&
  // Runs and jobs have lists of other scopes as well.
  (unit !== "repo.actions" || Number(facts.scopeRepository) >= 1)

/** Each rule of authentication with the requests that it denies, in order, and the response. */
export const entering: ReadonlyArray<readonly [message: string, stops: (facts: AnyFacts) => unknown]> = [
  [
    "This account waits for an administrator to activate it.",
    (facts) => facts.signedIn && facts.awaitsApproval && !facts.prohibited
  ],
  ["This account is not activated.", (facts) => facts.signedIn && !facts.active && facts.confirmationRequired],
  [
    "This account is prohibited from signing in, please contact your site administrator.",
    (facts) => facts.signedIn && (facts.prohibited || !facts.active)
  ],
  ["You must change your password.", (facts) => facts.signedIn && facts.mustChangePassword],
  ["Only signed in user is allowed to call APIs.", (facts) => facts.strictSignIn && !facts.signedIn],
  [
    "Only administrators allowed to sudo.",
    (facts) => facts.sudo && (!facts.siteAdmin || facts.publicOnly || facts.scopeAdmin !== 2)
  ]
]
