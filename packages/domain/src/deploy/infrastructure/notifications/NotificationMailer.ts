import { Context, Effect, type Redacted } from "effect"
import { type Mail, type MailRefused, MailUnsent } from "../../../outbound/Mailer.ts"

/** The SMTP settings with which a team sends its notification emails. */
export interface TeamMailServer {
  readonly host: string
  readonly port: number
  readonly encryption: "none" | "starttls" | "tls"
  readonly user: { readonly name: string; readonly password: Redacted.Redacted } | null
  /** The sender of the emails. */
  readonly from: { readonly name: string | null; readonly address: string }
  /** The timeout for responses of the mail server, in seconds. */
  readonly timeout: number
  /** The host name that the platform sends in the SMTP command EHLO; null uses the name of the machine. */
  readonly clientName: string | null
}

type Sent = Effect.Effect<void, MailRefused | MailUnsent>

/** Sends notification emails; the default implementation sends none. */
export const NotificationMailer = Context.Reference<{
  /** Sends an email through the mail server of the instance; null if the instance has no mail server. */
  readonly instance: ((mail: Mail) => Sent) | null
  /** Sends an email through the mail server of a team, if the instance's rule for outbound requests allows its host. */
  readonly through: (server: TeamMailServer, mail: Mail) => Sent
}>("@slipway/domain/deploy/NotificationMailer", {
  defaultValue: () => ({
    instance: null,
    through: () => Effect.fail(new MailUnsent({ problem: "this instance sends no email" }))
  })
})

/** The base URLs of the APIs of Telegram and Pushover. */
export const NotificationServices = Context.Reference<{ readonly telegram: string; readonly pushover: string }>(
  "@slipway/domain/deploy/NotificationServices",
  { defaultValue: () => ({ telegram: "https://api.telegram.org", pushover: "https://api.pushover.net" }) }
)
