import { nameKey } from "@slipway/domain"
import { type AccessToken, AccessTokenStore, type UserId } from "@slipway/domain/forge"
import { Effect, Layer, Result } from "effect"
import { byId, cut } from "./pages.ts"
import { pairKey, Tables, type TokenRow } from "./tables.ts"

/** Returns a token without the hash of its secret. */
export const withoutHash = ({ hash: _, ...token }: TokenRow): AccessToken => token

/** Keeps access tokens in memory. */
export const accessTokenStore = Layer.effect(
  AccessTokenStore,
  Effect.map(Tables, ({ database, token, tokensOfUser }) => {
    const ofUser = (user: UserId, row: TokenRow | undefined) =>
      row === undefined || row.userId !== user ? undefined : withoutHash(row)
    return {
      insert: (row) =>
        database.write((snapshot) => Result.map(token.insert(snapshot, { ...row, lastUsedAt: null }), withoutHash)),
      ofUser: (user, page) =>
        database.read((snapshot) => cut(tokensOfUser.list(snapshot, String(user)).map(withoutHash), page, byId)),
      find: (user, id) => database.read((snapshot) => ofUser(user, token.get(snapshot, id))),
      named: (user, name) =>
        database.read((snapshot) => ofUser(user, token.find(snapshot, pairKey(user, nameKey(name)), 1))),
      remove: (user, id) =>
        database
          .write((snapshot) =>
            token.get(snapshot, id)?.userId === user ? token.remove(snapshot, id) : Result.succeed(false)
          )
          .pipe(Effect.orDie),
      removeAll: (user) =>
        database
          .write((snapshot) =>
            Result.gen(function* () {
              const rows = tokensOfUser.list(snapshot, String(user))
              for (const { id } of rows) yield* token.remove(snapshot, id)
              return rows.length
            })
          )
          .pipe(Effect.orDie),
      touch: (id, usedAt) =>
        database
          .write((snapshot) => {
            const present = token.get(snapshot, id)
            const later = present !== undefined && (present.lastUsedAt === null || present.lastUsedAt < usedAt)
            return later ? token.replace(snapshot, { ...present, lastUsedAt: usedAt }) : Result.succeed(false)
          })
          .pipe(Effect.orDie, Effect.asVoid)
    }
  })
)
