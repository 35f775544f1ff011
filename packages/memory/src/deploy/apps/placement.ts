import { type Environment, PlacementStore } from "@slipway/domain/deploy/apps"
import type { Destination, Server } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import type { Snapshot } from "../../Database.ts"
import type { Row, Table } from "../../Table.ts"
import { nameKeyInParent, Tables } from "../base/tables.ts"

const named = <R extends Row, A>(
  snapshot: Snapshot,
  table: Table<R>,
  uuid: string | undefined,
  fact: (row: R) => A
) => {
  const row = uuid === undefined ? undefined : table.find(snapshot, uuid)
  return row === undefined ? null : fact(row)
}

const uuidOf = <Uuid>({ uuid }: { readonly uuid: Uuid }) => ({ uuid })
const environmentOf = ({ name, projectUuid, uuid }: Environment) => ({ uuid, projectUuid, name })
const serverOf = ({ ip, name, uuid, wildcardDomain }: Server) => ({ uuid, name, ip, wildcardDomain })
const destinationOf = ({ name, serverUuid, uuid }: Destination) => ({ uuid, serverUuid, name })

/** Reads the placements that requests name from memory. */
export const placementStore = Layer.effect(
  PlacementStore,
  Effect.map(
    Tables,
    ({
      application,
      database,
      destination,
      destinationsOfServer,
      environment,
      forgeApp,
      privateKey,
      project,
      server
    }) => ({
      facts: (query) =>
        database.read((snapshot) => {
          const { environmentName, projectUuid, serverUuid } = query
          const byName =
            environmentName === undefined || projectUuid === undefined
              ? undefined
              : environment.find(snapshot, nameKeyInParent(environmentName, projectUuid), 1)
          return {
            project: named(snapshot, project, projectUuid, uuidOf),
            environmentByName: byName === undefined ? null : environmentOf(byName),
            environmentByUuid: named(snapshot, environment, query.environmentUuid, environmentOf),
            server: named(snapshot, server, serverUuid, serverOf),
            destinations:
              serverUuid === undefined ? [] : destinationsOfServer.list(snapshot, serverUuid).map(destinationOf),
            destination: named(snapshot, destination, query.destinationUuid, destinationOf),
            privateKey: named(snapshot, privateKey, query.privateKeyUuid, uuidOf),
            forgeApp: named(snapshot, forgeApp, query.forgeAppUuid, uuidOf)
          }
        }),
      numbers: (uuids) =>
        database.read((snapshot) => {
          const tables = [application, destination, environment, forgeApp, privateKey, server]
          return new Map(
            uuids.flatMap((uuid) =>
              tables.flatMap((table) => {
                const row = table.find(snapshot, uuid)
                return row === undefined ? [] : [[uuid, row.id] as const]
              })
            )
          )
        })
    })
  )
)
