import type { Refused } from "@slipway/access"
import { type Authorized, authorize as authorizeBy } from "@slipway/access"
import { decided } from "@slipway/domain"
import type { SiteFacts } from "@slipway/domain/forge/access"
import { notFound, siteFactsOf } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { LoadedAction } from "@slipway/domain/forge/entry"
import type { Actor } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { refused } from "../base/events/record.ts"
import { AccessRefused, type Entered } from "./Entry.ts"

/** A thing of a kind of one's own, and who acts on it. */
export interface OwnThing {
  readonly actor: Actor
  readonly kind: string
  readonly name: string
}

/** That an action of one's own was allowed, by whom and on what. */
export type OwnProof = Authorized<string, OwnThing>

const missing: Refused = { allowed: false, check: "thing.missing", by: ["thing.missing"], answer: notFound }

/** Returns the facts of a thing of one's own with those of whoever acts; nothing of what isn't there. */
export const factsOf = Effect.fnUntraced(function* (kind: string, name: string, site: SiteFacts, caller?: string) {
  const { policy } = yield* SiteSettings
  const { finders } = policy.rulebook.tables
  const find = Object.hasOwn(finders, kind) ? finders[kind] : undefined
  const known = yield* Effect.promise(async () => find?.(name, caller))
  return known === undefined ? undefined : ({ ...known, ...site } as object)
})

/**
 * Returns the proof that an action of one's own is allowed on the thing of a name, or fails with the answer of the rule that
 * refuses it. A refusal of somebody who is signed in is noted in the log, as others are.
 */
export const authorize = Effect.fnUntraced(function* (
  action: string,
  { actor, switches }: Pick<Entered<"site">, "actor" | "switches">,
  name: string
) {
  const { rulebook } = (yield* SiteSettings).policy
  const { on: kind } = rulebook.actionOf(action)
  const facts = yield* factsOf(kind, name, siteFactsOf(switches, actor.facts), actor.user?.name)
  const answer: OwnProof | Refused =
    facts === undefined ? missing : authorizeBy(rulebook.policyOf(action), facts, { actor, kind, name })
  yield* decided(action, answer, Effect.void)
  if (answer.allowed) return answer
  // BOUNDARY: the log keeps the names of actions, which it shows as they are.
  if (actor.user !== undefined) yield* refused(actor, action as LoadedAction, {}, answer.check)
  return yield* new AccessRefused({ decision: answer })
})
