import { PgTypes } from "@effect/sql-pg"
import { type Destination, DestinationStore, type Server, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeCollection } from "../../collection/collection.ts"
import { boolean, integer, json, nullable, text } from "../../collection/columns.ts"
import { deployTable, teamOfServer } from "../base/tables.ts"
import { keyUsers, ofServer, ofTeam, visibleCollection } from "../base/visible.ts"

const servers = deployTable<Server>("server", {
  teamId: integer("team_id"),
  name: text("name"),
  description: text("description"),
  ip: text("ip"),
  port: integer("port"),
  user: text("login"),
  privateKeyUuid: nullable(text("private_key_uuid")),
  isBuildServer: boolean("is_build_server"),
  proxyType: text("proxy_type"),
  proxyConfiguration: nullable(text("proxy_configuration")),
  wildcardDomain: nullable(text("wildcard_domain")),
  concurrentBuilds: integer("concurrent_builds"),
  deploymentQueueLimit: integer("deployment_queue_limit"),
  dynamicTimeout: integer("dynamic_timeout"),
  connectionTimeout: integer("connection_timeout"),
  engineTransport: text("engine_transport"),
  engineSocket: nullable(text("engine_socket")),
  enginePort: integer("engine_port"),
  engineAuthority: nullable(text("engine_authority")),
  engineCertificate: nullable(text("engine_certificate")),
  engineKey: nullable(text("engine_key")),
  cleanupFrequency: text("cleanup_frequency"),
  diskCheckFrequency: text("disk_check_frequency"),
  diskThreshold: integer("disk_threshold"),
  diskCheck: nullable(json("disk_check")),
  isMetricsEnabled: boolean("is_metrics_enabled"),
  metricsInterval: integer("metrics_interval"),
  metricsDays: integer("metrics_days"),
  isTerminalEnabled: boolean("is_terminal_enabled"),
  logDrains: json("log_drains"),
  validation: nullable(json("validation")),
  transfer: nullable(json("transfer"))
})

const destinations = deployTable<Destination>("destination", {
  serverUuid: text("server_uuid"),
  teamId: teamOfServer("server_uuid"),
  name: text("name"),
  network: text("network")
})

/** Stores servers in PostgreSQL. */
export const layerServers = Layer.effect(
  ServerStore,
  Effect.map(SqlClient, (sql) => {
    const collection = visibleCollection(sql, makeCollection(sql, servers), ofTeam("server.team_id"))
    return {
      ...collection,
      ...keyUsers(sql, collection, ofTeam("server.team_id")),
      findMany: (uuids) =>
        uuids.length === 0 ? Effect.succeed([]) : collection.select(sql`WHERE ${sql.in("uuid", uuids)} ORDER BY id`),
      findBuildServer: (team) =>
        Effect.map(
          collection.select(sql`
            WHERE team_id = ${team} AND is_build_server AND (validation ->> 'isUsable') IS DISTINCT FROM 'false'
            ORDER BY id LIMIT 1`),
          ([oldest]) => oldest
        ),
      atAddress: (ip, port) =>
        collection.select(sql`WHERE lower(ip) = lower(${ip}) AND port = ${PgTypes.int4(port)} ORDER BY id`),
      withMetrics: collection.select(sql`WHERE is_metrics_enabled ORDER BY id`),
      withLogDrains: collection.select(sql`WHERE log_drains @> '[{"isEnabled": true}]' ORDER BY id`)
    }
  })
)

/** Stores destinations in PostgreSQL. */
export const layerDestinations = Layer.effect(
  DestinationStore,
  Effect.map(SqlClient, (sql) => {
    const collection = visibleCollection(sql, makeCollection(sql, destinations), ofServer("destination"))
    return {
      ...collection,
      findMany: (uuids) =>
        uuids.length === 0 ? Effect.succeed([]) : collection.select(sql`WHERE ${sql.in("uuid", uuids)} ORDER BY id`),
      ofServer: (server) => collection.select(sql`WHERE server_uuid = ${server} ORDER BY id`)
    }
  })
)
