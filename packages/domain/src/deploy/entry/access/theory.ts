import { conditionsOn } from "@slipway/access"
import type { Theory } from "@slipway/access/proof"
import { type AccessFacts, accessVocabulary, factsOf } from "../../access/abilities.ts"
import { actions } from "./actions.ts"
import { policies } from "./authorize.ts"

const { any, flag, not } = conditionsOn<AccessFacts>()

/** Returns the rules of the deployment platform for proofs; all its resources have the same facts. */
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
    session: flag("session")
  },
  consistency: [],
  isAboutCaller: (fact) => fact !== "there",
  usual: factsOf([], true)
})
