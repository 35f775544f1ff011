import { mostRestores, RestoreStore } from "@slipway/domain/deploy/databases"
import { Effect, Layer, Result } from "effect"
import { dueStore } from "../base/due.ts"
import { Tables } from "../base/tables.ts"

/** Stores restores of backups in memory. */
export const restoreStore = Layer.effect(
  RestoreStore,
  Effect.map(Tables, ({ database, databases, restore, restoreRun, restoreRunsOf, restoresOfDatabase }) => {
    const { shown, store } = dueStore({
      database,
      rows: restore,
      runs: restoreRun,
      runsOf: restoreRunsOf,
      ownerOf: ({ databaseUuid }) => databaseUuid,
      hasOwner: (snapshot, uuid) => databases.has(snapshot, uuid),
      mostAtOnce: 1
    })
    const { insert, remove: _, replace: __, ...due } = store
    return {
      ...due,
      ofDatabase: (uuid) =>
        database.read((snapshot) =>
          restoresOfDatabase.list(snapshot, uuid).map((row) => {
            const [last] = restoreRunsOf.list(snapshot, row.uuid)
            if (last === undefined) return { restore: shown(row), run: null }
            const { id: _, ...run } = last
            return { restore: shown(row), run }
          })
        ),
      insert: (row) =>
        Effect.tap(insert(row), () =>
          database
            .write((snapshot): Result.Result<void, never> => {
              for (const old of restoresOfDatabase.list(snapshot, row.databaseUuid).slice(mostRestores)) {
                if (!old.isAsked && old.leaseUntil === null) restore.remove(snapshot, old.id)
              }
              return Result.void
            })
            .pipe(Effect.orDie)
        )
    }
  })
)
