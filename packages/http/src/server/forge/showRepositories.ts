import { Level, levelWord } from "@slipway/domain/access"
import {
  detailsOf,
  intervalText,
  levelsOf,
  organizationFor,
  profileOf,
  type RepositoryDetails,
  type RepositoryWithGrants,
  repositoryFacts,
  roleOf,
  SiteSettings,
  type Unit
} from "@slipway/domain/forge"
import { Effect } from "effect"
import { PublicUrl, type PublicUrlSettings } from "./PublicUrl.ts"
import { type Acting, noTime, showAsUser, showProfile } from "./show.ts"

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

const sshUrl = ({ rootUrl, sshPort }: PublicUrlSettings, path: string): string => {
  const host = URL.canParse(rootUrl) ? new URL(rootUrl).hostname : ""
  if (sshPort === undefined || host === "") return ""
  return sshPort === 22 ? `git@${host}:${path}.git` : `ssh://git@${host}:${sshPort}/${path}.git`
}

const addresses = (publicUrl: PublicUrlSettings, owner: string, name: string) => {
  const path = `${encodeURIComponent(owner)}/${encodeURIComponent(name)}`
  const { rootUrl } = publicUrl
  const url = `${rootUrl}/api/v1/repos/${path}`
  return {
    html_url: `${rootUrl}/${path}`,
    url,
    link: "",
    languages_url: `${url}/languages`,
    clone_url: `${rootUrl}/${path}.git`,
    ssh_url: sshUrl(publicUrl, path)
  }
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

/** Shows repositories to whoever acts, with what they may do there; what stands beside them is read for all at once. */
export const showRepositoriesTo = Effect.fnUntraced(function* (
  { actor }: Acting,
  rows: ReadonlyArray<RepositoryWithGrants>
) {
  const { host, switches } = yield* SiteSettings
  const publicUrl = yield* PublicUrl
  const details = yield* detailsOf(
    actor,
    rows.map(({ repository }) => repository)
  )
  const showOwner = (owner: RepositoryDetails["owner"]) => {
    if (owner?.kind === "user") return showProfile(publicUrl, profileOf(actor, owner.user, host))
    return owner && showAsUser(publicUrl, organizationFor(actor, owner.organization))
  }
  return rows.flatMap((held) => {
    const { repository } = held
    const beside = details(repository)
    const owner = showOwner(beside.owner)
    if (owner === undefined) return []
    const levels = levelsOf(repositoryFacts(actor, switches, held))
    const { units } = levels
    const role = roleOf(levels)
    const reads = (unit: Unit) => (units[unit] ?? Level.none) >= Level.read
    return [
      {
        id: repository.id,
        owner,
        name: repository.name,
        full_name: `${repository.owner.name}/${repository.name}`,
        description: repository.description,
        empty: repository.empty,
        private: repository.private,
        internal: !repository.private && repository.owner.visibility === "limited",
        fork: false,
        template: repository.template,
        parent: null,
        mirror: repository.mirror,
        size: repository.size,
        language: "",
        ...addresses(publicUrl, repository.owner.name, repository.name),
        original_url: beside.follows?.url ?? "",
        website: repository.website,
        stars_count: beside.stars,
        forks_count: 0,
        watchers_count: beside.watchers,
        open_issues_count: reads("repo.issues") ? beside.openIssues : 0,
        open_pr_counter: reads("repo.pulls") ? beside.openPulls : 0,
        release_counter: 0,
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
        avatar_url: "",
        mirror_interval: beside.follows === undefined ? "" : intervalText(beside.follows.interval),
        mirror_updated: beside.follows?.syncedAt ?? noTime,
        repo_transfer: null,
        object_format_name: "sha1" as const,
        topics: [],
        licenses: []
      }
    ]
  })
})
