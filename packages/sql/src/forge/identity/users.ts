import { PgTypes } from "@effect/sql-pg"
import { Duplicate, nameKey } from "@slipway/domain"
import { type NewUser, type UserFilter, type UserId, UserStore } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { moment } from "../../collection/columns.ts"
import { onUnique, orDieSql } from "../../SqlErrors.ts"
import { byId } from "../base/pages.ts"
import { containingItself, containsText, isCommon } from "../base/trigrams.ts"
import { seenPage, userParameter, userReader, userWriter } from "./accounts.ts"
import { ownerRows } from "./owners.ts"

/** Stores users in PostgreSQL. */
export const layerUsers = Layer.effect(
  UserStore,
  Effect.map(SqlClient, (sql) => {
    const { all, columns, named, nameTaken, parameters, select, store, taking } = ownerRows(
      sql,
      "account",
      userReader,
      userWriter
    )
    const emailTaken = () => new Duplicate({ of: "email.address" })

    const insert = ({ createdAt, email, emailVerified, name, passwordHash, system, ...row }: NewUser) => sql`
      WITH ${taking(name)}, added AS (
        INSERT INTO account (id, name, name_key, password_hash, created_at, system, ${columns})
        SELECT
          user_id, ${name}, ${nameKey(name)}, ${passwordHash}::text,
          ${moment(createdAt)}, ${system}, ${parameters(row)}
        FROM taken RETURNING id
      )
      INSERT INTO email (user_id, primary_of, address, address_key, verified)
      SELECT id, id, ${email}, ${nameKey(email)}, ${emailVerified} FROM added
      RETURNING user_id::float8`

    const texts = ["seen.name_key", "seen.full_name_key"]
    const matching = ({ admin, id, ids, loginName, names, sourceId, text = "" }: UserFilter, hold = containsText) => {
      // Compares ids, so that names are still read by an index-only scan.
      const people = sql`seen.id IS DISTINCT FROM (SELECT account.id FROM account WHERE account.system)`
      const conditions = [hold(sql, texts, text), people]
      if (id !== undefined) conditions.push(sql`seen.id = ${userParameter(id as UserId)}`)
      if (ids !== undefined) {
        conditions.push(sql`seen.id = ANY(${ids.map(String)}::text[]::bigint[])`)
      }
      if (names !== undefined) {
        conditions.push(sql`seen.name_key = ANY(${names.map((name) => lookup(nameKey(name)))}::text[])`)
      }
      if (admin !== undefined) conditions.push(sql`seen.admin = ${admin}`)
      if (loginName !== undefined) conditions.push(sql`seen.login_name = ${lookup(loginName)}`)
      if (sourceId !== undefined) conditions.push(sql`seen.source_id = ${PgTypes.int8(BigInt(sourceId))}`)
      return sql.and(conditions)
    }

    return {
      ...store,
      insert: (row) =>
        orDieSql(
          sql
            .withTransaction(
              Effect.gen(function* () {
                const [inserted] = yield* insert(row).values
                if (inserted === undefined) return yield* nameTaken
                const user = yield* select(inserted[0] as UserId)
                return user ?? (yield* Effect.die(new Error("an inserted user is missing")))
              })
            )
            .pipe(onUnique("email_address_once", emailTaken))
        ),
      named: (name) => Effect.map(named(name), (found) => found && { user: found.row, renamed: found.renamed }),
      system: orDieSql(
        Effect.map(sql`SELECT ${all} FROM account WHERE account.system`.values, ([values]) =>
          values === undefined ? undefined : userReader.read(values)
        )
      ),
      setPassword: (id, hash) =>
        orDieSql(
          Effect.map(
            sql`UPDATE account SET password_hash = ${hash} WHERE id = ${userParameter(id)} RETURNING id`.values,
            (rows) => rows.length > 0
          )
        ),
      search: (viewer, filter, page) =>
        // Each way to search users has a separate index.
        seenPage(
          sql,
          viewer,
          {
            where: matching(filter),
            instead:
              (filter.text ?? "") === ""
                ? undefined
                : {
                    when: isCommon(sql, "account", filter.text ?? ""),
                    where: matching(filter, containingItself)
                  },
            planned: true
          },
          page
        ),
      findMany: (viewer, ids) =>
        ids.length === 0
          ? Effect.succeed(new Map())
          : Effect.map(
              seenPage(
                sql,
                viewer,
                { where: sql`seen.id = ANY(${ids.map(String)}::text[]::bigint[])`, order: byId, hiddenToo: true },
                { page: 1, perPage: ids.length }
              ),
              ({ rows }) => new Map(rows.map((row) => [row.id, row]))
            ),
      lockAdministrators: orDieSql(
        Effect.andThen(
          sql`SELECT pg_advisory_xact_lock(hashtextextended('slipway administrators ' || current_schema(), 0))`,
          Effect.map(
            sql`SELECT float8(id) FROM account WHERE admin AND active AND NOT prohibited ORDER BY id`.values,
            (rows) => rows.map(([id]) => id as UserId)
          )
        )
      )
    }
  })
)
