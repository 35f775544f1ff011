import { type Condition, conditionsOn } from "@slipway/access"
import type { Theory } from "@slipway/access/proof"
import { type AccessFacts, abilityFactsOf, accessVocabulary } from "../../access/abilities.ts"
import { capabilities } from "../../access/capabilities.ts"
import { actions } from "./actions.ts"
import { factsAt, policies } from "./authorize.ts"

const { all, any, flag, not } = conditionsOn<AccessFacts>()

const implies = (one: Condition<AccessFacts>, other: Condition<AccessFacts>) => ({ when: any(not(one), other) })

/** The names of facts about a token. Statements that compare two callers vary only these; other facts are equal. */
const aboutToken: ReadonlyArray<string> = Object.keys(abilityFactsOf([]))

/** Returns the access rules of the deployment platform in the form that the prover of security statements needs. */
export const deployTheory = (): Theory => ({
  vocabularies: { resource: accessVocabulary },
  actions: Object.fromEntries(
    Object.keys(actions).map((name) => [name, { on: "resource", policy: policies[name as keyof typeof policies] }])
  ),
  classes: {
    powerless: not(
      any(
        flag("read"),
        flag("sensitive"),
        flag("write"),
        flag("deploy"),
        flag("root"),
        flag("account"),
        flag("session")
      )
    ),
    reader: any(flag("read"), flag("sensitive")),
    writer: flag("write"),
    deployer: flag("deploy"),
    administrator: flag("root"),
    account: flag("account"),
    session: flag("session"),
    outsider: not(flag("known")),
    roleless: all(not(flag("editsInTeam")), not(flag("instance")), ...capabilities.map((each) => not(flag(each))))
  },
  // A role covers only resources of its team.
  consistency: [...capabilities.map((each) => implies(flag(each), flag("known")))],
  isAboutCaller: (fact) => aboutToken.includes(fact),
  usual: factsAt({ tokenUuid: "", abilities: [], accountUuid: null, access: "everything" }, true, undefined)
})
