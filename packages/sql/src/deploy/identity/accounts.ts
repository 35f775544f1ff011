import { nameKey } from "@slipway/domain"
import { type Account, AccountStore, type Identity } from "@slipway/domain/deploy/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup, makeCollection } from "../../collection/collection.ts"
import { boolean, moment, nullable, text, time } from "../../collection/columns.ts"
import { timeText } from "../../collection/timeText.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { deployTable } from "../base/tables.ts"

/** The table of accounts. */
export const accounts = deployTable<Account>("account", {
  name: text("name"),
  email: nullable(text("email")),
  isRoot: boolean("is_root"),
  isDisabled: boolean("is_disabled"),
  lastSignInAt: nullable(time("last_sign_in_at"))
})

/** Stores accounts, passwords and external identities in PostgreSQL. */
export const layerAccounts = Layer.effect(
  AccountStore,
  Effect.map(SqlClient, (sql) => {
    const collection = makeCollection(sql, accounts)
    const expressions = sql.literal(accounts.expressions)
    return {
      ...collection,
      findByName: (name) =>
        orDieSql(
          Effect.map(
            sql`SELECT account.password_hash, ${expressions} FROM account WHERE name_key = ${lookup(nameKey(name))}`
              .values,
            ([row]) => {
              if (row === undefined) return undefined
              const [passwordHash, ...values] = row
              return { account: accounts.read(values), passwordHash: passwordHash as string | null }
            }
          )
        ),
      passwordHash: (uuid) =>
        orDieSql(
          Effect.map(
            sql`SELECT password_hash FROM account WHERE uuid = ${lookup(uuid)}`.values,
            ([row]) => (row?.[0] ?? null) as string | null
          )
        ),
      setPasswordHash: (uuid, hash) =>
        Effect.asVoid(orDieSql(sql`UPDATE account SET password_hash = ${hash} WHERE uuid = ${lookup(uuid)}`)),
      noteSignIn: (uuid, at) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE account SET last_sign_in_at = ${moment(at)}
            WHERE uuid = ${lookup(uuid)} AND (last_sign_in_at IS NULL OR last_sign_in_at < ${moment(at)})`)
        ),
      roots: collection.select(sql`WHERE is_root ORDER BY id`),
      // After waiting for another transaction, a locking statement may see rows that have been deleted since.
      lockRoots: Effect.andThen(
        orDieSql(sql`SELECT id FROM account WHERE is_root ORDER BY id FOR NO KEY UPDATE`.values),
        collection.select(sql`WHERE is_root ORDER BY id`)
      ),
      findByIdentity: ({ issuer, subject }) =>
        Effect.map(
          collection.select(sql`
            JOIN account_identity identity ON identity.account_uuid = account.uuid
            WHERE identity.issuer = ${lookup(issuer)} AND identity.subject = ${lookup(subject)}`),
          ([account]) => account
        ),
      link: ({ accountUuid, createdAt, issuer, subject, uuid }) =>
        orDieSql(
          Effect.map(
            sql`
              INSERT INTO account_identity (uuid, account_uuid, issuer, subject, created_at)
              VALUES (${uuid}, ${accountUuid}, ${issuer}, ${subject}, ${moment(createdAt)})
              ON CONFLICT DO NOTHING RETURNING id`.values,
            (rows) => rows.length > 0
          )
        ),
      identities: (uuid) =>
        orDieSql(
          Effect.map(
            sql<Omit<Identity, "createdAt"> & { readonly createdAt: Date }>`
              SELECT uuid, account_uuid AS "accountUuid", issuer, subject, created_at AS "createdAt"
              FROM account_identity WHERE account_uuid = ${lookup(uuid)} ORDER BY id`,
            (rows) => rows.map((row): Identity => ({ ...row, createdAt: timeText(row.createdAt) }))
          )
        ),
      unlink: (uuid, identity) =>
        orDieSql(
          Effect.map(
            sql`
              DELETE FROM account_identity WHERE account_uuid = ${lookup(uuid)} AND uuid = ${lookup(identity)}
              RETURNING id`.values,
            (rows) => rows.length > 0
          )
        )
    }
  })
)
