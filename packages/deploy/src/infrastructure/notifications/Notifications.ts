import {
  InvalidInput,
  joinProblems,
  makeUuid,
  noProblems,
  now,
  type Problems,
  type Sealed,
  Transaction
} from "@slipway/domain"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { type TeamId, teamOf } from "@slipway/domain/deploy/identity"
import {
  type ChannelSettings,
  type ChannelValue,
  type ChannelValues,
  channelProblems,
  channelRow,
  isEnabled,
  type Notification,
  type NotificationChannel,
  NotificationMailer,
  NotificationUndelivered,
  NotificationUuid,
  TeamNotificationStore,
  targetsIn,
  testMessage,
  valuesOf
} from "@slipway/domain/deploy/infrastructure"
import { Duration, Effect } from "effect"
import { type ReceiverChange, receiverProblems } from "../../base/secretReceivers.ts"
import { openChannel, sealSecret, sendNotification } from "./send.ts"

type Acting = Authorized<"notification.read" | "notification.test" | "notification.update">

/** Returns the id of the caller's team. */
export const teamOfCaller = ({ resource: { caller } }: Acting): TeamId => teamOf(caller.access)

const storedOf = Effect.fnUntraced(function* (proof: Acting, channel: NotificationChannel) {
  const settings = yield* (yield* TeamNotificationStore).settings(teamOfCaller(proof))
  return settings.find((each) => each.channel === channel)
})

/** Returns the settings of a notification channel. Secrets are null unless the proof permits to see them. */
const show = Effect.fnUntraced(function* (
  channel: NotificationChannel,
  stored: ChannelSettings | undefined,
  proof: Authorized<"notification.secrets"> | undefined
) {
  return proof === undefined || stored === undefined ? valuesOf(channel, stored) : yield* openChannel(stored)
})

/**
 * Reads the settings of a notification channel of the caller's team. Secrets are null unless the authorization proof
 * permits the caller to see them.
 */
export const read = Effect.fnUntraced(function* (
  proof: Authorized<"notification.read">,
  channel: NotificationChannel,
  secrets: Authorized<"notification.secrets"> | undefined
) {
  return yield* show(channel, yield* storedOf(proof, channel), secrets)
})

/** Encrypts the secrets among the settings of a request. */
const sealSent = Effect.fnUntraced(function* (teamId: TeamId, channel: NotificationChannel, sent: ChannelValues) {
  const sealed: Record<string, Sealed> = {}
  for (const [name, { secret }] of Object.entries(channelRow(channel).fields)) {
    const value = sent[name]
    if (secret && typeof value === "string") sealed[name] = yield* sealSecret(teamId, channel, name, value)
  }
  return sealed as Readonly<Record<string, Sealed>>
})

/** Merges changed settings into stored settings; null removes a setting. */
const changed = <A>(present: Readonly<Record<string, A>>, sent: Readonly<Record<string, A | null>>) =>
  Object.fromEntries(
    Object.entries({ ...present, ...sent }).filter((entry): entry is [string, A] => entry[1] !== null)
  ) as Readonly<Record<string, A>>

const noInstanceMail: Problems = {
  use_instance_email_settings: ["Must be false: this instance has no mail server (DEPLOY_MAIL_URL)."]
}

/** The settings that determine the mail server to which the password is sent. */
const passwordReceivers = ["smtp_host", "smtp_port", "smtp_encryption", "smtp_username"]

/** Changes a notification channel of the caller's team. Omitted settings stay unchanged; null resets a setting. */
export const update = Effect.fnUntraced(function* (
  proof: Authorized<"notification.update">,
  channel: NotificationChannel,
  sent: ChannelValues,
  secrets: Authorized<"notification.secrets"> | undefined
) {
  const { fields } = channelRow(channel)
  const isSecret = (name: string) => fields[name]?.secret === true
  const teamId = teamOfCaller(proof)
  const sealed = yield* sealSent(teamId, channel, sent)
  const { instance } = yield* NotificationMailer
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* TeamNotificationStore
      const present = (yield* store.lock(teamId)).find((each) => each.channel === channel)
      const entries = Object.entries(sent)
      const removed = Object.fromEntries(entries.filter(([name, value]) => isSecret(name) && value === null))
      const stored: ChannelSettings = {
        teamId,
        channel,
        values: changed<ChannelValue>(
          present?.values ?? {},
          Object.fromEntries(entries.filter(([name]) => !isSecret(name)))
        ),
        secrets: changed<Sealed>(present?.secrets ?? {}, { ...(removed as Record<string, null>), ...sealed }),
        updatedAt: yield* now
      }
      const values = valuesOf(channel, stored)
      const before = present && valuesOf(channel, present)
      const receiver: ReceiverChange = {
        field: "smtp_password",
        receiver: "mail server",
        isStored: present?.secrets.smtp_password !== undefined,
        isSent: "smtp_password" in sent,
        isMoved: passwordReceivers.some((name) => values[name] !== before?.[name])
      }
      const isSet = (name: string) => (isSecret(name) ? stored.secrets[name] !== undefined : values[name] != null)
      const wrong = joinProblems(
        channelProblems(channel, values, isSet),
        values.use_instance_email_settings === true && instance === null ? noInstanceMail : {},
        receiverProblems(receiver, secrets)
      )
      if (!noProblems(wrong)) return yield* new InvalidInput({ problems: wrong })
      yield* store.write(stored)
      return yield* show(channel, stored, secrets)
    })
  )
})

const longestTest = Duration.seconds(60)

/** Sends a test notification to each recipient of an enabled channel, and waits for the result. */
export const test = Effect.fnUntraced(function* (proof: Authorized<"notification.test">, channel: NotificationChannel) {
  const stored = yield* storedOf(proof, channel)
  if (stored === undefined || !isEnabled(channel, valuesOf(channel, stored))) {
    const names = Object.keys(channelRow(channel).enabledBy)
    return yield* new InvalidInput({
      problems: Object.fromEntries(names.map((name) => [name, ["Must be true to send a test notification."]]))
    })
  }
  const at = yield* now
  const sent = Effect.forEach(
    targetsIn(channel, stored, null),
    (target) =>
      Effect.gen(function* () {
        const uuid = yield* makeUuid(NotificationUuid)
        const notification: Notification = {
          ...target,
          uuid,
          teamId: stored.teamId,
          message: testMessage,
          attempts: 0,
          dueAt: at,
          createdAt: at
        }
        yield* sendNotification(notification, stored)
      }),
    { discard: true }
  )
  yield* Effect.timeoutOrElse(sent, {
    duration: longestTest,
    orElse: () => Effect.fail(new NotificationUndelivered({ because: "no answer in time", isRejected: false }))
  })
})
