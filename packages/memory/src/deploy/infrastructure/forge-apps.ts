import { ForgeAppStore, isConnected } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { collection } from "../../collection.ts"
import { Tables } from "../base/tables.ts"

/** Installations of git-hosting apps and connections to forges in memory. */
export const forgeAppStore = Layer.effect(
  ForgeAppStore,
  Effect.map(Tables, ({ database, forgeApp }) => {
    const connectedAfter = (after: number | undefined) =>
      database.read((snapshot) =>
        forgeApp.list(snapshot, { after, limit: Number.POSITIVE_INFINITY }).filter(isConnected)
      )
    return {
      ...collection(database, forgeApp),
      connected: ({ after, limit, skip = 0 }) =>
        Effect.map(connectedAfter(after), (all) => all.slice(skip, skip + limit)),
      countConnected: Effect.map(connectedAfter(undefined), ({ length }) => length)
    }
  })
)
