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
  "account.not-activated": {
    when: site.all(site.flag("signedIn"), site.not(site.flag("active")), site.flag("confirmationRequired")),
    because: "an account starts to work when its address is confirmed"
  },
  "account.prohibited": {
    when: site.all(site.flag("signedIn"), site.any(site.flag("prohibited"), site.not(site.flag("active")))),
    because: "an account that an administrator stopped does nothing"
  },
  "account.must-change-password": {
    when: site.all(site.flag("signedIn"), site.flag("mustChangePassword")),
    because: "a password that others know is changed before anything else"
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
    because: "only a site administrator acts for others, with a password or a token that may write as an administrator"
  }
} as const satisfies Record<string, { when: Condition<SiteFacts>; because: string }>

/** The deny rule for a public-only token. */
export const publicOnly: Rule<CallerFacts> = {
  id: "token.public-only",
  when: caller.flag("publicOnly"),
  because: "a public-only token reads nothing that an anonymous caller could not read"
}

/** Returns the deny rule for a public-only token on a resource that is not `open`. */
export const publicOnlyUnless = <F>(open: Condition<F>): Rule<F & CallerFacts> => ({
  id: publicOnly.id,
  when: { op: "all", of: [publicOnly.when, { op: "not", of: open }] },
  because: publicOnly.because
})

/** The deny rules on a repository, which override all grants. */
export const repositoryForbids = {
  "repository.second-factor": {
    when: repository.all(
      repository.flag("secondFactorRequired"),
      repository.flag("signedIn"),
      repository.not(repository.flag("secondFactor")),
      repository.not(repository.flag("actionsTask"))
    ),
    because: "where a second factor is required, who has none has no repositories"
  },
  "repository.archived": {
    when: repository.flag("archived"),
    because: "an archived repository is read-only"
  },
  "repository.blocked": {
    when: repository.flag("blocked"),
    because: "whom an owner blocks takes no part in what is theirs"
  },
  "repository.mirror": {
    when: repository.flag("mirror"),
    because: "a mirror is only changed by its source"
  }
} as const satisfies Record<string, { when: Condition<RepositoryFacts>; because: string }>

/** The deny rules for adding a named user as a member. */
export const memberBlocks = [
  { id: "member.blocks", when: named.flag("blocksCaller"), because: "nobody is added by whom they block" },
  {
    id: "member.blocked",
    when: named.flag("blockedByOwner"),
    because: "whom an owner blocks is added to nothing of theirs"
  }
]

/** Returns the deny rule that disables a unit for all users. */
export const unitOff = (unit: Unit): Rule<RepositoryFacts> => ({
  id: "repository.unit-off",
  when: repository.not(repository.flag(unitFacts[unit].on)),
  because: "a unit that is switched off is closed for everyone"
})
