/** One setting of a channel as a field of a form. */
export interface ChannelField {
  readonly name: string
  readonly type: "flag" | "text" | "number" | "secret" | "removableSecret" | "encryption"
}

const flag = (name: string): ChannelField => ({ name, type: "flag" })
const text = (name: string): ChannelField => ({ name, type: "text" })
const number = (name: string): ChannelField => ({ name, type: "number" })
const secret = (name: string): ChannelField => ({ name, type: "secret" })
const removableSecret = (name: string): ChannelField => ({ name, type: "removableSecret" })

/** The channels with their settings, except those of events; the first ones enable the channel. */
export const channels = {
  email: {
    enabledBy: ["use_instance_email_settings", "smtp_enabled"],
    fields: [
      flag("use_instance_email_settings"),
      flag("smtp_enabled"),
      text("smtp_recipients"),
      text("smtp_host"),
      number("smtp_port"),
      { name: "smtp_encryption", type: "encryption" },
      text("smtp_username"),
      removableSecret("smtp_password"),
      text("smtp_from_address"),
      text("smtp_from_name"),
      text("smtp_ehlo_domain"),
      number("smtp_timeout")
    ]
  },
  webhook: {
    enabledBy: ["webhook_enabled"],
    fields: [flag("webhook_enabled"), secret("webhook_url"), removableSecret("webhook_secret")]
  },
  discord: {
    enabledBy: ["discord_enabled"],
    fields: [flag("discord_enabled"), secret("discord_webhook_url"), flag("discord_ping_enabled")]
  },
  slack: { enabledBy: ["slack_enabled"], fields: [flag("slack_enabled"), secret("slack_webhook_url")] },
  telegram: {
    enabledBy: ["telegram_enabled"],
    fields: [flag("telegram_enabled"), secret("telegram_token"), text("telegram_chat_id")]
  },
  pushover: {
    enabledBy: ["pushover_enabled"],
    fields: [flag("pushover_enabled"), secret("pushover_user_key"), secret("pushover_api_token")]
  }
} as const satisfies Readonly<
  Record<string, { readonly enabledBy: ReadonlyArray<string>; readonly fields: ReadonlyArray<ChannelField> }>
>

/** The name of a channel. */
export type ChannelName = keyof typeof channels

/** The names of all channels. */
export const channelNames = Object.keys(channels) as ReadonlyArray<ChannelName>

/** The events that channels report; each has one setting per channel. */
export const eventNames = [
  "deployment_success",
  "deployment_failure",
  "deployment_approval",
  "status_change",
  "backup_success",
  "backup_failure",
  "scheduled_task_success",
  "scheduled_task_failure",
  "docker_cleanup_success",
  "docker_cleanup_failure",
  "certificate_failure",
  "server_disk_usage",
  "server_reachable",
  "server_unreachable"
] as const

/** The name of an event. */
export type EventName = (typeof eventNames)[number]

/** Returns the name of the setting that makes a channel report an event. */
export const eventSetting = (event: EventName, channel: ChannelName): string => `${event}_${channel}_notifications`

/** Returns the name of the setting with the Telegram thread of an event. */
export const threadSetting = (event: EventName): string => `telegram_notifications_${event}_thread_id`

/** Returns the fields of a channel, with those of its events. */
export const fieldsOf = (channel: ChannelName): ReadonlyArray<ChannelField> => [
  ...channels[channel].fields,
  ...eventNames.map((event) => flag(eventSetting(event, channel))),
  ...(channel === "telegram" ? eventNames.map((event) => text(threadSetting(event))) : [])
]
