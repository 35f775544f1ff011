import { Effect } from "effect"
import type { Contract } from "../contract.ts"
import { ofLists } from "./lists.ts"
import type { KindWithStore, Parents } from "./make.ts"
import { ofRelations } from "./relations.ts"
import { forKinds, ofRows } from "./rows.ts"
import { sampleKinds } from "./samples.ts"

const tests = { ...ofRows, ...ofLists, ...ofRelations }

/**
 * Returns the contract tests of the stores of owned resource types (types with generated stores). Each requirement is
 * tested for each type that it applies to.
 */
export const ownedContract = <R>(kinds: ReadonlyArray<KindWithStore>, parents: Parents<R>): Contract<R> => ({
  port: "OwnedStore",
  musts: Object.fromEntries(
    Object.entries(tests).flatMap(([sentence, test]) => {
      const cases = forKinds(kinds, kinds, parents as Parents<unknown>, test)
      // BOUNDARY: the tests use the stores of the given resource types, which `R` names.
      return Object.keys(cases).length === 0 ? [] : [[sentence, cases as Contract<R>["musts"][string]]]
    })
  )
})

/**
 * The contract tests of stores for the sample types. Together, these types use every feature of a resource declaration.
 */
export const samples: Contract<never> = ownedContract<never>(sampleKinds, {
  make: (kind) => Effect.die(new Error(`${kind} is not a sample`)),
  remove: (kind) => Effect.die(new Error(`${kind} is not a sample`))
})
