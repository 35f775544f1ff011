import { TokenStore } from "@slipway/domain/deploy/identity"
import { Effect, Layer, Result } from "effect"
import { collection } from "../../collection.ts"
import { nameKeyInParent } from "../base/keys.ts"
import { Tables } from "../base/tables.ts"
import { visibleCollection } from "../base/visible.ts"
import { accessIn } from "./access.ts"

/** Stores access tokens in memory. */
export const tokenStore = Layer.effect(
  TokenStore,
  Effect.map(Tables, (tables) => {
    const { account, database, settings, token, tokensOfAccount } = tables
    return {
      ...visibleCollection(database, token, collection(database, token), (_, { teamId }) => ({ teamId })),
      findByHash: (hash) => database.read((snapshot) => token.find(snapshot, nameKeyInParent(hash), 1)),
      findWithAccount: (hash) =>
        database.read((snapshot) => {
          const found = token.find(snapshot, nameKeyInParent(hash), 1)
          if (found === undefined) return undefined
          return {
            token: found,
            account: found.accountUuid === null ? undefined : account.find(snapshot, found.accountUuid),
            access: found.accountUuid === null ? undefined : accessIn(tables, snapshot, found.accountUuid),
            isApiEnabled: settings.find(snapshot, "")?.isApiEnabled ?? true
          }
        }),
      ofAccount: (uuid) => database.read((snapshot) => tokensOfAccount.list(snapshot, uuid)),
      withoutAccount: (team, at) =>
        database.read((snapshot) =>
          token
            .list(snapshot, { limit: Number.POSITIVE_INFINITY })
            .filter(
              ({ accountUuid, expiresAt, teamId }) =>
                teamId === team && accountUuid === null && (expiresAt === null || expiresAt > at)
            )
        ),
      // Transactions run one after the other.
      lockRoots: database.read((snapshot) =>
        token
          .list(snapshot, { limit: Number.POSITIVE_INFINITY })
          .filter(({ abilities, accountUuid }) => accountUuid === null && abilities.includes("root"))
      ),
      touch: (uuid, usedAt) =>
        database
          .write((snapshot) => {
            const present = token.find(snapshot, uuid)
            const later = present !== undefined && (present.lastUsedAt === null || present.lastUsedAt < usedAt)
            return later ? token.replace(snapshot, { ...present, lastUsedAt: usedAt }) : Result.succeed(false)
          })
          .pipe(Effect.orDie, Effect.asVoid)
    }
  })
)
