import { Context, Effect, Schema } from "effect"

/** An email to one recipient. */
export const Mail = Schema.Struct({
  /** The unique id: a server can detect a repeated email by it. */
  id: Schema.String,
  to: Schema.Struct({ name: Schema.String, address: Schema.String }),
  subject: Schema.String,
  text: Schema.String,
  html: Schema.String,
  /** The one-click unsubscribe address; null for emails without an unsubscribe option. */
  unsubscribe: Schema.NullOr(Schema.String),
  /** The name of the author of the quoted text; the sender address is still the site's. */
  by: Schema.optionalKey(Schema.String),
  /** The `id` of the first email of the conversation. */
  inReplyTo: Schema.optionalKey(Schema.String),
  /** Headers that email clients can filter by. */
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})
export type Mail = typeof Mail.Type

/** Reports that the mail server permanently rejected an email. */
export class MailRefused extends Schema.TaggedError<MailRefused>()("MailRefused", { problem: Schema.String }) {}

/** Reports that an email could not be sent now. */
export class MailUnsent extends Schema.TaggedError<MailUnsent>()("MailUnsent", { problem: Schema.String }) {
  override get message(): string {
    return this.problem
  }
}

/**
 * Sends emails.
 *
 * Must:
 * - send a letter as text and as HTML, to the one whom it is for
 * - name where letters are ended with one click, where the letter says so
 * - hold a conversation together, and name whose words a letter brings, at the address of the site
 * - keep what a letter says out of its headers, whatever it holds
 * - tell a letter that is never taken from one that may be taken later
 */
export class Mailer extends Context.Service<
  Mailer,
  { readonly send: (mail: Mail) => Effect.Effect<void, MailRefused | MailUnsent> }
>()("@slipway/domain/forge/Mailer") {}

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
    deliver: (id) => Effect.logWarning(`the mail ${id} is dropped, because mail is off`)
  })
})
