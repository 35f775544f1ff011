import type { ItemKind } from "@slipway/domain/forge/access"
import { type ItemKeys, type ItemMatch, type ItemRow, type Items, items } from "@slipway/domain/forge/entry"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"
import { ownedTable } from "../../owned/table.ts"
import { idParameter } from "../identity/units.ts"

/**
 * The part of the authorization statement for one type of resource within a repository, such as an issue. The statement
 * also joins the table `repository`.
 */
interface ItemJoin<K extends ItemKind> {
  readonly columns: string
  /** `read` makes a parameter from the keys. */
  readonly join: (sql: SqlClient, read: (value: (keys: ItemKeys[K]) => unknown) => unknown) => Fragment
  readonly read: (values: ReadonlyArray<unknown>, place: number) => Items[K] | undefined
}

const alias = (name: string): string => `item_${name.toLowerCase()}`

const joinOf = <K extends ItemKind>(kind: K): ItemJoin<K> => {
  const rows: ReadonlyArray<ItemRow<K>> = items[kind].rows
  const tables = rows.map((row) => ({ ...row, table: ownedTable(row.kind) }))
  const widths = tables.map(({ table }) => table.width)
  // Names of tables and columns come from declarations, never from a request.
  const equals = (sql: SqlClient, match: ItemMatch<K>, read: Parameters<ItemJoin<K>["join"]>[1]): Fragment => {
    if (match === "repository") return sql.literal("repository.id")
    if ("key" in match) {
      const parameter = read((keys) => {
        const value: unknown = keys[match.key]
        return typeof value === "number" ? idParameter(value) : lookup(String(value))
      })
      return sql`${parameter}`
    }
    const { table } = tables.find(({ as }) => as === match.of) ?? {}
    return sql.literal(`${alias(match.of)}.${table?.column(match.field)}`)
  }
  return {
    columns: tables.map(({ as, table }) => table.expressions(alias(as))).join(", "),
    join: (sql, read) =>
      tables.reduce(
        (joined, { as, by, table }) => sql`${joined}
          LEFT JOIN ${sql.literal(`${table.name} ${alias(as)}`)} ON ${sql.and(
            Object.entries(by).map(
              ([field, match]) =>
                sql`${sql.literal(`${alias(as)}.${table.column(field)}`)} = ${equals(sql, match, read)}`
            )
          )}`,
        sql``
      ),
    read: (values, place) => {
      let at = place
      const found: Record<string, unknown> = {}
      for (const [n, { as, table }] of tables.entries()) {
        if (values[at] === null) return undefined
        found[as] = table.read(values, at)
        at += widths[n] ?? 0
      }
      // BOUNDARY: the declaration of a kind names all of its rows.
      return found as unknown as Items[K]
    }
  }
}

/** The join of each type of resource within a repository (such as an issue or a label), made from its declaration. */
export const itemJoins = Object.fromEntries(
  Object.keys(items).map((kind) => [kind, joinOf(kind as ItemKind)])
) as unknown as { readonly [K in ItemKind]: ItemJoin<K> }
