import { Transaction } from "@slipway/domain"
import { Layer } from "effect"
import { Database } from "../Database.ts"

/** Every store of the code hosting service in memory, empty at first, and their transactions. */
export const layer: Layer.Layer<Transaction> = Layer.sync(Transaction, () => ({ run: new Database().run }))
