import { PrivateKeyStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { collection } from "../../collection.ts"
import { Tables } from "../base/tables.ts"
import { visibleCollection } from "../base/visible.ts"

/** Stores private keys in memory. */
export const privateKeyStore = Layer.effect(
  PrivateKeyStore,
  Effect.map(Tables, ({ database, privateKey }) =>
    visibleCollection(database, privateKey, collection(database, privateKey), (_, { teamId }) => ({ teamId }))
  )
)
