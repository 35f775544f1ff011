import type { Rule } from "@slipway/access"
import { type Condition, conditionsOn } from "@slipway/access"
import type { CallerFacts, RepositoryFacts, SiteFacts, TeamFacts } from "./facts/facts.ts"
import { unitFacts } from "./facts/facts.ts"
import type { Unit } from "./facts/Unit.ts"

const caller = conditionsOn<CallerFacts>()
const site = conditionsOn<SiteFacts>()
const repository = conditionsOn<RepositoryFacts>()
const named = conditionsOn<Pick<TeamFacts & RepositoryFacts, "blocksCaller" | "blockedByOwner">>()

/** The deny rules that apply before any action is evaluated. */
export const entryForbids = {
  "account.awaits-approval": {
    when: site.all(site.flag("signedIn"), site.flag("awaitsApproval"), site.not(site.flag("prohibited"))),
    because: "an administrator activates each account that a visitor creates"
  },
  "account.not-activated": {
    when: site.all(site.flag("signedIn"), site.not(site.flag("active")), site.flag("confirmationRequired")),
    because: "an account is usable after its address is confirmed"
  },
  "account.prohibited": {
    when: site.all(site.flag("signedIn"), site.any(site.flag("prohibited"), site.not(site.flag("active")))),
    because: "an account prohibited from signing in cannot do anything"
  },
  "account.must-change-password": {
    when: site.all(site.flag("signedIn"), site.flag("mustChangePassword")),
    because: "a temporary password must be changed before anything else"
  },
  "site.strict-sign-in": {
    when: site.all(site.flag("strictSignIn"), site.not(site.flag("signedIn"))),
    because: "the site is closed to anonymous callers"
  },
  "sudo.not-allowed": {
    when: site.all(
      site.flag("sudo"),
      site.any(site.not(site.flag("siteAdmin")), site.flag("publicOnly"), site.not(site.atLeast("scopeAdmin", 2)))
    ),
    because: "only a site administrator acts for other users, with a password or a token with the scope write:admin"
  }
} as const satisfies Record<string, { when: Condition<SiteFacts>; because: string }>

/** The deny rule for a public-only token. */
export const publicOnly: Rule<CallerFacts> = {
  id: "token.public-only",
  when: caller.flag("publicOnly"),
  because: "a public-only token reads nothing that an anonymous caller could not read"
}

/** Returns the deny rule for a public-only token on a resource that does not satisfy the condition `open`. */
export const publicOnlyUnless = <F>(open: Condition<F>): Rule<F & CallerFacts> => ({
  id: publicOnly.id,
  when: { op: "all", of: [publicOnly.when, { op: "not", of: open }] },
  because: publicOnly.because
})

/** The deny rules for repositories, which override all grants. */
export const repositoryForbids = {
  "repository.second-factor": {
    when: repository.all(
      repository.flag("secondFactorRequired"),
      repository.flag("signedIn"),
      repository.not(repository.flag("secondFactor")),
      repository.not(repository.flag("actionsTask"))
    ),
    because: "where a second factor is required, users without one cannot access repositories"
  },
  "repository.archived": {
    when: repository.flag("archived"),
    because: "an archived repository is read-only"
  },
  "repository.blocked": {
    when: repository.flag("blocked"),
    because: "a user blocked by the owner cannot participate in the owner's resources"
  },
  "repository.mirror": {
    when: repository.flag("mirror"),
    because: "only its source changes a mirror"
  }
} as const satisfies Record<string, { when: Condition<RepositoryFacts>; because: string }>

/** The deny rules for adding a user as a member, who blocks the caller or is blocked by the owner. */
export const memberBlocks = [
  {
    id: "member.blocks",
    when: named.flag("blocksCaller"),
    because: "a user cannot be added by an account that they block"
  },
  {
    id: "member.blocked",
    when: named.flag("blockedByOwner"),
    because: "a user blocked by the owner cannot be added to the owner's resources"
  }
]

/** Returns the rule that denies access to a repository unit that is switched off. */
export const unitOff = (unit: Unit): Rule<RepositoryFacts> => ({
  id: "repository.unit-off",
  when: repository.not(repository.flag(unitFacts[unit].on)),
  because: "a disabled unit is closed to everyone"
})
