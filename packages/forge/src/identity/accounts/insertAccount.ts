import { now, Setting } from "@slipway/domain"
import type { OwnerName } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import {
  type EmailAddress,
  EmailTaken,
  NameTaken,
  type Settings,
  type Standing,
  UserStore,
  userSettings
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** The fields of a new account; omitted ones have the site's default values. */
export interface InsertedAccount extends Partial<Settings & Standing> {
  readonly name: OwnerName
  readonly email: EmailAddress
  /** The hash of the password; null if the user cannot sign in with a password. */
  readonly passwordHash: string | null
  readonly emailVerified: boolean
  readonly awaitsApproval?: boolean
  readonly createdAt?: string | undefined
}

/** Inserts a new account in the current transaction. Fails if its name or email address is taken. */
export const insertAccount = Effect.fnUntraced(function* (account: InsertedAccount) {
  const { createdAt, email, emailVerified, name, passwordHash, ...set } = account
  const { accounts, ui } = yield* SiteSettings
  const at = yield* now
  return yield* (yield* UserStore)
    .insert({
      ...Setting.defaults(userSettings),
      theme: ui.defaultTheme,
      hideEmail: accounts.hideEmail,
      emailNotifications: accounts.emailNotifications,
      visibility: accounts.visibility,
      active: true,
      admin: false,
      restricted: accounts.restricted,
      prohibited: false,
      mustChangePassword: true,
      awaitsApproval: false,
      mayCreateOrganizations: accounts.mayCreateOrganizations,
      mayEditGitHooks: false,
      mayImportLocal: false,
      maxRepositories: -1,
      loginName: "",
      sourceId: 0,
      ...set,
      system: false,
      name,
      email,
      passwordHash,
      emailVerified,
      createdAt: createdAt ?? at,
      updatedAt: at
    })
    .pipe(
      Effect.mapError(({ of }) =>
        of === "email.address" ? new EmailTaken({ address: email }) : new NameTaken({ name })
      )
    )
})
