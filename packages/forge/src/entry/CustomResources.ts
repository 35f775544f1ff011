import type { Refused } from "@slipway/access"
import { type Authorized, authorize as authorizeBy } from "@slipway/access"
import { decided } from "@slipway/domain"
import type { SiteFacts } from "@slipway/domain/forge/access"
import { notFound, siteFactsOf } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { LoadedAction } from "@slipway/domain/forge/entry"
import type { Actor } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { recordRefusal } from "../base/events/record.ts"
import { AccessRefused, type EnteredActor } from "./Entry.ts"

/** A resource of a custom type (defined by the host program), with the actor. */
export interface CustomResource {
  readonly actor: Actor
  readonly kind: string
  readonly name: string
}

/** The proof that a custom action was authorized. It contains the actor and the resource. */
export type CustomProof = Authorized<string, CustomResource>

const missing: Refused = { allowed: false, check: "thing.missing", by: ["thing.missing"], answer: notFound }

/**
 * Returns the facts for access decisions about a custom resource and the actor; undefined if the resource does not
 * exist.
 */
export const factsOf = Effect.fnUntraced(function* (kind: string, name: string, site: SiteFacts, caller?: string) {
  const { policy } = yield* SiteSettings
  const { finders } = policy.rulebook.tables
  const find = Object.hasOwn(finders, kind) ? finders[kind] : undefined
  const known = yield* Effect.promise(async () => find?.(name, caller))
  return known === undefined ? undefined : ({ ...known, ...site } as object)
})

/**
 * Authorizes an action on a custom resource. Returns the proof, or fails with the response of the rule that refused it.
 *
 * The refusal of a signed-in user is recorded in the audit log.
 */
export const authorize = Effect.fnUntraced(function* (
  action: string,
  { actor, switches }: Pick<EnteredActor<"site">, "actor" | "switches">,
  name: string
) {
  const { rulebook } = (yield* SiteSettings).policy
  const { on: kind } = rulebook.actionOf(action)
  const facts = yield* factsOf(kind, name, siteFactsOf(switches, actor.facts), actor.user?.name)
  const answer: CustomProof | Refused =
    facts === undefined ? missing : authorizeBy(rulebook.policyOf(action), facts, { actor, kind, name })
  yield* decided(action, answer, Effect.void)
  if (answer.allowed) return answer
  // BOUNDARY: the log keeps the names of actions, which it shows as they are.
  if (actor.user !== undefined) yield* recordRefusal(actor, action as LoadedAction, {}, answer.check)
  return yield* new AccessRefused({ decision: answer })
})
