import { now, Sealed, type SecretOwner, Transaction, timeIn, Vault } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import { emails, type User, UserId, UserStore } from "@slipway/domain/forge/identity"
import { Effect, Redacted, Schema } from "effect"
import { record } from "../../base/events/record.ts"
import * as Mails from "../../base/mail/Mails.ts"
import { system } from "../../entry/Entry.ts"

/** The URL path of the page that confirms an email address with the token in an email. */
export const path = "/user/confirm"

const lasts = { days: 3 }
const owner: SecretOwner = { uuid: "mail", field: "confirm" }
const Confirmation = Schema.fromJsonString(
  Schema.Struct({ userId: UserId, address: Schema.String, until: Schema.String })
)

/** Reports that a token confirms no email address: it is forged or expired, or the user no longer has the address. */
export class ConfirmationRefused extends Schema.TaggedError<ConfirmationRefused>()("ConfirmationRefused", {}) {}

const confirmationEmailTo = Effect.fnUntraced(function* (user: Pick<User, "id" | "name">, address: string) {
  const { rootUrl, title } = yield* SiteSettings
  const until = yield* timeIn(lasts)
  const text = yield* Effect.orDie(Schema.encodeEffect(Confirmation)({ userId: user.id, address, until }))
  const sealed = yield* (yield* Vault).seal(owner, Redacted.make(text))
  return {
    to: { name: user.name, address },
    content: {
      subject: `Confirm your address at ${title}`,
      paragraphs: [`${user.name} added this address to their account. If you are not ${user.name}, do nothing.`],
      action: {
        label: "Confirm the address",
        address: `${rootUrl}${path}?token=${sealed.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`
      },
      reason: `A user entered this address at ${rootUrl}.`
    }
  }
})

/** Queues a confirmation email to each given address of a user, in the current transaction. */
export const ask = Effect.fnUntraced(function* (user: Pick<User, "id" | "name">, addresses: ReadonlyArray<string>) {
  if ((yield* SiteSettings).rootUrl === "") return
  yield* Mails.send(yield* Effect.forEach(addresses, (address) => confirmationEmailTo(user, address)))
})

/**
 * Confirms an email address with the token in a confirmation email. Idempotent; nothing else of the account changes
 * (invariant I16).
 */
export const confirm = Effect.fnUntraced(function* (token: string) {
  if (!/^[\w-]{1,2000}$/.test(token)) return yield* new ConfirmationRefused()
  const base64 = token.replaceAll("-", "+").replaceAll("_", "/")
  const padded = Sealed.make(base64.padEnd(Math.ceil(base64.length / 4) * 4, "="))
  const opened = yield* (yield* Vault).tryOpen(owner, padded).pipe(Effect.mapError(() => new ConfirmationRefused()))
  const { address, until, userId } = yield* Effect.orDie(Schema.decodeEffect(Confirmation)(Redacted.value(opened)))
  if (until <= (yield* now)) return yield* new ConfirmationRefused()
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const user = yield* (yield* UserStore).lock(userId)
      const store = yield* emails.store
      const found = yield* store.findBy("address", { address })
      if (user === undefined || found?.userId !== userId) return yield* new ConfirmationRefused()
      yield* Effect.orDie(store.patch({ userId }, found.id, { verified: true }))
      yield* record(system("admin.user.edit"), { user, details: { confirmed: address } })
      return address
    })
  )
})
