import { Context, Effect, Schema } from "effect"
import type { HookAnswer } from "./HookDelivery.ts"

/** A request to a receiver. */
export interface HookRequest {
  readonly method: "POST" | "PUT"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Reports that a receiver gave no answer; a refused address is never asked again. */
export class HookUnsent extends Schema.TaggedError<HookUnsent>()("HookUnsent", {
  because: Schema.String,
  refused: Schema.Boolean
}) {}

/** Sends requests to receivers, by the rule of this instance for addresses that its users name; nowhere unless a layer says more. */
export const HookSender = Context.Reference<{
  readonly send: (request: HookRequest) => Effect.Effect<HookAnswer, HookUnsent>
}>("@slipway/domain/forge/HookSender", {
  defaultValue: () => ({
    send: () => Effect.fail(new HookUnsent({ because: "this instance sends nothing", refused: true }))
  })
})
