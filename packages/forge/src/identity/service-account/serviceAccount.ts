import { makeSecret, now, Setting, Transaction } from "@slipway/domain"
import type { NewUser } from "@slipway/domain/forge/identity"
import { UserStore, userSettings } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** The name of the account that jobs act as; users cannot take it. */
export const serviceAccountName = "slipway-actions"

/** How many alternative names are tried if a user had the name before it was reserved. */
const mostNames = 20

/**
 * Returns the row of the service account. The account has no password and is prohibited, so no user can sign in to it.
 *
 * The account gets no emails: its email address is undeliverable. The address contains a random part, so that no user
 * can register it beforehand.
 */
const accountNamed = (name: string, secret: string, at: string): NewUser => ({
  name,
  email: `${name}.${secret}@noreply.invalid`,
  emailVerified: false,
  system: true,
  ...Setting.defaults(userSettings),
  hideEmail: true,
  hideActivity: true,
  emailNotifications: "disabled",
  visibility: "private",
  active: true,
  admin: false,
  restricted: false,
  prohibited: true,
  mustChangePassword: false,
  awaitsApproval: false,
  mayCreateOrganizations: false,
  mayEditGitHooks: false,
  mayImportLocal: false,
  maxRepositories: 0,
  loginName: "",
  sourceId: 0,
  passwordHash: null,
  createdAt: at,
  updatedAt: at
})

/** Finds the account that workflow jobs act as, and creates it on first use. */
export const serviceAccount = Effect.gen(function* () {
  const users = yield* UserStore
  const transaction = yield* Transaction
  const at = yield* now
  for (let n = 1; n <= mostNames; n++) {
    const present = yield* users.system
    if (present !== undefined) return present
    const name = n === 1 ? serviceAccountName : `${serviceAccountName}-${n}`
    const insertion = users.insert(accountNamed(name, (yield* makeSecret).slice(0, 20).toLowerCase(), at))
    // Of two concurrent first calls, the second finds the name taken and the account existing.
    const account = yield* transaction.attempt(insertion).pipe(Effect.catchTag("Duplicate", () => Effect.undefined))
    if (account !== undefined) return account
  }
  return yield* Effect.die(new Error(`the names from ${serviceAccountName} on are taken`))
})
