import { Context, Effect, type Redacted } from "effect"
import { type Mail, type MailRefused, MailUnsent } from "../../../outbound/Mailer.ts"

/** The mail server of a team. */
export interface TeamMailServer {
  readonly host: string
  readonly port: number
  readonly encryption: "none" | "starttls" | "tls"
  readonly user: { readonly name: string; readonly password: Redacted.Redacted } | null
  /** The sender. */
  readonly from: { readonly name: string | null; readonly address: string }
  /** The time that the server has to answer, in seconds. */
  readonly timeout: number
  /** The host name that the platform sends in EHLO; null is the name of the machine. */
  readonly clientName: string | null
}

type Sent = Effect.Effect<void, MailRefused | MailUnsent>

/** Sends emails of notifications; the default sends none. */
export const NotificationMailer = Context.Reference<{
  /** Sends through the mail server of the instance; null if the instance has none. */
  readonly instance: ((mail: Mail) => Sent) | null
  /** Sends through the mail server of a team, by the instance's egress rule for user-provided addresses. */
  readonly through: (server: TeamMailServer, mail: Mail) => Sent
}>("@slipway/domain/deploy/NotificationMailer", {
  defaultValue: () => ({
    instance: null,
    through: () => Effect.fail(new MailUnsent({ problem: "this instance sends no email" }))
  })
})

/** The base addresses of services that notifications are sent to. */
export const NotificationServices = Context.Reference<{ readonly telegram: string; readonly pushover: string }>(
  "@slipway/domain/deploy/NotificationServices",
  { defaultValue: () => ({ telegram: "https://api.telegram.org", pushover: "https://api.pushover.net" }) }
)
