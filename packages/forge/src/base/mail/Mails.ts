import {
  type EmailContent,
  Mail,
  Mailer,
  MailUnsent,
  now,
  Sealed,
  type SecretOwner,
  timeIn,
  Vault,
  written
} from "@slipway/domain"
import { UserId } from "@slipway/domain/forge/identity"
import { MailDelivery } from "@slipway/domain/forge/integrations"
import { Duration, Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { addJobs } from "../jobs/addJob.ts"

/** How long the delivery of an email is retried; mail servers usually use the same limit. */
const timeout = Duration.days(3)

/** Returns the identity under which a queued email is encrypted; emails may contain a password reset link. */
const ownerOf = (id: string): SecretOwner => ({ uuid: id, field: "mail" })

const Waiting = Schema.fromJsonString(Schema.Struct({ mail: Mail, until: Schema.String }))

/** The content of an unsubscribe link: the user, and the emails to stop, such as those about `issue:7`, or all. */
export const Subscription = Schema.Struct({ userId: UserId, about: Schema.String })
export type Subscription = typeof Subscription.Type

const SubscriptionText = Schema.fromJsonString(Subscription)
const subscriptions: SecretOwner = { uuid: "mail", field: "unsubscribe" }

/** Creates the token of an unsubscribe link. It is encrypted, so it reveals nothing and cannot be forged. */
export const unsubscribeToken = Effect.fnUntraced(function* (subscription: Subscription) {
  const text = yield* Effect.orDie(Schema.encodeEffect(SubscriptionText)(subscription))
  const sealed = yield* (yield* Vault).seal(subscriptions, Redacted.make(text))
  return sealed.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
})

/** Decrypts the token of an unsubscribe link; undefined if this site did not create it. */
export const readUnsubscribeToken = Effect.fnUntraced(function* (token: string) {
  if (!/^[\w-]{1,1000}$/.test(token)) return undefined
  const base64 = token.replaceAll("-", "+").replaceAll("_", "/")
  const padded = Sealed.make(base64.padEnd(Math.ceil(base64.length / 4) * 4, "="))
  const opened = yield* Effect.option((yield* Vault).tryOpen(subscriptions, padded))
  return opened._tag === "None"
    ? undefined
    : yield* Effect.orDie(Schema.decodeEffect(SubscriptionText)(Redacted.value(opened.value)))
})

/** The content of an email, with its recipient. */
export interface AddressedEmail {
  readonly to: Mail["to"]
  readonly content: EmailContent
  /** The full URL for unsubscribing from emails of this kind; null or undefined if the receiver cannot unsubscribe. */
  readonly unsubscribe?: string | null
}

const sealed = Effect.fnUntraced(function* ({ content, to, unsubscribe = null }: AddressedEmail) {
  const id = Hex.encode(yield* (yield* SecureRandom.SecureRandom).randomBytes(16))
  const until = yield* timeIn(timeout)
  const mail = { id, to, unsubscribe, ...written(content, unsubscribe) }
  const text = yield* Effect.orDie(Schema.encodeEffect(Waiting)({ mail, until }))
  return { _tag: "SendMail" as const, id, sealed: yield* (yield* Vault).seal(ownerOf(id), Redacted.make(text)) }
})

/**
 * Queues emails in the current transaction; they are sent after the commit. Returns the jobs, none if email is
 * disabled.
 */
export const send = Effect.fnUntraced(function* (emails: ReadonlyArray<AddressedEmail>) {
  if (!(yield* MailDelivery).on) return []
  return yield* addJobs(yield* Effect.forEach(emails, sealed))
})

/** Provides the decryption and sending of queued emails. */
export const layerDelivery: Layer.Layer<never, never, Mailer | Vault> = Layer.effect(
  MailDelivery,
  Effect.gen(function* () {
    const mailer = yield* Mailer
    const vault = yield* Vault
    return {
      on: true,
      deliver: Effect.fnUntraced(function* (id: string, sealed: string) {
        const text = yield* vault.open(ownerOf(id), Sealed.make(sealed))
        const { mail, until } = yield* Effect.orDie(Schema.decodeEffect(Waiting)(Redacted.value(text)))
        const isLate = (yield* now) > until
        yield* mailer.send(mail).pipe(
          Effect.catchTag("MailRefused", ({ problem }) => Effect.logWarning(`email ${id} was rejected: ${problem}`)),
          Effect.catchTag("MailUnsent", (unsent) =>
            isLate
              ? Effect.logWarning(`email ${id} is not retried any more: ${unsent.problem}`)
              : Effect.fail(new MailUnsent({ problem: unsent.problem }))
          )
        )
      })
    }
  })
)
