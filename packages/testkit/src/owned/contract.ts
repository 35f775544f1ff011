import { Effect } from "effect"
import type { Contract } from "../contract.ts"
import { ofLists } from "./lists.ts"
import type { Kept, Parents } from "./make.ts"
import { ofRelations } from "./relations.ts"
import { forKinds, ofRows } from "./rows.ts"
import { sampleKinds } from "./samples.ts"

const tests = { ...ofRows, ...ofLists, ...ofRelations }

/** What the stores of some kinds promise, each sentence shown for each kind that it is about. */
export const ownedContract = <R>(kinds: ReadonlyArray<Kept>, parents: Parents<R>): Contract<R> => ({
  port: "OwnedStore",
  musts: Object.fromEntries(
    // BOUNDARY: the tests ask for the stores of the kinds that they are given, which `R` names.
    Object.entries(tests).map(([sentence, test]) => [
      sentence,
      forKinds(kinds, kinds, parents as Parents<unknown>, test) as never
    ])
  )
})

/** What the stores of the sample kinds promise, which between them use all that a declaration can say. */
export const samples: Contract<never> = ownedContract<never>(sampleKinds, {
  make: (kind) => Effect.die(new Error(`${kind} is no sample`)),
  remove: (kind) => Effect.die(new Error(`${kind} is no sample`))
})
