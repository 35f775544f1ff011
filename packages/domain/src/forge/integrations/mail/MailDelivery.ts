import { Context, Effect } from "effect"
import type { MailUnsent } from "../../../outbound/Mailer.ts"

/**
 * Sends the encrypted email of a job; disabled by default.
 *
 * It has a default, so that a service that runs jobs without mail needs no mailer.
 */
export const MailDelivery = Context.Reference<{
  readonly on: boolean
  readonly deliver: (id: string, sealed: string) => Effect.Effect<void, MailUnsent>
}>("@slipway/domain/forge/MailDelivery", {
  defaultValue: () => ({
    on: false,
    deliver: (id) => Effect.logWarning(`email ${id} is dropped, because mail is disabled`)
  })
})
