import { type AdditionalDestination, AdditionalDestinationStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer, Result } from "effect"
import { Tables } from "../base/tables.ts"

const shown = ({ id: _, ...row }: AdditionalDestination & { readonly id: number }): AdditionalDestination => row

/** Stores in memory which applications are copies at additional destinations. */
export const additionalDestinationStore = Layer.effect(
  AdditionalDestinationStore,
  Effect.map(Tables, ({ additionalDestination, application, database, destinationsOfApplication }) => ({
    insert: (row) =>
      database
        .write((snapshot) => {
          const isThere = [row.applicationUuid, row.copyUuid].every((uuid) => application.has(snapshot, uuid))
          const isNew = additionalDestination.find(snapshot, row.copyUuid) === undefined
          if (!isThere || !isNew) return Result.succeed(false)
          return Result.map(additionalDestination.insert(snapshot, row), () => true)
        })
        .pipe(Effect.orDie),
    among: (uuids) =>
      database.read((snapshot) =>
        [...new Set(uuids)].flatMap((uuid) => {
          const row = additionalDestination.find(snapshot, uuid)
          return row === undefined ? [] : [shown(row)]
        })
      ),
    ofApplication: (uuid) => database.read((snapshot) => destinationsOfApplication.list(snapshot, uuid).map(shown))
  }))
)
