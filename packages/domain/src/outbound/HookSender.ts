import { Context, Effect, Schema } from "effect"

/** The HTTP request of a webhook delivery. */
export interface HookRequest {
  readonly method: "POST" | "PUT"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The response of a webhook receiver; the body is truncated. */
export interface HookAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Reports that a webhook request got no response. `refused` is true if the egress rule denies the address; such a
 * request must not be retried.
 */
export class HookUnsent extends Schema.TaggedError<HookUnsent>()("HookUnsent", {
  because: Schema.String,
  refused: Schema.Boolean
}) {}

/** Sends webhook requests, if the instance's egress rule allows the address. By default, every request fails. */
export const HookSender = Context.Reference<{
  readonly send: (request: HookRequest) => Effect.Effect<HookAnswer, HookUnsent>
}>("@slipway/domain/HookSender", {
  defaultValue: () => ({
    send: () => Effect.fail(new HookUnsent({ because: "this instance sends no webhooks", refused: true }))
  })
})
