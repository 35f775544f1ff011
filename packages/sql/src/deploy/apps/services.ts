import { type Service, ServiceStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup, makeCollection } from "../../collection/collection.ts"
import { boolean, json, nullable, text } from "../../collection/columns.ts"
import { deployTable, placement } from "../base/tables.ts"
import { ofPlacement, visibleCollection } from "../base/visible.ts"

const services = deployTable<Service>("service", {
  name: text("name"),
  description: text("description"),
  placement,
  dockerComposeRaw: text("docker_compose_raw"),
  urls: json("urls"),
  template: nullable(text("template")),
  templateCompose: nullable(text("template_compose")),
  connectsToNetwork: boolean("connects_to_network"),
  parts: json("parts")
})

/** Stores services in PostgreSQL. */
export const layerServices = Layer.effect(
  ServiceStore,
  Effect.map(SqlClient, (sql) => {
    const collection = visibleCollection(sql, makeCollection(sql, services), ofPlacement("service"))
    return {
      ...collection,
      findMany: (uuids) =>
        uuids.length === 0
          ? Effect.succeed([])
          : collection.select(sql`WHERE ${sql.in("uuid", uuids.map(lookup))} ORDER BY id`),
      placedOn: (server) => collection.select(sql`WHERE server_uuid = ${lookup(server)} ORDER BY id`)
    }
  })
)
