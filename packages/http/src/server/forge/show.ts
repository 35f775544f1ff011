import type { AccessToken, Actor, Email, Profile, SeenUser, Settings } from "@slipway/domain/forge"
import { profileOf, SiteSettings } from "@slipway/domain/forge"
import { Effect } from "effect"

/** Leaves out what is not known. */
const known = <K extends string, V>(name: K, value: V | null | undefined): { readonly [_ in K]?: V } =>
  (value === null || value === undefined ? {} : { [name]: value }) as { readonly [_ in K]?: V }

const showProfile = ({ account, ...profile }: Profile) => ({
  id: profile.id,
  login: profile.name,
  full_name: profile.fullName,
  email: profile.email,
  avatar_url: "",
  html_url: "",
  created: profile.createdAt,
  visibility: profile.visibility,
  location: profile.location,
  website: profile.website,
  description: profile.description,
  followers_count: profile.followers,
  following_count: profile.following,
  starred_repos_count: 0,
  ...(account === undefined
    ? {}
    : {
        login_name: account.loginName,
        source_id: account.sourceId,
        language: account.language,
        is_admin: account.admin,
        ...known("last_login", account.lastSignInAt),
        restricted: account.restricted,
        active: account.active,
        prohibit_login: account.prohibited
      })
})

/** Returns how users are shown to whoever acts; `asSelf` where the route is about the caller. */
export const showUserTo = (actor: Actor, asSelf = false) =>
  Effect.map(
    SiteSettings,
    ({ host }) =>
      (user: SeenUser) =>
        showProfile(profileOf(actor, user, host, asSelf))
  )

/** Shows an email address. */
export const showEmail = (email: Email) => ({
  email: email.address,
  verified: email.verified,
  primary: email.primary,
  user_id: email.userId,
  username: email.userName
})

/** Shows a token without its text, unless it was made just now. */
export const showToken = (token: AccessToken, text = "") => ({
  id: token.id,
  name: token.name,
  sha1: text,
  token_last_eight: token.lastEight,
  scopes: token.scopes,
  created_at: token.createdAt,
  ...known("last_used_at", token.lastUsedAt),
  ...known("expires_at", token.expiresAt)
})

/** Shows the settings of a user. */
export const showSettings = (settings: Settings) => ({
  full_name: settings.fullName,
  website: settings.website,
  description: settings.description,
  location: settings.location,
  language: settings.language,
  theme: settings.theme,
  diff_view_style: settings.diffViewStyle,
  hide_email: settings.hideEmail,
  hide_activity: settings.hideActivity
})

type Renamed<T, N> = { readonly [K in keyof T as K extends keyof N ? (N[K] extends string ? N[K] : K) : K]: T[K] }

/** Gives the fields of a body the names that the domain has for them. */
export const renamed = <T extends object, const N extends Readonly<Record<string, string>>>(
  body: T,
  names: N
): Renamed<T, N> =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [names[name] ?? name, value])) as Renamed<T, N>
