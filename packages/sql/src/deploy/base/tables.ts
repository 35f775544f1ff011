import type { Entity } from "@slipway/domain"
import { relations, uniqueNames } from "@slipway/domain/deploy"
import type { Placement } from "@slipway/domain/deploy/apps"
import type { TeamId } from "@slipway/domain/deploy/identity"
import { type Column, type Fields, group, integer, sharedText, text } from "../../collection/columns.ts"
import { kindOf, type Table, table } from "../../collection/table.ts"

/** Describes a table of the deployment platform. Its unique names and foreign keys are declared in the domain. */
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

const ofEnvironment = sharedText(
  "environment_of",
  4,
  // A uuid contains no space.
  (owner) => `(
    SELECT environment.project_uuid || ' ' || environment.team_id || ' ' || environment.is_protected || ' ' || environment.name
    FROM environment WHERE environment.uuid = ${owner}.environment_uuid)`
)

const asText = (text: string) => text

/**
 * Declares a column that reads the team of a server. `column` contains the uuid of that server, which never changes its
 * team.
 */
export const teamOfServer = (column: string): Column<TeamId> => ({
  ...integer<TeamId>("team_id"),
  expression: (owner) => `(SELECT float8(server.team_id) FROM server WHERE server.uuid = ${owner}.${column})`,
  write: undefined
})

/** The columns of a placement. The project, and the name of the environment, are read from the environment. */
export const placement = group<Placement>({
  projectUuid: ofEnvironment(0, asText as (text: string) => Placement["projectUuid"]),
  environmentUuid: text("environment_uuid"),
  environmentName: ofEnvironment(3, asText),
  teamId: ofEnvironment(1, (text) => Number(text) as TeamId),
  isProtected: ofEnvironment(2, (text) => text === "true"),
  serverUuid: text("server_uuid"),
  destinationUuid: text("destination_uuid")
})
