import { type Service, ServiceStore } from "@slipway/domain/deploy/apps"
import { placeOfPlacement } from "@slipway/domain/deploy/entry"
import { Effect, Layer } from "effect"
import { collection, findMany } from "../../collection.ts"
import type { Snapshot } from "../../Database.ts"
import { Tables } from "../base/tables.ts"
import { visibleCollection } from "../base/visible.ts"
import { withPlacement } from "../base/withPlacement.ts"

/** Stores services (groups of containers that one compose file describes) in memory. */
export const serviceStore = Layer.effect(
  ServiceStore,
  Effect.map(Tables, (tables) => {
    const { database, service } = tables
    const present = withPlacement(tables)
    const placeOf = (snapshot: Snapshot, row: Service) => placeOfPlacement(present(snapshot, row).placement, row.uuid)
    return {
      ...visibleCollection(database, service, collection(database, service, present), placeOf, present),
      findMany: findMany(database, service, present),
      placedOn: (uuid) =>
        database.read((snapshot) =>
          service
            .list(snapshot, { limit: Number.POSITIVE_INFINITY })
            .filter(({ placement }) => placement.serverUuid === uuid)
            .map((row) => present(snapshot, row))
        )
    }
  })
)
