import { SecondFactorStore, SignInStore, type UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer, Result } from "effect"
import type { Snapshot } from "../../Database.ts"
import { signInFailures } from "../../sign-in/failures.ts"
import { pairKey, Tables } from "../base/tables.ts"

/** Stores second factors in memory. */
export const secondFactorStore = Layer.effect(
  SecondFactorStore,
  Effect.map(Tables, ({ database, factor, recoveriesOfUser, recovery }) => {
    const forget = (snapshot: Snapshot, user: UserId) => {
      for (const row of recoveriesOfUser.list(snapshot, String(user))) recovery.remove(snapshot, row.id)
    }
    return {
      find: (user) =>
        database.read((snapshot) => {
          const row = factor.find(snapshot, String(user))
          if (row === undefined) return undefined
          const { id: _, ...found } = row
          return found
        }),
      write: (written) =>
        database
          .write((snapshot) => {
            const row = factor.find(snapshot, String(written.userId))
            return row === undefined
              ? Result.map(factor.insert(snapshot, written), () => undefined)
              : Result.map(factor.replace(snapshot, { ...written, id: row.id }), () => undefined)
          })
          .pipe(Effect.orDie),
      remove: (user) =>
        database
          .write((snapshot) => {
            forget(snapshot, user)
            const row = factor.find(snapshot, String(user))
            return row === undefined ? Result.succeed(false) : factor.remove(snapshot, row.id)
          })
          .pipe(Effect.orDie),
      writeRecoveryCodes: (userId, hashes) =>
        database
          .write((snapshot) =>
            Result.gen(function* () {
              forget(snapshot, userId)
              for (const hash of hashes) yield* recovery.insert(snapshot, { userId, hash })
            })
          )
          .pipe(Effect.orDie),
      countRecoveryCodes: (user) => database.read((snapshot) => recoveriesOfUser.count(snapshot, String(user)))
    }
  })
)

/** Stores the sign-ins of users, and failed sign-ins, in memory. */
export const signInStore = Layer.effect(
  SignInStore,
  Effect.map(Tables, ({ database, factor, failure, recovery, user }) => ({
    ...signInFailures(database, failure),
    succeed: ({ at, code, forgive, userId }) =>
      database
        .write((snapshot) =>
          Result.gen(function* () {
            if (code._tag === "Step") {
              const row = factor.find(snapshot, String(userId))
              if (row === undefined || row.lastStep >= code.step) return false
              yield* factor.replace(snapshot, { ...row, lastStep: code.step })
            }
            if (code._tag === "Recovery") {
              const row = recovery.find(snapshot, pairKey(userId, code.hash))
              if (row === undefined) return false
              yield* recovery.remove(snapshot, row.id)
            }
            const row = user.get(snapshot, userId)
            if (row !== undefined && (row.lastSignInAt === null || row.lastSignInAt < at)) {
              yield* user.replace(snapshot, { ...row, lastSignInAt: at })
            }
            for (const key of forgive) {
              const counted = failure.find(snapshot, key)
              if (counted !== undefined) yield* failure.remove(snapshot, counted.id)
            }
            return true
          })
        )
        .pipe(Effect.orDie)
  }))
)
