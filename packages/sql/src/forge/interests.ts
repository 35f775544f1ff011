import { type Interest, InterestStore } from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { seenPage, userParameter } from "./accounts.ts"
import { joinGrants } from "./grants.ts"
import { countedPage, newestFirst } from "./pages.ts"
import { repositoryWithGrantsReader } from "./repositories.ts"
import { seenRepositories } from "./seenRepositories.ts"
import { idParameter } from "./units.ts"

const rows = {
  star: "star interest",
  watch: "(SELECT * FROM watch WHERE watching) interest"
} as const satisfies Record<Interest, string>

/** Lists who starred and watches what, in PostgreSQL. */
export const layerInterests = Layer.effect(
  InterestStore,
  Effect.map(SqlClient, (sql) => ({
    repositories: (viewer, interest, user, page) => {
      const { from, where } = seenRepositories(sql, viewer)
      const holder = viewer.userId === undefined ? "NULL::bigint" : "page_viewer.id"
      return countedPage(
        sql,
        repositoryWithGrantsReader,
        {
          table: "repository",
          from: sql`${from} JOIN ${sql.literal(rows[interest])} ON interest.repository_id = seen.id`,
          where: sql.and([where, sql`interest.user_id = ${userParameter(user)}`]),
          order: { by: [["interest.id", "bigint"]], descending: true },
          join: sql`
            LEFT JOIN (SELECT ${userParameter(viewer.userId)}::bigint AS id) page_viewer ON true
            ${joinGrants(sql, holder, { kind: "repository", alias: "page" })}`
        },
        page
      )
    },
    users: (viewer, interest, repository, page) =>
      seenPage(
        sql,
        viewer,
        {
          people: interest,
          where: sql`seen.repository_id = ${idParameter(repository)} ${interest === "watch" ? sql`AND seen.watching` : sql``}`,
          order: newestFirst
        },
        page
      )
  }))
)
