import { Context, Effect } from "effect"
import type { NamedCommit } from "../../code/git/NamedCommit.ts"
import type { Repository } from "../../code/repositories/Repository.ts"
import type { RenderedEvent } from "../../events/QueuedHookEvent.ts"
import type { NewEvent } from "../../identity/audit/Event.ts"
import type { HookMessage } from "./HookDelivery.ts"

import type { HookEvent } from "./hookEvents.ts"

/** One webhook event to deliver. One action can cause several events, such as a push of several branches. */
export interface Occurrence {
  readonly event: HookEvent
  readonly payload: Readonly<Record<string, unknown>>
  readonly message: HookMessage
  /** The branch of the event, by which webhooks filter. */
  readonly branch: string | undefined
}

/**
 * Writes the payloads of webhooks, in the format of the API; the default writes none.
 *
 * A payload contains only data that every reader of the repository may see: no hidden address, no secret.
 */
export const HookPayloads = Context.Reference<{
  readonly render: (
    renderedEvent: RenderedEvent,
    repository: Repository | null
  ) => Effect.Effect<ReadonlyArray<Occurrence>>
  /** The parts of every payload: the repository, its organization, and the actor. */
  readonly parts: (
    repository: Repository,
    sender: NewEvent["actor"]
  ) => Effect.Effect<Readonly<Record<string, unknown>>>
  /** Writes a test payload of a push: of the newest commit of the default branch by default. */
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
