import { Level, levelWord } from "@slipway/domain/access"
import {
  detailsOf,
  intervalText,
  levelsFor,
  organizationFor,
  profileOf,
  type RepositoriesDetails,
  type RepositoryAddresses,
  type RepositoryDetails,
  type RepositoryId,
  type RepositoryWithGrants,
  roleOf,
  SiteSettings,
  type Unit
} from "@slipway/domain/forge"
import { Effect } from "effect"
import { avatarPath } from "./avatars.ts"
import { PublicUrl, type PublicUrlSettings } from "./PublicUrl.ts"
import { type Acting, noTime, showAsUser, showProfile, showTeamTo, showUserTo } from "./show.ts"

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

const sshUrls = ({ rootUrl, sshPort }: PublicUrlSettings): ((path: string) => string) => {
  const host = URL.canParse(rootUrl) ? new URL(rootUrl).hostname : ""
  if (sshPort === undefined || host === "") return () => ""
  return (path) => (sshPort === 22 ? `git@${host}:${path}.git` : `ssh://git@${host}:${sshPort}/${path}.git`)
}

const addressesIn = (publicUrl: PublicUrlSettings) => {
  const { rootUrl } = publicUrl
  const sshUrl = sshUrls(publicUrl)
  return (owner: string, name: string) => {
    const path = `${encodeURIComponent(owner)}/${encodeURIComponent(name)}`
    const url = `${rootUrl}/api/v1/repos/${path}`
    return {
      html_url: `${rootUrl}/${path}`,
      url,
      link: "",
      languages_url: `${url}/languages`,
      clone_url: `${rootUrl}/${path}.git`,
      ssh_url: sshUrl(path)
    }
  }
}

/** Returns the addresses of a repository: of its page, and those that git takes. */
export const addressesOf = (publicUrl: PublicUrlSettings, owner: string, name: string): RepositoryAddresses => {
  const { clone_url: https, html_url: page, ssh_url: ssh } = addressesIn(publicUrl)(owner, name)
  return { page, https, ssh }
}

const kept = ({ repository: { preferences, units } }: RepositoryWithGrants) => {
  const { external_tracker: tracker, external_wiki: wiki, internal_tracker, ...plain } = preferences
  return {
    ...plain,
    has_code: units[unitFields.has_code],
    has_issues: units[unitFields.has_issues] || units["repo.ext_issues"],
    has_pull_requests: units[unitFields.has_pull_requests],
    has_releases: units[unitFields.has_releases],
    has_wiki: units[unitFields.has_wiki] || units["repo.ext_wiki"],
    has_projects: units[unitFields.has_projects],
    has_packages: units[unitFields.has_packages],
    has_actions: units[unitFields.has_actions],
    ...(units["repo.issues"] ? { internal_tracker } : {}),
    ...(units["repo.ext_issues"] && tracker !== null ? { external_tracker: tracker } : {}),
    ...(units["repo.ext_wiki"] && wiki !== null ? { external_wiki: wiki } : {})
  }
}

/** Shows to whom repositories are offered, by whom. */
const showOffersTo = Effect.fnUntraced(function* (acting: Acting, offers: RepositoriesDetails["offers"]) {
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

/** Shows repositories to whoever acts, with what they may do there; what stands beside them is read for all at once. */
export const showRepositoriesTo = Effect.fnUntraced(function* (
  acting: Acting,
  rows: ReadonlyArray<RepositoryWithGrants>
) {
  const { actor } = acting
  const { host, switches } = yield* SiteSettings
  const publicUrl = yield* PublicUrl
  const { of: detailsFor, offers, parents } = yield* detailsOf(actor, rows)
  const showOffer = yield* showOffersTo(acting, offers)
  const addresses = addressesIn(publicUrl)
  const levelsHeld = levelsFor(actor, switches)
  const showOwner = (owner: RepositoryDetails["owner"]) => {
    if (owner.kind === "user") return showProfile(publicUrl, profileOf(actor, owner.user, host))
    return showAsUser(publicUrl, organizationFor(actor, owner.organization))
  }
  const shown = (held: RepositoryWithGrants) => {
    const { repository } = held
    const details = detailsFor(repository)
    if (details === undefined) return undefined
    const beside = details.summary
    const levels = levelsHeld(held)
    const { units } = levels
    const role = roleOf(levels)
    const reads = (unit: Unit) => (units[unit] ?? Level.none) >= Level.read
    return {
      id: repository.id,
      owner: showOwner(details.owner),
      name: repository.name,
      full_name: `${repository.owner.name}/${repository.name}`,
      description: repository.description,
      empty: repository.empty,
      private: repository.private,
      internal: !repository.private && repository.owner.visibility === "limited",
      fork: beside.parentId !== null,
      template: repository.template,
      mirror: repository.mirror,
      size: repository.size,
      language: beside.language,
      ...addresses(repository.owner.name, repository.name),
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
      archived_at: repository.archivedAt ?? noTime,
      created_at: repository.createdAt,
      updated_at: repository.updatedAt,
      permissions: {
        admin: role >= Level.admin,
        push: role >= Level.write,
        pull: role >= Level.read,
        units: Object.fromEntries(Object.entries(units).map(([unit, level]) => [unit, levelWord(level)]))
      },
      ...kept(held),
      avatar_url: beside.avatar === null ? "" : `${publicUrl.rootUrl}${avatarPath(beside.avatar)}`,
      mirror_interval: beside.follows === undefined || beside.follows.once ? "" : intervalText(beside.follows.interval),
      mirror_updated: beside.follows?.syncedAt ?? noTime,
      object_format_name: repository.objectFormat,
      topics: beside.topics,
      licenses: beside.licenses
    }
  }
  return rows.flatMap((held) => {
    const { id } = held.repository
    const one = shown(held)
    if (one === undefined) return []
    const parent = parents.get(id)
    const above = parent && shown(parent)
    return [
      {
        ...one,
        parent: above === undefined ? null : { ...above, parent: null, repo_transfer: null },
        repo_transfer: showOffer(id)
      }
    ]
  })
})
