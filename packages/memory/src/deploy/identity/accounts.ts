import { type Account, AccountStore } from "@slipway/domain/deploy/identity"
import { Effect, Layer, Result } from "effect"
import { collection } from "../../collection.ts"
import type { Database } from "../../Database.ts"
import type { Table } from "../../Table.ts"
import { identityKey, nameKeyInParent } from "../base/keys.ts"
import { Tables } from "../base/tables.ts"

const rootsOf = (database: Database, account: Table<Account>) =>
  database.read((snapshot) =>
    account.list(snapshot, { limit: Number.POSITIVE_INFINITY }).filter(({ isRoot }) => isRoot)
  )

/** Stores accounts, their password hashes and their external identities in memory. */
export const accountStore = Layer.effect(
  AccountStore,
  Effect.map(Tables, ({ account, database, identitiesOfAccount, identity, password }) => ({
    ...collection(database, account),
    roots: rootsOf(database, account),
    findByName: (name) =>
      database.read((snapshot) => {
        const found = account.find(snapshot, nameKeyInParent(name), 1)
        if (found === undefined) return undefined
        return { account: found, passwordHash: password.find(snapshot, found.uuid)?.hash ?? null }
      }),
    passwordHash: (uuid) => database.read((snapshot) => password.find(snapshot, uuid)?.hash ?? null),
    setPasswordHash: (accountUuid, hash) =>
      database
        .write((snapshot) =>
          Result.gen(function* () {
            const present = password.find(snapshot, accountUuid)
            if (present !== undefined) yield* password.remove(snapshot, present.id)
            if (hash !== null && account.has(snapshot, accountUuid)) {
              yield* password.insert(snapshot, { accountUuid, hash })
            }
          })
        )
        .pipe(Effect.orDie),
    noteSignIn: (uuid, at) =>
      database
        .write((snapshot) => {
          const present = account.find(snapshot, uuid)
          const later = present !== undefined && (present.lastSignInAt === null || present.lastSignInAt < at)
          return later ? account.replace(snapshot, { ...present, lastSignInAt: at }) : Result.succeed(false)
        })
        .pipe(Effect.orDie, Effect.asVoid),
    // Transactions run one after the other.
    lockRoots: rootsOf(database, account),
    findByIdentity: (sought) =>
      database.read((snapshot) => {
        const found = identity.find(snapshot, identityKey(sought))
        return found === undefined ? undefined : account.find(snapshot, found.accountUuid)
      }),
    link: (row) =>
      database.write((snapshot) => Result.succeed(Result.isSuccess(identity.insert(snapshot, row)))).pipe(Effect.orDie),
    identities: (uuid) =>
      database.read((snapshot) => identitiesOfAccount.list(snapshot, uuid).map(({ id: _, ...row }) => row)),
    unlink: (uuid, identityUuid) =>
      database
        .write((snapshot) => {
          const found = identitiesOfAccount.list(snapshot, uuid).find((row) => row.uuid === identityUuid)
          return found === undefined ? Result.succeed(false) : identity.remove(snapshot, found.id)
        })
        .pipe(Effect.orDie)
  }))
)
