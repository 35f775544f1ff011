import type { Answer, Check, Rule } from "@slipway/access"
import { type Condition, conditionsOn, Level } from "@slipway/access"
import type { Action } from "./Action.ts"
import { answers, limitedToPublic, missingScope, type PublicResourceType } from "./answers.ts"
import type {
  FactsAbout,
  Kind,
  MembershipFacts,
  PackageOwnerFacts,
  RepositoryFacts,
  SiteFacts,
  UserFacts
} from "./facts/facts.ts"
import { scopeFacts } from "./facts/facts.ts"
import { ScopeLevel } from "./facts/Scope.ts"
import { publicOnly, publicOnlyUnless } from "./forbids.ts"

const site = conditionsOn<SiteFacts>()
const organization = conditionsOn<MembershipFacts>()
const user = conditionsOn<UserFacts>()
const repository = conditionsOn<RepositoryFacts>()
const packages = conditionsOn<PackageOwnerFacts>()

/** Returns the check that a token has every scope of an action. */
export const scopeChecks = (action: Action): ReadonlyArray<Check<SiteFacts>> =>
  action.scope.length === 0
    ? []
    : [
        {
          id: "scope",
          stage: "scope",
          grants: [],
          forbids: [
            {
              id: "token.scope",
              when: site.not(
                site.all(
                  ...action.scope.map((category) => site.atLeast(scopeFacts[category], ScopeLevel[action.access]))
                )
              ),
              because: "a token is limited to its scope, whatever its user may do"
            }
          ],
          answer: missingScope(action.access, action.scope),
          because: `needs the scope ${action.scope.map((category) => `${action.access}:${category}`).join(" and ")}`
        }
      ]

const organizationIsPublic = organization.is("organizationVisibility", "public")
const userIsPublic = user.is("userVisibility", "public")
const repositoryIsPublic = repository.all(
  repository.not(repository.flag("private")),
  repository.is("ownerVisibility", "public")
)

const repositoryResources = [{ is: repositoryIsPublic, thing: "repos" }] as const

/** The conditions under which a resource is public, by resource type, with its name in error messages. */
const publicResources: {
  readonly [K in Kind]: ReadonlyArray<{ is: Condition<FactsAbout<K>>; thing: PublicResourceType }>
} = {
  site: [],
  organization: [{ is: organizationIsPublic, thing: "orgs" }],
  organizationUser: [
    { is: organizationIsPublic, thing: "orgs" },
    { is: userIsPublic, thing: "users" }
  ],
  team: [{ is: organizationIsPublic, thing: "orgs" }],
  teamRepository: [
    { is: organizationIsPublic, thing: "orgs" },
    { is: repositoryIsPublic, thing: "repos" }
  ],
  user: [{ is: userIsPublic, thing: "users" }],
  repository: repositoryResources,
  issue: repositoryResources,
  subscriber: repositoryResources,
  comment: repositoryResources,
  trackedTime: repositoryResources,
  pull: repositoryResources,
  review: repositoryResources,
  reviewComment: repositoryResources,
  reviewThread: repositoryResources,
  release: repositoryResources,
  taggedRelease: repositoryResources,
  repositoryUser: repositoryResources,
  heldTeam: repositoryResources,
  packageOwner: [{ is: packages.is("ownerVisibility", "public"), thing: "packages" }],
  signedLink: []
}

const named = (action: Action, thing: PublicResourceType): PublicResourceType =>
  thing !== "repos" ? thing : action.scope.includes("issue") ? "issues" : thing

const publicOnlyCheck = <F>(answer: Answer, because: string, forbid: Rule<F>): Check<F> => ({
  id: "public-only",
  stage: "public-only",
  grants: [],
  forbids: [forbid],
  answer,
  because
})

const closed = "is not for public-only tokens"

/**
 * Returns the checks of an action for requests with a public-only token.
 *
 * A public-only token has access only to public resources, and reads only data that an anonymous caller could read. A
 * read that requires sign-in is rejected unless it is about the caller. Source: decisions, "Public-only tokens".
 */
export const publicOnlyChecks = <K extends Kind>(action: Action<K>): ReadonlyArray<Check<FactsAbout<K>>> => {
  type F = FactsAbout<K>
  const endpoint = (forbid: Rule<F>) => publicOnlyCheck<F>(answers.publicOnlyEndpoint, closed, forbid)
  if (action.publicOnly === "refused") return [endpoint(publicOnly)]
  const things: ReadonlyArray<{ is: Condition<F>; thing: PublicResourceType }> = publicResources[action.on]
  const guards: ReadonlyArray<string> = [...action.guards, ...action.asks]
  const checks = things.map(({ is, thing }) =>
    publicOnlyCheck<F>(
      limitedToPublic(named(action, thing)),
      "needs a public resource if the token is public-only",
      publicOnlyUnless(is)
    )
  )
  if (action.access === "write" || action.publicOnly === "self") return checks
  if (guards.includes("sign-in") || guards.includes("basic-auth")) return [...checks, endpoint(publicOnly)]
  if (!guards.includes("explore-sign-in") && !guards.includes("code-search-sign-in")) return checks
  const open = site.not(site.flag("exploreNeedsSignIn"))
  return [...checks, endpoint(publicOnlyUnless(open))]
}

/** The resource types that are a repository or belong to a repository. */
const inRepositories: ReadonlySet<Kind> = new Set(
  (Object.keys(publicResources) as ReadonlyArray<Kind>).filter((kind) =>
    publicResources[kind].some(({ thing }) => thing === "repos")
  )
)

/**
 * Returns the check that the token of a workflow job writes only to the repository of the job. It can read other
 * repositories like any signed-in user.
 *
 * Source: decisions, "Job tokens".
 */
export const jobChecks = <K extends Kind>(action: Action<K>): ReadonlyArray<Check<FactsAbout<K>>> => {
  if (action.access !== "write" || !inRepositories.has(action.on)) return []
  const check: Check<RepositoryFacts> = {
    id: "job-repository",
    stage: "public-only",
    grants: [],
    forbids: [
      {
        id: "job.other-repository",
        when: repository.all(
          repository.flag("actionsTask"),
          repository.not(repository.atLeast("taskLevel", Level.read))
        ),
        because: "a job can only change its repository"
      }
    ],
    answer: answers.otherRepository,
    because: "needs the repository of the job if the caller is a job"
  }
  // BOUNDARY: each of these types has the facts of its repository.
  return [check as unknown as Check<FactsAbout<K>>]
}
