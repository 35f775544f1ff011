import { timeIn } from "@slipway/domain"
import type { Work } from "@slipway/domain/forge/background"
import type { EmailReceiver } from "@slipway/domain/forge/collaboration"
import { wantsNotificationEmail } from "@slipway/domain/forge/collaboration"
import type { User } from "@slipway/domain/forge/identity"
import { Duration, Effect } from "effect"
import { addJobs } from "../../base/jobs/addJob.ts"
import { NotificationMail } from "./NotificationMail.ts"

/** The number of emails that one job sends. */
const batchSize = 50

/** How long the delivery of notification emails is retried; mail servers usually use the same limit. */
const timeout = Duration.days(3)

/** A user who may read the subject of a notification, and the reason for the notification. */
export interface NotificationReader extends Omit<EmailReceiver, "userId"> {
  readonly user: User
}

/** Queues emails to those users who want them, in the current transaction. Does nothing if email is disabled. */
export const queueNotificationEmails = Effect.fnUntraced(function* (
  work: Omit<Extract<Work, { readonly _tag: "SendNotificationEmails" }>, "_tag" | "receivers" | "until">,
  readers: ReadonlyArray<NotificationReader>
) {
  if (!(yield* NotificationMail).on) return
  const receivers = readers.flatMap(({ because, personal, user }) =>
    user.email !== "" && wantsNotificationEmail(user.emailNotifications, { because, personal })
      ? [{ userId: user.id, because, personal }]
      : []
  )
  const until = yield* timeIn(timeout)
  const parts = Array.from({ length: Math.ceil(receivers.length / batchSize) }, (_, at) =>
    receivers.slice(at * batchSize, (at + 1) * batchSize)
  )
  yield* addJobs(parts.map((part) => ({ _tag: "SendNotificationEmails", ...work, until, receivers: part })))
})
