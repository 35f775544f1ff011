import { Level } from "@slipway/domain/access"
import type {
  AccessToken,
  Actor,
  AvatarName,
  Email,
  Label,
  Organization,
  Profile,
  RepositoryWithGrants,
  SeenUser,
  Settings,
  TeamInOrganization,
  Unit
} from "@slipway/domain/forge"
import {
  canSee,
  namedAlone,
  noProfile,
  organizationFor,
  permissionOf,
  profileOf,
  repositoryFacts,
  repositoryLevel,
  SiteSettings,
  unitsMapOf,
  unitsOf
} from "@slipway/domain/forge"
import { Effect } from "effect"
import { avatarPath } from "./avatars.ts"
import { PublicUrl, type PublicUrlSettings } from "./PublicUrl.ts"

/** Who looks: the resource of every proof says it. */
export interface Acting {
  readonly actor: Actor
}

/** Leaves out what is not known. */
const known = <K extends string, V>(name: K, value: V | null | undefined): { readonly [_ in K]?: V } =>
  (value === null || value === undefined ? {} : { [name]: value }) as { readonly [_ in K]?: V }

const pictureUrl = ({ rootUrl }: PublicUrlSettings, avatar: AvatarName | null): string =>
  avatar === null ? "" : `${rootUrl}${avatarPath(avatar)}`

const showProfile = (publicUrl: PublicUrlSettings, { account, ...profile }: Profile) => ({
  id: profile.id,
  login: profile.name,
  full_name: profile.fullName,
  email: profile.email,
  avatar_url: pictureUrl(publicUrl, profile.avatar),
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
export const showUserTo = ({ actor }: Acting, asSelf = false) =>
  Effect.map(
    Effect.all([SiteSettings, PublicUrl]),
    ([{ host }, publicUrl]) =>
      (user: SeenUser) =>
        showProfile(publicUrl, profileOf(actor, user, host, asSelf))
  )

/**
 * Returns how the people that things name are shown to whoever acts, and what stands for those who are gone.
 *
 * Of somebody who is hidden nothing is told but the name.
 */
export const showPersonTo = Effect.fnUntraced(function* ({ actor }: Acting) {
  const { host } = yield* SiteSettings
  const publicUrl = yield* PublicUrl
  const isSeen = canSee(actor)
  const show = (user: SeenUser) =>
    showProfile(publicUrl, profileOf(actor, isSeen(user) ? user : namedAlone(user), host))
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

/** Returns how organizations are shown to whoever acts. */
export const showOrganizationTo = ({ actor }: Acting) =>
  Effect.map(PublicUrl, (publicUrl) => (organization: Organization) => {
    const shown = organizationFor(actor, organization)
    return {
      id: shown.id,
      name: shown.name,
      username: shown.name,
      full_name: shown.fullName,
      email: shown.email,
      avatar_url: pictureUrl(publicUrl, shown.avatar),
      description: shown.description,
      website: shown.website,
      location: shown.location,
      visibility: shown.visibility,
      repo_admin_change_team_access: shown.repoAdminChangeTeamAccess
    }
  })

/** Returns how the labels of an organization are shown. */
export const showLabelOf = ({ organization }: { readonly organization: Pick<Organization, "name"> }) =>
  Effect.map(PublicUrl, ({ rootUrl }) => (label: Label) => ({
    id: label.id,
    name: label.name,
    color: label.color,
    description: label.description,
    exclusive: label.exclusive,
    is_archived: label.archived,
    url: `${rootUrl}/api/v1/orgs/${encodeURIComponent(organization.name)}/labels/${label.id}`
  }))

/** Returns how teams are shown, with their organizations, to whoever acts. */
export const showTeamTo = (acting: Acting) =>
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

/** The field of a repository's answers for each of its units that clients know as one. */
export const unitFields = {
  has_code: "repo.code",
  has_issues: "repo.issues",
  has_pull_requests: "repo.pulls",
  has_releases: "repo.releases",
  has_wiki: "repo.wiki",
  has_projects: "repo.projects",
  has_packages: "repo.packages",
  has_actions: "repo.actions"
} as const satisfies Readonly<Record<string, Unit>>

/** Returns how repositories are shown to whoever acts, with what they may do there. */
export const showHeldTo = Effect.fnUntraced(function* ({ actor }: Acting) {
  const { switches } = yield* SiteSettings
  const { rootUrl } = yield* PublicUrl
  return (held: RepositoryWithGrants) => {
    const { createdAt, defaultBranch, owner, units, updatedAt, ...repository } = held.repository
    const level = repositoryLevel(repositoryFacts(actor, switches, held))
    return {
      ...repository,
      owner: { id: owner.id, login: owner.name, full_name: owner.fullName, visibility: owner.visibility },
      full_name: `${owner.name}/${repository.name}`,
      default_branch: defaultBranch,
      object_format_name: "sha1" as const,
      has_code: units[unitFields.has_code],
      has_issues: units[unitFields.has_issues],
      has_pull_requests: units[unitFields.has_pull_requests],
      has_releases: units[unitFields.has_releases],
      has_wiki: units[unitFields.has_wiki],
      has_projects: units[unitFields.has_projects],
      has_packages: units[unitFields.has_packages],
      has_actions: units[unitFields.has_actions],
      url: `${rootUrl}/api/v1/repos/${owner.name}/${repository.name}`,
      created_at: createdAt,
      updated_at: updatedAt,
      permissions: { admin: level >= Level.admin, push: level >= Level.write, pull: level >= Level.read }
    }
  }
})

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

type RenamedFields<T, N> = { readonly [K in keyof T as K extends keyof N ? (N[K] extends string ? N[K] : K) : K]: T[K] }

/** Gives the fields of a body the names that the domain has for them. */
export const renameFields = <T extends object, const N extends Readonly<Record<string, string>>>(
  body: T,
  names: N
): RenamedFields<T, N> =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [names[name] ?? name, value])) as RenamedFields<T, N>
