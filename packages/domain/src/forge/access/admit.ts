import type { Decision } from "@slipway/access"
import { type Check, layoutOf, policy } from "@slipway/access"
import { entryAnswers } from "./answers.ts"
import { type SiteFacts, siteVocabulary } from "./facts/facts.ts"
import { entryForbids } from "./forbids.ts"
import type { entryStages } from "./order.ts"

const entry = (
  stage: (typeof entryStages)[number],
  id: keyof typeof entryForbids,
  answer: Check<SiteFacts>["answer"]
): Check<SiteFacts> => ({
  id,
  stage,
  grants: [],
  forbids: [{ id, ...entryForbids[id] }],
  answer,
  because: entryForbids[id].because
})

/** The checks of every request, such as a disabled account; they run before the checks of the action, in this order. */
export const entryChecks: ReadonlyArray<Check<SiteFacts>> = [
  entry("account", "account.awaits-approval", entryAnswers.awaitsApproval),
  entry("account", "account.not-activated", entryAnswers.notActivated),
  entry("account", "account.prohibited", entryAnswers.prohibited),
  entry("account", "account.must-change-password", entryAnswers.mustChangePassword),
  entry("strict", "site.strict-sign-in", entryAnswers.strictSignIn),
  entry("sudo", "sudo.not-allowed", entryAnswers.sudo)
]

/** The compiled policy of {@link entryChecks}: whether a caller may use the service at all. */
export const admission = policy("site.enter", entryChecks, layoutOf(siteVocabulary))

/**
 * Decides whether a caller may use the service at all: the state of the account, a closed site, and sudo.
 *
 * The decision is about the user who signed in. With sudo (an administrator acts as another user), the action itself is
 * then decided for the other user, with the scope of the sent credential.
 */
export const admit = (facts: SiteFacts): Decision => admission.decide(facts)
