import { Schema } from "effect"
import { line, lineThat, nonEmpty, whole } from "../../base/fields/text.ts"
import { type NotificationEvent, notificationEventNames, notificationEvents } from "./events.ts"

/** The value of a channel's setting; null is unset. */
export type ChannelValue = boolean | number | string | null

/** The definition of one setting of a notification channel. */
export interface ChannelField {
  readonly schema: Schema.Codec<ChannelValue, unknown>
  readonly unset: ChannelValue
  /** Whether the value is stored encrypted and returned only to callers who may read secrets. */
  readonly secret: boolean
}

/** The definition of a notification channel: its settings, and the settings that an enabled channel requires. */
export interface ChannelRow {
  /** The settings of which at least one must be true to enable the channel, each with the settings that it requires. */
  readonly enabledBy: Readonly<Record<string, ReadonlyArray<string>>>
  readonly fields: Readonly<Record<string, ChannelField>>
}

const flag = (unset: boolean): ChannelField => ({ schema: Schema.Boolean, unset, secret: false })
const plain = <S extends Schema.Codec<string, string> | Schema.Codec<number, number>>(schema: S): ChannelField => ({
  // BOUNDARY: a union of codecs is not a codec of the union for the compiler.
  schema: Schema.NullOr(schema as Schema.Top) as unknown as ChannelField["schema"],
  unset: null,
  secret: false
})
const secret = (schema: Schema.Codec<string, string>): ChannelField => ({ ...plain(schema), secret: true })

const longest = 255
const text = nonEmpty(line(longest))

const isHttpUrl = (value: string): boolean => {
  if (!/^https?:\/\/[^/]/i.test(value) || !URL.canParse(value)) return false
  const { password, username } = new URL(value)
  return username === "" && password === ""
}

const url = nonEmpty(
  lineThat(isHttpUrl, "Must be an http:// or https:// URL without user name and password.").check(
    Schema.makeFilter((value: string) => (/\s/.test(value) ? "Must not contain white space." : undefined))
  )
)

const isEmail = (value: string): boolean => value.length <= 254 && /^[^\s@<>,;:"()[\]\\]+@[A-Za-z0-9.-]+$/.test(value)
const emailAddress = nonEmpty(lineThat(isEmail, "Must be an email address, such as ops@example.com."))

/** The maximum number of recipients of one notification. */
export const mostRecipients = 20

/**
 * Returns the email addresses in a comma-separated list, without duplicates and empty entries.
 *
 * @example
 * recipientsOf("a@b.example, c@d.example,") // => ["a@b.example", "c@d.example"]
 */
export const recipientsOf = (list: string): ReadonlyArray<string> => [
  ...new Set(
    list
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "")
  )
]

const recipients = nonEmpty(
  line(1_000).check(
    Schema.makeFilter((value: string) => {
      const all = recipientsOf(value)
      if (all.length > mostRecipients) return `Must be at most ${mostRecipients} email addresses.`
      return all.every(isEmail) ? undefined : "Must be email addresses, separated by commas."
    })
  )
)

const hostName = nonEmpty(
  lineThat((value) => /^(?=.{1,253}$)[A-Za-z0-9._:-]+$/.test(value), "Must be a host name or an IP address.", longest)
)

// Part of a URL path: other characters would lead to another path.
const telegramToken = nonEmpty(
  lineThat((value) => /^[0-9]+:[A-Za-z0-9_-]+$/.test(value), "Must be a bot token, such as 123456:ABC-DEF.", longest)
)
const telegramChat = nonEmpty(
  lineThat((value) => /^(-?[0-9]+|@[A-Za-z0-9_]+)$/.test(value), "Must be the id of a chat, or @channel.", longest)
)
const telegramThread = nonEmpty(
  lineThat((value) => /^[0-9]{1,15}$/.test(value), "Must be the number of a message thread.", longest)
)
const pushoverKey = nonEmpty(lineThat((value) => /^[A-Za-z0-9]+$/.test(value), "Must be letters and digits.", longest))

/** Returns the name of the setting that decides whether a channel reports an event. */
export const eventSetting = (event: NotificationEvent, channel: string): string => `${event}_${channel}_notifications`

/** Returns the name of the setting that contains the id of the Telegram thread for an event. */
export const threadSetting = (event: NotificationEvent): string => `telegram_notifications_${event}_thread_id`

const eventFields = (channel: string): Readonly<Record<string, ChannelField>> =>
  Object.fromEntries(
    notificationEventNames.map((event) => [eventSetting(event, channel), flag(notificationEvents[event].isReported)])
  )

const smtpTimeouts = { least: 1, most: 30 } as const

/** All notification channels with their settings, which are those of Coolify; only `webhook_secret` is an addition. */
export const channels = {
  email: {
    enabledBy: {
      use_instance_email_settings: ["smtp_recipients"],
      smtp_enabled: ["smtp_host", "smtp_from_address", "smtp_recipients"]
    },
    fields: {
      smtp_enabled: flag(false),
      smtp_from_address: plain(emailAddress),
      smtp_from_name: plain(text),
      smtp_recipients: plain(recipients),
      smtp_host: plain(hostName),
      smtp_port: plain(whole(1, 65_535)),
      smtp_encryption: plain(Schema.Literals(["starttls", "tls", "none"])),
      smtp_username: plain(text),
      smtp_password: secret(text),
      smtp_timeout: plain(whole(smtpTimeouts.least, smtpTimeouts.most)),
      smtp_ehlo_domain: plain(hostName),
      use_instance_email_settings: flag(false),
      ...eventFields("email")
    }
  },
  webhook: {
    enabledBy: { webhook_enabled: ["webhook_url"] },
    fields: {
      webhook_enabled: flag(false),
      webhook_url: secret(url),
      webhook_secret: secret(text),
      ...eventFields("webhook")
    }
  },
  discord: {
    enabledBy: { discord_enabled: ["discord_webhook_url"] },
    fields: {
      discord_enabled: flag(false),
      discord_webhook_url: secret(url),
      discord_ping_enabled: flag(true),
      ...eventFields("discord")
    }
  },
  slack: {
    enabledBy: { slack_enabled: ["slack_webhook_url"] },
    fields: { slack_enabled: flag(false), slack_webhook_url: secret(url), ...eventFields("slack") }
  },
  telegram: {
    enabledBy: { telegram_enabled: ["telegram_token", "telegram_chat_id"] },
    fields: {
      telegram_enabled: flag(false),
      telegram_token: secret(telegramToken),
      telegram_chat_id: plain(telegramChat),
      ...eventFields("telegram"),
      ...(Object.fromEntries(
        notificationEventNames.map((event) => [threadSetting(event), plain(telegramThread)])
      ) as Readonly<Record<string, ChannelField>>)
    }
  },
  pushover: {
    enabledBy: { pushover_enabled: ["pushover_user_key", "pushover_api_token"] },
    fields: {
      pushover_enabled: flag(false),
      pushover_user_key: secret(pushoverKey),
      pushover_api_token: secret(pushoverKey),
      ...eventFields("pushover")
    }
  }
} as const satisfies Readonly<Record<string, ChannelRow>>

/** The name of a channel. */
export type NotificationChannel = keyof typeof channels

/** The names of all channels. */
export const channelNames = Object.keys(channels) as ReadonlyArray<NotificationChannel>

/** Returns the definition of a channel; its type allows any field name. */
export const channelRow = (channel: NotificationChannel): ChannelRow => channels[channel]
