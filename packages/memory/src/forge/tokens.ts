import { nameKey } from "@slipway/domain"
import { type AccessToken, AccessTokenStore, type TokenKind, tokenKinds, type UserId } from "@slipway/domain/forge"
import { Effect, Layer, Result } from "effect"
import type { Snapshot } from "../Database.ts"
import { byId, cut } from "./pages.ts"
import { pairKey, Tables, type TokenRow } from "./tables.ts"

/** Returns a token without the hash of its secret. */
export const withoutHash = ({ hash: _, ...token }: TokenRow): AccessToken => token

const ofKinds = (rows: ReadonlyArray<TokenRow>, kinds: ReadonlyArray<TokenKind>) =>
  rows.filter(({ kind }) => kinds.includes(kind))

/** Keeps access tokens in memory. */
export const accessTokenStore = Layer.effect(
  AccessTokenStore,
  Effect.map(Tables, ({ database, token, tokensOfGrant, tokensOfKind, tokensOfUser }) => {
    const ofUser = (user: UserId, row: TokenRow | undefined) =>
      row === undefined || row.userId !== user ? undefined : withoutHash(row)
    const removed = (rowsIn: (snapshot: Snapshot) => ReadonlyArray<TokenRow>) =>
      database
        .write((snapshot) =>
          Result.gen(function* () {
            const rows = rowsIn(snapshot)
            for (const { id } of rows) yield* token.remove(snapshot, id)
            return rows.length
          })
        )
        .pipe(Effect.orDie)
    return {
      insert: (row) =>
        database.write((snapshot) => Result.map(token.insert(snapshot, { ...row, lastUsedAt: null }), withoutHash)),
      ofUser: (user, page, kind = "personal") =>
        database.read((snapshot) =>
          cut(ofKinds(tokensOfUser.list(snapshot, String(user)), [kind]).map(withoutHash), page, byId)
        ),
      ofHash: (hash) =>
        database.read((snapshot) => {
          const row = token.find(snapshot, hash)
          return row && withoutHash(row)
        }),
      find: (user, id) => database.read((snapshot) => ofUser(user, token.get(snapshot, id))),
      named: (user, name) =>
        database.read((snapshot) => {
          const row = token.find(snapshot, pairKey(user, nameKey(name)), 1)
          return row?.kind === "personal" ? ofUser(user, row) : undefined
        }),
      remove: (user, id) =>
        database
          .write((snapshot) =>
            token.get(snapshot, id)?.userId === user ? token.remove(snapshot, id) : Result.succeed(false)
          )
          .pipe(Effect.orDie),
      removeHash: (hash) =>
        Effect.map(
          removed((snapshot) => [token.find(snapshot, hash) ?? []].flat()),
          (count) => count > 0
        ),
      removeAll: (user, kinds = tokenKinds) =>
        removed((snapshot) => ofKinds(tokensOfUser.list(snapshot, String(user)), kinds)),
      removeGrant: (grant) => removed((snapshot) => tokensOfGrant.list(snapshot, grant)),
      removeExpired: (before) =>
        removed((snapshot) =>
          (["oauth2", "session"] as const)
            .flatMap((kind) => tokensOfKind.list(snapshot, kind))
            .filter(({ expiresAt }) => expiresAt !== null && expiresAt < before)
        ),
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
