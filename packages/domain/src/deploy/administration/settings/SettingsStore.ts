import { Context, type Effect } from "effect"
import type { Settings } from "./Settings.ts"

/**
 * Stores the settings of the instance, as a single row.
 *
 * Must:
 * - answer nothing before the first write
 * - give back the settings last written
 * - let one transaction at a time lock the settings
 */
export class SettingsStore extends Context.Service<
  SettingsStore,
  {
    readonly read: Effect.Effect<Settings | undefined>
    /** Reads the settings, and keeps other transactions from locking them until the running one ends. */
    readonly lock: Effect.Effect<Settings | undefined>
    readonly write: (settings: Settings) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/SettingsStore") {}
