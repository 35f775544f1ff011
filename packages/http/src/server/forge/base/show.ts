import { SiteSettings } from "@slipway/domain/forge/base"
import type { Label } from "@slipway/domain/forge/code"
import type {
  AccessToken,
  Actor,
  AvatarName,
  NamedEmail,
  Organization,
  OwnerId,
  Profile,
  SeenUser,
  Settings,
  TeamInOrganization
} from "@slipway/domain/forge/identity"
import {
  noProfile,
  organizationFor,
  organizationSettings,
  permissionOf,
  profileOf,
  unitsMapOf,
  unitsOf,
  userSettings
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { joinText } from "../../joinText.ts"
import { avatarPath, identiconPath } from "./avatarPaths.ts"
import { PublicUrl, type PublicUrlSettings } from "./PublicUrl.ts"
import { type ShownSettings, showSettingsOf } from "./showSettings.ts"
import { zeroTime } from "./zeroTime.ts"

/** The part of every proof's resource that contains the actor (caller) who gets the response. */
export interface ViewerResource {
  readonly actor: Actor
}

/** Returns an object with one field, or an empty object if the value is null or undefined. */
const known = <K extends string, V>(name: K, value: V | null | undefined): { readonly [_ in K]?: V } =>
  (value === null || value === undefined ? {} : { [name]: value }) as { readonly [_ in K]?: V }

/** Returns the URL of a user's or organization's avatar; without an uploaded avatar, one is generated from the name. */
export const avatarUrl = (
  { rootUrl }: PublicUrlSettings,
  { avatar, name }: { readonly avatar: AvatarName | null; readonly name: string }
): string => joinText(rootUrl, avatar === null ? identiconPath(name) : avatarPath(avatar))

/** Placeholder values of account fields that only the account itself and administrators may see. */
const blank = {
  active: false,
  admin: false,
  language: "",
  lastSignInAt: null,
  loginName: "",
  prohibited: false,
  restricted: false,
  sourceId: 0
}

/** Converts a user's profile to its API response. */
export const showProfile = (
  publicUrl: PublicUrlSettings,
  { account = blank, ...profile }: Omit<Profile, "id"> & { readonly id: OwnerId }
) => ({
  id: profile.id,
  login: profile.name,
  username: profile.name,
  login_name: account.loginName,
  source_id: account.sourceId,
  full_name: profile.fullName,
  email: profile.email,
  avatar_url: avatarUrl(publicUrl, profile),
  html_url: joinText(publicUrl.rootUrl, "/", profile.name),
  language: account.language,
  is_admin: account.admin,
  last_login: account.lastSignInAt ?? zeroTime,
  created: profile.createdAt,
  restricted: account.restricted,
  active: account.active,
  prohibit_login: account.prohibited,
  location: profile.location,
  website: profile.website,
  description: profile.description,
  visibility: profile.visibility,
  followers_count: profile.followers,
  following_count: profile.following,
  starred_repos_count: profile.starred
})

/** Converts an organization to the API response of a user, for fields that can contain either. */
export const showAsUser = (publicUrl: PublicUrlSettings, organization: Organization) =>
  showProfile(publicUrl, { ...organization, followers: 0, following: 0, starred: 0, account: undefined })

/** Returns a function that converts a user to the API response for the actor; `asSelf` if the user is the caller. */
export const showUserTo = ({ actor }: ViewerResource, asSelf = false) =>
  Effect.map(
    Effect.all([SiteSettings, PublicUrl]),
    ([{ host }, publicUrl]) =>
      (user: SeenUser) =>
        showProfile(publicUrl, profileOf(actor, user, host, asSelf))
  )

/**
 * Returns two functions for users in API responses, such as authors.
 *
 * `show` converts a user to the response for the actor; of a hidden user it returns only the name. `ghost` returns a
 * placeholder for a deleted user.
 */
export const showPersonTo = Effect.fnUntraced(function* ({ actor }: ViewerResource) {
  const { host } = yield* SiteSettings
  const publicUrl = yield* PublicUrl
  const show = (user: SeenUser) => showProfile(publicUrl, profileOf(actor, user, host))
  const ghost = () =>
    showProfile(publicUrl, {
      ...noProfile,
      id: -1 as SeenUser["id"],
      name: "Ghost",
      email: `ghost@noreply.${host}`,
      account: undefined
    })
  return { show, ghost }
})

const showOrganizationSettings = showSettingsOf(organizationSettings)

/** Returns a function that converts an organization to its JSON response for the actor. */
export const showOrganizationTo = ({ actor }: ViewerResource) =>
  Effect.map(PublicUrl, (publicUrl) => (organization: Organization) => {
    const shown = organizationFor(actor, organization)
    return {
      id: shown.id,
      name: shown.name,
      username: shown.name,
      avatar_url: avatarUrl(publicUrl, shown),
      ...showOrganizationSettings(shown)
    }
  })

/** Returns a function that converts a label of an organization to its API response. */
export const showLabelOf = ({ organization }: { readonly organization: Pick<Organization, "name"> }) =>
  Effect.map(PublicUrl, ({ rootUrl }) => (label: Label) => ({
    ...label,
    is_archived: label.archived,
    url: `${rootUrl}/api/v1/orgs/${encodeURIComponent(organization.name)}/labels/${label.id}`
  }))

/** Returns a function that converts a team with its organization to the API response for the actor. */
export const showTeamTo = (acting: ViewerResource) =>
  Effect.map(showOrganizationTo(acting), (showOrganization) => ({ organization, team }: TeamInOrganization) => ({
    id: team.id,
    name: team.name,
    description: team.description,
    organization: showOrganization(organization),
    includes_all_repositories: team.includesAllRepositories,
    can_create_org_repo: team.mayCreateRepositories,
    permission: permissionOf(team),
    units: unitsOf(team),
    units_map: unitsMapOf(team),
    visibility: team.visibility
  }))

/** Converts an email address to its API response. */
export const showEmail = (email: NamedEmail) => ({
  email: email.address,
  verified: email.verified,
  primary: email.primaryOf !== null,
  user_id: email.userId,
  username: email.userName
})

/** Converts a token to its API response; `text` is the token itself, only passed when it was just created. */
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

/** Converts the settings of a user to their API response. */
export const showSettings: (settings: Settings) => ShownSettings<typeof userSettings> = showSettingsOf(userSettings)

type RenamedFields<T, N> = { readonly [K in keyof T as K extends keyof N ? (N[K] extends string ? N[K] : K) : K]: T[K] }

/** Renames the fields of a body to the domain's names. */
export const renameFields = <T extends object, const N extends Readonly<Record<string, string>>>(
  body: T,
  names: N
): RenamedFields<T, N> =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [names[name] ?? name, value])) as RenamedFields<T, N>
