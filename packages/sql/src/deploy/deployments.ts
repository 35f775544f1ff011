import { PgTypes } from "@effect/sql-pg"
import { type Deployment, DeploymentStore } from "@slipway/domain/deploy"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup, makeCollection } from "../collection/collection.ts"
import { text } from "../collection/columns.ts"
import { orDieSql } from "../SqlErrors.ts"
import { deployTable } from "./tables.ts"

const deployments = deployTable<Deployment>("deployment", {
  applicationUuid: text("application_uuid"),
  applicationName: text("application_name"),
  serverUuid: text("server_uuid"),
  serverName: text("server_name"),
  destinationUuid: text("destination_uuid"),
  commit: text("commit_sha"),
  status: text("status")
})

/** Keeps deployments in PostgreSQL. */
export const layerDeployments = Layer.effect(
  DeploymentStore,
  Effect.map(SqlClient, (sql) => {
    const collection = makeCollection(sql, deployments)
    return {
      ...collection,
      ofApplication: (application, { after, limit, skip = 0 }) =>
        collection.select(sql`
          WHERE application_uuid = ${lookup(application)} ${after === undefined ? sql`` : sql`AND id < ${after}`}
          ORDER BY id DESC LIMIT ${limit} OFFSET ${skip}`),
      cancelQueued: (application, at) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE deployment SET status = 'cancelled', updated_at = ${PgTypes.timestamptz(new Date(at))}
            WHERE application_uuid = ${application} AND status = 'queued'`)
        )
    }
  })
)
