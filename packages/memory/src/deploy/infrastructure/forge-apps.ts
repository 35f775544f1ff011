import { everything, sees, type Visible } from "@slipway/domain/deploy/identity"
import { ForgeAppStore, isConnected } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { collection } from "../../collection.ts"
import { Tables } from "../base/tables.ts"
import { keyUsers, visibleCollection } from "../base/visible.ts"

/** Stores the installations of git-hosting apps, and the connections to forges, in memory. */
export const forgeAppStore = Layer.effect(
  ForgeAppStore,
  Effect.map(Tables, ({ database, forgeApp }) => {
    const connectedAfter = (after: number | undefined, visible: Visible = everything) =>
      database.read((snapshot) => {
        const isSeen = sees(visible)
        return forgeApp
          .list(snapshot, { after, limit: Number.POSITIVE_INFINITY })
          .filter(isConnected)
          .filter(({ teamId }) => isSeen({ teamId }))
      })
    return {
      ...visibleCollection(database, forgeApp, collection(database, forgeApp), (_, { teamId }) => ({ teamId })),
      ...keyUsers(database, forgeApp),
      connected: ({ after, limit, skip = 0 }, visible) =>
        Effect.map(connectedAfter(after, visible), (all) => all.slice(skip, skip + limit)),
      firstClient: Effect.map(connectedAfter(undefined), (all) =>
        all.find(({ clientSecret }) => clientSecret !== null)
      ),
      countConnected: (visible) => Effect.map(connectedAfter(undefined, visible), ({ length }) => length)
    }
  })
)
