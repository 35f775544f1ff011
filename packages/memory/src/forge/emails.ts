import { type Duplicate, nameKey } from "@slipway/domain"
import { type Email, EmailStore } from "@slipway/domain/forge"
import { Effect, Layer, Result } from "effect"
import type { Snapshot } from "../Database.ts"
import { byId, cut } from "./pages.ts"
import { type EmailRow, Tables } from "./tables.ts"

/** Keeps email addresses in memory. */
export const emailStore = Layer.effect(
  EmailStore,
  Effect.map(Tables, ({ database, email, emailsOfUser, user }) => {
    const present = (snapshot: Snapshot, row: EmailRow): Email => ({
      ...row,
      userName: user.get(snapshot, row.userId)?.name ?? ""
    })
    return {
      ofUser: (id) =>
        database.read((snapshot) => emailsOfUser.list(snapshot, String(id)).map((row) => present(snapshot, row))),
      add: (userId, addresses, verified) =>
        database.write((snapshot) =>
          Result.gen(function* () {
            const added: Array<Email> = []
            for (const address of addresses) {
              const row = yield* email.insert(snapshot, { userId, address, verified, primary: false })
              added.push(present(snapshot, row))
            }
            return added as ReadonlyArray<Email>
          })
        ),
      remove: (id, addresses) =>
        database
          .write((snapshot) =>
            Result.gen(function* () {
              const keys = new Set(addresses.map(nameKey))
              for (const row of emailsOfUser.list(snapshot, String(id))) {
                if (!row.primary && keys.has(nameKey(row.address))) yield* email.remove(snapshot, row.id)
              }
            })
          )
          .pipe(Effect.orDie),
      replacePrimary: (userId, address) =>
        database.write((snapshot): Result.Result<void, Duplicate> => {
          const own = emailsOfUser.list(snapshot, String(userId))
          const primary = own.find((row) => row.primary)
          const known = own.find((row) => nameKey(row.address) === nameKey(address))
          return Result.gen(function* () {
            if (primary !== undefined && primary.id !== known?.id) email.remove(snapshot, primary.id)
            if (known === undefined) {
              yield* email.insert(snapshot, { userId, address, verified: true, primary: true })
            } else {
              yield* email.replace(snapshot, { ...known, address, verified: true, primary: true })
            }
          })
        }),
      confirm: (id, address) =>
        database
          .write((snapshot) =>
            Result.gen(function* () {
              const own = emailsOfUser.list(snapshot, String(id))
              const found = own.find((row) => nameKey(row.address) === nameKey(address))
              if (found !== undefined) yield* email.replace(snapshot, { ...found, verified: true })
              return found !== undefined
            })
          )
          .pipe(Effect.orDie),
      owners: (addresses) =>
        database.read((snapshot) => {
          const confirmed = new Map(
            email
              .list(snapshot, { limit: Number.POSITIVE_INFINITY })
              .flatMap(({ address, userId, verified }) => (verified ? [[nameKey(address), userId] as const] : []))
          )
          return new Map(
            addresses.flatMap((address) => {
              const userId = confirmed.get(nameKey(address))
              return userId === undefined ? [] : [[address, userId] as const]
            })
          )
        }),
      search: (text, page) =>
        database.read((snapshot) => {
          const key = nameKey(text)
          const found = email
            .list(snapshot, { limit: Number.POSITIVE_INFINITY })
            .map((row) => present(snapshot, row))
            .filter(
              ({ address, userName }) =>
                key.isWellFormed() && (nameKey(address).includes(key) || nameKey(userName).includes(key))
            )
          return cut(found, page, byId)
        })
    }
  })
)
