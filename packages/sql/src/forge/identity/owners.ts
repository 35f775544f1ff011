import { Duplicate, nameKey } from "@slipway/domain"
import type { OwnerId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { orDieSql } from "../../SqlErrors.ts"
import type { Reader, Writer } from "../base/rows.ts"
import { setAvatar } from "./avatars.ts"
import { userParameter } from "./userParameter.ts"

/** The column of the table `owner_name` that references each table. */
const named = { account: "user_id", organization: "organization_id" } as const

/**
 * Returns the statements that users and organizations share. Both have a unique name, and their former names redirect
 * to them until another owner takes the name.
 */
export const ownerRows = <Row extends { readonly id: OwnerId }, Set>(
  sql: SqlClient,
  table: keyof typeof named,
  reader: Reader<Row>,
  written: Writer<Set>
) => {
  const all = sql.literal(reader.of(table))
  const rows = sql.literal(table)
  const id = sql.literal(named[table])
  const { columns, parameters } = written(sql)
  const assignments = sql`user_id = excluded.user_id, organization_id = excluded.organization_id, current = true`

  const select = (which: Row["id"]) =>
    Effect.map(sql`SELECT ${all} FROM ${rows} WHERE id = ${userParameter(which)}`.values, ([values]) =>
      values === undefined ? undefined : reader.read(values)
    )
  const lockRow = (which: Row["id"]) =>
    Effect.map(
      sql`SELECT id FROM ${rows} WHERE id = ${userParameter(which)} FOR NO KEY UPDATE`.values,
      (found) => found.length > 0
    )
  const nameTaken = new Duplicate({ of: "owner.name" })

  /** Reserves an id and a name for a new owner, and removes a redirect of that name. The query `taken` returns the id. */
  const taking = (name: string) => sql`
    numbered AS (
      SELECT nextval('owner_id') AS id
    ), taken AS (
      INSERT INTO owner_name (name_key, ${id}, current) SELECT ${nameKey(name)}, id, true FROM numbered
      ON CONFLICT (name_key) DO UPDATE SET ${assignments}
      WHERE NOT owner_name.current
      RETURNING ${id}
    )`

  const rename = (which: Row["id"], name: string) => sql`
    WITH taken AS (
      INSERT INTO owner_name (name_key, ${id}, current) VALUES (${nameKey(name)}, ${userParameter(which)}, true)
      ON CONFLICT (name_key) DO UPDATE SET ${assignments}
      WHERE NOT owner_name.current OR owner_name.${id} = excluded.${id}
      RETURNING ${id}
    ), left_behind AS (
      UPDATE owner_name SET current = false FROM taken
      WHERE owner_name.${id} = taken.${id} AND owner_name.name_key <> ${nameKey(name)} AND owner_name.current
    )
    UPDATE ${rows} SET name = ${name}, name_key = ${nameKey(name)} FROM taken WHERE ${rows}.id = taken.${id}
    RETURNING ${rows}.id`

  return {
    all,
    columns,
    parameters,
    select,
    nameTaken,
    taking,
    /** Finds the current or the last owner of a name. */
    named: (name: string) =>
      orDieSql(
        Effect.map(
          sql`
            SELECT ${all}, owner_name.current FROM owner_name JOIN ${rows} ON ${rows}.id = owner_name.${id}
            WHERE owner_name.name_key = ${lookup(nameKey(name))}`.values,
          ([values]) => {
            const row = values === undefined ? undefined : reader.read(values)
            return row && { row, renamed: values?.[reader.width] === false }
          }
        )
      ),
    /** The methods that both stores share. */
    store: {
      find: (which: Row["id"]) => orDieSql(select(which)),
      // After waiting for another transaction, a locking statement may mix current rows with its older snapshot.
      lock: (which: Row["id"]) =>
        orDieSql(Effect.flatMap(lockRow(which), (there) => (there ? select(which) : Effect.undefined))),
      replace: (row: Row & Set) =>
        orDieSql(
          Effect.map(
            sql`
              UPDATE ${rows} SET (${columns}) = ROW (${parameters(row)})
              WHERE id = ${userParameter(row.id)} RETURNING id`.values,
            (replaced) => replaced.length > 0
          )
        ),
      setAvatar: setAvatar(sql, table),
      rename: (which: Row["id"], name: string) =>
        orDieSql(
          sql.withTransaction(
            Effect.gen(function* () {
              if (!(yield* lockRow(which))) return false
              if ((yield* rename(which, name).values).length === 0) return yield* nameTaken
              return true
            })
          )
        ),
      remove: (which: Row["id"]) =>
        orDieSql(
          Effect.map(
            sql`
              WITH unblocked AS (DELETE FROM block WHERE blocker = ${userParameter(which)})
              DELETE FROM ${rows} WHERE id = ${userParameter(which)} RETURNING id`.values,
            (removed) => removed.length > 0
          )
        )
    }
  }
}
