import { Level, levelWord } from "@slipway/access"
import { memoize, memoizeBy } from "@slipway/domain"
import { type Unit, unitKeys } from "@slipway/domain/forge/access"
import { type RepositoryId, SiteSettings } from "@slipway/domain/forge/base"
import type { Repository, RepositoryAddresses, RepositoryWithGrants } from "@slipway/domain/forge/code"
import { type Levels, type LevelsRequest, levelsFor, roleOf } from "@slipway/domain/forge/explanation"
import { organizationFor, profileOf } from "@slipway/domain/forge/identity"
import { intervalText } from "@slipway/domain/forge/integrations"
import { detailsOf, type RepositoriesDetails, type RepositoryDetails } from "@slipway/forge/code"
import { Effect } from "effect"
import { joinText } from "../../joinText.ts"
import { avatarPath } from "./avatarPaths.ts"
import { PublicUrl, type PublicUrlSettings } from "./PublicUrl.ts"
import { showAsUser, showProfile, showTeamTo, showUserTo, type ViewerResource } from "./show.ts"
import { zeroTime } from "./zeroTime.ts"

/** Maps response fields such as `has_wiki` to the repository units (code, issues, wiki…) that they report. */
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

/** Returns the host name in the service's URL; memoized, because the URL is nearly always the same. */
const hostIn = memoize((rootUrl: string) => (URL.canParse(rootUrl) ? new URL(rootUrl).hostname : ""), 100)

/** The settings that determine the URLs of repositories. */
type Reached = Pick<PublicUrlSettings, "rootUrl" | "sshPort">

const sshUrls = ({ rootUrl, sshPort }: Reached): ((path: string) => string) => {
  const host = hostIn(rootUrl)
  if (sshPort === undefined || host === "") return () => ""
  const root = sshPort === 22 ? `git@${host}:` : `ssh://git@${host}:${sshPort}/`
  return (path) => joinText(root, path, ".git")
}

/** Matches repository paths that need no percent-encoding in URLs. */
const isPlain = /^[\w.-]+\/[\w.-]+$/

const addressesAt = (publicUrl: Reached, owner: string, name: string) => {
  const { rootUrl } = publicUrl
  const apiUrl = `${rootUrl}/api/v1/repos/`
  const fullName = joinText(owner, "/", name)
  const path = isPlain.test(fullName) ? fullName : joinText(encodeURIComponent(owner), "/", encodeURIComponent(name))
  return {
    full_name: fullName,
    html_url: joinText(rootUrl, "/", path),
    url: joinText(apiUrl, path),
    languages_url: joinText(apiUrl, path, "/languages"),
    clone_url: joinText(rootUrl, "/", path, ".git"),
    ssh_url: sshUrls(publicUrl)(path)
  }
}

interface KnownAddresses extends Reached {
  readonly owner: string
  readonly name: string
  readonly addresses: ReturnType<typeof addressesAt>
}

const mostKnown = 1_000
const known = new Map<RepositoryId, KnownAddresses>()

/** Returns the URLs of a repository for API responses; caches the URLs of up to a thousand repositories. */
const addressesIn = ({ rootUrl, sshPort }: Reached, { id, name, owner }: Repository) => {
  const found = known.get(id)
  const isSame =
    found?.name === name && found.owner === owner.name && found.rootUrl === rootUrl && found.sshPort === sshPort
  if (isSame) return found.addresses
  if (known.size >= mostKnown) known.clear()
  const addresses = addressesAt({ rootUrl, sshPort }, owner.name, name)
  known.set(id, { rootUrl, sshPort, owner: owner.name, name, addresses })
  return addresses
}

/** Returns the URLs of a repository: its web page, and the clone URLs for HTTPS and SSH. */
export const addressesOf = (publicUrl: PublicUrlSettings, owner: string, name: string): RepositoryAddresses => {
  const { clone_url: https, html_url: page, ssh_url: ssh } = addressesAt(publicUrl, owner, name)
  return { page, https, ssh }
}

/** Converts access levels on a repository to the permissions in API responses. */
const showLevels = (levels: Levels) => {
  const role = roleOf(levels)
  const units: Record<string, ReturnType<typeof levelWord>> = {}
  for (const unit of unitKeys) {
    const level = levels.units[unit]
    if (level !== undefined) units[unit] = levelWord(level)
  }
  // They refer to code: where that unit is off, push and pull are false.
  const code = Math.min(role, levels.units["repo.code"] ?? Level.none)
  return {
    admin: role >= Level.admin,
    push: code >= Level.write,
    pull: code >= Level.read,
    units
  }
}

const permissionsOf = memoize(showLevels, 1_000)

/** The value (undefined) of a field to leave out of a response: JSON omits undefined values. */
const leftOut = undefined as never

/** Returns a function that returns the API response of a repository's transfer offer, with sender and recipient. */
const showOffersTo = Effect.fnUntraced(function* (acting: ViewerResource, offers: RepositoriesDetails["offers"]) {
  const publicUrl = yield* PublicUrl
  const showUser = yield* showUserTo(acting)
  const showTeam = yield* showTeamTo(acting)
  return (id: RepositoryId) => {
    const offer = offers.get(id)
    if (offer === undefined) return null
    const { doer, teams, to } = offer
    const recipient =
      to.kind === "user" ? showUser(to.user) : showAsUser(publicUrl, organizationFor(acting.actor, to.organization))
    return { doer: showUser(doer), recipient, teams: teams.length === 0 ? null : teams.map(showTeam) }
  }
})

/** Converts repositories to API responses, with the actor's permissions; reads related rows in one query for all. */
export const showRepositoriesTo = Effect.fnUntraced(function* (
  acting: ViewerResource & LevelsRequest,
  rows: ReadonlyArray<RepositoryWithGrants>
) {
  const { actor } = acting
  const { host, switches } = yield* SiteSettings
  const publicUrl = yield* PublicUrl
  const { of: detailsFor, offers, parents } = yield* detailsOf(actor, rows)
  const showOffer = offers.size === 0 ? () => null : yield* showOffersTo(acting, offers)
  const levelsHeld = levelsFor(acting, switches)
  // Many rows have the same owner and the same levels: each is shown once.
  const ownerOf = memoizeBy(
    ({ owner }: RepositoryDetails) => (owner.kind === "user" ? owner.user : owner.organization),
    ({ owner }) =>
      owner.kind === "user"
        ? showProfile(publicUrl, profileOf(actor, owner.user, host))
        : showAsUser(publicUrl, organizationFor(actor, owner.organization))
  )
  const shown = <Parent, Offered>(held: RepositoryWithGrants, parent: Parent, offer: Offered) => {
    const { repository } = held
    const details = detailsFor(repository)
    if (details === undefined) return undefined
    const { name, owner, preferences, units: on } = repository
    const beside = details.summary
    const levels = levelsHeld(held)
    const { units } = levels
    const reads = (unit: Unit) => (units[unit] ?? Level.none) >= Level.read
    const at = addressesIn(publicUrl, repository)
    return {
      id: repository.id,
      owner: ownerOf(details),
      name,
      full_name: at.full_name,
      description: repository.description,
      empty: repository.empty,
      private: repository.private,
      internal: !repository.private && owner.visibility === "limited",
      fork: beside.parentId !== null,
      template: repository.template,
      mirror: repository.mirror,
      size: repository.size,
      language: beside.language,
      html_url: at.html_url,
      url: at.url,
      link: "",
      languages_url: at.languages_url,
      clone_url: at.clone_url,
      ssh_url: at.ssh_url,
      original_url: beside.follows?.url ?? "",
      website: repository.website,
      stars_count: beside.stars,
      forks_count: beside.forks,
      watchers_count: beside.watchers,
      open_issues_count: reads("repo.issues") ? beside.openIssues : 0,
      open_pr_counter: reads("repo.pulls") ? beside.openPulls : 0,
      release_counter: reads("repo.releases") ? beside.releases : 0,
      default_branch: repository.defaultBranch,
      archived: repository.archived,
      archived_at: repository.archivedAt ?? zeroTime,
      created_at: repository.createdAt,
      updated_at: repository.updatedAt,
      permissions: permissionsOf(levels),
      allow_merge_commits: preferences.allow_merge_commits,
      allow_rebase: preferences.allow_rebase,
      allow_rebase_explicit: preferences.allow_rebase_explicit,
      allow_rebase_update: preferences.allow_rebase_update,
      allow_squash_merge: preferences.allow_squash_merge,
      allow_fast_forward_only_merge: preferences.allow_fast_forward_only_merge,
      allow_manual_merge: preferences.allow_manual_merge,
      autodetect_manual_merge: preferences.autodetect_manual_merge,
      default_merge_style: preferences.default_merge_style,
      default_delete_branch_after_merge: preferences.default_delete_branch_after_merge,
      default_allow_maintainer_edit: preferences.default_allow_maintainer_edit,
      ignore_whitespace_conflicts: preferences.ignore_whitespace_conflicts,
      projects_mode: preferences.projects_mode,
      has_code: on[unitFields.has_code],
      has_issues: on[unitFields.has_issues] || on["repo.ext_issues"],
      has_pull_requests: on[unitFields.has_pull_requests],
      has_releases: on[unitFields.has_releases],
      has_wiki: on[unitFields.has_wiki] || on["repo.ext_wiki"],
      has_projects: on[unitFields.has_projects],
      has_packages: on[unitFields.has_packages],
      has_actions: on[unitFields.has_actions],
      internal_tracker: on["repo.issues"] ? preferences.internal_tracker : leftOut,
      external_tracker: on["repo.ext_issues"] ? (preferences.external_tracker ?? leftOut) : leftOut,
      external_wiki: on["repo.ext_wiki"] ? (preferences.external_wiki ?? leftOut) : leftOut,
      avatar_url: beside.avatar === null ? "" : joinText(publicUrl.rootUrl, avatarPath(beside.avatar)),
      mirror_interval:
        beside.follows === undefined || beside.follows.oneTime ? "" : intervalText(beside.follows.interval),
      mirror_updated: beside.follows?.syncedAt ?? zeroTime,
      object_format_name: repository.objectFormat,
      topics: beside.topics,
      licenses: beside.licenses,
      parent,
      repo_transfer: offer
    }
  }
  return rows.flatMap((held) => {
    const { id } = held.repository
    const parent = parents.get(id)
    return shown(held, (parent && shown(parent, null, null)) ?? null, showOffer(id)) ?? []
  })
})
