import { PgTypes } from "@effect/sql-pg"
import type { Sealed } from "@slipway/domain"
import { type SecondFactor, SecondFactorStore, SignInStore, type UsedCode } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { boolean, integer, moment, text } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { signInFailures } from "../../sign-in/failures.ts"
import { reader } from "../base/rows.ts"
import { userParameter } from "./accounts.ts"

/** Reads second factors from column values. */
export const factorReader = reader<SecondFactor>({
  userId: integer("user_id"),
  secret: text<Sealed>("secret"),
  confirmed: boolean("confirmed"),
  lastStep: integer("last_step")
})

const number = (value: number) => PgTypes.int8(BigInt(value))

/** Stores second factors in PostgreSQL. */
export const layerSecondFactors = Layer.effect(
  SecondFactorStore,
  Effect.map(SqlClient, (sql) => ({
    find: (user) =>
      orDieSql(
        Effect.map(
          sql`
            SELECT ${sql.literal(factorReader.of("second_factor"))} FROM second_factor
            WHERE user_id = ${userParameter(user)}`.values,
          ([values]) => (values === undefined ? undefined : factorReader.read(values))
        )
      ),
    write: ({ confirmed, lastStep, secret, userId: user }) =>
      Effect.asVoid(
        orDieSql(sql`
          INSERT INTO second_factor (user_id, secret, confirmed, last_step)
          VALUES (${userParameter(user)}, ${secret}, ${confirmed}, ${number(lastStep)})
          ON CONFLICT (user_id) DO UPDATE
          SET secret = excluded.secret, confirmed = excluded.confirmed, last_step = excluded.last_step`)
      ),
    remove: (user) =>
      orDieSql(
        Effect.map(
          sql`
            WITH codes AS (DELETE FROM recovery_code WHERE user_id = ${userParameter(user)})
            DELETE FROM second_factor WHERE user_id = ${userParameter(user)} RETURNING user_id`.values,
          (rows) => rows.length > 0
        )
      ),
    writeRecoveryCodes: (user, hashes) =>
      Effect.asVoid(
        orDieSql(sql`
          WITH old AS (
            DELETE FROM recovery_code
            WHERE user_id = ${userParameter(user)} AND hash <> ALL(${[...hashes]}::text[])
          )
          INSERT INTO recovery_code (user_id, hash)
          SELECT ${userParameter(user)}::bigint, hash FROM unnest(${[...hashes]}::text[]) AS given (hash)
          ON CONFLICT DO NOTHING`)
      ),
    countRecoveryCodes: (user) =>
      orDieSql(
        Effect.map(
          sql`SELECT count(*)::float8 FROM recovery_code WHERE user_id = ${userParameter(user)}`.values,
          ([counted]) => Number(counted?.[0])
        )
      )
  }))
)

/** Stores the sign-ins of users, and failed sign-ins, in PostgreSQL. */
export const layerSignIns = Layer.effect(
  SignInStore,
  Effect.map(SqlClient, (sql) => {
    /** Returns the user of a recovery code, in a sub-select that uses the code up. */
    const using = (user: ReturnType<typeof userParameter>, code: UsedCode) => {
      switch (code._tag) {
        case "None":
          return sql`SELECT ${user}::bigint AS user_id`
        case "Step":
          return sql`
            UPDATE second_factor SET last_step = ${number(code.step)}
            WHERE user_id = ${user} AND last_step < ${number(code.step)} RETURNING user_id`
        case "Recovery":
          return sql`DELETE FROM recovery_code WHERE user_id = ${user} AND hash = ${code.hash} RETURNING user_id`
      }
    }
    return {
      ...signInFailures(sql),
      succeed: ({ at, code, forgive, userId: user }) =>
        orDieSql(
          Effect.map(
            sql`
              WITH used AS (${using(userParameter(user), code)}), signed_in AS (
                UPDATE account SET last_sign_in_at = ${moment(at)} FROM used
                WHERE account.id = used.user_id AND (last_sign_in_at IS NULL OR last_sign_in_at < ${moment(at)})
              ), forgiven AS (
                DELETE FROM sign_in_failure USING used WHERE key = ANY(${[...forgive]}::text[])
              )
              SELECT user_id FROM used`.values,
            (rows) => rows.length > 0
          )
        )
    }
  })
)
