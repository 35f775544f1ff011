import type { Entity } from "@slipway/domain"
import { relations, uniqueNames } from "@slipway/domain/deploy"
import type { Placement } from "@slipway/domain/deploy/apps"
import type { TeamId } from "@slipway/domain/deploy/identity"
import { boolean, type Column, type Fields, group, integer, readFromTable, text } from "../../collection/columns.ts"
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

const ofEnvironment = (column: string) => (owner: string) =>
  `(SELECT environment.${column} FROM environment WHERE environment.uuid = ${owner}.environment_uuid)`

/**
 * Declares a column that reads the team of an environment, through its project. `column` contains the uuid of the
 * environment.
 */
const readFromProject = (column: string): Column<TeamId> => ({
  ...integer<TeamId>("team_id"),
  expression: (owner) =>
    `(SELECT float8(project.team_id) FROM environment JOIN project ON project.uuid = environment.project_uuid
      WHERE environment.uuid = ${owner}.${column})`,
  write: undefined
})

/**
 * Declares a column that reads the team of a project or server. `column` contains the uuid of that resource, which
 * never changes its team.
 */
export const teamOf = (table: "project" | "server", column: string): Column<TeamId> => ({
  ...integer<TeamId>("team_id"),
  expression: (owner) => `(SELECT float8(${table}.team_id) FROM ${table} WHERE ${table}.uuid = ${owner}.${column})`,
  write: undefined
})

/** The columns of a placement. The project, and the name of the environment, are read from the environment. */
export const placement = group<Placement>({
  projectUuid: readFromTable("project_uuid", ofEnvironment("project_uuid")),
  environmentUuid: text("environment_uuid"),
  environmentName: readFromTable("environment_name", ofEnvironment("name")),
  teamId: readFromProject("environment_uuid"),
  isProtected: {
    ...boolean("is_protected"),
    expression: ofEnvironment("is_protected"),
    write: undefined
  },
  serverUuid: text("server_uuid"),
  destinationUuid: text("destination_uuid")
})
