import type { Duplicate } from "@slipway/domain"
import { SettingsStore } from "@slipway/domain/deploy/administration"
import { Effect, Layer } from "effect"
import { Tables } from "../base/tables.ts"

/** Stores the settings of the instance in memory. */
export const settingsStore = Layer.effect(
  SettingsStore,
  Effect.map(Tables, ({ database, settings }) => {
    const read = database.read((snapshot) => {
      const row = settings.find(snapshot, "")
      if (row === undefined) return undefined
      const { id: _, ...values } = row
      return values
    })
    return {
      read,
      // Transactions run one after the other, so this needs no lock.
      lock: read,
      write: (written) =>
        database
          .write<unknown, Duplicate>((snapshot) => {
            const row = settings.find(snapshot, "")
            return row === undefined
              ? settings.insert(snapshot, written)
              : settings.replace(snapshot, { ...written, id: row.id })
          })
          .pipe(Effect.orDie, Effect.asVoid)
    }
  })
)
