import type { Stores } from "@slipway/domain/deploy"
import type { Contract } from "../../../contract.ts"
import { namePromises } from "./collection/names.ts"
import { referencePromises } from "./collection/references.ts"
import { rowPromises } from "./collection/rows.ts"

/** What every collection promises, shown on every kind. */
export const collection: Contract<Stores> = {
  port: "Collection",
  musts: { ...rowPromises, ...referencePromises, ...namePromises }
}
