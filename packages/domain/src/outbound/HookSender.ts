import { Context, Effect, Schema } from "effect"

/** The HTTP request of a webhook delivery. */
export interface HookRequest {
  readonly method: "POST" | "PUT"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The response of a receiver; only the beginning of its body is stored. */
export interface HookAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Reports that a receiver did not respond; a denied address is never retried. */
export class HookUnsent extends Schema.TaggedError<HookUnsent>()("HookUnsent", {
  because: Schema.String,
  refused: Schema.Boolean
}) {}

/** Sends requests to receivers, by the instance's egress rule for user-provided addresses; the default sends none. */
export const HookSender = Context.Reference<{
  readonly send: (request: HookRequest) => Effect.Effect<HookAnswer, HookUnsent>
}>("@slipway/domain/HookSender", {
  defaultValue: () => ({
    send: () => Effect.fail(new HookUnsent({ because: "this instance sends no webhooks", refused: true }))
  })
})
