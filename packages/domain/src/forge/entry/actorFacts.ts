import { Effect } from "effect"
import { now } from "../../Time.ts"
import { PolicySet } from "../access/PolicySet.ts"
import type { SiteSettings } from "../base/settings/SiteSettings.ts"
import type { Actor } from "../identity/actors/Actor.ts"

/**
 * Returns the actor with the custom facts of the site's own access rules for this request; unchanged if the site has no
 * custom rules.
 */
export const actorFactsHere = (
  actor: Actor,
  { policy }: Pick<SiteSettings["Service"], "policy">
): Effect.Effect<Actor> => {
  if (policy === PolicySet.builtIn) return Effect.succeed(actor)
  const caller = { name: actor.user?.name, address: actor.via.address }
  return Effect.map(now, (at) => ({ ...actor, facts: { ...actor.facts, ...policy.at({ at, caller }) } }))
}
