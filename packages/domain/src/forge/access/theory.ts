import { conditionsOn, type Node, type Vocabulary } from "@slipway/access"
import type { Theory } from "@slipway/access/proof"
import { admission } from "./admit.ts"
import { consistency, isAboutCaller } from "./facts/consistency.ts"
import {
  newSiteSwitches,
  noGrants,
  noMembership,
  noPackageGrants,
  noTeamMembership,
  ordinary
} from "./facts/defaultFacts.ts"
import { type CallerFacts, type RepositoryFacts, unitFacts } from "./facts/facts.ts"
import { unitKeys } from "./facts/Unit.ts"
import { PolicySet } from "./PolicySet.ts"
import type { Rulebook } from "./Rulebook.ts"

const caller = conditionsOn<CallerFacts>()
const repository = conditionsOn<RepositoryFacts>()

/** The named classes of callers, such as `anonymous`, that security statements for the prover can use. */
export const callerClasses = {
  anonymous: caller.not(caller.flag("signedIn")),
  "signed-in": caller.flag("signedIn"),
  "public-only": caller.flag("publicOnly"),
  restricted: caller.flag("restricted"),
  job: caller.flag("actionsTask"),
  administrator: caller.flag("siteAdmin"),
  member: repository.flag("organizationMember"),
  owner: repository.any(repository.flag("organizationOwner"), repository.flag("repositoryOwner"))
} as const satisfies Readonly<Record<string, Node>>

/** The facts (inputs of access rules) that must directly follow another fact in the order of a decision diagram. */
const after: Readonly<Record<string, string>> = Object.fromEntries(
  unitKeys.map((unit) => [unitFacts[unit].on, unitFacts[unit].team])
)

/**
 * Sorts facts so that the switch of each unit directly follows the level on the unit. The decision diagrams of the
 * prover are small only if related facts are neighbours.
 */
const ordered = (vocabulary: Vocabulary): Vocabulary => {
  const names = Object.keys(vocabulary)
  const followers = names.filter((name) => names.includes(after[name] ?? ""))
  return Object.fromEntries(
    names
      .filter((name) => !followers.includes(name))
      .flatMap((name) => [name, ...followers.filter((each) => after[each] === name)])
      .map((name) => [name, vocabulary[name] as Vocabulary[string]])
  )
}

/**
 * The default values of facts in counterexamples: a regular user without grants, and public resources with all units.
 */
export const usualFacts: Theory["usual"] = {
  ...newSiteSwitches,
  ...ordinary,
  ...noMembership,
  ...noTeamMembership,
  ...noGrants,
  ...noPackageGrants,
  found: true,
  signatureValid: true,
  ...Object.fromEntries(unitKeys.map((unit) => [unitFacts[unit].on, true]))
}

/**
 * Returns the rules of a rulebook in the form that the prover of security statements needs. The action `site.enter` is
 * the decision whether a caller may use the site at all.
 */
export const theoryOf = (rulebook: Rulebook = PolicySet.builtIn.rulebook): Theory => ({
  vocabularies: Object.fromEntries(
    Object.entries(rulebook.vocabularies).map(([kind, vocabulary]) => [kind, ordered(vocabulary)])
  ),
  actions: {
    "site.enter": { on: "site", policy: admission },
    ...Object.fromEntries(
      Object.entries(rulebook.tables.actions).map(([name, { on }]) => [name, { on, policy: rulebook.policyOf(name) }])
    )
  },
  classes: callerClasses,
  consistency,
  isAboutCaller,
  usual: usualFacts
})
