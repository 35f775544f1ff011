import { Effect } from "effect"
import { now } from "../../Time.ts"
import { PolicySet } from "../access/PolicySet.ts"
import type { Actor } from "../accounts/Actor.ts"
import { SiteSettings } from "../settings/SiteSettings.ts"

/** Returns who acts with the rules of the site, and the facts of one's own as they are for this request. */
export const actingHere = Effect.fnUntraced(function* (actor: Actor) {
  const { policy } = yield* SiteSettings
  if (policy === PolicySet.builtIn) return actor
  const caller = { name: actor.user?.name, address: actor.via.address }
  return { ...actor, facts: { ...actor.facts, ...policy.at({ at: yield* now, caller }) } } satisfies Actor
})
