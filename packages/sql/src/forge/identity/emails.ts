import { EmailSearch, type NamedEmail } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { boolean, integer, nullable, readFromTable, text } from "../../collection/columns.ts"
import { byId, countedPage } from "../base/pages.ts"
import { reader } from "../base/rows.ts"
import { containsText } from "../base/trigrams.ts"

const named = reader<NamedEmail>({
  id: integer("id"),
  userId: integer("user_id"),
  primaryOf: nullable(integer("primary_of")),
  userName: readFromTable(
    "user_name",
    (email) => `(SELECT account.name FROM account WHERE account.id = ${email}.user_id)`
  ),
  address: text("address"),
  verified: boolean("verified")
})

/** Searches email addresses in PostgreSQL. */
export const layerEmailSearch = Layer.effect(
  EmailSearch,
  Effect.map(SqlClient, (sql) => ({
    search: (sought, page) =>
      countedPage(
        sql,
        named,
        {
          table: "email",
          from: sql`email seen`,
          // Compares ids, so that addresses are still read by an index-only scan.
          where: sql`${containsText(sql, ["seen.address_key", "seen.user_key"], sought)} AND seen.id <> ALL(ARRAY(
            SELECT hidden.id FROM email hidden JOIN account ON account.id = hidden.user_id WHERE account.system
          ))`,
          order: byId,
          planned: true
        },
        page
      )
  }))
)
