import { millisecondsOf } from "../../../Time.ts"
import { type ChannelValues, threadOf } from "./ChannelSettings.ts"
import type { NotificationChannel } from "./channels.ts"
import { notificationEvents, type Severity } from "./events.ts"
import { type NotificationMessage, severityOf } from "./messages.ts"
import type { Notification } from "./Notification.ts"

/** The HTTP POST request that sends a notification: the URL and the JSON document. */
export interface NotificationRequest {
  readonly url: string
  readonly document: Readonly<Record<string, unknown>>
}

/** The input for a notification payload in addition to the message. */
export interface PayloadContext {
  /** The settings of the channel, with decrypted secrets. */
  readonly values: ChannelValues
  /** The URL of the resource; null if the instance has no domain. */
  readonly link: string | null
  /** The base URLs of the APIs of Telegram and Pushover. */
  readonly services: { readonly telegram: string; readonly pushover: string }
}

const colors: Readonly<Record<Severity, string>> = { success: "2eb67d", failure: "e01e5a", information: "36c5f0" }

const linkLabel = "Show in Slipway"

/** Escapes the characters that are Markdown in Discord, so that resource names cannot add links or mentions. */
const discordText = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]()<@:-]/g, "\\$&")

/** Escapes the characters that begin control sequences in Slack, such as mentions. */
const slackText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const discord = ({ createdAt, message }: Notification, { link, values }: PayloadContext) => {
  const severity = severityOf(message)
  const isPinging = severity === "failure" && values.discord_ping_enabled === true
  return {
    ...(isPinging ? { content: "@here" } : {}),
    // A name must not mention a user.
    allowed_mentions: { parse: isPinging ? ["everyone"] : [] },
    embeds: [
      {
        title: message.title,
        description: discordText(message.text),
        color: Number.parseInt(colors[severity], 16),
        timestamp: createdAt,
        ...(link === null ? {} : { url: link })
      }
    ]
  }
}

const slack = ({ message }: Notification, { link }: PayloadContext) => ({
  text: slackText(`${message.title}: ${message.text}`),
  attachments: [
    {
      color: `#${colors[severityOf(message)]}`,
      blocks: [
        { type: "header", text: { type: "plain_text", text: message.title } },
        // Plain text has no mentions and no links.
        { type: "section", text: { type: "plain_text", text: message.text } },
        ...(link === null ? [] : [{ type: "section", text: { type: "mrkdwn", text: `<${link}|${linkLabel}>` } }])
      ]
    }
  ]
})

const telegram = ({ message }: Notification, { link, values }: PayloadContext) => {
  const thread = threadOf(message.event, values)
  return {
    chat_id: values.telegram_chat_id,
    ...(thread === null ? {} : { message_thread_id: thread }),
    // Without a parse mode, the text has no markup.
    text: [message.title, message.text, ...(link === null ? [] : [link])].join("\n\n"),
    link_preview_options: { is_disabled: true }
  }
}

const pushover = ({ createdAt, message }: Notification, { link, values }: PayloadContext) => ({
  token: values.pushover_api_token,
  user: values.pushover_user_key,
  title: message.title,
  message: message.text,
  timestamp: Math.floor(millisecondsOf(createdAt) / 1_000),
  ...(link === null ? {} : { url: link, url_title: linkLabel })
})

/** Returns the name of an event in webhook payloads. */
export const payloadEvent = ({ event }: NotificationMessage): string =>
  event === null ? "test" : notificationEvents[event].inPayload

/** The statuses of a resource that are problems. */
const problems: ReadonlyArray<unknown> = ["degraded", "failed", "unhealthy"]

const webhook = ({ message }: Notification, { link }: PayloadContext) => ({
  success: severityOf(message) !== "failure" && !problems.includes(message.facts.status),
  message: message.text,
  event: payloadEvent(message),
  ...message.facts,
  ...(link === null ? {} : { url: link })
})

/** Returns the HTTP request that sends a notification to a channel other than email. */
export const notificationRequest = (
  notification: Notification,
  channel: Exclude<NotificationChannel, "email">,
  context: PayloadContext
): NotificationRequest => {
  const { services, values } = context
  switch (channel) {
    case "discord":
      return { url: String(values.discord_webhook_url), document: discord(notification, context) }
    case "slack":
      return { url: String(values.slack_webhook_url), document: slack(notification, context) }
    case "telegram": {
      const url = `${services.telegram}/bot${String(values.telegram_token)}/sendMessage`
      return { url, document: telegram(notification, context) }
    }
    case "pushover":
      return { url: `${services.pushover}/1/messages.json`, document: pushover(notification, context) }
    case "webhook":
      return { url: String(values.webhook_url), document: webhook(notification, context) }
  }
}
