import type { Application, Service } from "@slipway/domain/deploy/apps"
import type { Database as DatabaseRow } from "@slipway/domain/deploy/databases"
import type { Snapshot } from "../../Database.ts"
import type { Tables } from "./tables.ts"

/** Updates the placement of a resource with the current name, protection, project and team of its environment. */
export const withPlacement =
  ({ environment, project }: Pick<Tables["Service"], "environment" | "project">) =>
  <R extends Application | DatabaseRow | Service>(snapshot: Snapshot, row: R): R => {
    const { placement } = row
    const present = environment.find(snapshot, placement.environmentUuid)
    if (present === undefined) return row
    const { isProtected, name: environmentName, projectUuid } = present
    const teamId = project.find(snapshot, projectUuid)?.teamId ?? placement.teamId
    return placement.environmentName === environmentName &&
      placement.projectUuid === projectUuid &&
      placement.isProtected === isProtected &&
      placement.teamId === teamId
      ? row
      : { ...row, placement: { ...placement, environmentName, projectUuid, isProtected, teamId } }
  }
