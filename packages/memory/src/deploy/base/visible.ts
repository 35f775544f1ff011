import type { Collection, Entity } from "@slipway/domain"
import type { Application } from "@slipway/domain/deploy/apps"
import { placeOfPlacement } from "@slipway/domain/deploy/entry"
import {
  everything,
  type Place,
  rootTeam,
  sees,
  type TeamId,
  type Visible,
  type VisibleCollection
} from "@slipway/domain/deploy/identity"
import type { KeyUsers } from "@slipway/domain/deploy/infrastructure"
import type { Database, Snapshot } from "../../Database.ts"
import type { Table } from "../../Table.ts"
import type { Tables } from "./tables.ts"
import { withPlacement } from "./withPlacement.ts"

/**
 * Adds methods to a collection that list and count only the rows that a caller can see. `placeOf` returns the place of
 * a row: the team, project and environment that decide who can see it.
 */
export const visibleCollection = <R extends Entity>(
  database: Database,
  table: Pick<Table<R>, "list">,
  collection: Collection<R>,
  placeOf: (snapshot: Snapshot, row: R) => Place,
  present: (snapshot: Snapshot, row: R) => R = (_, row) => row,
  isListed: (row: R) => boolean = () => true
): Collection<R> & VisibleCollection<R> => {
  const seen = (snapshot: Snapshot, visible: Visible) => {
    const isSeen = sees(visible)
    return table
      .list(snapshot, { limit: Number.POSITIVE_INFINITY })
      .filter((row) => isListed(row) && isSeen(placeOf(snapshot, row)))
  }
  return {
    ...collection,
    listVisible: (visible, { after = 0, limit, skip = 0 }) =>
      database.read((snapshot) =>
        seen(snapshot, visible)
          .filter(({ id }) => id > after)
          .slice(skip, skip + limit)
          .map((row) => present(snapshot, row))
      ),
    countVisible: (visible) => database.read((snapshot) => seen(snapshot, visible).length)
  }
}

/** Makes the lists of the rows of a team that use a private key. */
export const keyUsers = <R extends Entity & { readonly privateKeyUuid: string | null; readonly teamId: TeamId }>(
  database: Database,
  table: Pick<Table<R>, "list">
): KeyUsers<R> => {
  const seen = (snapshot: Snapshot, key: string, visible: Visible = everything) => {
    const isSeen = sees(visible)
    return table
      .list(snapshot, { limit: Number.POSITIVE_INFINITY })
      .filter(({ privateKeyUuid, teamId }) => privateKeyUuid === key && isSeen({ teamId }))
  }
  return {
    withKey: (key, { after = 0, limit, skip = 0 }, visible) =>
      database.read((snapshot) =>
        seen(snapshot, key, visible)
          .filter(({ id }) => id > after)
          .slice(skip, skip + limit)
      ),
    countWithKey: (key, visible) => database.read((snapshot) => seen(snapshot, key, visible).length)
  }
}

/**
 * Returns a function that finds the place of a row after its application was deleted: the team of its server. If the
 * server is deleted too, the place is the root team.
 */
export const placeOfServer =
  ({ server }: Pick<Tables["Service"], "server">) =>
  (snapshot: Snapshot, row: { readonly serverUuid: string }): Place => ({
    teamId: server.find(snapshot, row.serverUuid)?.teamId ?? rootTeam
  })

/** Returns a function that finds the place of an application (its team, project and environment) in current data. */
export const placeOfApplication = (tables: Tables["Service"]) => {
  const present = withPlacement(tables)
  return (snapshot: Snapshot, application: Application): Place =>
    placeOfPlacement(present(snapshot, application).placement, application.uuid)
}

/**
 * Returns a function that finds the place of a row of an application, such as a deployment. It also works after the
 * application was deleted.
 */
export const placeOfDeployment = (tables: Tables["Service"]) => {
  const [onServer, living] = [placeOfServer(tables), placeOfApplication(tables)]
  return (snapshot: Snapshot, row: { readonly applicationUuid: string; readonly serverUuid: string }): Place => {
    const application = tables.application.find(snapshot, row.applicationUuid)
    return application === undefined ? onServer(snapshot, row) : living(snapshot, application)
  }
}
