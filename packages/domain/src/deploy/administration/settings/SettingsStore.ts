import { Context, type Effect } from "effect"
import type { Settings } from "./Settings.ts"

/**
 * Stores the settings of the instance, as a single row.
 *
 * Must:
 * - return nothing before the first write
 * - return the settings last written
 * - let only one transaction lock the settings at a time
 */
export class SettingsStore extends Context.Service<
  SettingsStore,
  {
    readonly read: Effect.Effect<Settings | undefined>
    /** Reads the settings and locks them until the running transaction ends. */
    readonly lock: Effect.Effect<Settings | undefined>
    readonly write: (settings: Settings) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/SettingsStore") {}
