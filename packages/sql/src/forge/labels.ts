import { nameKey, windowOf } from "@slipway/domain"
import { type Label, type LabelId, LabelStore, type NewLabel, type OrganizationId } from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { boolean, integer, text } from "../collection/columns.ts"
import { orDieSql } from "../SqlErrors.ts"
import { userParameter } from "./accounts.ts"
import { reader } from "./rows.ts"
import { idParameter } from "./units.ts"

const labels = reader<Label>({
  id: integer<LabelId>("id"),
  organizationId: integer<OrganizationId>("organization_id"),
  name: text("name"),
  color: text("color"),
  description: text("description"),
  exclusive: boolean("exclusive"),
  archived: boolean("archived")
})

/** Keeps labels in PostgreSQL. */
export const layerLabels = Layer.effect(
  LabelStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(labels.of("label"))
    const columns = sql.literal("name, name_key, color, description, exclusive, archived")
    const parameters = ({ archived, color, description, exclusive, name }: NewLabel) =>
      sql.csv([name, nameKey(name), color, description, exclusive, archived].map((value) => sql`${value}`))
    return {
      insert: (label) =>
        orDieSql(
          Effect.flatMap(
            sql`
              INSERT INTO label (organization_id, ${columns})
              VALUES (${userParameter(label.organizationId)}, ${parameters(label)}) RETURNING ${all}`.values,
            ([values]) => {
              const inserted = values === undefined ? undefined : labels.read(values)
              return inserted === undefined
                ? Effect.die(new Error("a label that was inserted is not there"))
                : Effect.succeed(inserted)
            }
          )
        ),
      find: (organization, id) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${all} FROM label
              WHERE organization_id = ${userParameter(organization)} AND id = ${idParameter(id)}`.values,
            ([values]) => (values === undefined ? undefined : labels.read(values))
          )
        ),
      list: (organization, page) => {
        const { limit, skip = 0 } = windowOf(page)
        const own = sql`FROM label WHERE organization_id = ${userParameter(organization)}`
        return orDieSql(
          Effect.map(
            sql`
              SELECT counted.total, ${sql.literal(labels.of("page"))}
              FROM (SELECT count(*)::float8 AS total ${own}) counted
              LEFT JOIN (SELECT * ${own} ORDER BY name_key, id LIMIT ${limit} OFFSET ${skip}) page ON true
              ORDER BY page.name_key, page.id`.values,
            (rows) => ({ rows: rows.flatMap((values) => labels.read(values, 1) ?? []), total: Number(rows[0]?.[0]) })
          )
        )
      },
      replace: (label) =>
        orDieSql(
          Effect.map(
            sql`
              UPDATE label SET (${columns}) = ROW (${parameters(label)})
              WHERE organization_id = ${userParameter(label.organizationId)} AND id = ${idParameter(label.id)}
              RETURNING id`.values,
            (rows) => rows.length > 0
          )
        ),
      remove: (organization, id) =>
        orDieSql(
          Effect.map(
            sql`
              DELETE FROM label
              WHERE organization_id = ${userParameter(organization)} AND id = ${idParameter(id)} RETURNING id`.values,
            (rows) => rows.length > 0
          )
        )
    }
  })
)
