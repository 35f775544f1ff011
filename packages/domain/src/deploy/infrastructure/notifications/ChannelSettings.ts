import type { Problems } from "../../../Problems.ts"
import type { Sealed } from "../../../Vault.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import {
  type ChannelValue,
  channelRow,
  eventSetting,
  type NotificationChannel,
  recipientsOf,
  threadSetting
} from "./channels.ts"
import type { NotificationEvent } from "./events.ts"

/** The stored settings of a notification channel (such as Slack) of a team; absent settings have their defaults. */
export interface ChannelSettings {
  readonly teamId: TeamId
  readonly channel: NotificationChannel
  readonly values: Readonly<Record<string, ChannelValue>>
  readonly secrets: Readonly<Record<string, Sealed>>
  readonly updatedAt: string
}

/** The values of a channel's settings, by setting name. */
export type ChannelValues = Readonly<Record<string, ChannelValue>>

/** Returns the values of all settings of a channel; absent settings have their defaults, and secrets are null. */
export const valuesOf = (channel: NotificationChannel, stored: ChannelSettings | undefined): ChannelValues =>
  Object.fromEntries(
    Object.entries(channelRow(channel).fields).map(([name, { unset }]) => [name, stored?.values[name] ?? unset])
  )

/** Returns the settings that currently enable a channel, each with the settings that it requires. */
const enabling = (channel: NotificationChannel, values: ChannelValues) =>
  Object.entries(channelRow(channel).enabledBy).filter(([name]) => values[name] === true)

/** Returns whether a channel is enabled. */
export const isEnabled = (channel: NotificationChannel, values: ChannelValues): boolean =>
  enabling(channel, values).length > 0

/**
 * Returns the errors, by setting, in the combination of a channel's settings; `isSet` returns whether a setting,
 * including a secret, has a value.
 *
 * @example
 * channelProblems("slack", { slack_enabled: true }, () => false) // => { slack_webhook_url: ["Must be set, because slack_enabled is true."] }
 * channelProblems("slack", { slack_enabled: false }, () => false) // => {}
 */
export const channelProblems = (
  channel: NotificationChannel,
  values: ChannelValues,
  isSet: (name: string) => boolean
): Problems => {
  const problems: Record<string, ReadonlyArray<string>> = {}
  for (const [flag, needed] of enabling(channel, values)) {
    for (const name of needed) if (!isSet(name)) problems[name] = [`Must be set, because ${flag} is true.`]
  }
  if (channel !== "email") return problems
  if (values.smtp_encryption === "none" && isSet("smtp_password")) {
    problems.smtp_encryption = ["Must not be none with smtp_password, which would be sent unencrypted."]
  }
  for (const [name, other] of [
    ["smtp_username", "smtp_password"],
    ["smtp_password", "smtp_username"]
  ] as const) {
    if (!isSet(name) && isSet(other)) problems[name] = [`Must be set, because ${other} is set.`]
  }
  return problems
}

/** The target of a notification: a channel; for the email channel, one recipient. */
export interface NotificationTarget {
  readonly channel: NotificationChannel
  /** The email address; null in other channels. */
  readonly recipient: string | null
}

/** Returns the recipients of a channel. */
const recipientsIn = (channel: NotificationChannel, values: ChannelValues): ReadonlyArray<string | null> =>
  channel === "email" ? recipientsOf(String(values.smtp_recipients ?? "")) : [null]

/**
 * Returns the targets of an event in one channel. A null `event` is a test message, which every enabled channel sends.
 */
export const targetsIn = (
  channel: NotificationChannel,
  stored: ChannelSettings | undefined,
  event: NotificationEvent | null
): ReadonlyArray<NotificationTarget> => {
  const values = valuesOf(channel, stored)
  if (!isEnabled(channel, values)) return []
  if (event !== null && values[eventSetting(event, channel)] !== true) return []
  return recipientsIn(channel, values).map((recipient) => ({ channel, recipient }))
}

/** Returns the targets of an event in all channels of a team; a channel without stored settings is disabled. */
export const targetsOf = (
  event: NotificationEvent,
  all: ReadonlyArray<ChannelSettings>
): ReadonlyArray<NotificationTarget> => all.flatMap((stored) => targetsIn(stored.channel, stored, event))

/** Returns the id of the Telegram thread for an event; null if no thread is set. */
export const threadOf = (event: NotificationEvent | null, values: ChannelValues): number | null => {
  const thread = event === null ? null : (values[threadSetting(event)] ?? null)
  return thread === null ? null : Number(thread)
}
