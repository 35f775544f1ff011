import { Context, Effect } from "effect"
import type { NamedCommit } from "../../code/git/NamedCommit.ts"
import type { Repository } from "../../code/repositories/Repository.ts"
import type { RenderedEvent } from "../../events/QueuedHookEvent.ts"
import type { NewEvent } from "../../identity/audit/Event.ts"
import type { HookMessage } from "./HookDelivery.ts"

import type { HookEvent } from "./hookEvents.ts"

/**
 * A webhook event to deliver, with its payload. One action can cause several events; for example, a push of several
 * branches causes one per branch.
 */
export interface Occurrence {
  readonly event: HookEvent
  readonly payload: Readonly<Record<string, unknown>>
  readonly message: HookMessage
  /** The branch of the event, for the branch filter of webhooks; undefined for an event without a branch. */
  readonly branch: string | undefined
}

/**
 * Renders the payloads of webhooks in the format of the API. The default implementation renders none.
 *
 * A payload contains only data that every reader of the repository may see: no hidden email address, and no secret.
 */
export const HookPayloads = Context.Reference<{
  readonly render: (
    renderedEvent: RenderedEvent,
    repository: Repository | null
  ) => Effect.Effect<ReadonlyArray<Occurrence>>
  /** Returns the fields that all payloads have: the repository, its organization, and the actor. */
  readonly parts: (
    repository: Repository,
    sender: NewEvent["actor"]
  ) => Effect.Effect<Readonly<Record<string, unknown>>>
  /**
   * Renders the payload of a test delivery: a push of `named`, by default of the newest commit of the default branch.
   */
  readonly test: (
    repository: Repository,
    sender: NewEvent["actor"],
    named?: NamedCommit
  ) => Effect.Effect<Occurrence | undefined>
}>("@slipway/domain/forge/HookPayloads", {
  defaultValue: () => ({
    render: () => Effect.succeed([]),
    parts: () => Effect.succeed({}),
    test: () => Effect.succeed(undefined)
  })
})
