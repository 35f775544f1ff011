import type { Answer, Check } from "@slipway/access"
import { conditionsOn } from "@slipway/access"
import type { Guard, GuardsOn } from "../Action.ts"
import { answers } from "../answers.ts"
import type { SiteFacts } from "../facts/facts.ts"
import { rules, siteGrants } from "../grants.ts"
import { check, forbidden } from "./check.ts"

const site = conditionsOn<SiteFacts>()

/** The access checks of each guard that depends only on the caller and the site, not on a resource. */
export const siteChecks: Record<GuardsOn["site"], ReadonlyArray<Check<SiteFacts>>> = {
  "sign-in": [
    forbidden(
      "sign-in",
      "sign-in",
      answers.signIn,
      "site.anonymous",
      site.not(site.flag("signedIn")),
      "needs a sign-in"
    )
  ],
  "basic-auth": [
    forbidden(
      "sign-in",
      "basic-auth",
      answers.basicAuth,
      "site.no-password",
      site.not(site.flag("withPassword")),
      "needs a password or the trusted proxy, so that a token cannot create tokens"
    )
  ],
  "explore-sign-in": [
    forbidden(
      "sign-in",
      "explore-sign-in",
      answers.exploreSignIn,
      "site.explore-closed",
      site.all(site.flag("exploreNeedsSignIn"), site.not(site.flag("signedIn"))),
      "needs a sign-in if the site requires one for searches"
    )
  ],
  "code-search-sign-in": [
    forbidden(
      "sign-in",
      "code-search-sign-in",
      answers.codeSearchSignIn,
      "site.code-search-closed",
      site.all(site.flag("exploreNeedsSignIn"), site.not(site.flag("signedIn"))),
      "needs a sign-in if the site requires one for searches"
    )
  ],
  // Public-only tokens are rejected by the check on public resources: see `publicOnlyChecks`.
  "reject-public-only": [],
  "site-admin": [
    check("role", "site-admin", "is for site administrators", answers.siteAdmin, rules(siteGrants, "site.admin"))
  ],
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
    off(
      "swagger-enabled",
      answers.notFound,
      "site.reference-off",
      "apiReference",
      "needs the interactive reference to be on"
    )
  ],
  "heatmap-enabled": [
    off("heatmap-enabled", answers.notFound, "site.heatmap-off", "heatmap", "needs the heatmap to be on")
  ],
  "code-search-enabled": [
    off(
      "code-search-enabled",
      answers.codeSearchOff,
      "site.code-search-off",
      "codeSearch",
      "needs code search to be on"
    )
  ],
  "registration-enabled": [
    off(
      "registration-enabled",
      answers.registrationOff,
      "site.registration-off",
      "registration",
      "needs registration to be on"
    )
  ],
  "times-enabled": [
    off("times-enabled", answers.timesOff, "site.times-off", "timeTracking", "needs time tracking to be on")
  ],
  // Invariant I5: a holder of the key can write all code that its user can write.
  "key-scope": [
    forbidden(
      "role",
      "key-scope",
      answers.keyScope,
      "token.key-scope",
      site.any(site.flag("publicOnly"), site.not(site.atLeast("scopeRepository", 2))),
      "needs a credential that an SSH key can replace"
    )
  ],
  // Jobs share one account, which therefore owns nothing.
  person: [
    forbidden("role", "person", answers.person, "job.no-person", site.flag("actionsTask"), "is for users, not for jobs")
  ]
}

function off(
  id: Guard,
  answer: Answer,
  rule: string,
  fact:
    | "usersPage"
    | "stars"
    | "webhooks"
    | "attachments"
    | "federation"
    | "apiReference"
    | "heatmap"
    | "codeSearch"
    | "timeTracking"
    | "registration",
  because: string
): Check<SiteFacts> {
  return forbidden("switch", id, answer, rule, site.not(site.flag(fact)), because)
}
