import type { Transaction } from "@slipway/domain"
import { Layer } from "effect"
import * as Database from "../database/Database.ts"
import type { SqlAddress } from "../database/DatabaseAddress.ts"
import type { Migration } from "../Migrations.ts"
import { layerTransaction } from "../Transaction.ts"

/** The migrations of the code hosting service, in order. */
export const migrations: ReadonlyArray<Migration> = []

/** Opens the database of an address, brings it up to date, and keeps the code hosting service in it. */
export const layer = (
  address: SqlAddress,
  options: Pick<Database.DatabaseOptions, "maxConnections"> = {}
): Layer.Layer<Transaction, Database.DatabaseError> =>
  Layer.provide(layerTransaction, Database.layer(address, { ...options, schema: "forge", migrations }))
