import type { Entity } from "@slipway/domain"
import { relations, uniqueNames } from "@slipway/domain/deploy"
import type { Placement } from "@slipway/domain/deploy/apps"
import { type Fields, group, readFromTable, text } from "../../collection/columns.ts"
import { kindOf, type Table, table } from "../../collection/table.ts"

/** Describes a table of the deployment platform, with the unique names and relations that the domain declares. */
export const deployTable = <Row extends Entity>(
  name: string,
  fields: Fields<Omit<Row, keyof Entity>>,
  listed = "true"
): Table<Row> => {
  const kind = kindOf(name)
  return table<Row>(name, fields, {
    unique: uniqueNames.find((each) => each.kind === kind),
    isNeeded: relations.some((each) => each.to === kind),
    listed
  })
}

const ofEnvironment = (column: string) => (owner: string) =>
  `(SELECT environment.${column} FROM environment WHERE environment.uuid = ${owner}.environment_uuid)`

/** The columns of a placement; project and environment name are the current ones of the environment. */
export const placement = group<Placement>({
  projectUuid: readFromTable("project_uuid", ofEnvironment("project_uuid")),
  environmentUuid: text("environment_uuid"),
  environmentName: readFromTable("environment_name", ofEnvironment("name")),
  serverUuid: text("server_uuid"),
  destinationUuid: text("destination_uuid")
})
