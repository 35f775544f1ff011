import {
  HookSender,
  type HookUnsent,
  type Mail,
  type MailRefused,
  type MailUnsent,
  Vault,
  written
} from "@slipway/domain"
import { SettingsStore } from "@slipway/domain/deploy/administration"
import { parseDomains } from "@slipway/domain/deploy/apps"
import { rootTeam, type TeamId } from "@slipway/domain/deploy/identity"
import {
  type ChannelSettings,
  type ChannelValues,
  type Notification,
  type NotificationChannel,
  NotificationMailer,
  NotificationServices,
  NotificationUndelivered,
  notificationRequest,
  payloadEvent,
  type TeamMailServer,
  valuesOf
} from "@slipway/domain/deploy/infrastructure"
import { Duration, Effect, Redacted } from "effect"
import { Mac } from "effect/crypto"
import { Hex } from "effect/encoding"

/** Identifies the encrypted secret of a channel. Secrets of the root team have an older form without the team. */
const secretOwner = (team: TeamId, channel: NotificationChannel, field: string) => ({
  uuid: team === rootTeam ? `notifications/${channel}` : `notifications/${team}/${channel}`,
  field
})

/** Encrypts a secret of a notification channel. */
export const sealSecret = Effect.fnUntraced(function* (
  team: TeamId,
  channel: NotificationChannel,
  field: string,
  secret: string
) {
  return yield* (yield* Vault).seal(secretOwner(team, channel, field), Redacted.make(secret))
})

/** Decrypts the secrets of a notification channel; returns them by name. */
const openSecrets = Effect.fnUntraced(function* ({ channel, secrets, teamId }: ChannelSettings) {
  const vault = yield* Vault
  const opened: Record<string, string> = {}
  for (const [field, sealed] of Object.entries(secrets)) {
    opened[field] = Redacted.value(yield* vault.open(secretOwner(teamId, channel, field), sealed))
  }
  return opened as Readonly<Record<string, string>>
})

/** Returns the settings of a channel, with decrypted secrets. */
export const openChannel = Effect.fnUntraced(function* (stored: ChannelSettings) {
  return { ...valuesOf(stored.channel, stored), ...(yield* openSecrets(stored)) } as ChannelValues
})

/** Returns the URL of a resource at the first domain of the instance; null if the instance has no domain. */
const linkTo = Effect.fnUntraced(function* ({ message: { path } }: Notification) {
  const settings = yield* (yield* SettingsStore).read
  const domain = parseDomains(settings?.instanceDomains ?? "").addresses[0]?.written
  return domain === undefined || path === null ? null : `${domain.replace(/\/+$/, "")}/api/v1${path}`
})

const encoder = new TextEncoder()

/** Returns the signature header for a request body; no header if the channel has no secret. */
const signatureOf = Effect.fnUntraced(function* (secret: unknown, body: string) {
  if (typeof secret !== "string") return {}
  const key = yield* Mac.key(Mac.hmacSha256, encoder.encode(secret))
  const tag = yield* (yield* Mac.Mac).sign(key, encoder.encode(body))
  return { "X-Hub-Signature-256": `sha256=${Hex.encode(tag)}` }
}, Effect.orDie)

const isRetried = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

const undelivered = (because: string, isRejected: boolean) => new NotificationUndelivered({ because, isRejected })

/** Sends a notification as an HTTP request to any channel except email. */
const post = Effect.fnUntraced(function* (
  notification: Notification,
  channel: Exclude<NotificationChannel, "email">,
  values: ChannelValues
) {
  const services = yield* NotificationServices
  const link = yield* linkTo(notification)
  const { document, url } = notificationRequest(notification, channel, { values, link, services })
  const body = JSON.stringify(document)
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "Slipway",
    ...(channel === "webhook"
      ? {
          "X-Slipway-Event": payloadEvent(notification.message),
          "X-Slipway-Delivery": notification.uuid,
          ...(yield* signatureOf(values.webhook_secret, body))
        }
      : {})
  }
  const { status } = yield* (yield* HookSender)
    .send({ method: "POST", url, headers, body })
    .pipe(Effect.mapError(({ because, refused }: HookUnsent) => undelivered(because, refused)))
  if (status >= 200 && status < 300) return
  const because =
    status >= 300 && status < 400
      ? "the receiver redirects, and redirects are not followed"
      : `the receiver responded with ${status}`
  return yield* undelivered(because, !isRetried(status))
})

const defaultPorts = { none: 25, starttls: 587, tls: 465 } as const
const defaultTimeout = 10

/** Returns the mail server in a team's settings, which were validated when the channel was enabled. */
const mailServerOf = (values: ChannelValues): TeamMailServer => {
  const text = (name: string) => (values[name] == null ? null : String(values[name]))
  const encryption = (text("smtp_encryption") ?? "starttls") as TeamMailServer["encryption"]
  const [name, password] = [text("smtp_username"), text("smtp_password")]
  return {
    host: text("smtp_host") ?? "",
    port: Number(values.smtp_port ?? defaultPorts[encryption]),
    encryption,
    user: name === null || password === null ? null : { name, password: Redacted.make(password) },
    from: { name: text("smtp_from_name"), address: text("smtp_from_address") ?? "" },
    timeout: Number(values.smtp_timeout ?? defaultTimeout),
    clientName: text("smtp_ehlo_domain")
  }
}

const longestMail = Duration.seconds(40)

/** Sends a notification as an email. */
const mail = Effect.fnUntraced(function* (notification: Notification, recipient: string, values: ChannelValues) {
  const { instance, through } = yield* NotificationMailer
  const { message, uuid } = notification
  const link = yield* linkTo(notification)
  const content: Mail = {
    id: uuid,
    to: { name: "", address: recipient },
    unsubscribe: null,
    headers: { "X-Slipway-Event": payloadEvent(message) },
    ...written(
      {
        subject: `Slipway: ${message.text.replace(/\.$/, "")}`,
        paragraphs: [message.text],
        ...(link === null ? {} : { action: { label: "Show in Slipway", address: link } }),
        reason: "Slipway sends this email because the address is a recipient of its notifications."
      },
      null
    )
  }
  const isOfInstance = values.use_instance_email_settings === true
  if (isOfInstance && instance === null) return yield* undelivered("the instance has no mail server", true)
  const sent = isOfInstance && instance !== null ? instance(content) : through(mailServerOf(values), content)
  yield* sent.pipe(
    Effect.mapError((error: MailRefused | MailUnsent) => undelivered(error.problem, error._tag === "MailRefused")),
    Effect.timeoutOrElse({
      duration: longestMail,
      orElse: () => Effect.fail(undelivered("the mail server did not answer in time", false))
    })
  )
})

const shortestSecret = 4

/** Removes the secrets of a channel from an error message, which may quote a response. */
const withoutSecrets = (because: string, secrets: Readonly<Record<string, string>>): string =>
  Object.values(secrets)
    .filter((secret) => secret.length >= shortestSecret)
    .reduce((text, secret) => text.replaceAll(secret, "…"), because)

/** Sends a notification to its recipient. */
export const sendNotification = Effect.fnUntraced(function* (notification: Notification, stored: ChannelSettings) {
  const secrets = yield* openSecrets(stored)
  const values: ChannelValues = { ...valuesOf(stored.channel, stored), ...secrets }
  const { channel, recipient } = notification
  const sent = channel === "email" ? mail(notification, recipient ?? "", values) : post(notification, channel, values)
  yield* Effect.mapError(sent, ({ because, isRejected }) => undelivered(withoutSecrets(because, secrets), isRejected))
})
