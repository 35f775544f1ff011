import { makeSecret, now, Transaction, timeIn } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Proof } from "@slipway/domain/forge/entry"
import type { User } from "@slipway/domain/forge/identity"
import { addressKey, emailsOf, UserStore, usersByEmail } from "@slipway/domain/forge/identity"
import { MailDelivery } from "@slipway/domain/forge/integrations"
import { Effect, Schema } from "effect"
import type { NetAddress } from "effect/net"
import * as Mails from "../../base/mail/Mails.ts"
import { system } from "../../entry/Entry.ts"
import * as AdminUsers from "../accounts/AdminUsers.ts"
import { countAttempt } from "../credentials/attempts.ts"
import * as ProtocolRecords from "../oauth2/ProtocolRecords.ts"

const model = "PasswordReset"
const lastsMinutes = 60
const mostWaiting = 3

/** The path of the page that sets a new password, opened from the link in the email. */
export const path = "/user/recover_account"

/** The error for a reset secret that is forged, used or expired, or belongs to a disabled account. */
export class ResetRefused extends Schema.TaggedError<ResetRefused>()("ResetRefused", {}) {}

/** The error for a site that sends no email, so that passwords cannot be reset. */
export class ResetOff extends Schema.TaggedError<ResetOff>()("ResetOff", {}) {}

/** Returns whether passwords can be reset by email: mail is on, and the root URL is set. */
export const isOn = Effect.gen(function* () {
  return (yield* MailDelivery).on && (yield* SiteSettings).rootUrl !== ""
})

/** Returns whether an account is active and not prohibited; other accounts get no password reset (invariant I16). */
const isUsable = (user: User | undefined): user is User => user?.active === true && !user.prohibited

const write = Effect.fnUntraced(function* (user: User, address: string) {
  const { rootUrl, title } = yield* SiteSettings
  const secret = yield* makeSecret
  yield* ProtocolRecords.write({
    model,
    secret,
    userId: user.id,
    applicationId: null,
    grant: null,
    alias: null,
    payload: {},
    expiresAt: yield* timeIn({ minutes: lastsMinutes })
  })
  const content = {
    subject: `Set a new password at ${title}`,
    paragraphs: [
      `A new password was requested for ${user.name}.`,
      `The link works once, for ${lastsMinutes} minutes. If you did not request it, do nothing: your password does not change.`
    ],
    action: { label: "Set a new password", address: `${rootUrl}${path}?code=${secret}` },
    reason: `An account at ${rootUrl} has this address.`
  }
  yield* Mails.send([{ to: { name: user.name, address }, content }])
})

/**
 * Sends a password reset email to an email address, if the address is confirmed by an active account.
 *
 * Returns nothing, so that callers cannot find out which addresses exist. Emails per account and requests per IP
 * address are rate limited.
 */
export const ask = Effect.fnUntraced(function* (address: string, from: NetAddress.IpAddress) {
  const key = `reset ${addressKey(from)}`
  yield* countAttempt(key)
  if (!(yield* isOn)) return
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const owner = (yield* usersByEmail([address])).get(address)
      const user = owner === undefined ? undefined : yield* (yield* UserStore).lock(owner)
      if (!isUsable(user) || (yield* ProtocolRecords.ofUser(model, user.id)).length >= mostWaiting) return
      // Sent to the address as its owner wrote it: lookalike characters could lead to another mailbox.
      const own = (yield* emailsOf(user.id)).find(
        (each) => each.verified && each.address.toLowerCase() === address.toLowerCase()
      )
      if (own !== undefined) yield* write(user, own.address)
    })
  )
})

/** Sets a new password with the one-time secret of an email; revokes tokens, sessions, consents and other resets. */
export const finish = Effect.fnUntraced(function* (secret: string, password: string) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const found = yield* ProtocolRecords.find(model, secret)
      const isOver = found?.expiresAt == null || found.expiresAt <= (yield* now)
      if (found?.userId == null || isOver) return yield* new ResetRefused()
      yield* ProtocolRecords.consume(model, secret).pipe(Effect.mapError(() => new ResetRefused()))
      const user = yield* (yield* UserStore).lock(found.userId)
      if (!isUsable(user)) return yield* new ResetRefused()
      const change = { password, mustChangePassword: false, endTokens: true }
      yield* AdminUsers.changePassword(system("admin.user.edit"), user.name, change)
      return user
    })
  )
})

/** Sends a password reset email for an API request, as `ask` does; fails if resets are disabled. */
export const request = Effect.fnUntraced(function* (
  _: Proof<"account.password-reset.create">,
  address: string,
  from: NetAddress.IpAddress
) {
  if (!(yield* isOn)) return yield* new ResetOff()
  yield* ask(address, from)
})

/** Sets a new password for an API request with the secret of a password reset email, as `finish` does. */
export const complete = (_: Proof<"account.password-reset.finish">, secret: string, password: string) =>
  finish(secret, password)
