import { Context, type Effect, Schema } from "effect"

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
 * - send an email as text and as HTML to its recipient
 * - add the one-click unsubscribe header when the email has one
 * - thread a conversation, and show the author's name with the address of the site
 * - keep the content of an email out of its headers
 * - distinguish permanent rejections from temporary failures
 */
export class Mailer extends Context.Service<
  Mailer,
  { readonly send: (mail: Mail) => Effect.Effect<void, MailRefused | MailUnsent> }
>()("@slipway/domain/Mailer") {}
