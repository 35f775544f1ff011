import { type Deletion, DeletionStore } from "@slipway/domain/deploy"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeCollection } from "../collection/collection.ts"
import { boolean, json, text } from "../collection/columns.ts"
import { deployTable } from "./tables.ts"

const deletions = deployTable<Deletion>("deletion", {
  applicationUuid: text("application_uuid"),
  applicationName: text("application_name"),
  serverUuid: text("server_uuid"),
  destinationUuid: text("destination_uuid"),
  deleteConfigurations: boolean("delete_configurations"),
  deleteVolumes: boolean("delete_volumes"),
  dockerCleanup: boolean("docker_cleanup"),
  deleteConnectedNetworks: boolean("delete_connected_networks"),
  status: text("status"),
  removed: json("removed"),
  left: json("left_behind")
})

/** Keeps deletions in PostgreSQL. */
export const layerDeletions = Layer.effect(
  DeletionStore,
  Effect.map(SqlClient, (sql) => makeCollection(sql, deletions))
)
