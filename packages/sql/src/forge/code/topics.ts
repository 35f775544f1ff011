import { type Topic, TopicStore } from "@slipway/domain/forge/code"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { integer, text, time } from "../../collection/columns.ts"
import { countedPage } from "../base/pages.ts"
import { reader } from "../base/rows.ts"
import { containsText } from "../base/trigrams.ts"

const topics = reader<Topic>({
  id: integer("id"),
  name: text("name"),
  repositories: integer("repositories"),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})

/** Finds topics in PostgreSQL. Triggers count the repositories of each topic. */
export const layerTopics = Layer.effect(
  TopicStore,
  Effect.map(SqlClient, (sql) => ({
    search: (sought, page) =>
      countedPage(
        sql,
        topics,
        {
          table: "topic",
          from: sql`topic seen`,
          where: sql`seen.repositories > 0 AND ${containsText(sql, ["seen.name"], sought)}`,
          order: {
            by: [
              ["seen.repositories", "bigint"],
              ["(-seen.id)", "bigint"]
            ],
            descending: true
          },
          planned: sought !== ""
        },
        page
      )
  }))
)
