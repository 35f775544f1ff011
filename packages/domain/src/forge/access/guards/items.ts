import type { Check, Rule } from "@slipway/access"
import { type Condition, conditionsOn, Level } from "@slipway/access"
import type {
  CommentGuard,
  IssueGuard,
  ItemGuard,
  PullGuard,
  ReleaseGuard,
  ReviewGuard,
  SubscriberGuard,
  TrackedTimeGuard
} from "../Action.ts"
import { answers } from "../answers.ts"
import {
  type CommentFacts,
  type FoundFacts,
  type IssueFacts,
  type ReleaseFacts,
  type RepositoryTeamFacts,
  type RepositoryUserFacts,
  type ReviewFacts,
  type SubscriberFacts,
  type TrackedTimeFacts,
  unitFacts
} from "../facts/facts.ts"
import type { Unit } from "../facts/Unit.ts"
import { givesOnRepository, rules, siteGrants, userViewers } from "../grants.ts"
import { check, forbidden } from "./check.ts"

const item = conditionsOn<FoundFacts>()
const issue = conditionsOn<IssueFacts>()
const comment = conditionsOn<CommentFacts>()
const subscriber = conditionsOn<SubscriberFacts>()
const trackedTime = conditionsOn<TrackedTimeFacts>()
const review = conditionsOn<ReviewFacts>()
const repositoryUser = conditionsOn<RepositoryUserFacts>()
const heldTeam = conditionsOn<RepositoryTeamFacts>()
const release = conditionsOn<ReleaseFacts>()

/** The access checks of the guard for every resource within a repository: the resource must exist. */
export const itemChecks: Record<ItemGuard, ReadonlyArray<Check<FoundFacts>>> = {
  found: [
    forbidden(
      "visibility",
      "found",
      answers.notFound,
      "item.missing",
      item.not(item.flag("found")),
      "needs an existing resource"
    )
  ]
}

/** Returns the rules that grant a level on the repository unit of an issue: the unit of issues or of pull requests. */
const givesOnIssue = (level: Level): ReadonlyArray<Rule<IssueFacts>> => {
  const isPull = issue.flag("pull")
  const units: ReadonlyArray<readonly [Unit, Condition<IssueFacts>]> = [
    ["repo.issues", issue.not(isPull)],
    ["repo.pulls", isPull]
  ]
  const found = new Map<string, { because: string; when: Array<Condition<IssueFacts>> }>()
  for (const [unit, applies] of units) {
    for (const rule of givesOnRepository(level, unit)) {
      const known = found.get(rule.id) ?? { because: rule.because, when: [] }
      known.when.push(issue.all(applies, rule.when, issue.flag(unitFacts[unit].on)))
      found.set(rule.id, known)
    }
  }
  return [...found].map(([id, { because, when }]) => ({ id, when: issue.any(...when), because }))
}

const writers = givesOnIssue(Level.write)
const author: Rule<IssueFacts> = {
  id: "issue.author",
  when: issue.flag("author"),
  because: "authors manage their own content"
}

/** The access checks of each guard on an issue or a pull request. */
export const issueChecks: Record<IssueGuard, ReadonlyArray<Check<IssueFacts>>> = {
  // Invariant B9: a caller who may read only issues cannot read pull requests by their number.
  "issue-readable": [
    check(
      "visibility",
      "issue-readable",
      "needs to read issues, or pull requests if it is one",
      answers.notFound,
      givesOnIssue(Level.read)
    )
  ],
  "issue-write": [
    check("role", "issue-write", "needs to write issues, or pull requests if it is one", answers.unitWrite, writers)
  ],
  "author-or-issue-write": [
    check(
      "role",
      "author-or-issue-write",
      "is for its author and users who write issues, or pull requests if it is one",
      answers.authorOrWriter,
      [...writers, author]
    )
  ],
  unlocked: [
    check("role", "unlocked", "needs an unlocked conversation, or write permission", answers.conversationLocked, [
      ...writers,
      {
        id: "issue.unlocked",
        when: issue.not(issue.flag("locked")),
        because: "readers of an unlocked conversation can take part in it"
      }
    ])
  ]
}

/** The access checks of each guard on a route with an issue and a user in its path. */
export const subscriberChecks: Record<SubscriberGuard, ReadonlyArray<Check<SubscriberFacts>>> = {
  ...issueChecks,
  "self-or-site-admin": [
    check("role", "self-or-site-admin", "is for the user and site administrators", answers.selfOrSiteAdmin, [
      { id: "user.self", when: subscriber.flag("self"), because: userViewers["user.self"].because },
      { id: "user.site-admin", when: subscriber.flag("siteAdmin"), because: userViewers["user.site-admin"].because }
    ])
  ]
}

/** The access checks of each guard on a comment. */
export const commentChecks: Record<CommentGuard, ReadonlyArray<Check<CommentFacts>>> = {
  ...issueChecks,
  "comment-author-or-issue-write": [
    check(
      "role",
      "comment-author-or-issue-write",
      "is for the author of the comment and users who write issues, or pull requests if it is one",
      answers.authorOrWriter,
      [
        ...writers,
        { id: "comment.author", when: comment.flag("commentAuthor"), because: "authors manage their own content" }
      ]
    )
  ]
}

/** The access checks of each guard on a tracked time (working time that a user recorded on an issue). */
export const trackedTimeChecks: Record<TrackedTimeGuard, ReadonlyArray<Check<TrackedTimeFacts>>> = {
  ...issueChecks,
  "worker-or-repo-admin": [
    check(
      "role",
      "worker-or-repo-admin",
      "is for the user who tracked the time and administrators of the repository",
      answers.timesOfOthers,
      [
        // One rule has a different name than the rules for writing issues.
        {
          id: "time.repository-admin",
          when: trackedTime.any(...givesOnRepository(Level.admin).map(({ when }) => when)),
          because: "administrators of a repository manage its tracked times"
        },
        { id: "time.worker", when: trackedTime.flag("worker"), because: "users manage their own tracked times" }
      ]
    )
  ]
}

// A caller who reaches this rule may read pull requests, so the unit is enabled. One rule has a different name than
// those of the code unit.
const pullWriter: Rule<IssueFacts> = {
  id: "pull.writer",
  when: issue.any(...givesOnRepository(Level.write, "repo.pulls").map(({ when }) => when)),
  because: "users who write pull requests manage them"
}

/** The access checks of each guard on a pull request. */
export const pullChecks: Record<PullGuard, ReadonlyArray<Check<IssueFacts>>> = {
  "author-or-pull-write": [
    check(
      "role",
      "author-or-pull-write",
      "is for its author and users who write pull requests",
      answers.authorOrWriter,
      [pullWriter, author]
    )
  ],
  "pull-unlocked": [
    check("role", "pull-unlocked", "needs an unlocked conversation, or write permission", answers.conversationLocked, [
      pullWriter,
      {
        id: "pull.unlocked",
        when: issue.not(issue.flag("locked")),
        because: "readers of an unlocked conversation can take part in it"
      }
    ])
  ]
}

const reviewer: Rule<ReviewFacts> = {
  id: "review.reviewer",
  when: review.flag("reviewer"),
  because: "reviewers manage their own reviews"
}

/** The access checks of each guard on a review of a pull request. */
export const reviewChecks: Record<ReviewGuard, ReadonlyArray<Check<ReviewFacts>>> = {
  ...pullChecks,
  "review-visible": [
    check(
      "visibility",
      "review-visible",
      "only its author sees a pending review",
      answers.notFound,
      [],
      [
        {
          id: "review.pending",
          when: review.all(review.flag("pending"), review.not(review.flag("reviewer"))),
          because: "only its author sees a pending review"
        },
        {
          id: "review.pending-public-only",
          when: review.all(review.flag("publicOnly"), review.flag("pending")),
          because: "a pending review is not public, even in a public repository"
        }
      ]
    )
  ],
  reviewer: [check("role", "reviewer", "is for the reviewer", answers.reviewer, [reviewer])],
  "reviewer-or-site-admin": [
    check("role", "reviewer-or-site-admin", "is for the reviewer and for site administrators", answers.reviewer, [
      reviewer,
      ...rules(siteGrants, "site.admin")
    ])
  ]
}

/** The access checks of the guard on a release. */
export const releaseChecks: Record<ReleaseGuard, ReadonlyArray<Check<ReleaseFacts>>> = {
  "release-visible": [
    check(
      "visibility",
      "release-visible",
      "needs to write releases if it is a draft",
      answers.notFound,
      [
        ...givesOnRepository(Level.write, "repo.releases"),
        {
          id: "release.published",
          when: release.not(release.flag("draft")),
          because: "users who read releases see published releases"
        }
      ],
      [
        {
          id: "release.draft-public-only",
          when: release.all(release.flag("publicOnly"), release.flag("draft")),
          because: "a draft is not public, even in a public repository"
        }
      ]
    )
  ]
}

/** The access checks of the guard on a user's permissions on a repository. */
export const repositoryUserChecks: Record<"self-or-repo-admin", ReadonlyArray<Check<RepositoryUserFacts>>> = {
  "self-or-repo-admin": [
    check(
      "role",
      "self-or-repo-admin",
      "is for the named user and administrators of the repository",
      answers.collaboratorHidden,
      [
        ...givesOnRepository(Level.admin),
        { id: "user.self", when: repositoryUser.flag("self"), because: userViewers["user.self"].because }
      ]
    )
  ]
}

/** The access checks of the guard on the teams with access to a repository. */
export const repositoryTeamChecks: Record<"team-access", ReadonlyArray<Check<RepositoryTeamFacts>>> = {
  "team-access": [
    forbidden(
      "role",
      "team-access",
      answers.teamAccess,
      "team.owners-decide",
      heldTeam.all(
        heldTeam.flag("ownersDecide"),
        heldTeam.not(heldTeam.any(...givesOnRepository(Level.owner).map(({ when }) => when)))
      ),
      "needs to own the organization, unless it lets repository administrators decide"
    )
  ]
}
