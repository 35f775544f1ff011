import { nameKey } from "@slipway/domain"
import { type NewUser, type UserFilter, type UserId, UserStore } from "@slipway/domain/forge/identity"
import { Effect, Layer, Result } from "effect"
import type { Snapshot } from "../../Database.ts"
import { changeName, takeName } from "../base/names.ts"
import { Tables, type UserRow } from "../base/tables.ts"
import { peopleIn } from "./people.ts"

const everything = { limit: Number.POSITIVE_INFINITY }

const matches = ({ admin, id, ids, loginName, names, sourceId, text = "" }: UserFilter) => {
  const key = nameKey(text)
  const nameKeys = names?.map(nameKey)
  return (row: UserRow): boolean =>
    !row.system &&
    key.isWellFormed() &&
    (nameKey(row.name).includes(key) || nameKey(row.fullName).includes(key)) &&
    (id === undefined || row.id === id) &&
    (ids === undefined || ids.includes(row.id)) &&
    (nameKeys === undefined || nameKeys.includes(nameKey(row.name))) &&
    (admin === undefined || row.admin === admin) &&
    (loginName === undefined || row.loginName === loginName) &&
    (sourceId === undefined || row.sourceId === sourceId)
}

/** Stores users in memory. */
export const userStore = Layer.effect(
  UserStore,
  Effect.map(Tables, (tables) => {
    const { database, email, user } = tables
    const find = (id: UserId) => database.read((snapshot) => peopleIn(tables, snapshot).find(id))

    const insert = (snapshot: Snapshot, { email: address, emailVerified, ...row }: NewUser) =>
      Result.gen(function* () {
        const { id } = yield* tables.owner.insert(snapshot, {})
        const stored = yield* user.insertNumbered(snapshot, {
          ...row,
          id: id as UserId,
          avatar: null,
          lastSignInAt: null
        })
        yield* takeName(tables, snapshot, row.name, stored.id)
        const { id: userId } = stored
        const primary = { id: 0, userId, primaryOf: userId, address, verified: emailVerified }
        yield* email.rows.insert(snapshot, primary)
        return peopleIn(tables, snapshot).present(stored)
      })

    return {
      insert: (row) => database.write((snapshot) => insert(snapshot, row)),
      find,
      // Transactions run one after the other, so this needs no lock.
      lock: find,
      system: database.read((snapshot) => {
        const row = user.list(snapshot, everything).find(({ system }) => system)
        return row && peopleIn(tables, snapshot).present(row)
      }),
      named: (name) => database.read((snapshot) => peopleIn(tables, snapshot).named(name)),
      replace: ({
        avatar: _,
        createdAt: __,
        email: ___,
        id,
        lastSignInAt: ____,
        name: _____,
        secondFactor: ______,
        system: _______,
        ...set
      }) =>
        database
          .write((snapshot) => {
            const row = user.get(snapshot, id)
            return row === undefined ? Result.succeed(false) : user.replace(snapshot, { ...row, ...set })
          })
          .pipe(Effect.orDie),
      setAvatar: (id, avatar) =>
        database
          .write((snapshot) => {
            const row = user.get(snapshot, id)
            return row === undefined
              ? Result.succeed(undefined)
              : Result.map(user.replace(snapshot, { ...row, avatar }), () => row.avatar)
          })
          .pipe(Effect.orDie),
      rename: (id, name) =>
        database.write((snapshot) => {
          const row = user.get(snapshot, id)
          if (row === undefined) return Result.succeed(false)
          return Result.gen(function* () {
            yield* changeName(tables, snapshot, name, id)
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
      remove: (id) =>
        database
          .write((snapshot) =>
            user.get(snapshot, id) === undefined ? Result.succeed(false) : tables.owner.remove(snapshot, id)
          )
          .pipe(Effect.orDie),
      search: (viewer, filter, page) =>
        database.read((snapshot) => {
          const rows = user.list(snapshot, everything).filter(matches(filter))
          const { byName, seenBy } = peopleIn(tables, snapshot)
          return seenBy(viewer)(byName(rows), page)
        }),
      findMany: (viewer, ids) =>
        database.read((snapshot) => {
          const { rowsOf, seenBy } = peopleIn(tables, snapshot)
          const { rows } = seenBy(viewer)(
            rowsOf([...new Set(ids)]),
            { page: 1, perPage: Math.max(ids.length, 1) },
            { hiddenToo: true }
          )
          return new Map(rows.map((row) => [row.id, row]))
        }),
      lockAdministrators: database.read((snapshot) =>
        user.list(snapshot, everything).flatMap((row) => (row.admin && row.active && !row.prohibited ? [row.id] : []))
      )
    }
  })
)
