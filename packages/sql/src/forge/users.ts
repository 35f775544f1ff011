import { PgTypes } from "@effect/sql-pg"
import { Duplicate, nameKey } from "@slipway/domain"
import { type NewUser, type UserFilter, type UserId, UserStore } from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../collection/collection.ts"
import { moment } from "../collection/columns.ts"
import { onUnique, orDieSql } from "../SqlErrors.ts"
import { seenPage, setColumns, setParameters, userParameter, userReader } from "./accounts.ts"
import { setAvatar } from "./avatars.ts"
import { containing, containingItself, isCommon } from "./grams.ts"
import { byId } from "./pages.ts"

/** Keeps users in PostgreSQL. */
export const layerUsers = Layer.effect(
  UserStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(userReader.of("account"))
    const columns = sql.literal(setColumns)
    const parameters = (row: Parameters<typeof setParameters>[0]) =>
      sql.csv(setParameters(row).map((value) => sql`${value}`))
    const select = (id: UserId) =>
      Effect.map(sql`SELECT ${all} FROM account WHERE id = ${userParameter(id)}`.values, ([values]) =>
        values === undefined ? undefined : userReader.read(values)
      )
    const find = (id: UserId) => orDieSql(select(id))
    const lockRow = (id: UserId) =>
      Effect.map(
        sql`SELECT id FROM account WHERE id = ${userParameter(id)} FOR NO KEY UPDATE`.values,
        (rows) => rows.length > 0
      )
    const nameTaken = new Duplicate({ of: "owner.name" })
    const emailTaken = () => new Duplicate({ of: "email.address" })

    // A name that leads to somebody is taken from them; one that is current is not.
    const insert = ({ createdAt, email, emailVerified, name, passwordHash, ...row }: NewUser) => sql`
      WITH numbered AS (
        SELECT nextval('owner_id') AS id
      ), taken AS (
        INSERT INTO owner_name (name_key, user_id, current) SELECT ${nameKey(name)}, id, true FROM numbered
        ON CONFLICT (name_key) DO UPDATE SET user_id = excluded.user_id, organization_id = NULL, current = true
        WHERE NOT owner_name.current
        RETURNING user_id
      ), added AS (
        INSERT INTO account (id, name, name_key, password_hash, created_at, ${columns})
        SELECT
          user_id, ${name}, ${nameKey(name)}, ${passwordHash}::text,
          ${moment(createdAt)}, ${parameters(row)}
        FROM taken RETURNING id
      )
      INSERT INTO email (user_id, primary_of, address, address_key, verified)
      SELECT id, id, ${email}, ${nameKey(email)}, ${emailVerified} FROM added
      RETURNING user_id::float8`

    const rename = (id: UserId, name: string) => sql`
      WITH taken AS (
        INSERT INTO owner_name (name_key, user_id, current) VALUES (${nameKey(name)}, ${userParameter(id)}, true)
        ON CONFLICT (name_key) DO UPDATE SET user_id = excluded.user_id, organization_id = NULL, current = true
        WHERE NOT owner_name.current OR owner_name.user_id = excluded.user_id
        RETURNING user_id
      ), left_behind AS (
        UPDATE owner_name SET current = false FROM taken
        WHERE owner_name.user_id = taken.user_id AND owner_name.name_key <> ${nameKey(name)} AND owner_name.current
      )
      UPDATE account SET name = ${name}, name_key = ${nameKey(name)} FROM taken WHERE account.id = taken.user_id
      RETURNING account.id`

    const texts = ["seen.name_key", "seen.full_name_key"]
    const matching = ({ id, ids, loginName, names, sourceId, text = "" }: UserFilter, hold = containing) => {
      const conditions = [hold(sql, texts, text)]
      if (id !== undefined) conditions.push(sql`seen.id = ${userParameter(id as UserId)}`)
      if (ids !== undefined) {
        conditions.push(sql`seen.id = ANY(${ids.map(String)}::text[]::bigint[])`)
      }
      if (names !== undefined) {
        conditions.push(sql`seen.name_key = ANY(${names.map((name) => lookup(nameKey(name)))}::text[])`)
      }
      if (loginName !== undefined) conditions.push(sql`seen.login_name = ${lookup(loginName)}`)
      if (sourceId !== undefined) conditions.push(sql`seen.source_id = ${PgTypes.int8(BigInt(sourceId))}`)
      return sql.and(conditions)
    }

    return {
      insert: (row) =>
        orDieSql(
          sql
            .withTransaction(
              Effect.gen(function* () {
                const [inserted] = yield* insert(row).values
                if (inserted === undefined) return yield* nameTaken
                const user = yield* select(inserted[0] as UserId)
                return user ?? (yield* Effect.die(new Error("a user who was inserted is not there")))
              })
            )
            .pipe(onUnique("email_address_once", emailTaken))
        ),
      find,
      named: (name) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${all}, owner_name.current FROM owner_name JOIN account ON account.id = owner_name.user_id
              WHERE owner_name.name_key = ${lookup(nameKey(name))}`.values,
            ([values]) => {
              const user = values === undefined ? undefined : userReader.read(values)
              return user && { user, renamed: values?.[userReader.width] === false }
            }
          )
        ),
      // Having waited for another transaction, the statement that locks may mix its row with what it saw before.
      lock: (id) => orDieSql(Effect.flatMap(lockRow(id), (there) => (there ? select(id) : Effect.undefined))),
      replace: (user) =>
        orDieSql(
          Effect.map(
            sql`
              UPDATE account SET (${columns}) = ROW (${parameters(user)})
              WHERE id = ${userParameter(user.id)} RETURNING id`.values,
            (rows) => rows.length > 0
          )
        ),
      setAvatar: setAvatar(sql, "account"),
      rename: (id, name) =>
        orDieSql(
          sql.withTransaction(
            Effect.gen(function* () {
              if (!(yield* lockRow(id))) return false
              if ((yield* rename(id, name).values).length === 0) return yield* nameTaken
              return true
            })
          )
        ),
      setPassword: (id, hash) =>
        orDieSql(
          Effect.map(
            sql`UPDATE account SET password_hash = ${hash} WHERE id = ${userParameter(id)} RETURNING id`.values,
            (rows) => rows.length > 0
          )
        ),
      remove: (id) =>
        orDieSql(
          Effect.map(
            sql`
              WITH unblocked AS (DELETE FROM block WHERE blocker = ${userParameter(id)})
              DELETE FROM account WHERE id = ${userParameter(id)} RETURNING id`.values,
            (rows) => rows.length > 0
          )
        ),
      search: (viewer, filter, page) =>
        // Each way to look for users has an index of its own.
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
