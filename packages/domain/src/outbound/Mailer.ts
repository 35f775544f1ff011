import { Context, type Effect, Schema } from "effect"

/** An email to one recipient. */
export const Mail = Schema.Struct({
  /** The unique id of the email; it lets a mail server detect duplicates. */
  id: Schema.String,
  to: Schema.Struct({ name: Schema.String, address: Schema.String }),
  subject: Schema.String,
  text: Schema.String,
  html: Schema.String,
  /** The URL for one-click unsubscription; null if the receiver cannot unsubscribe. */
  unsubscribe: Schema.NullOr(Schema.String),
  /**
   * The name of the user who wrote the quoted text, shown as the sender's name. The sender's address is always the
   * site's.
   */
  by: Schema.optionalKey(Schema.String),
  /** The `id` of the first email of the conversation, so that email clients group its emails. */
  inReplyTo: Schema.optionalKey(Schema.String),
  /** Additional headers by which email clients can filter. */
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})
export type Mail = typeof Mail.Type

/** Reports that the mail server rejected an email permanently; a retry is useless. */
export class MailRefused extends Schema.TaggedError<MailRefused>()("MailRefused", { problem: Schema.String }) {}

/** Reports that an email could not be sent because of a temporary problem; it can be retried. */
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
