import { type Environment, type PlacedResource, PlacementStore } from "@slipway/domain/deploy/apps"
import { placeOfPlacement } from "@slipway/domain/deploy/entry"
import { rootTeam, type TeamId } from "@slipway/domain/deploy/identity"
import type { Destination, Server } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import type { Snapshot } from "../../Database.ts"
import type { Row, Table } from "../../Table.ts"
import { nameKeyInParent } from "../base/keys.ts"
import { Tables } from "../base/tables.ts"
import { withPlacement } from "../base/withPlacement.ts"

const named = <R extends Row, A>(
  snapshot: Snapshot,
  table: Table<R>,
  uuid: string | undefined,
  fact: (row: R) => A
) => {
  const row = uuid === undefined ? undefined : table.find(snapshot, uuid)
  return row === undefined ? null : fact(row)
}

const teamRowOf = <Row extends { readonly uuid: string; readonly teamId: TeamId }>({ teamId, uuid }: Row) => ({
  uuid: uuid as Row["uuid"],
  teamId
})
const serverOf = ({ ip, name, teamId, uuid, wildcardDomain }: Server) => ({
  uuid,
  teamId,
  name,
  ip,
  wildcardDomain
})

/** Reads from memory the team, project, environment, server and destination that a request names. */
export const placementStore = Layer.effect(
  PlacementStore,
  Effect.map(
    Tables,
    ({
      application,
      database,
      databases,
      destination,
      destinationsOfServer,
      environment,
      forgeApp,
      gitlabApp,
      privateKey,
      project,
      registry,
      s3Storage,
      server,
      tag
    }) => ({
      facts: (query) =>
        database.read((snapshot) => {
          const environmentOf = ({ isProtected, name, projectUuid: of, uuid }: Environment) => ({
            uuid,
            projectUuid: of,
            name,
            isProtected,
            teamId: project.find(snapshot, of)?.teamId ?? rootTeam
          })
          const destinationOf = ({ name, serverUuid: of, uuid }: Destination) => ({
            uuid,
            serverUuid: of,
            name,
            teamId: server.find(snapshot, of)?.teamId ?? rootTeam
          })
          const { environmentName, projectUuid, serverUuid } = query
          const byName =
            environmentName === undefined || projectUuid === undefined
              ? undefined
              : environment.find(snapshot, nameKeyInParent(environmentName, projectUuid), 1)
          return {
            project: named(snapshot, project, projectUuid, teamRowOf),
            environmentByName: byName === undefined ? null : environmentOf(byName),
            environmentByUuid: named(snapshot, environment, query.environmentUuid, environmentOf),
            server: named(snapshot, server, serverUuid, serverOf),
            destinations:
              serverUuid === undefined ? [] : destinationsOfServer.list(snapshot, serverUuid).map(destinationOf),
            destination: named(snapshot, destination, query.destinationUuid, destinationOf),
            privateKey: named(snapshot, privateKey, query.privateKeyUuid, teamRowOf),
            forgeApp: named(snapshot, forgeApp, query.forgeAppUuid, teamRowOf)
          }
        }),
      places: (uuids) =>
        database.read((snapshot) => {
          const found = (uuid: string): PlacedResource | undefined => {
            const one = application.find(snapshot, uuid) ?? databases.find(snapshot, uuid)
            if (one !== undefined) {
              const type = "variant" in one ? (one.variant === "service" ? "service" : "application") : "database"
              return {
                type,
                place: placeOfPlacement(withPlacement({ environment, project })(snapshot, one).placement, uuid)
              }
            }
            const inEnvironment = environment.find(snapshot, uuid)
            if (inEnvironment !== undefined) {
              const { isProtected, projectUuid } = inEnvironment
              const teamId = project.find(snapshot, projectUuid)?.teamId ?? rootTeam
              const place = { teamId, project: projectUuid, environment: uuid, resource: undefined, isProtected }
              return { type: "environment", place }
            }
            const nowhere = { project: undefined, environment: undefined, resource: undefined, isProtected: false }
            const inProject = project.find(snapshot, uuid)
            if (inProject !== undefined) {
              return { type: "project", place: { ...nowhere, teamId: inProject.teamId, project: uuid } }
            }
            const onServer = destination.find(snapshot, uuid)
            if (onServer !== undefined) {
              const teamId = server.find(snapshot, onServer.serverUuid)?.teamId ?? rootTeam
              return { type: "destination", place: { ...nowhere, teamId } }
            }
            const ofTeams = { forgeApp, gitlabApp, key: privateKey, registry, s3Storage, server, tag }
            for (const [type, table] of Object.entries(ofTeams)) {
              const row = table.find(snapshot, uuid)
              if (row !== undefined) {
                return { type: type as PlacedResource["type"], place: { ...nowhere, teamId: row.teamId } }
              }
            }
            return undefined
          }
          return new Map(
            uuids.flatMap((uuid) => {
              const resource = found(uuid)
              return resource === undefined ? [] : [[uuid, resource] as const]
            })
          )
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
