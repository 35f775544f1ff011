import { elapsedMilliseconds } from "@slipway/domain"
import { SessionStore, SignInAttemptStore } from "@slipway/domain/deploy/identity"
import { Effect, Layer, Result } from "effect"
import { signInFailures } from "../../sign-in/failures.ts"
import { Tables } from "../base/tables.ts"

const everything = { limit: Number.POSITIVE_INFINITY }

/** Stores sessions in memory. */
export const sessionStore = Layer.effect(
  SessionStore,
  Effect.map(Tables, ({ account, database, session, sessionsByHash, sessionsOfAccount }) => ({
    begin: (row, most) =>
      database
        .write((snapshot) =>
          Result.gen(function* () {
            yield* session.insert(snapshot, row)
            const own = sessionsOfAccount.list(snapshot, row.accountUuid)
            for (const { id } of own.slice(0, Math.max(0, own.length - most))) yield* session.remove(snapshot, id)
          })
        )
        .pipe(Effect.orDie),
    findByHash: (hash) =>
      database.read((snapshot) => {
        const [row] = sessionsByHash.list(snapshot, hash)
        const owner = row && account.find(snapshot, row.accountUuid)
        if (row === undefined || owner === undefined) return undefined
        const { id: _, ...found } = row
        return { session: found, account: owner }
      }),
    find: (uuid) =>
      database.read((snapshot) => {
        const row = session.find(snapshot, uuid)
        if (row === undefined) return undefined
        const { id: _, ...found } = row
        return found
      }),
    ofAccount: (uuid) =>
      database.read((snapshot) => sessionsOfAccount.list(snapshot, uuid).map(({ id: _, ...row }) => row)),
    touch: (uuid, usedAt) =>
      database
        .write((snapshot) => {
          const present = session.find(snapshot, uuid)
          const later = present !== undefined && (present.lastUsedAt === null || present.lastUsedAt < usedAt)
          return later ? session.replace(snapshot, { ...present, lastUsedAt: usedAt }) : Result.succeed(false)
        })
        .pipe(Effect.orDie, Effect.asVoid),
    end: (owner, uuid) =>
      database
        .write((snapshot) => {
          const found = session.find(snapshot, uuid)
          return found?.accountUuid === owner ? session.remove(snapshot, found.id) : Result.succeed(false)
        })
        .pipe(Effect.orDie),
    endAll: (owner, except) =>
      database
        .write((snapshot) =>
          Result.gen(function* () {
            const ended = sessionsOfAccount.list(snapshot, owner).filter(({ uuid }) => uuid !== except)
            for (const { id } of ended) yield* session.remove(snapshot, id)
            return ended.length
          })
        )
        .pipe(Effect.orDie),
    removeExpired: (at) =>
      database
        .write((snapshot) =>
          Result.gen(function* () {
            const expired = session
              .list(snapshot, everything)
              .filter(({ expiresAt }) => elapsedMilliseconds(expiresAt, at) >= 0)
            for (const { id } of expired) yield* session.remove(snapshot, id)
          })
        )
        .pipe(Effect.orDie)
  }))
)

/** Stores failed sign-ins, and the used `state` parameters of OAuth sign-ins, in memory. */
export const signInAttemptStore = Layer.effect(
  SignInAttemptStore,
  Effect.map(Tables, ({ database, failure, usedState }) => ({
    ...signInFailures(database, failure),
    forgive: (keys) =>
      database
        .write((snapshot) =>
          Result.gen(function* () {
            for (const key of keys) {
              const found = failure.find(snapshot, key)
              if (found !== undefined) yield* failure.remove(snapshot, found.id)
            }
          })
        )
        .pipe(Effect.orDie),
    useState: (hash, expiresAt, present) =>
      database
        .write((snapshot) =>
          Result.gen(function* () {
            const expired = usedState.list(snapshot, everything).filter((row) => row.expiresAt < present)
            for (const { id } of expired) yield* usedState.remove(snapshot, id)
            if (usedState.find(snapshot, hash) !== undefined) return false
            yield* usedState.insert(snapshot, { hash, expiresAt })
            return true
          })
        )
        .pipe(Effect.orDie)
  }))
)
