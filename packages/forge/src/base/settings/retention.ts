import { timeAgo } from "@slipway/domain"
import { type RetentionSettings, SiteSettings } from "@slipway/domain/forge/base"
import { Effect } from "effect"

/** Removes what is older than the operator keeps it; nothing where that is for good. */
export const retained = <E, R>(
  what: keyof RetentionSettings,
  remove: (before: string) => Effect.Effect<void, E, R>
): Effect.Effect<void, E, R | SiteSettings> =>
  Effect.gen(function* () {
    const days = (yield* SiteSettings).retention[what]
    if (days === undefined) return
    yield* remove(yield* timeAgo({ days }))
  })
