import { Duplicate, nameKey } from "@slipway/domain"
import { type Email, EmailStore, type UserId } from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../collection/collection.ts"
import { boolean, elsewhere, integer, text } from "../collection/columns.ts"
import { onUnique, orDieSql } from "../SqlErrors.ts"
import { userParameter } from "./accounts.ts"
import { holding } from "./grams.ts"
import { byId, countedPage } from "./pages.ts"
import { readAll, reader } from "./rows.ts"

const emails = reader<Email>({
  id: integer("id"),
  userId: integer("user_id"),
  userName: elsewhere("user_name", (email) => `(SELECT account.name FROM account WHERE account.id = ${email}.user_id)`),
  address: text("address"),
  verified: boolean("verified"),
  primary: boolean("is_primary")
})

/** Keeps email addresses in PostgreSQL. */
export const layerEmails = Layer.effect(
  EmailStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(emails.of("email"))
    const taken = () => new Duplicate({ of: "email.address" })
    return {
      ofUser: (user) =>
        orDieSql(
          Effect.map(
            sql`SELECT ${all} FROM email WHERE user_id = ${userParameter(user)} ORDER BY id`.values,
            readAll(emails)
          )
        ),
      add: (user, addresses, verified) =>
        orDieSql(
          // A violated constraint would end the transaction, whatever its owner makes of a duplicate.
          sql
            .withTransaction(
              sql`
                INSERT INTO email (user_id, address, address_key, verified, is_primary)
                SELECT ${userParameter(user)}::bigint, address, address_key, ${verified}, false
                FROM unnest(${[...addresses]}::text[], ${addresses.map(nameKey)}::text[])
                  WITH ORDINALITY AS given (address, address_key, place)
                ORDER BY place
                RETURNING ${all}`.values
            )
            .pipe(
              onUnique("email_address_once", taken),
              Effect.map((rows) => readAll(emails)(rows).toSorted((one, other) => one.id - other.id))
            )
        ),
      remove: (user, addresses) =>
        Effect.asVoid(
          orDieSql(sql`
            DELETE FROM email
            WHERE user_id = ${userParameter(user)} AND NOT is_primary
              AND address_key = ANY(${addresses.map((each) => lookup(nameKey(each)))}::text[])`)
        ),
      replacePrimary: (user, address) =>
        orDieSql(
          sql.withTransaction(
            Effect.gen(function* () {
              const key = nameKey(address)
              // One that the user has becomes the primary one only after the other has ceased to be.
              yield* sql`
                DELETE FROM email WHERE user_id = ${userParameter(user)} AND is_primary AND address_key <> ${key}`
              const replaced = yield* sql`
                INSERT INTO email (user_id, address, address_key, verified, is_primary)
                VALUES (${userParameter(user)}, ${address}, ${key}, true, true)
                ON CONFLICT (address_key) DO UPDATE SET address = excluded.address, verified = true, is_primary = true
                WHERE email.user_id = excluded.user_id
                RETURNING id`.values
              if (replaced.length === 0) return yield* taken()
            })
          )
        ),
      confirm: (user, address) =>
        orDieSql(
          Effect.map(
            sql`
              UPDATE email SET verified = true
              WHERE user_id = ${userParameter(user)} AND address_key = ${lookup(nameKey(address))}
              RETURNING id`.values,
            (rows) => rows.length > 0
          )
        ),
      owners: (addresses) => {
        const byKey = new Map(addresses.map((address) => [lookup(nameKey(address)), address]))
        return orDieSql(
          Effect.map(
            sql`
              SELECT address_key, user_id::float8 FROM email
              WHERE verified AND address_key = ANY(${[...byKey.keys()]}::text[])`.values,
            (rows) =>
              new Map(
                rows.flatMap(([key, user]) => {
                  const address = byKey.get(key as string)
                  return address === undefined ? [] : [[address, user as UserId] as const]
                })
              )
          )
        )
      },
      search: (sought, page) =>
        countedPage(
          sql,
          emails,
          {
            table: "email",
            from: sql`email seen`,
            where: holding(sql, ["seen.address_key", "seen.user_key"], sought),
            order: byId,
            planned: true
          },
          page
        )
    }
  })
)
