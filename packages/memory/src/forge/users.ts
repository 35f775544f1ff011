import { Duplicate, nameKey } from "@slipway/domain"
import { type NewUser, type UserFilter, type UserId, UserStore } from "@slipway/domain/forge"
import { Effect, Layer, Result } from "effect"
import { byCodePoints } from "../codePoints.ts"
import type { Snapshot } from "../Database.ts"
import { peopleIn } from "./people.ts"
import { Tables, type UserRow } from "./tables.ts"

const everything = { limit: Number.POSITIVE_INFINITY }

const matches = ({ id, loginName, sourceId, text = "" }: UserFilter) => {
  const key = nameKey(text)
  return (row: UserRow): boolean =>
    key.isWellFormed() &&
    (nameKey(row.name).includes(key) || nameKey(row.fullName).includes(key)) &&
    (id === undefined || row.id === id) &&
    (loginName === undefined || row.loginName === loginName) &&
    (sourceId === undefined || row.sourceId === sourceId)
}

/** Keeps users in memory. */
export const userStore = Layer.effect(
  UserStore,
  Effect.map(Tables, (tables) => {
    const { database, email, name: register, user } = tables
    const find = (id: UserId) => database.read((snapshot) => peopleIn(tables, snapshot).find(id))

    /** Enters a name in the register, in the place of one that only leads to somebody. */
    const take = (snapshot: Snapshot, key: string, id: UserId): Result.Result<unknown, Duplicate> => {
      const holder = register.find(snapshot, key)
      if (holder === undefined) return register.insert(snapshot, { key, userId: id, current: true })
      if (holder.current && holder.userId !== id) return Result.fail(new Duplicate({ of: "owner.name" }))
      return register.replace(snapshot, { ...holder, userId: id, current: true })
    }

    const insert = (snapshot: Snapshot, { email: address, emailVerified, ...row }: NewUser) =>
      Result.gen(function* () {
        const stored = yield* user.insert(snapshot, { ...row, lastSignInAt: null })
        yield* take(snapshot, nameKey(row.name), stored.id)
        yield* email.insert(snapshot, { userId: stored.id, address, verified: emailVerified, primary: true })
        return peopleIn(tables, snapshot).present(stored)
      })

    return {
      insert: (row) => database.write((snapshot) => insert(snapshot, row)),
      find,
      // Transactions run one after the other, so that a user is locked by being in one.
      lock: find,
      named: (name) => database.read((snapshot) => peopleIn(tables, snapshot).named(name)),
      replace: ({ createdAt: _, email: __, id, lastSignInAt: ___, name: ____, secondFactor: _____, ...set }) =>
        database
          .write((snapshot) => {
            const row = user.get(snapshot, id)
            return row === undefined ? Result.succeed(false) : user.replace(snapshot, { ...row, ...set })
          })
          .pipe(Effect.orDie),
      rename: (id, name) =>
        database.write((snapshot) => {
          const row = user.get(snapshot, id)
          if (row === undefined) return Result.succeed(false)
          return Result.gen(function* () {
            for (const held of tables.namesOfUser.list(snapshot, String(id))) {
              yield* register.replace(snapshot, { ...held, current: false })
            }
            yield* take(snapshot, nameKey(name), id)
            return yield* user.replace(snapshot, { ...row, name })
          })
        }),
      setPassword: (id, passwordHash) =>
        database
          .write((snapshot) => {
            const row = user.get(snapshot, id)
            return row === undefined ? Result.succeed(false) : user.replace(snapshot, { ...row, passwordHash })
          })
          .pipe(Effect.orDie),
      remove: (id) => database.write((snapshot) => user.remove(snapshot, id)).pipe(Effect.orDie),
      search: (viewer, filter, page) =>
        database.read((snapshot) => {
          const rows = user.list(snapshot, everything).filter(matches(filter))
          const byName = rows
            .map((row) => ({ row, key: nameKey(row.name) }))
            .sort((one, other) => byCodePoints(one.key, other.key))
          return peopleIn(tables, snapshot).seenBy(viewer)(
            byName.map(({ row }) => row),
            page
          )
        }),
      lockAdministrators: database.read((snapshot) =>
        user.list(snapshot, everything).flatMap((row) => (row.admin && row.active && !row.prohibited ? [row.id] : []))
      )
    }
  })
)
