import type { Answer, Check, Rule } from "@slipway/access"
import { type Condition, conditionsOn, Level } from "@slipway/access"
import type { Guard, GuardsOn } from "../Action.ts"
import { answers } from "../answers.ts"
import {
  type PackageOwnerFacts,
  type RepositoryFacts,
  type SignedLinkFacts,
  type SiteFacts,
  unitFacts
} from "../facts/facts.ts"
import type { Unit } from "../facts/Unit.ts"
import { repositoryForbids, unitOff } from "../forbids.ts"
import { givesOnPackages, givesOnRepository, rules, siteGrants } from "../grants.ts"
import type { ActionStage } from "../order.ts"
import { check, forbidden, memberNotBlocked } from "./check.ts"

const site = conditionsOn<SiteFacts>()
const repository = conditionsOn<RepositoryFacts>()
const signedLink = conditionsOn<SignedLinkFacts>()

const level = (
  stage: ActionStage,
  id: Guard,
  because: string,
  answer: Answer,
  wanted: Level,
  unit?: Unit
): Check<RepositoryFacts> =>
  check(stage, id, because, answer, givesOnRepository(wanted, unit), unit === undefined ? [] : [unitOff(unit)])

const read = (id: Guard, unit: Unit, stage: ActionStage = "role", answer: Answer = answers.unitRead) =>
  level(stage, id, `needs to read ${unit}`, answer, Level.read, unit)

const write = (id: Guard, unit: Unit, answer: Answer = answers.unitWrite) =>
  level("role", id, `needs to write ${unit}`, answer, Level.write, unit)

/** Returns a check that passes if the caller has a level on at least one of several enabled repository units. */
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

/** The check that passes for callers with any access to the repository, unless a required second factor is missing. */
export const repositoryVisible: Check<RepositoryFacts> = check(
  "visibility",
  "repo-visible",
  "needs access to the repository",
  answers.notFound,
  givesOnRepository(Level.read),
  [repositoryRule("repository.second-factor")]
)

/** The access checks of each guard on a repository. */
export const repositoryChecks: Record<
  Exclude<GuardsOn["repository"], GuardsOn["site"]>,
  ReadonlyArray<Check<RepositoryFacts>>
> = {
  "repo-visible": [repositoryVisible],
  "any-read": [level("role", "any-read", "needs to read at least one unit", answers.anyRead, Level.read)],
  "R:code": [read("R:code", "repo.code")],
  "R:actions": [read("R:actions", "repo.actions")],
  "R:releases": [read("R:releases", "repo.releases")],
  "W:code": [write("W:code", "repo.code")],
  "W:code|lent": [
    check(
      "role",
      "W:code|lent",
      "needs to write repo.code, or a head branch that a pull request lends",
      answers.unitWrite,
      [
        ...givesOnRepository(Level.write, "repo.code"),
        {
          id: "repository.lent-branch",
          when: repository.all(
            repository.flag("lent"),
            repository.not(repository.flag("blocked")),
            repository.any(...givesOnRepository(Level.read, "repo.code").map(({ when }) => when))
          ),
          because: "a pull request can lend its head branch to users who write the base and can read the head"
        }
      ],
      [unitOff("repo.code")]
    )
  ],
  "W:actions": [write("W:actions", "repo.actions")],
  "W:releases": [write("W:releases", "repo.releases")],
  "W:wiki": [write("W:wiki", "repo.wiki")],
  "W:issues|pulls": [
    onEither("role", "W:issues|pulls", "needs to write issues or pull requests", answers.unitWrite, Level.write, [
      "repo.issues",
      "repo.pulls"
    ])
  ],
  // The use case checks branch protections, because only it knows the branch, from the body.
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
  "repo-admin": [
    level("role", "repo-admin", "needs to administer the repository", answers.repositoryAdmin, Level.admin)
  ],
  "repo-owner": [level("role", "repo-owner", "needs to own the repository", answers.repositoryOwner, Level.owner)],
  "git-hook-permission": [
    check(
      "role",
      "git-hook-permission",
      "is for users who may edit git hooks, if the site enables them",
      answers.gitHooks,
      rules(siteGrants, "site.admin", "site.git-hook-editor"),
      [
        {
          id: "site.git-hooks-off",
          when: site.not(site.flag("gitHooks")),
          because: "git hooks run on the server and are disabled by default"
        }
      ]
    )
  ],
  "not-archived": [
    check(
      "switch",
      "not-archived",
      "needs a repository that is not archived",
      answers.archived,
      [],
      [repositoryRule("repository.archived")]
    )
  ],
  "not-blocked": [
    check(
      "role",
      "not-blocked",
      "needs an owner who does not block the caller",
      answers.blocked,
      [],
      [repositoryRule("repository.blocked")]
    )
  ],
  "member-not-blocked": [memberNotBlocked],
  "recipient-not-blocking": [
    forbidden(
      "role",
      "recipient-not-blocking",
      answers.blocked,
      "recipient.blocks",
      repository.flag("blocksCaller"),
      "a user who blocks the caller cannot be offered a repository"
    )
  ],
  editable: [
    check(
      "switch",
      "editable",
      "needs a repository that is not archived",
      answers.archived,
      [],
      [repositoryRule("repository.archived")]
    ),
    check(
      "switch",
      "editable",
      "needs a repository that is not a mirror",
      answers.notEditable,
      [],
      [repositoryRule("repository.mirror")]
    )
  ]
}

/** The access checks of each guard on an owner's packages. */
export const packageChecks: Record<
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
    check(
      "role",
      "package-write",
      "needs to write the owner's packages",
      answers.packages,
      givesOnPackages(Level.write)
    )
  ]
}

/** The check that passes for administrators of the repository to which a team gains or loses access. */
export const targetRepository: Check<RepositoryFacts> = level(
  "role",
  "target-repo-admin",
  "needs to administer the added or removed repository",
  answers.targetRepositoryAdmin,
  Level.admin
)

/** The access checks of the guard on a signed link, a URL that grants access by its signature. */
export const linkChecks: Record<"sig", ReadonlyArray<Check<SignedLinkFacts>>> = {
  sig: [
    forbidden(
      "role",
      "sig",
      answers.signature,
      "link.signature",
      signedLink.not(signedLink.flag("signatureValid")),
      "needs the signature of the link"
    )
  ]
}
