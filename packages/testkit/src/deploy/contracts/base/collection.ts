import type { Stores } from "@slipway/domain/deploy"
import type { Contract } from "../../../contract.ts"
import { namePromises } from "./collection/names.ts"
import { referencePromises } from "./collection/references.ts"
import { rowPromises } from "./collection/rows.ts"

/** Contract tests of every collection, which run for every resource type. */
export const collection: Contract<Stores> = {
  port: "Collection",
  musts: { ...rowPromises, ...referencePromises, ...namePromises }
}
