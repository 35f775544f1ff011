import { Context, Effect } from "effect"
import type { MailUnsent } from "../../../outbound/Mailer.ts"

/**
 * Decrypts and sends the email of a queued job. By default, no email is sent.
 *
 * The default exists so that a process that runs jobs but sends no email needs no mail library.
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
