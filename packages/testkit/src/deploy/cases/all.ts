import type { Stores } from "@slipway/domain/deploy"
import { Layer } from "effect"
import { type Contract, register } from "../../contract.ts"
import { testLayer } from "../../secrets.ts"
import { badInputCases } from "./badInput.ts"
import { domainCases } from "./domains.ts"
import { fieldCases } from "./fields.ts"
import { firstStartCases } from "./firstStart.ts"
import { lifeCases } from "./lifecycle.ts"
import { placeCases } from "./places.ts"
import type { Needs } from "./support.ts"

/** All tests of the use cases for applications and for the first start, in groups. */
export const allCases: ReadonlyArray<Contract<Needs>> = [
  { port: "Applications: fields", musts: fieldCases },
  { port: "Applications: domains", musts: domainCases },
  { port: "Applications: places", musts: placeCases },
  { port: "Applications: life", musts: lifeCases },
  { port: "Applications: bad input", musts: badInputCases },
  { port: "First start", musts: firstStartCases }
]

/**
 * Registers tests of use cases with a store; by default all. `layer` is rebuilt for each test, and must start empty.
 */
export const cases = <E>(name: string, layer: Layer.Layer<Stores, E>, which = allCases): void =>
  register(name, Layer.merge(layer, testLayer), which)
