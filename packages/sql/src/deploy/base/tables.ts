import type { Entity } from "@slipway/domain"
import { relations, uniqueNames } from "@slipway/domain/deploy"
import type { Placement } from "@slipway/domain/deploy/apps"
import { elsewhere, type Fields, group, text } from "../../collection/columns.ts"
import { kindOf, type Table, table } from "../../collection/table.ts"

/** Describes a table of the deployment platform, with the unique names and the relations that the domain knows of its kind. */
export const deployTable = <Row extends Entity>(name: string, fields: Fields<Omit<Row, keyof Entity>>): Table<Row> => {
  const kind = kindOf(name)
  return table<Row>(name, fields, {
    unique: uniqueNames.find((each) => each.kind === kind),
    isNeeded: relations.some((each) => each.to === kind)
  })
}

const ofEnvironment = (column: string) => (owner: string) =>
  `(SELECT environment.${column} FROM environment WHERE environment.uuid = ${owner}.environment_uuid)`

/** The columns of a placement; project and environment's name are those that the environment has at present. */
export const placement = group<Placement>({
  projectUuid: elsewhere("project_uuid", ofEnvironment("project_uuid")),
  environmentUuid: text("environment_uuid"),
  environmentName: elsewhere("environment_name", ofEnvironment("name")),
  serverUuid: text("server_uuid"),
  destinationUuid: text("destination_uuid")
})
