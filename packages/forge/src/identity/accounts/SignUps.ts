import { now, Transaction } from "@slipway/domain"
import { NoticeStore } from "@slipway/domain/forge/background"
import { type OwnerName, SiteSettings } from "@slipway/domain/forge/base"
import type { Proof } from "@slipway/domain/forge/entry"
import { type EmailAddress, hashNew, signUpKey } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { NetAddress } from "effect/net"
import { record } from "../../base/events/record.ts"
import { countAttempt } from "../credentials/attempts.ts"
import * as EmailConfirmations from "./EmailConfirmations.ts"
import { insertAccount } from "./insertAccount.ts"

/** The fields with which a visitor creates an account. */
export interface SignUp {
  readonly name: OwnerName
  readonly email: EmailAddress
  readonly password: string
  readonly fullName?: string | undefined
}

/**
 * Creates an account for a visitor, with the defaults of the site.
 *
 * If the site requires approval, the account is inactive until an administrator activates it, and administrators get a
 * notice. If the site requires confirmed addresses, the email address is unconfirmed until the link in an email is
 * opened. All requests are rate limited by network address, because failures reveal taken names and addresses.
 */
export const create = Effect.fnUntraced(function* (
  proof: Proof<"account.create">,
  { email, fullName = "", name, password }: SignUp,
  from: NetAddress.IpAddress
) {
  const key = signUpKey(from)
  yield* countAttempt(key)
  const { accounts, switches } = yield* SiteSettings
  const active = accounts.registration !== "approval"
  const passwordHash = yield* hashNew(password)
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const user = yield* insertAccount({
        name,
        email,
        fullName,
        passwordHash,
        active,
        awaitsApproval: !active,
        // Without a confirmation, the address may be another person's.
        emailVerified: false,
        mustChangePassword: false
      })
      if (switches.confirmationRequired) yield* EmailConfirmations.ask(user, [email])
      if (!active) {
        const text = `\`${name}\` signed up and waits for an administrator to activate the account`
        yield* (yield* NoticeStore).add(text, yield* now)
      }
      yield* record(proof, { user, details: { active } })
      return { user, email, confirmationSent: switches.confirmationRequired }
    })
  )
})
