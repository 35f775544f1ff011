import { type Condition, conditionsOn } from "../../access/Condition.ts"
import type { Answer, Check, Rule } from "../../access/Decision.ts"
import { Level } from "../../access/Level.ts"
import type { Guard, GuardsOn } from "./Action.ts"
import { answers } from "./answers.ts"
import type {
  FactsAbout,
  Kind,
  OrganizationFacts,
  OrganizationUserFacts,
  PackageOwnerFacts,
  RepositoryFacts,
  SignedLinkFacts,
  SiteFacts,
  TeamFacts,
  UserFacts
} from "./facts.ts"
import { unitFacts } from "./facts.ts"
import { repositoryForbids, unitOff } from "./forbids.ts"
import {
  givesOnPackages,
  givesOnRepository,
  organizationRoles,
  organizationSight,
  rules,
  siteGrants,
  teamSight,
  userSight
} from "./grants.ts"
import type { ActionStage } from "./order.ts"
import type { Unit } from "./Unit.ts"

const site = conditionsOn<SiteFacts>()
const team = conditionsOn<TeamFacts>()
const organizationUser = conditionsOn<OrganizationUserFacts>()
const repository = conditionsOn<RepositoryFacts>()
const signedLink = conditionsOn<SignedLinkFacts>()

const check = <F>(
  stage: ActionStage,
  id: Guard,
  because: string,
  answer: Answer,
  grants: ReadonlyArray<Rule<F>>,
  forbids: ReadonlyArray<Rule<F>> = []
): Check<F> => ({ id, stage, grants, forbids, answer, because })

const forbidden = <F>(
  stage: ActionStage,
  id: Guard,
  answer: Answer,
  rule: string,
  when: Condition<F>,
  because: string
): Check<F> => check(stage, id, because, answer, [], [{ id: rule, when, because }])

const siteChecks: Record<GuardsOn["site"], ReadonlyArray<Check<SiteFacts>>> = {
  T: [
    forbidden("sign-in", "T", answers.signIn, "site.anonymous", site.not(site.flag("signedIn")), "needs a sign-in")
  ],
  "basic-auth": [
    forbidden(
      "sign-in",
      "basic-auth",
      answers.basicAuth,
      "site.no-password",
      site.not(site.flag("withPassword")),
      "needs a password or the trusted proxy, so that no token makes another"
    )
  ],
  "explore-sign-in": [
    forbidden(
      "sign-in",
      "explore-sign-in",
      answers.exploreSignIn,
      "site.explore-closed",
      site.all(site.flag("exploreNeedsSignIn"), site.not(site.flag("signedIn"))),
      "needs a sign-in where the site asks for one to search"
    )
  ],
  // The token itself is refused together with the things that are not public: see `publicOnlyChecks`.
  "reject-public-only": [],
  SA: [check("role", "SA", "is for site administrators", answers.siteAdmin, rules(siteGrants, "site.admin"))],
  "may-create-org": [
    check(
      "role",
      "may-create-org",
      "is for users who may create organizations",
      answers.mayCreateOrganization,
      rules(siteGrants, "site.admin", "site.organization-creator")
    )
  ],
  "users-page-enabled": [
    off("users-page-enabled", answers.notFound, "site.users-page-off", "usersPage", "needs the users page to be on")
  ],
  "stars-enabled": [off("stars-enabled", answers.starsOff, "site.stars-off", "stars", "needs stars to be on")],
  "webhooks-enabled": [
    off("webhooks-enabled", answers.webhooksOff, "site.webhooks-off", "webhooks", "needs webhooks to be on")
  ],
  "attachments-enabled": [
    off("attachments-enabled", answers.notFound, "site.attachments-off", "attachments", "needs attachments to be on")
  ],
  "federation-enabled": [
    off("federation-enabled", answers.notFound, "site.federation-off", "federation", "needs federation to be on")
  ],
  "swagger-enabled": [
    off("swagger-enabled", answers.notFound, "site.reference-off", "apiReference", "needs the reference to be on")
  ],
  "heatmap-enabled": [
    off("heatmap-enabled", answers.notFound, "site.heatmap-off", "heatmap", "needs the heatmap to be on")
  ]
}

function off(
  id: Guard,
  answer: Answer,
  rule: string,
  fact: "usersPage" | "stars" | "webhooks" | "attachments" | "federation" | "apiReference" | "heatmap",
  because: string
): Check<SiteFacts> {
  return forbidden("switch", id, answer, rule, site.not(site.flag(fact)), because)
}

const organizationVisible = check<OrganizationFacts>(
  "visibility",
  "org-visible",
  "needs to see the organization",
  answers.notFound,
  rules(organizationSight)
)

const members = rules(organizationRoles, "organization.site-admin", "organization.member")
const owners = rules(organizationRoles, "organization.site-admin", "organization.owner")

const organizationChecks: Record<
  Exclude<GuardsOn["organization"], GuardsOn["site"]>,
  ReadonlyArray<Check<OrganizationFacts>>
> = {
  "org-visible": [organizationVisible],
  OM: [check("role", "OM", "is for members of the organization", answers.organizationMember, members)],
  OO: [check("role", "OO", "is for owners of the organization", answers.organizationOwner, owners)],
  "may-create-repository": [
    check(
      "role",
      "may-create-repository",
      "is for owners of the organization and teams that may create repositories",
      answers.mayCreateRepository,
      rules(organizationRoles, "organization.site-admin", "organization.owner", "organization.repository-creator")
    )
  ]
}

const userChecks: Record<Exclude<GuardsOn["user"], GuardsOn["site"]>, ReadonlyArray<Check<UserFacts>>> = {
  "user-visible": [
    check("visibility", "user-visible", "needs to see the user", answers.notFound, rules(userSight))
  ],
  "self-or-SA": [
    check(
      "role",
      "self-or-SA",
      "is for the user and site administrators",
      answers.selfOrSiteAdmin,
      rules(userSight, "user.self", "user.site-admin")
    )
  ]
}

const organizationUserChecks: Record<"self-or-OM-or-SA", ReadonlyArray<Check<OrganizationUserFacts>>> = {
  "self-or-OM-or-SA": [
    check(
      "role",
      "self-or-OM-or-SA",
      "is for the user asked about, members of the organization and site administrators",
      answers.organizationInsider,
      [
        ...members,
        { id: "user.self", when: organizationUser.flag("self"), because: userSight["user.self"].because }
      ]
    )
  ]
}

const teamRoles = rules(teamSight, "team.site-admin", "team.organization-owner", "team.member")

/** Who is neither admitted nor a member of the organization is told that there is nothing. */
const hiddenFromOthers = (
  stage: ActionStage,
  id: "team-visible" | "TM",
  admitted: ReadonlyArray<Rule<TeamFacts>>
): Check<TeamFacts> =>
  forbidden(
    stage,
    id,
    answers.notFound,
    "team.hidden",
    team.not(team.any(...admitted.map((rule) => rule.when), team.flag("organizationMember"))),
    "needs to belong to the organization or to be admitted to the team"
  )

const teamChecks: Record<Exclude<GuardsOn["team"], GuardsOn["site"]>, ReadonlyArray<Check<TeamFacts>>> = {
  "team-visible": [hiddenFromOthers("visibility", "team-visible", rules(teamSight))],
  TR: [check("role", "TR", "needs to see the team", answers.teamMember, rules(teamSight))],
  TM: [
    hiddenFromOthers("role", "TM", teamRoles),
    check("role", "TM", "is for members of the team and owners of the organization", answers.teamMember, teamRoles)
  ],
  OM: [
    check("role", "OM", "is for members of the organization", answers.notFound, [
      ...rules(teamSight, "team.site-admin", "team.organization-owner"),
      {
        id: "organization.member",
        when: team.flag("organizationMember"),
        because: organizationSight["organization.member"].because
      }
    ])
  ],
  OO: [
    check(
      "role",
      "OO",
      "is for owners of the organization",
      answers.notFound,
      rules(teamSight, "team.site-admin", "team.organization-owner")
    )
  ]
}

const level = (
  stage: ActionStage,
  id: Guard,
  because: string,
  answer: Answer,
  wanted: Level,
  unit?: Unit
): Check<RepositoryFacts> =>
  check(
    stage,
    id,
    because,
    answer,
    givesOnRepository(wanted, unit),
    unit === undefined ? [] : [unitOff(unit)]
  )

const read = (id: Guard, unit: Unit, stage: ActionStage = "role", answer: Answer = answers.unitRead) =>
  level(stage, id, `needs to read ${unit}`, answer, Level.read, unit)

const write = (id: Guard, unit: Unit, answer: Answer = answers.unitWrite) =>
  level("role", id, `needs to write ${unit}`, answer, Level.write, unit)

/** Passes when the level is given on one of several units that is on. */
const onEither = (
  stage: ActionStage,
  id: Guard,
  because: string,
  answer: Answer,
  wanted: Level,
  units: ReadonlyArray<Unit>
): Check<RepositoryFacts> => {
  const grants = new Map<string, { because: string; when: Array<Condition<RepositoryFacts>> }>()
  for (const unit of units) {
    for (const rule of givesOnRepository(wanted, unit)) {
      const known = grants.get(rule.id) ?? { because: rule.because, when: [] }
      known.when.push(repository.all(rule.when, repository.flag(unitFacts[unit].on)))
      grants.set(rule.id, known)
    }
  }
  return check(
    stage,
    id,
    because,
    answer,
    [...grants].map(([rule, known]) => ({ id: rule, when: repository.any(...known.when), because: known.because }))
  )
}

const repositoryRule = (id: keyof typeof repositoryForbids): Rule<RepositoryFacts> => ({ id, ...repositoryForbids[id] })

const repositoryVisible: Check<RepositoryFacts> = check(
  "visibility",
  "repo-visible",
  "needs some access to the repository",
  answers.notFound,
  givesOnRepository(Level.read),
  [repositoryRule("repository.second-factor")]
)

const repositoryChecks: Record<
  Exclude<GuardsOn["repository"], GuardsOn["site"]>,
  ReadonlyArray<Check<RepositoryFacts>>
> = {
  "repo-visible": [repositoryVisible],
  "any-read": [level("role", "any-read", "needs to read some unit", answers.anyRead, Level.read)],
  "R:code": [read("R:code", "repo.code")],
  "R:actions": [read("R:actions", "repo.actions")],
  "R:releases": [read("R:releases", "repo.releases")],
  "W:code": [write("W:code", "repo.code")],
  "W:actions": [write("W:actions", "repo.actions")],
  "W:releases": [write("W:releases", "repo.releases")],
  "W:wiki": [write("W:wiki", "repo.wiki")],
  "W:issues|pulls": [
    onEither("role", "W:issues|pulls", "needs to write issues or pull requests", answers.unitWrite, Level.write, [
      "repo.issues",
      "repo.pulls"
    ])
  ],
  // Protection rules of the branch are for the use case, which knows the branch from the body.
  "branch-write": [write("branch-write", "repo.code", answers.branchWrite)],
  "issues-unit": [read("issues-unit", "repo.issues")],
  "PR-enabled": [read("PR-enabled", "repo.pulls", "visibility", answers.notFound)],
  "wiki-readable": [read("wiki-readable", "repo.wiki", "visibility", answers.notFound)],
  "issues-or-PRs-readable": [
    onEither(
      "visibility",
      "issues-or-PRs-readable",
      "needs to read issues or pull requests",
      answers.notFound,
      Level.read,
      ["repo.issues", "repo.pulls"]
    )
  ],
  A: [level("role", "A", "needs to administer the repository", answers.repositoryAdmin, Level.admin)],
  Own: [level("role", "Own", "needs to own the repository", answers.repositoryOwner, Level.owner)],
  "git-hook-permission": [
    check(
      "role",
      "git-hook-permission",
      "is for users who may edit git hooks, where the site has them",
      answers.gitHooks,
      rules(siteGrants, "site.admin", "site.git-hook-editor"),
      [
        {
          id: "site.git-hooks-off",
          when: site.not(site.flag("gitHooks")),
          because: "git hooks run on the server and are off unless the operator wants them"
        }
      ]
    )
  ],
  NA: [
    check("switch", "NA", "needs a repository that is not archived", answers.archived, [], [
      repositoryRule("repository.archived")
    ])
  ],
  editable: [
    check("switch", "editable", "needs a repository that is not archived", answers.archived, [], [
      repositoryRule("repository.archived")
    ]),
    check("switch", "editable", "needs a repository that is not a mirror", answers.notEditable, [], [
      repositoryRule("repository.mirror")
    ])
  ]
}

const packageChecks: Record<
  Exclude<GuardsOn["packageOwner"], GuardsOn["site"]>,
  ReadonlyArray<Check<PackageOwnerFacts>>
> = {
  "owner-visible": [
    check("visibility", "owner-visible", "needs to see the owner", answers.notFound, givesOnPackages(Level.read))
  ],
  "package-read": [
    check("role", "package-read", "needs to read the owner's packages", answers.packages, givesOnPackages(Level.read))
  ],
  "package-write": [
    check("role", "package-write", "needs to write the owner's packages", answers.packages, givesOnPackages(Level.write))
  ]
}

const targetRepository: Check<RepositoryFacts> = level(
  "role",
  "target-repo-admin",
  "needs to administer the repository that is added or removed",
  answers.targetRepositoryAdmin,
  Level.admin
)

const signature: Check<SignedLinkFacts> = forbidden(
  "role",
  "sig",
  answers.signature,
  "link.signature",
  signedLink.not(signedLink.flag("signatureValid")),
  "needs the signature that the link was given out with"
)

/** The checks behind each guard, for each kind of thing: total, by the compiler. */
export const guardChecks: {
  readonly [K in Kind]: Readonly<Record<GuardsOn[K], ReadonlyArray<Check<FactsAbout<K>>>>>
} = {
  site: siteChecks,
  organization: { ...siteChecks, ...organizationChecks },
  organizationUser: { ...siteChecks, ...organizationChecks, ...userChecks, ...organizationUserChecks },
  team: { ...siteChecks, ...teamChecks },
  teamRepository: {
    ...siteChecks,
    ...teamChecks,
    "repo-visible": [repositoryVisible],
    "target-repo-admin": [targetRepository]
  },
  user: { ...siteChecks, ...userChecks },
  repository: { ...siteChecks, ...repositoryChecks },
  packageOwner: { ...siteChecks, ...packageChecks },
  signedLink: { ...siteChecks, sig: [signature] }
}
