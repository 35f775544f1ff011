import { InterestStore } from "@slipway/domain/forge/code"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { anyOf, byId, countedPage } from "../base/pages.ts"
import { seenPage, userParameter } from "../identity/accounts.ts"
import { joinGrants } from "../identity/grants.ts"
import { idParameter } from "../identity/units.ts"
import { repositoryWithGrantsReader } from "./repositories.ts"
import { seenRepositories } from "./seenRepositories.ts"

/** Lists stars and watches, in PostgreSQL. */
export const layerInterests = Layer.effect(
  InterestStore,
  Effect.map(SqlClient, (sql) => ({
    repositories: (viewer, interest, user, page) => {
      // The facts that decide who sees a repository are columns of each star and watch.
      const { from, where } = seenRepositories(
        sql,
        viewer,
        sql`(
          SELECT interest.repository_id AS id, interest.id AS place, interest.user_id AS holder_id, interest.private,
            interest.owner_visibility, interest.owner_user_id AS user_id, interest.owner_organization_id AS organization_id, interest.units
          FROM ${sql.literal(interest)} interest
          WHERE interest.user_id = ${anyOf(sql, userParameter(user))} ${interest === "watch" ? sql`AND interest.watching` : sql``}
        ) seen`
      )
      const holder = viewer.userId === undefined ? "NULL::bigint" : "page_viewer.id"
      return countedPage(
        sql,
        repositoryWithGrantsReader,
        {
          table: "repository",
          from,
          where,
          order: { by: [["seen.place", "bigint"]], descending: true, lead: "seen.holder_id" },
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
          order: byId
        },
        page
      )
  }))
)
