import { timeAgo } from "@slipway/domain"
import { type RetentionSettings, SiteSettings } from "@slipway/domain/forge/base"
import { Effect } from "effect"

/** Removes the rows that are older than the site's retention period; does nothing if none is set. */
export const removeExpired = <E, R>(
  what: keyof RetentionSettings,
  remove: (before: string) => Effect.Effect<void, E, R>
): Effect.Effect<void, E, R | SiteSettings> =>
  Effect.gen(function* () {
    const days = (yield* SiteSettings).retention[what]
    if (days === undefined) return
    yield* remove(yield* timeAgo({ days }))
  })
